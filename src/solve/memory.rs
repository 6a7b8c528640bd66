//! Large arrays for random access: zeroed memory from the operating system, on
//! huge pages where it offers them, and prefetching.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU8, AtomicU32};

use memmap2::{MmapMut, MmapRaw};

use super::work::Cell;

/// A fixed number of shared words, all zero at first.
#[derive(Debug)]
pub struct Cells<W> {
    // Raw: a pointer that comes of a `&[u8]` may not be written through, by atomics
    // either.
    map: MmapRaw,
    len: usize,
    width: PhantomData<W>,
}

impl<W: Cell> Cells<W> {
    /// So many words.
    ///
    /// # Errors
    /// If the system gives no memory.
    pub fn new(len: usize) -> io::Result<Self> {
        Ok(Self {
            map: zeroed(len, size_of::<W::Atom>())?.into(),
            len,
            width: PhantomData,
        })
    }

    /// The words.
    #[inline(always)]
    #[must_use]
    pub fn cells(&self) -> &[W::Atom] {
        // SAFETY: an anonymous map is page-aligned, zero-initialized, at least
        // `len` words long and private to this value; all access to it goes
        // through atomics.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast::<W::Atom>(), self.len) }
    }
}

/// An anonymous map with room for `len` words of `size` bytes.
pub(crate) fn zeroed(len: usize, size: usize) -> io::Result<MmapMut> {
    let bytes = len
        .checked_mul(size)
        .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
    let map = MmapMut::map_anon(bytes.max(8))?;
    // Random access to gigabytes spends its time in page-table walks; huge pages
    // halve it. Where there are none, nothing is lost but speed.
    #[cfg(all(target_os = "linux", not(miri)))]
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
    // Raw: a pointer that comes of a `&[u8]` may not be written through, by atomics
    // either.
    map: MmapRaw,
    len: usize,
    kind: PhantomData<A>,
}

impl<A: Atom> Atoms<A> {
    pub fn new(len: usize) -> io::Result<Self> {
        Ok(Self {
            map: zeroed(len, size_of::<A>())?.into(),
            len,
            kind: PhantomData,
        })
    }

    #[inline(always)]
    pub fn get(&self) -> &[A] {
        // SAFETY: an anonymous map is page-aligned, zero-initialized, at least
        // `len` words long and private to this value; all access to it goes
        // through atomics, for which zero bytes are valid.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast::<A>(), self.len) }
    }
}

/// Which of up to 64 words match either of two patterns (mask, and what must be left
/// under it), as a bit set; eight at a time.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(miri)))]
#[inline(always)]
pub(super) fn matching(words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
    use core::arch::asm;
    use core::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_movemask_ps,
        _mm256_or_si256, _mm256_set1_epi32,
    };
    let (eights, rest) = words.as_chunks::<8>();
    let [(first, is), (second, or)] = patterns;
    let mut found = 0u64;
    for (place, word) in rest.iter().enumerate() {
        let bits = word.load(std::sync::atomic::Ordering::Relaxed);
        let hit = bits & first == is || bits & second == or;
        found |= u64::from(hit) << (8 * eights.len() + place);
    }
    // SAFETY: compiled only where the target is known to have AVX2. The load is of
    // eight words that `eight` borrows. It is written in assembly because other
    // threads may be writing these words: the processor reads each aligned word whole,
    // as relaxed atomic loads would, while a plain load would be a data race.
    unsafe {
        let [first, is, second, or] =
            [first, is, second, or].map(|bits| _mm256_set1_epi32(bits.cast_signed()));
        for (place, eight) in eights.iter().enumerate() {
            let bits: __m256i;
            asm!(
                "vmovdqu {bits}, ymmword ptr [{from}]",
                from = in(reg) eight.as_ptr(),
                bits = lateout(ymm_reg) bits,
                options(nostack, readonly, preserves_flags)
            );
            let hit = _mm256_or_si256(
                _mm256_cmpeq_epi32(_mm256_and_si256(bits, first), is),
                _mm256_cmpeq_epi32(_mm256_and_si256(bits, second), or),
            );
            let hit = _mm256_movemask_ps(_mm256_castsi256_ps(hit));
            found |= u64::from(hit.cast_unsigned()) << (8 * place);
        }
    }
    found
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
pub(crate) fn prefetch_read<T>(cell: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching has no effect but on caches; the address is valid.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cell).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = cell;
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "avx2", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn eight_words_at_a_time_match_as_one_by_one() {
        let mut x = 0x9e37_79b9u32;
        for len in [0, 1, 7, 8, 9, 31, 63, 64] {
            let words: Vec<u32> = (0..len)
                .map(|_| {
                    x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    x >> 28 | (x >> 24 & 3) << 8
                })
                .collect();
            let atoms: Vec<_> = words.iter().map(|&word| AtomicU32::new(word)).collect();
            for value in 0..16 {
                let patterns = [(0xff, value), (0xff00, (value & 3) << 8)];
                let one_by_one = words.iter().enumerate().fold(0, |found, (place, word)| {
                    let hit = word & 0xff == value || word & 0xff00 == (value & 3) << 8;
                    found | u64::from(hit) << place
                });
                assert_eq!(matching(&atoms, patterns), one_by_one, "{len} words");
            }
        }
    }
}
