//! Processors with AVX2 and BMI2.

use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;

use super::{Cpu, CpuTask, Filter, Portable, SELECTED, Selected, append, is_portable};

/// Processors with AVX2 and BMI2: x86-64 since 2013.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// A value if the processor at hand is one, and `TESUJI_PORTABLE` is not set.
    pub(crate) fn detected() -> Option<Self> {
        static DETECTED: OnceLock<bool> = OnceLock::new();
        let detected = *DETECTED.get_or_init(|| {
            !is_portable()
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        });
        detected.then_some(Self(()))
    }

    /// A value without a question where the target is known to have the instructions.
    #[inline(always)]
    pub(crate) fn at_hand() -> Option<Self> {
        if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
            Some(Self(()))
        } else {
            Self::detected()
        }
    }

    pub(crate) fn run<T: CpuTask>(self, task: T) -> T::Output {
        // SAFETY: the processor has these instructions, since a value of this type exists.
        unsafe { run_avx2(task, self) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<T: CpuTask>(task: T, cpu: Avx2) -> T::Output {
    task.run(cpu)
}

impl Cpu for Avx2 {
    #[inline(always)]
    fn extract(self, value: u32, mask: u32) -> u32 {
        // SAFETY: a value of this type exists only where the processor has BMI2.
        unsafe { core::arch::x86_64::_pext_u32(value, mask) }
    }

    #[inline(always)]
    fn deposit(self, value: u32, mask: u32) -> u32 {
        // SAFETY: a value of this type exists only where the processor has BMI2.
        unsafe { core::arch::x86_64::_pdep_u32(value, mask) }
    }

    #[inline(always)]
    fn select<const KEYED: bool>(
        self,
        words: &[u32],
        filter: Filter,
        selected: &mut Selected,
    ) -> usize {
        use core::arch::x86_64::{
            _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_castsi256_ps,
            _mm256_cmpeq_epi32, _mm256_loadu_si256, _mm256_movemask_ps,
            _mm256_permutevar8x32_epi32, _mm256_set1_epi32, _mm256_setzero_si256,
            _mm256_storeu_si256,
        };
        assert!(words.len() <= SELECTED, "too many words");
        let (eights, rest) = words.as_chunks::<8>();
        let mut count = 0;
        // SAFETY: a value of this type exists only where the processor has AVX2. Loads read
        // the eight words that `eight` borrows, or a row of the table. At most as many
        // words are selected as were read, so a store of eight ends within the slack behind
        // the most that there can be.
        unsafe {
            let all = |word: u32| _mm256_set1_epi32(word.cast_signed());
            let (mask, bits) = (all(filter.mask), all(filter.bits));
            let (key_mask, key) = (all(filter.key_mask), all(filter.key));
            let (with, without) = (all(filter.with), all(filter.without));
            for eight in eights {
                let words = _mm256_loadu_si256(eight.as_ptr().cast());
                let mut hits = _mm256_cmpeq_epi32(_mm256_and_si256(words, mask), bits);
                if KEYED {
                    let keyed = _mm256_cmpeq_epi32(_mm256_and_si256(words, key_mask), key);
                    let asked = _mm256_blendv_epi8(without, with, keyed);
                    let lacks = _mm256_and_si256(words, asked);
                    let lacks = _mm256_cmpeq_epi32(lacks, _mm256_setzero_si256());
                    hits = _mm256_andnot_si256(lacks, hits);
                }
                let hits = _mm256_movemask_ps(_mm256_castsi256_ps(hits)).cast_unsigned();
                let order = &FRONT[(hits & 255) as usize];
                let order = _mm256_loadu_si256(order.as_ptr().cast());
                let words = _mm256_permutevar8x32_epi32(words, order);
                _mm256_storeu_si256(selected.as_mut_ptr().add(count).cast(), words);
                count += hits.count_ones() as usize;
            }
        }
        append::<KEYED>(rest, filter, selected, count)
    }

    #[inline(always)]
    fn matching(self, words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
        // SAFETY: a value of this type exists only where the processor has AVX2.
        unsafe { matching_avx2(words, patterns) }
    }
}

/// [`Cpu::matching`], eight words at a time.
#[inline]
#[target_feature(enable = "avx2")]
fn matching_avx2(words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
    use core::arch::asm;
    use core::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_movemask_ps,
        _mm256_or_si256, _mm256_set1_epi32,
    };
    let (eights, rest) = words.as_chunks::<8>();
    let mut found = Portable.matching(rest, patterns) << (8 * eights.len() & 63);
    let [(first, is), (second, or)] = patterns.map(|(mask, bits)| {
        let all = |word: u32| _mm256_set1_epi32(word.cast_signed());
        (all(mask), all(bits))
    });
    for (place, eight) in eights.iter().enumerate() {
        let bits: __m256i;
        // SAFETY: the load reads the eight words that `eight` borrows. It is written in
        // assembly because other threads may be writing these words: the processor reads
        // each aligned word whole, as relaxed atomic loads would, while a plain load would
        // be a data race.
        unsafe {
            asm!(
                "vmovdqu {bits}, ymmword ptr [{from}]",
                from = in(reg) eight.as_ptr(),
                bits = lateout(ymm_reg) bits,
                options(nostack, readonly, preserves_flags)
            );
        }
        let hit = _mm256_or_si256(
            _mm256_cmpeq_epi32(_mm256_and_si256(bits, first), is),
            _mm256_cmpeq_epi32(_mm256_and_si256(bits, second), or),
        );
        let hit = _mm256_movemask_ps(_mm256_castsi256_ps(hit));
        found |= u64::from(hit.cast_unsigned()) << (8 * place);
    }
    found
}

/// For each set of eight: its members first.
static FRONT: [[u32; 8]; 256] = {
    let mut orders = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut member, mut count) = (0, 0);
        while member < 8 {
            if set >> member & 1 == 1 {
                orders[set][count] = member;
                count += 1;
            }
            member += 1;
        }
        set += 1;
    }
    orders
};
