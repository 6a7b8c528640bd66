//! Large arrays for random access: zeroed memory from the operating system, on huge
//! pages where available, and prefetching.

use std::fmt::Debug;
use std::io;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use memmap2::{MmapMut, MmapRaw};
use thiserror::Error;

/// The operating system could not provide the memory for the positions of a group.
#[derive(Debug, Error)]
#[error(
    "cannot allocate {bytes} bytes for {positions} positions: {source}; choose a smaller game or use a machine with more memory"
)]
pub struct OutOfMemory {
    /// Number of positions in the group.
    pub positions: u64,
    /// Bytes requested.
    pub bytes: u64,
    /// The error of the operating system.
    pub source: io::Error,
}

impl OutOfMemory {
    /// The error for an array of `size` bytes a position.
    pub(crate) fn of(positions: u64, size: usize) -> impl FnOnce(io::Error) -> Self {
        move |source| Self {
            positions,
            bytes: positions.saturating_mul(size as u64),
            source,
        }
    }
}

/// Gives memory that was freed back to the system: after many vectors have grown side by side, the
/// allocator of glibc keeps a third of what they took.
pub(crate) fn trim() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: memory in use is not touched.
    unsafe {
        libc::malloc_trim(0)
    };
}

/// An atomic integer that can be an element of a [`WordArray`].
///
/// # Safety
/// All-zero bytes must be a valid value, and the alignment at most 8 bytes.
pub unsafe trait AtomicWord: Debug + Send + Sync {}

// SAFETY: zero bytes are the number zero, and a byte has no alignment.
unsafe impl AtomicWord for AtomicU8 {}
// SAFETY: zero bytes are the number zero, and the alignment is 4.
unsafe impl AtomicWord for AtomicU32 {}
// SAFETY: zero bytes are the number zero, and the alignment is at most 8.
unsafe impl AtomicWord for AtomicU64 {}

/// A slice of atomic words in memory of its own. The length is fixed, and all words are
/// zero at first.
#[derive(Debug)]
pub struct WordArray<A> {
    // Raw: a pointer derived from a `&[u8]` must not be written through, not even by
    // atomics.
    map: MmapRaw,
    len: usize,
    word: PhantomData<A>,
}

impl<A: AtomicWord> WordArray<A> {
    /// Allocates `len` zeroed words.
    ///
    /// # Errors
    /// If the operating system cannot provide the memory.
    pub fn new(len: usize) -> io::Result<Self> {
        Ok(Self {
            map: zeroed(len, size_of::<A>())?.into(),
            len,
            word: PhantomData,
        })
    }
}

impl<A: AtomicWord> Deref for WordArray<A> {
    type Target = [A];

    #[inline(always)]
    fn deref(&self) -> &[A] {
        // SAFETY: an anonymous map is page-aligned, at least `len` words long and
        // private to this value. Its bytes are zero at first, which is valid for these
        // words, and all access to them is atomic.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast::<A>(), self.len) }
    }
}

/// Maps zeroed memory for `len` elements of `size` bytes each.
pub(crate) fn zeroed(len: usize, size: usize) -> io::Result<MmapMut> {
    let bytes = len
        .checked_mul(size)
        .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let map = MmapMut::map_anon(bytes.max(8))?;
    // Random access to gigabytes spends its time in page-table walks; huge pages halve
    // it. Without them only speed is lost, so a refusal is ignored.
    #[cfg(all(target_os = "linux", not(miri)))]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

/// Number of values that are fetched together: those of a cache line.
pub(crate) const fn fetched_together<T>() -> usize {
    64 / size_of::<T>()
}

#[inline(always)]
pub(crate) fn prefetch_write<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching affects only caches, and the address is valid.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_ET0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[inline(always)]
pub(crate) fn prefetch_read<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching affects only caches, and the address is valid.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
