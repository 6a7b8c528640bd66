//! Large arrays for random access: zeroed memory from the operating system, on
//! huge pages where it offers them, and prefetching.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU32};

use memmap2::MmapMut;

use super::work::Cell;

/// A fixed number of shared words, all zero at first.
#[derive(Debug)]
pub(super) struct Cells<W> {
    map: MmapMut,
    len: usize,
    width: PhantomData<W>,
}

impl<W: Cell> Cells<W> {
    pub fn new(len: usize) -> io::Result<Self> {
        Ok(Self {
            map: zeroed(len, size_of::<W::Atom>())?,
            len,
            width: PhantomData,
        })
    }

    #[inline(always)]
    pub fn cells(&self) -> &[W::Atom] {
        // SAFETY: an anonymous map is page-aligned, zero-initialized, at least
        // `len` words long and private to this value; all access to it goes
        // through atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<W::Atom>(), self.len) }
    }
}

/// An anonymous map with room for `len` words of `size` bytes.
fn zeroed(len: usize, size: usize) -> io::Result<MmapMut> {
    let bytes = len
        .checked_mul(size)
        .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let map = MmapMut::map_anon(bytes.max(8))?;
    // Random access to gigabytes spends its time in page-table walks; huge pages
    // halve it. Where there are none, nothing is lost but speed.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

/// An atomic number.
///
/// # Safety
/// Zero bytes must be a valid value, and at most 8-byte alignment be needed.
pub(super) unsafe trait Atom: Send + Sync {}

// SAFETY: plain numbers, for which zero bytes are zero.
unsafe impl Atom for AtomicU8 {}
// SAFETY: as above.
unsafe impl Atom for AtomicU32 {}

/// A fixed number of atomic numbers, all zero at first.
#[derive(Debug)]
pub(super) struct Atoms<A> {
    map: MmapMut,
    len: usize,
    kind: PhantomData<A>,
}

impl<A: Atom> Atoms<A> {
    pub fn new(len: usize) -> io::Result<Self> {
        Ok(Self {
            map: zeroed(len, size_of::<A>())?,
            len,
            kind: PhantomData,
        })
    }

    #[inline(always)]
    pub fn get(&self) -> &[A] {
        // SAFETY: an anonymous map is page-aligned, zero-initialized, at least
        // `len` words long and private to this value; all access to it goes
        // through atomics, for which zero bytes are valid.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<A>(), self.len) }
    }
}

/// Asks the processor to fetch a cell that will soon be written.
#[inline(always)]
pub(super) fn prefetch_write<T>(cell: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect but on caches; the address is valid.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_ET0>(std::ptr::from_ref(cell).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cell;
}

/// Asks the processor to fetch a cell that will soon be read.
#[inline(always)]
pub(super) fn prefetch_read<T>(cell: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect but on caches; the address is valid.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cell).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cell;
}
