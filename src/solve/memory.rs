//! Large arrays for random access: zeroed memory from the operating system, on
//! huge pages where it offers them, and prefetching.

use std::io;
use std::sync::atomic::AtomicU32;

use memmap2::MmapMut;

/// A fixed number of 32-bit cells, all zero at first.
#[derive(Debug)]
pub(super) struct Cells {
    map: MmapMut,
    len: usize,
}

impl Cells {
    pub fn new(len: usize) -> io::Result<Self> {
        let bytes = len
            .checked_mul(4)
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let map = MmapMut::map_anon(bytes.max(4))?;
        // Random access to gigabytes spends its time in page-table walks; huge
        // pages halve it. Where there are none, nothing is lost but speed.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Self { map, len })
    }

    #[inline(always)]
    pub fn cells(&self) -> &[AtomicU32] {
        // SAFETY: an anonymous map is page-aligned, zero-initialized, at least
        // `len * 4` bytes long and private to this value; all access to it goes
        // through atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast::<AtomicU32>(), self.len) }
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
