//! Processors with AVX-512: Intel since Ice Lake, AMD since Zen 4.

use core::arch::asm;
use core::arch::x86_64::{
    __m512i, __mmask16, _mm_cvtsi32_si128, _mm512_add_epi32, _mm512_and_si512,
    _mm512_cmpeq_epi32_mask, _mm512_cmpgt_epu32_mask, _mm512_cmple_epu32_mask,
    _mm512_cmplt_epu32_mask, _mm512_i32gather_epi32, _mm512_loadu_si512, _mm512_mask_blend_epi32,
    _mm512_mask_i32gather_epi32, _mm512_mask_or_epi32, _mm512_mask_storeu_epi8,
    _mm512_mask_storeu_epi32, _mm512_mask_sub_epi32, _mm512_mask_test_epi32_mask,
    _mm512_mask_testn_epi32_mask, _mm512_mask_xor_epi32, _mm512_maskz_compress_epi32,
    _mm512_maskz_expandloadu_epi32, _mm512_maskz_loadu_epi8, _mm512_maskz_loadu_epi32,
    _mm512_max_epu32, _mm512_min_epu32, _mm512_mullo_epi32, _mm512_or_si512,
    _mm512_permutexvar_epi8, _mm512_popcnt_epi32, _mm512_set1_epi32, _mm512_set1_epi64,
    _mm512_slli_epi32, _mm512_srl_epi32, _mm512_srli_epi32, _mm512_srli_epi64, _mm512_srlv_epi32,
    _mm512_storeu_si512, _mm512_test_epi32_mask, _mm512_testn_epi32_mask, _mm512_xor_si512,
};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;

use super::avx2::Avx2;
use super::{
    BitMap, Bound, CountDown, Cpu, CpuTask, Filter, MASK, PackedBytes, PackedWords, Packing,
    SELECTED, Selected, Shifts, is_portable, place,
};
use crate::base::subsets::Ranker;

/// Processors with AVX-512 and the instructions that came with it in Ice Lake.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// A value if the processor at hand is one, and `TESUJI_PORTABLE` is not set.
    pub(crate) fn detected() -> Option<Self> {
        static DETECTED: OnceLock<bool> = OnceLock::new();
        let detected = *DETECTED.get_or_init(|| {
            !is_portable()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vbmi")
                && is_x86_feature_detected!("avx512vpopcntdq")
        });
        Avx2::detected().filter(|_| detected).map(Self)
    }

    pub(crate) fn run<T: CpuTask>(self, task: T) -> T::Output {
        // SAFETY: the processor has these instructions, since a value of this type exists.
        unsafe { run_avx512(task, self) }
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn run_avx512<T: CpuTask>(task: T, cpu: Avx512) -> T::Output {
    task.run(cpu)
}

/// Methods of [`Cpu`] with the functions that do the same with AVX-512.
macro_rules! by_avx512 {
    ($(fn $name:ident(self, $($given:ident: $type:ty),+) $(-> $answer:ty)? = $function:ident;)+) => {
        $(#[inline(always)]
        fn $name(self, $($given: $type),+) $(-> $answer)? {
            // SAFETY: a value of this type exists only where the processor has AVX-512.
            unsafe { $function($($given),+) }.into()
        })+
    };
}

impl Cpu for Avx512 {
    #[inline(always)]
    fn extract(self, value: u32, mask: u32) -> u32 {
        self.0.extract(value, mask)
    }

    #[inline(always)]
    fn deposit(self, value: u32, mask: u32) -> u32 {
        self.0.deposit(value, mask)
    }

    #[inline(always)]
    fn matching(self, words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
        self.0.matching(words, patterns)
    }

    #[inline(always)]
    fn select<const KEYED: bool>(
        self,
        words: &[u32],
        filter: Filter,
        selected: &mut Selected,
    ) -> usize {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { select::<KEYED>(words, filter, selected) }
    }

    by_avx512! {
        fn ranks(self, sets: &mut [u32], shifts: Shifts, ranker: &Ranker) = ranks;
        fn count_down(self, words: &[AtomicU32], places: &[u32], step: CountDown, rest: &mut Selected) -> Option<usize> = count_down;
        fn failing(self, words: &[AtomicU32], places: &[u32], bound: Bound, rest: &mut Selected) -> Option<usize> = failing;
        fn pack(self, words: &mut PackedWords, bytes: &mut PackedBytes, packing: Packing) = pack;
        fn unpack(self, bytes: &PackedBytes, words: &mut PackedWords, packing: Packing) = unpack;
        fn with_byte(self, bytes: &PackedBytes, byte: u8) -> u64 = with_byte;
        fn gather_packed(self, bytes: &[u8], places: &[u32], packing: Packing, found: &mut [u32; 16]) = gather_packed;
        fn image_ranks(self, sets: &mut [u32], map: &BitMap, ranker: &Ranker) = image_ranks;
        fn gather(self, words: &[AtomicU32], places: &[u32], found: &mut [u32]) = gather_all;
        fn compress(self, words: &[AtomicU32], chosen: &[u16], found: &mut [u32]) -> usize = compress;
        fn raise(self, greatest: &mut [u32], second: &mut [u32], chosen: &[u16], numbers: &[u32]) = raise;
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn all(word: u32) -> __m512i {
    _mm512_set1_epi32(word.cast_signed())
}

/// The lanes in use of a vector for `len` words, of at most sixteen.
#[inline]
const fn lanes(len: usize) -> __mmask16 {
    if len >= 16 {
        __mmask16::MAX
    } else {
        (1 << len) - 1
    }
}

/// Up to sixteen words; the lanes of others are zero.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u32]) -> (__m512i, __mmask16) {
    let lanes = lanes(words.len());
    // SAFETY: only the lanes of words that `words` borrows are read.
    let loaded = unsafe { _mm512_maskz_loadu_epi32(lanes, words.as_ptr().cast()) };
    (loaded, lanes)
}

/// Stores the lanes of the words there are.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(words: &mut [u32], lanes: __mmask16, values: __m512i) {
    debug_assert!(lanes.count_ones() as usize <= words.len());
    let lanes = lanes & self::lanes(words.len());
    // SAFETY: only the lanes of words that `words` borrows are written.
    unsafe { _mm512_mask_storeu_epi32(words.as_mut_ptr().cast(), lanes, values) };
}

/// Stores the lanes of a set one after the other from `selected[count]` on, and returns the
/// number of words up to their end.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn push(words: __m512i, set: __mmask16, selected: &mut Selected, count: usize) -> usize {
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
unsafe fn gather(words: &[AtomicU32], places: __m512i, set: __mmask16) -> __m512i {
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
unsafe fn scatter(words: &[AtomicU32], places: __m512i, set: __mmask16, values: __m512i) {
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
#[inline]
#[target_feature(enable = "avx512f")]
fn places_in(words: &[AtomicU32], places: &[u32]) -> (__m512i, __mmask16) {
    // Indices of a vector have signs.
    let len = i32::try_from(words.len())
        .expect("less than 2^31 words")
        .cast_unsigned();
    let (places, lanes) = load(places);
    let inside = _mm512_cmplt_epu32_mask(places, all(len));
    assert!(inside & lanes == lanes, "a place is none of the words");
    (places, lanes)
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn select<const KEYED: bool>(words: &[u32], filter: Filter, selected: &mut Selected) -> usize {
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
fn ranks(sets: &mut [u32], shifts: Shifts, ranker: &Ranker) {
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
fn image_ranks(sets: &mut [u32], map: &BitMap, ranker: &Ranker) {
    for sixteen in sets.chunks_mut(16) {
        let (set, lanes) = load(sixteen);
        let [low, middle, high] = look_up(&map.parts, parts_of(set));
        let image = _mm512_xor_si512(_mm512_xor_si512(low, middle), high);
        store(sixteen, lanes, rank(image, ranker));
    }
}

/// The low, the middle and the high eight bits of sets of 24, as indices into tables of 256
/// words that follow each other.
#[inline]
#[target_feature(enable = "avx512f")]
fn parts_of(set: __m512i) -> [__m512i; 3] {
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
fn look_up<const N: usize>(tables: &[[u32; 256]; N], at: [__m512i; 3]) -> [__m512i; 3] {
    let last = all((N * 256 - 1) as u32);
    // SAFETY: no index is greater than that of the last word of the tables.
    at.map(|at| unsafe {
        _mm512_i32gather_epi32::<4>(_mm512_min_epu32(at, last), tables.as_ptr().cast())
    })
}

#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn rank(set: __m512i, ranker: &Ranker) -> __m512i {
    let [low, middle, high] = parts_of(set);
    let below = _mm512_slli_epi32::<8>(_mm512_popcnt_epi32(low));
    let to =
        |from: usize, to: usize| all(((to as u32).wrapping_sub(from as u32)).wrapping_mul(256));
    let low = _mm512_add_epi32(low, to(0, Ranker::LOW));
    let middle = _mm512_add_epi32(_mm512_add_epi32(middle, below), to(1, Ranker::MIDDLE));
    let high = _mm512_add_epi32(high, to(2, Ranker::HIGH));
    let [low, middle, high] = look_up(&ranker.parts, [low, middle, high]);
    _mm512_add_epi32(_mm512_add_epi32(low, middle), high)
}

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn count_down(words: &[AtomicU32], places: &[u32], step: CountDown, rest: &mut Selected) -> usize {
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
fn failing(words: &[AtomicU32], places: &[u32], bound: Bound, rest: &mut Selected) -> usize {
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
fn gather_all(words: &[AtomicU32], places: &[u32], found: &mut [u32]) {
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
fn compress(words: &[AtomicU32], chosen: &[u16], found: &mut [u32]) -> usize {
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
fn raise(greatest: &mut [u32], second: &mut [u32], chosen: &[u16], numbers: &[u32]) {
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
fn with_byte(bytes: &PackedBytes, byte: u8) -> u64 {
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

/// What [`Packing::pack`] does, on sixteen words.
#[inline]
#[target_feature(enable = "avx512f")]
fn pack_all(words: __m512i, packing: Packing) -> __m512i {
    let shift = packing.shift;
    let fields = _mm512_and_si512(words, all((1 << shift) - 1));
    let count = _mm512_and_si512(words, all(31 << shift));
    let second = _mm512_test_epi32_mask(words, all(packing.second));
    let both = _mm512_test_epi32_mask(words, all(packing.first)) & second;
    let code = _mm512_mask_blend_epi32(second, count, all(30 << shift));
    let code = _mm512_mask_blend_epi32(both, code, all(31 << shift));
    _mm512_or_si512(fields, code)
}

/// What [`Packing::unpack`] does, on sixteen words.
#[inline]
#[target_feature(enable = "avx512f")]
fn unpack_all(packed: __m512i, packing: Packing) -> __m512i {
    let Packing {
        shift,
        first,
        second,
        greatest,
        never,
    } = packing;
    let fields = _mm512_and_si512(packed, all((1 << shift) - 1));
    let code = _mm512_srl_epi32(packed, _mm_cvtsi32_si128(shift.cast_signed()));
    let byte = _mm512_and_si512(packed, all(255));
    let odd = _mm512_test_epi32_mask(byte, all(1));
    let great = _mm512_cmpgt_epu32_mask(byte, all(greatest));
    let never =
        _mm512_cmpeq_epi32_mask(byte, all(never[0])) | _mm512_cmpeq_epi32_mask(byte, all(never[1]));
    let wins = !(odd ^ great) & !never;
    let open = _mm512_mask_or_epi32(packed, wins, packed, all(first));
    let one = _mm512_or_si512(fields, all(second | 1 << shift));
    let both = _mm512_or_si512(fields, all(first | second));
    let words = _mm512_mask_blend_epi32(_mm512_cmpeq_epi32_mask(code, all(30)), open, one);
    _mm512_mask_blend_epi32(_mm512_cmpeq_epi32_mask(code, all(31)), words, both)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn pack(words: &mut PackedWords, bytes: &mut PackedBytes, packing: Packing) {
    let low = _mm512_set1_epi64(MASK.into());
    let high = _mm512_set1_epi64(i64::from(MASK) << 28);
    let parts = words.as_chunks::<16>().0.iter();
    for (words, bytes) in parts.zip(bytes.as_chunks_mut::<SIXTEEN>().0) {
        // SAFETY: the load reads the sixteen words that `words` borrows, and nobody else has
        // them; only the lanes of bytes that `bytes` borrows are written.
        unsafe {
            let packed = pack_all(_mm512_loadu_si512(words.as_ptr().cast()), packing);
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
fn unpack(bytes: &PackedBytes, words: &mut PackedWords, packing: Packing) {
    let parts = bytes.as_chunks().0.iter();
    for (bytes, words) in parts.zip(words.as_chunks_mut::<16>().0) {
        let unpacked = unpack_all(_mm512_and_si512(spread(bytes), all(MASK)), packing);
        // SAFETY: the store fills the sixteen words that `words` borrows.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), unpacked) };
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn gather_packed(bytes: &[u8], places: &[u32], packing: Packing, found: &mut [u32; 16]) {
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
    store(found, self::lanes(16), unpack_all(packed, packing));
}
