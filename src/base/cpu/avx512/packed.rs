//! Packing words, sixteen at a time.
#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of bytes of a vector are small"
)]

use super::super::packing::{MASK, place};
use super::super::{PackedBytes, PackedWords, Packing};
use super::vectors::{all, lanes, load, store};
use core::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_add_epi32, _mm512_and_si512, _mm512_cmpeq_epi32_mask,
    _mm512_cmpgt_epu32_mask, _mm512_cmplt_epu32_mask, _mm512_loadu_si512, _mm512_mask_blend_epi32,
    _mm512_mask_i32gather_epi32, _mm512_mask_or_epi32, _mm512_mask_storeu_epi8,
    _mm512_maskz_loadu_epi8, _mm512_mullo_epi32, _mm512_or_si512, _mm512_permutexvar_epi8,
    _mm512_set1_epi64, _mm512_slli_epi32, _mm512_srl_epi32, _mm512_srli_epi32, _mm512_srli_epi64,
    _mm512_srlv_epi32, _mm512_storeu_si512, _mm512_test_epi32_mask, _mm512_testn_epi32_mask,
    _mm512_xor_si512,
};

/// The bytes that sixteen packed words take.
const SIXTEEN: usize = 56;

/// The lanes of these bytes.
const BYTES: u64 = (1 << SIXTEEN) - 1;

/// The most words that are gathered from: a place in bytes is an index with a sign.
const MOST: u32 = 1 << 29;

/// For each byte of sixteen lanes, the byte of packed words that has it, before they are
/// shifted.
const SPREAD: [u8; 64] = {
    let mut from = [0; 64];
    let mut at = 0;
    while at < 64 {
        from[at] = (place(at / 4).0 + at % 4) as u8;
        at += 1;
    }
    from
};

/// By how much each lane is then shifted.
const SHIFTS: [u32; 16] = {
    let mut shifts = [0; 16];
    let mut at = 0;
    while at < 16 {
        shifts[at] = place(at).1;
        at += 1;
    }
    shifts
};

/// For each byte of packed words, the byte of eight pairs of words that has it.
const GATHERED: [u8; 64] = {
    let mut from = [0; 64];
    let mut at = 0;
    while at < SIXTEEN {
        from[at] = (at / 7 * 8 + at % 7) as u8;
        at += 1;
    }
    from
};

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn with_byte(bytes: &PackedBytes, byte: u8) -> u64 {
    let twice = all(u32::from(byte) * 0x101);
    let parts = bytes.as_chunks().0.iter();
    parts.rev().fold(0, |found, part| {
        let others = _mm512_xor_si512(spread(part), twice);
        let first = _mm512_testn_epi32_mask(others, all(255));
        let second = _mm512_testn_epi32_mask(others, all(255 << 8));
        found << 16 | u64::from(first | second)
    })
}

/// Sixteen packed words, each in the lowest bits of a lane. The bits above are those of the
/// next word or zero.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn spread(bytes: &[u8; SIXTEEN]) -> __m512i {
    // SAFETY: only the lanes of bytes that `bytes` borrows are read; the tables have 64 bytes.
    unsafe {
        let bytes = _mm512_maskz_loadu_epi8(BYTES, bytes.as_ptr().cast());
        let from = _mm512_loadu_si512(SPREAD.as_ptr().cast());
        let shifts = _mm512_loadu_si512(SHIFTS.as_ptr().cast());
        _mm512_srlv_epi32(_mm512_permutexvar_epi8(from, bytes), shifts)
    }
}

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

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn pack(words: &mut PackedWords, bytes: &mut PackedBytes, packing: Packing) {
    let vectors = Vectors::new(packing);
    let low = _mm512_set1_epi64(MASK.into());
    let high = _mm512_set1_epi64(i64::from(MASK) << 28);
    let parts = words.as_chunks::<16>().0.iter();
    for (words, bytes) in parts.zip(bytes.as_chunks_mut::<SIXTEEN>().0) {
        // SAFETY: the load reads the sixteen words that `words` borrows, and nobody else has
        // them; only the lanes of bytes that `bytes` borrows are written.
        unsafe {
            let packed = vectors.pack(_mm512_loadu_si512(words.as_ptr().cast()));
            let pairs = _mm512_or_si512(
                _mm512_and_si512(packed, low),
                _mm512_and_si512(_mm512_srli_epi64::<4>(packed), high),
            );
            let from = _mm512_loadu_si512(GATHERED.as_ptr().cast());
            let packed = _mm512_permutexvar_epi8(from, pairs);
            _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), BYTES, packed);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn unpack(bytes: &PackedBytes, words: &mut PackedWords, packing: Packing) {
    let vectors = Vectors::new(packing);
    let parts = bytes.as_chunks().0.iter();
    for (bytes, words) in parts.zip(words.as_chunks_mut::<16>().0) {
        let unpacked = vectors.unpack(_mm512_and_si512(spread(bytes), all(MASK)));
        // SAFETY: the store fills the sixteen words that `words` borrows.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), unpacked) };
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn gather_packed(bytes: &[u8], places: &[u32], packing: Packing, found: &mut [u32; 16]) {
    let words = u32::try_from(bytes.len() / 7 * 2).map_or(MOST, |words| words.min(MOST));
    let (places, lanes) = load(&places[..places.len().min(16)]);
    let inside = _mm512_cmplt_epu32_mask(places, all(words));
    assert!(inside & lanes == lanes, "a place is none of the words");
    let half = _mm512_srli_epi32::<1>(places);
    let first = _mm512_add_epi32(_mm512_mullo_epi32(places, all(3)), half);
    // SAFETY: the four bytes from `first` on are among `bytes`, since the places were compared
    // with the number of words in whole pairs.
    let gathered =
        unsafe { _mm512_mask_i32gather_epi32::<1>(all(0), lanes, first, bytes.as_ptr().cast()) };
    let shifts = _mm512_slli_epi32::<2>(_mm512_and_si512(places, all(1)));
    let packed = _mm512_and_si512(_mm512_srlv_epi32(gathered, shifts), all(MASK));
    store(found, self::lanes(16), Vectors::new(packing).unpack(packed));
}
