//! Vectors of sixteen words: loading, storing, gathering, scattering.

use core::arch::asm;
use core::arch::x86_64::{
    __m512i, __mmask16, _mm512_cmplt_epu32_mask, _mm512_mask_storeu_epi32,
    _mm512_maskz_compress_epi32, _mm512_maskz_loadu_epi32, _mm512_set1_epi32, _mm512_storeu_si512,
};
use std::sync::atomic::AtomicU32;

use super::super::Selected;

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn all(word: u32) -> __m512i {
    _mm512_set1_epi32(word.cast_signed())
}

/// The lanes in use of a vector for `len` words, of at most sixteen.
#[inline]
pub(super) const fn lanes(len: usize) -> __mmask16 {
    if len >= 16 {
        __mmask16::MAX
    } else {
        (1 << len) - 1
    }
}

/// Up to sixteen words; the lanes of others are zero.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(words: &[u32]) -> (__m512i, __mmask16) {
    let lanes = lanes(words.len());
    // SAFETY: only the lanes of words that `words` borrows are read.
    let loaded = unsafe { _mm512_maskz_loadu_epi32(lanes, words.as_ptr().cast()) };
    (loaded, lanes)
}

/// Stores the lanes of the words there are.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(words: &mut [u32], lanes: __mmask16, values: __m512i) {
    debug_assert!(lanes.count_ones() as usize <= words.len());
    let lanes = lanes & self::lanes(words.len());
    // SAFETY: only the lanes of words that `words` borrows are written.
    unsafe { _mm512_mask_storeu_epi32(words.as_mut_ptr().cast(), lanes, values) };
}

/// Stores the lanes of a set one after the other from `selected[count]` on, and returns the
/// number of words up to their end.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn push(words: __m512i, set: __mmask16, selected: &mut Selected, count: usize) -> usize {
    let front = _mm512_maskz_compress_epi32(set, words);
    let room: &mut [u32; 16] = selected[count..]
        .first_chunk_mut()
        .expect("room for a vector");
    // SAFETY: the store fills the sixteen words that `room` borrows.
    unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), front) };
    count + set.count_ones() as usize
}

/// The words at some places; lanes of `set` alone are read.
///
/// Written in assembly because other threads may use words nearby: the processor reads each
/// aligned word whole, as relaxed atomic loads would.
///
/// # Safety
/// Every place in a lane of `set` must be one of `words`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn gather(words: &[AtomicU32], places: __m512i, set: __mmask16) -> __m512i {
    let mut gathered = all(0);
    // SAFETY: the caller says that the places exist.
    unsafe {
        asm!(
            "vpgatherdd {gathered}{{{set}}}, [{words} + 4*{places}]",
            gathered = inout(zmm_reg) gathered,
            set = inout(kreg) set => _,
            words = in(reg) words.as_ptr(),
            places = in(zmm_reg) places,
            options(nostack, readonly, preserves_flags)
        );
    }
    gathered
}

/// Stores the lanes of `set` at their places, in assembly as [`gather`].
///
/// # Safety
/// Every place in a lane of `set` must be one of `words`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn scatter(
    words: &[AtomicU32],
    places: __m512i,
    set: __mmask16,
    values: __m512i,
) {
    // SAFETY: the caller says that the places exist.
    unsafe {
        asm!(
            "vpscatterdd [{words} + 4*{places}]{{{set}}}, {values}",
            values = in(zmm_reg) values,
            set = inout(kreg) set => _,
            words = in(reg) words.as_ptr(),
            places = in(zmm_reg) places,
            options(nostack, preserves_flags)
        );
    }
}

/// Up to sixteen places, and which lanes hold one.
///
/// # Panics
/// If a place is none of the words.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn places_in(words: &[AtomicU32], places: &[u32]) -> (__m512i, __mmask16) {
    // Indices of a vector have signs.
    let len = i32::try_from(words.len())
        .expect("less than 2^31 words")
        .cast_unsigned();
    let (places, lanes) = load(places);
    let inside = _mm512_cmplt_epu32_mask(places, all(len));
    assert!(inside & lanes == lanes, "a place is none of the words");
    (places, lanes)
}
