//! Packing words, sixteen at a time.

use super::super::{PACKED, PackedBytes, PackedWords, Packing};
use super::vectors::all;
use core::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_storeu_si128, _mm256_loadu_si256,
    _mm256_storeu_si256, _mm512_and_si512, _mm512_cmpeq_epi32_mask, _mm512_cmpgt_epu32_mask,
    _mm512_cvtepi32_epi8, _mm512_cvtepi32_epi16, _mm512_cvtepu8_epi32, _mm512_cvtepu16_epi32,
    _mm512_loadu_si512, _mm512_mask_blend_epi32, _mm512_mask_or_epi32, _mm512_or_si512,
    _mm512_setzero_si512, _mm512_slli_epi32, _mm512_srl_epi32, _mm512_srli_epi32,
    _mm512_storeu_si512, _mm512_test_epi32_mask,
};

/// What a packing is, for sixteen words.
#[derive(Clone, Copy)]
struct Vectors {
    packing: Packing,
    fields: __m512i,
}

impl Vectors {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn new(packing: Packing) -> Self {
        Self {
            packing,
            fields: all((1 << packing.shift) - 1),
        }
    }

    /// [`Packing::pack`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn pack(self, words: __m512i) -> __m512i {
        let Packing {
            shift,
            first,
            second,
            ..
        } = self.packing;
        let fields = _mm512_and_si512(words, self.fields);
        let count = _mm512_and_si512(words, all(31 << shift));
        let second = _mm512_test_epi32_mask(words, all(second));
        let both = _mm512_test_epi32_mask(words, all(first)) & second;
        let code = _mm512_mask_blend_epi32(second, count, all(30 << shift));
        let code = _mm512_mask_blend_epi32(both, code, all(31 << shift));
        _mm512_or_si512(fields, code)
    }

    /// [`Packing::unpack`].
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn unpack(self, packed: __m512i) -> __m512i {
        let Packing {
            shift,
            first,
            second,
            greatest,
            never,
        } = self.packing;
        let fields = _mm512_and_si512(packed, self.fields);
        let code = _mm512_srl_epi32(packed, _mm_cvtsi32_si128(shift.cast_signed()));
        let byte = _mm512_and_si512(packed, all(255));
        let odd = _mm512_test_epi32_mask(byte, all(1));
        let great = _mm512_cmpgt_epu32_mask(byte, all(greatest));
        let never = _mm512_cmpeq_epi32_mask(byte, all(never[0]))
            | _mm512_cmpeq_epi32_mask(byte, all(never[1]));
        let wins = !(odd ^ great) & !never;
        let open = _mm512_mask_or_epi32(packed, wins, packed, all(first));
        let one = _mm512_or_si512(fields, all(second | 1 << shift));
        let both = _mm512_or_si512(fields, all(first | second));
        let words = _mm512_mask_blend_epi32(_mm512_cmpeq_epi32_mask(code, all(30)), open, one);
        _mm512_mask_blend_epi32(_mm512_cmpeq_epi32_mask(code, all(31)), words, both)
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl,avx2")]
pub(super) fn pack(words: &mut PackedWords, bytes: &mut PackedBytes, packing: Packing) {
    let vectors = Vectors::new(packing);
    let (low, rest) = bytes.split_at_mut(2 * PACKED);
    let (middle, high) = rest.split_at_mut(PACKED);
    let low = low.as_chunks_mut::<32>().0;
    let middle = middle.as_chunks_mut::<16>().0;
    let words = words.as_chunks::<16>().0;
    let high_vectors = PACKED / 32;
    for (at, high) in high.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let mut highest = _mm512_setzero_si512();
        for half in 0..2 {
            let at = at + high_vectors * half;
            // SAFETY: the load reads the sixteen words that `words` borrows, and nobody else has
            // them; each store fills the bytes of an array that is borrowed.
            unsafe {
                let packed = vectors.pack(_mm512_loadu_si512(words[at].as_ptr().cast()));
                let bits = _mm512_cvtepi32_epi16(packed);
                _mm256_storeu_si256(low[at].as_mut_ptr().cast(), bits);
                let bits = _mm512_cvtepi32_epi8(_mm512_srli_epi32::<16>(packed));
                _mm_storeu_si128(middle[at].as_mut_ptr().cast(), bits);
                let bits = _mm512_srli_epi32::<24>(packed);
                highest = if half == 0 {
                    bits
                } else {
                    _mm512_or_si512(highest, _mm512_slli_epi32::<4>(bits))
                };
            }
        }
        // SAFETY: the store fills the bytes of an array that is borrowed.
        unsafe { _mm_storeu_si128(high.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(highest)) };
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl,avx2")]
pub(super) fn unpack(bytes: &PackedBytes, words: &mut PackedWords, packing: Packing) {
    let vectors = Vectors::new(packing);
    let (low, rest) = bytes.split_at(2 * PACKED);
    let (middle, high) = rest.split_at(PACKED);
    let low = low.as_chunks::<32>().0;
    let middle = middle.as_chunks::<16>().0;
    let high = high.as_chunks::<16>().0;
    for (at, words) in words.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        // SAFETY: each load reads the bytes of an array that is borrowed, and the store fills the
        // sixteen words that `words` borrows.
        unsafe {
            let low = _mm512_cvtepu16_epi32(_mm256_loadu_si256(low[at].as_ptr().cast()));
            let middle = _mm512_cvtepu8_epi32(_mm_loadu_si128(middle[at].as_ptr().cast()));
            let high = _mm512_cvtepu8_epi32(_mm_loadu_si128(high[at % high.len()].as_ptr().cast()));
            let high = if at < PACKED / 32 {
                _mm512_and_si512(high, all(15))
            } else {
                _mm512_srli_epi32::<4>(high)
            };
            let packed = _mm512_or_si512(
                _mm512_or_si512(low, _mm512_slli_epi32::<16>(middle)),
                _mm512_slli_epi32::<24>(high),
            );
            let unpacked = vectors.unpack(packed);
            _mm512_storeu_si512(words.as_mut_ptr().cast(), unpacked);
        }
    }
}
