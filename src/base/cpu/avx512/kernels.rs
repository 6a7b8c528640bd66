//! What is done to many positions at once, sixteen at a time.
#![expect(
    clippy::cast_possible_truncation,
    reason = "numbers of tables are small"
)]

use core::arch::asm;
use core::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_add_epi32, _mm512_and_si512, _mm512_cmpeq_epi32_mask,
    _mm512_cmple_epu32_mask, _mm512_i32gather_epi32, _mm512_mask_blend_epi32,
    _mm512_mask_sub_epi32, _mm512_mask_test_epi32_mask, _mm512_mask_testn_epi32_mask,
    _mm512_mask_xor_epi32, _mm512_maskz_compress_epi32, _mm512_maskz_expandloadu_epi32,
    _mm512_max_epu32, _mm512_min_epu32, _mm512_or_si512, _mm512_popcnt_epi32, _mm512_slli_epi32,
    _mm512_srl_epi32, _mm512_srli_epi32, _mm512_storeu_si512, _mm512_test_epi32_mask,
    _mm512_xor_si512,
};
use std::sync::atomic::AtomicU32;

use super::super::{BitMap, Bound, CountDown, Filter, SELECTED, Selected, Shifts};
use super::vectors::{all, gather, lanes, load, places_in, push, scatter, store};
use crate::base::subsets::Ranker;

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn select<const KEYED: bool>(
    words: &[u32],
    filter: Filter,
    selected: &mut Selected,
) -> usize {
    assert!(words.len() <= SELECTED, "too many words");
    let (mask, bits) = (all(filter.mask), all(filter.bits));
    let (key_mask, key) = (all(filter.key_mask), all(filter.key));
    let (with, without) = (all(filter.with), all(filter.without));
    let mut count = 0;
    for sixteen in words.chunks(16) {
        let (words, lanes) = load(sixteen);
        let mut hits = lanes & _mm512_cmpeq_epi32_mask(_mm512_and_si512(words, mask), bits);
        if KEYED {
            let keyed = _mm512_cmpeq_epi32_mask(_mm512_and_si512(words, key_mask), key);
            let asked = _mm512_mask_blend_epi32(keyed, without, with);
            hits = _mm512_mask_test_epi32_mask(hits, words, asked);
        }
        count = push(words, hits, selected, count);
    }
    count
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn ranks(sets: &mut [u32], shifts: Shifts, ranker: &Ranker) {
    let (stay, up, down) = (all(shifts.stay), all(shifts.up), all(shifts.down));
    let flip = all(shifts.flip);
    for sixteen in sets.chunks_mut(16) {
        let (set, lanes) = load(sixteen);
        let set = _mm512_or_si512(
            _mm512_and_si512(set, stay),
            _mm512_or_si512(
                _mm512_slli_epi32::<1>(_mm512_and_si512(set, up)),
                _mm512_srli_epi32::<1>(_mm512_and_si512(set, down)),
            ),
        );
        store(sixteen, lanes, rank(_mm512_xor_si512(set, flip), ranker));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn image_ranks(sets: &mut [u32], map: &BitMap, ranker: &Ranker) {
    let tables = map.tables();
    for sixteen in sets.chunks_mut(16) {
        let (set, lanes) = load(sixteen);
        let [low, middle, high] = look_up(tables, parts_of(set));
        let image = _mm512_xor_si512(_mm512_xor_si512(low, middle), high);
        store(sixteen, lanes, rank(image, ranker));
    }
}

/// The low, the middle and the high eight bits of sets of 24, as indices into tables of 256
/// words that follow each other.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn parts_of(set: __m512i) -> [__m512i; 3] {
    let byte = all(255);
    let low = _mm512_and_si512(set, byte);
    let middle = _mm512_and_si512(_mm512_srli_epi32::<8>(set), byte);
    let high = _mm512_and_si512(_mm512_srli_epi32::<16>(set), byte);
    [
        low,
        _mm512_or_si512(middle, all(256)),
        _mm512_or_si512(high, all(512)),
    ]
}

/// The words at indices below the length of the tables; of others, of no word in particular.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn look_up<const N: usize>(tables: &[[u32; 256]; N], at: [__m512i; 3]) -> [__m512i; 3] {
    let last = all((N * 256 - 1) as u32);
    // SAFETY: no index is greater than that of the last word of the tables.
    at.map(|at| unsafe {
        _mm512_i32gather_epi32::<4>(_mm512_min_epu32(at, last), tables.as_ptr().cast())
    })
}

/// The ranks of sets.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
pub(super) fn rank(set: __m512i, ranker: &Ranker) -> __m512i {
    let [low, middle, high] = parts_of(set);
    let below = _mm512_slli_epi32::<8>(_mm512_popcnt_epi32(low));
    let to =
        |from: usize, to: usize| all(((to as u32).wrapping_sub(from as u32)).wrapping_mul(256));
    let low = _mm512_add_epi32(low, to(0, Ranker::LOW));
    let middle = _mm512_add_epi32(_mm512_add_epi32(middle, below), to(1, Ranker::MIDDLE));
    let high = _mm512_add_epi32(high, to(2, Ranker::HIGH));
    let [low, middle, high] = look_up(ranker.tables(), [low, middle, high]);
    _mm512_add_epi32(_mm512_add_epi32(low, middle), high)
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn count_down(
    words: &[AtomicU32],
    places: &[u32],
    step: CountDown,
    rest: &mut Selected,
) -> usize {
    assert!(places.len() <= SELECTED, "too many places");
    let (one, flag, xor) = (all(1 << step.shift), all(step.flag), all(step.xor));
    let count_mask = all(63 << step.shift);
    let two = all(2 << step.shift);
    let mut count = 0;
    for sixteen in places.chunks(16) {
        let (places, lanes) = places_in(words, sixteen);
        // SAFETY: the places were compared with the number of words.
        let found = unsafe { gather(words, places, lanes) };
        let left = _mm512_and_si512(found, count_mask);
        let open = _mm512_mask_test_epi32_mask(lanes, left, left);
        let few = open & _mm512_cmple_epu32_mask(left, two);
        let open = open & !few;
        let new = _mm512_mask_sub_epi32(found, open, found, one);
        let plain = _mm512_mask_testn_epi32_mask(open, found, flag);
        let new = _mm512_mask_xor_epi32(new, plain, new, xor);
        // SAFETY: as above.
        unsafe { scatter(words, places, open, new) };
        if few != 0 {
            count = push(places, few, rest, count);
        }
    }
    count
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn failing(
    words: &[AtomicU32],
    places: &[u32],
    bound: Bound,
    rest: &mut Selected,
) -> usize {
    assert!(places.len() <= SELECTED, "too many places");
    let (flags, most) = (all(bound.flags), all(bound.most.into()));
    let shift = _mm_cvtsi32_si128(bound.shift.cast_signed());
    let mut count = 0;
    for sixteen in places.chunks(16) {
        let (places, lanes) = places_in(words, sixteen);
        // SAFETY: the places were compared with the number of words.
        let found = unsafe { gather(words, places, lanes) };
        let byte = _mm512_and_si512(_mm512_srl_epi32(found, shift), all(255));
        let flagged = _mm512_cmpeq_epi32_mask(_mm512_and_si512(found, flags), flags);
        let odd = _mm512_test_epi32_mask(_mm512_xor_si512(byte, most), all(1));
        let passes = flagged & _mm512_cmple_epu32_mask(byte, most) & !odd;
        count = push(places, lanes & !passes, rest, count);
    }
    count
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn gather_all(words: &[AtomicU32], places: &[u32], found: &mut [u32]) {
    assert!(found.len() == places.len(), "a word for each place");
    for (sixteen, found) in places.chunks(16).zip(found.chunks_mut(16)) {
        let (places, lanes) = places_in(words, sixteen);
        // SAFETY: the places were compared with the number of words.
        let gathered = unsafe { gather(words, places, lanes) };
        store(found, lanes, gathered);
    }
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn compress(words: &[AtomicU32], chosen: &[u16], found: &mut [u32]) -> usize {
    assert!(
        chosen.len() == words.len().div_ceil(16),
        "a set of other words"
    );
    assert!(found.len() >= words.len() + 16, "too little room");
    let mut count = 0;
    for (words, &chosen) in words.chunks(16).zip(chosen) {
        assert!(chosen & !lanes(words.len()) == 0, "a set of other words");
        let mut loaded = all(0);
        // SAFETY: only the lanes of words that `words` borrows are read; in assembly as
        // `gather`. At most as many words are stored as were read, so a store of sixteen ends
        // within the room behind the most that there can be.
        unsafe {
            asm!(
                "vmovdqu32 {loaded}{{{chosen}}}, [{words}]",
                loaded = inout(zmm_reg) loaded,
                chosen = in(kreg) chosen,
                words = in(reg) words.as_ptr(),
                options(nostack, readonly, preserves_flags)
            );
            let front = _mm512_maskz_compress_epi32(chosen, loaded);
            _mm512_storeu_si512(found.as_mut_ptr().add(count).cast(), front);
        }
        count += chosen.count_ones() as usize;
    }
    count
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
pub(super) fn raise(greatest: &mut [u32], second: &mut [u32], chosen: &[u16], numbers: &[u32]) {
    assert!(
        greatest.len() == second.len(),
        "columns with two numbers each"
    );
    assert!(
        chosen.len() == greatest.len().div_ceil(16),
        "a set of other columns"
    );
    let mut rest = numbers;
    let columns = greatest.chunks_mut(16).zip(second.chunks_mut(16));
    for ((greatest, second), &chosen) in columns.zip(chosen) {
        assert!(
            chosen & !lanes(greatest.len()) == 0,
            "a set of other columns"
        );
        if chosen == 0 {
            continue;
        }
        let (some, others) = rest.split_at(chosen.count_ones() as usize);
        rest = others;
        // SAFETY: as many words are read as lanes are chosen, from `some`, which has as many.
        let number = unsafe { _mm512_maskz_expandloadu_epi32(chosen, some.as_ptr().cast()) };
        let (best, lanes) = load(greatest);
        let (next, _) = load(second);
        let next = _mm512_max_epu32(next, _mm512_min_epu32(best, number));
        store(second, lanes, next);
        store(greatest, lanes, _mm512_max_epu32(best, number));
    }
}
