//! Special instructions of the processor, chosen at run time.
//!
//! Bit extraction and comparing eight words at once make the inner loops several times
//! faster, but not every processor has them. A loop is written once, generic over a
//! [`Cpu`], as a [`CpuTask`]; [`dispatch`] compiles it for each kind of processor and
//! runs the version for the one at hand. No compiler flag is needed.
//!
//! Set the environment variable `TESUJI_PORTABLE` to run the portable version anywhere.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A kind of processor, with the instructions that differ between kinds.
pub trait Cpu: Copy + Debug + Send + Sync {
    /// Gathers the bits of `value` that lie under `mask` into the low bits (`pext`).
    fn extract(self, value: u32, mask: u32) -> u32;

    /// Spreads the low bits of `value` over the bits of `mask` (`pdep`), the inverse of
    /// [`extract`](Self::extract).
    fn deposit(self, value: u32, mask: u32) -> u32;

    /// [`extract`](Self::extract) for 64 bits.
    fn extract_wide(self, value: u64, mask: u64) -> u64;

    /// [`deposit`](Self::deposit) for 64 bits.
    fn deposit_wide(self, value: u64, mask: u64) -> u64;

    /// The words, of at most 64, that match one of two patterns, as a bit set. A word
    /// matches the pattern `(mask, bits)` if `word & mask == bits`.
    fn matching(self, words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
        let [(first, is), (second, or)] = patterns;
        words.iter().enumerate().fold(0, |found, (place, word)| {
            let bits = word.load(Relaxed);
            found | u64::from(bits & first == is || bits & second == or) << place
        })
    }

    /// Copies the words with `word & mask == bits`, in their order, to the front of
    /// `selected`. Returns their number; what lies behind them is undefined.
    ///
    /// # Panics
    /// If there are more than [`SELECTED`] words.
    fn select(
        self,
        words: &[u32],
        mask: u32,
        bits: u32,
        selected: &mut [u32; SELECTED + 8],
    ) -> usize;
}

/// The most words that [`Cpu::select`] takes.
pub const SELECTED: usize = 512;

/// Work that is compiled once for each kind of processor.
///
/// `run` should be `#[inline(always)]`, and so should all that it calls in its inner loops:
/// only what is inlined may use the special instructions.
pub trait CpuTask {
    /// What the work yields.
    type Output;

    /// Does the work.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Does the work with the best instructions that this processor has.
pub fn dispatch<T: CpuTask>(task: T) -> T::Output {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(cpu) = Avx2::detected() {
        // SAFETY: the processor has these instructions, since a value of `Avx2` exists.
        return unsafe { run_avx2(task, cpu) };
    }
    task.run(Portable)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<T: CpuTask>(task: T, cpu: Avx2) -> T::Output {
    task.run(cpu)
}

/// Any processor.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Cpu for Portable {
    #[inline]
    fn extract(self, value: u32, mut mask: u32) -> u32 {
        let mut gathered = 0;
        let mut place = 0;
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            gathered |= u32::from(value & bit != 0) << place;
            place += 1;
            mask ^= bit;
        }
        gathered
    }

    #[inline]
    fn deposit(self, value: u32, mut mask: u32) -> u32 {
        let mut spread = 0;
        let mut place = 0;
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            spread |= bit & (value >> place & 1).wrapping_neg();
            place += 1;
            mask ^= bit;
        }
        spread
    }

    #[inline]
    fn extract_wide(self, value: u64, mut mask: u64) -> u64 {
        let mut gathered = 0;
        let mut place = 0;
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            gathered |= u64::from(value & bit != 0) << place;
            place += 1;
            mask ^= bit;
        }
        gathered
    }

    #[inline]
    fn deposit_wide(self, value: u64, mut mask: u64) -> u64 {
        let mut spread = 0;
        let mut place = 0;
        while mask != 0 {
            let bit = mask & mask.wrapping_neg();
            spread |= bit & (value >> place & 1).wrapping_neg();
            place += 1;
            mask ^= bit;
        }
        spread
    }

    #[inline(always)]
    fn select(
        self,
        words: &[u32],
        mask: u32,
        bits: u32,
        selected: &mut [u32; SELECTED + 8],
    ) -> usize {
        assert!(words.len() <= SELECTED, "too many words");
        append(words, mask, bits, selected, 0)
    }
}

/// Copies words that match behind the first `count` selected ones.
#[inline(always)]
fn append(
    words: &[u32],
    mask: u32,
    bits: u32,
    selected: &mut [u32; SELECTED + 8],
    mut count: usize,
) -> usize {
    // Without branches: which words match cannot be foreseen.
    for &word in words {
        selected[count] = word;
        count += usize::from(word & mask == bits);
    }
    count
}

/// Processors with AVX2 and BMI2: x86-64 since 2013.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[derive(Debug, Clone, Copy)]
pub struct Avx2(());

#[cfg(all(target_arch = "x86_64", not(miri)))]
impl Avx2 {
    /// A value if the processor at hand is one, and `TESUJI_PORTABLE` is not set.
    #[must_use]
    pub fn detected() -> Option<Self> {
        use std::sync::OnceLock;
        static DETECTED: OnceLock<bool> = OnceLock::new();
        let detected = *DETECTED.get_or_init(|| {
            std::env::var_os("TESUJI_PORTABLE").is_none()
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
    fn at_hand() -> Option<Self> {
        if cfg!(all(target_feature = "avx2", target_feature = "bmi2")) {
            Some(Self(()))
        } else {
            Self::detected()
        }
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
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
    fn extract_wide(self, value: u64, mask: u64) -> u64 {
        // SAFETY: a value of this type exists only where the processor has BMI2.
        unsafe { core::arch::x86_64::_pext_u64(value, mask) }
    }

    #[inline(always)]
    fn deposit_wide(self, value: u64, mask: u64) -> u64 {
        // SAFETY: a value of this type exists only where the processor has BMI2.
        unsafe { core::arch::x86_64::_pdep_u64(value, mask) }
    }

    #[inline(always)]
    fn select(
        self,
        words: &[u32],
        mask: u32,
        bits: u32,
        selected: &mut [u32; SELECTED + 8],
    ) -> usize {
        use core::arch::x86_64::{
            _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256,
            _mm256_movemask_ps, _mm256_permutevar8x32_epi32, _mm256_set1_epi32,
            _mm256_storeu_si256,
        };
        assert!(words.len() <= SELECTED, "too many words");
        let (eights, rest) = words.as_chunks::<8>();
        let mut count = 0;
        // SAFETY: a value of this type exists only where the processor has AVX2. Loads read
        // the eight words that `eight` borrows, or a row of the table. At most as many
        // words are selected as were read, so a store of eight ends within the slack of
        // eight behind the most that there can be.
        unsafe {
            let all = _mm256_set1_epi32(mask.cast_signed());
            let asked = _mm256_set1_epi32(bits.cast_signed());
            for eight in eights {
                let words = _mm256_loadu_si256(eight.as_ptr().cast());
                let hits = _mm256_cmpeq_epi32(_mm256_and_si256(words, all), asked);
                let hits = _mm256_movemask_ps(_mm256_castsi256_ps(hits)).cast_unsigned();
                let order = &FRONT[(hits & 255) as usize];
                let order = _mm256_loadu_si256(order.as_ptr().cast());
                let words = _mm256_permutevar8x32_epi32(words, order);
                _mm256_storeu_si256(selected.as_mut_ptr().add(count).cast(), words);
                count += hits.count_ones() as usize;
            }
        }
        append(rest, mask, bits, selected, count)
    }

    #[inline(always)]
    fn matching(self, words: &[AtomicU32], patterns: [(u32, u32); 2]) -> u64 {
        // SAFETY: a value of this type exists only where the processor has AVX2.
        unsafe { matching_avx2(words, patterns) }
    }
}

/// [`Cpu::matching`], eight words at a time.
#[cfg(all(target_arch = "x86_64", not(miri)))]
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
#[cfg(all(target_arch = "x86_64", not(miri)))]
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

/// [`Cpu::extract`], outside of a [`CpuTask`]: with a call where the target is not known to
/// have the instruction, but the processor at hand has it.
#[inline]
#[must_use]
pub fn extract(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(cpu) = Avx2::at_hand() {
        return cpu.extract(value, mask);
    }
    Portable.extract(value, mask)
}

/// [`Cpu::deposit`], outside of a [`CpuTask`], as for [`extract`].
#[inline]
#[must_use]
pub fn deposit(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if let Some(cpu) = Avx2::at_hand() {
        return cpu.deposit(value, mask);
    }
    Portable.deposit(value, mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct AgreesWithPortable;

    impl CpuTask for AgreesWithPortable {
        type Output = ();

        #[inline(always)]
        fn run<C: Cpu>(self, cpu: C) {
            let mut x: u32 = 0x9e37_79b9;
            let mut next = || {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                x.rotate_left(13)
            };
            for _ in 0..10_000 {
                let (value, mask) = (next(), next());
                let gathered = Portable.extract(value, mask);
                assert_eq!(cpu.extract(value, mask), gathered);
                assert_eq!(gathered.count_ones(), (value & mask).count_ones());
                assert_eq!(Portable.deposit(gathered, mask), value & mask);
                assert_eq!(cpu.deposit(value, mask), Portable.deposit(value, mask));
                let wide = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
                let (long, long_mask) = (wide(value, next()), wide(next(), mask));
                let gathered = Portable.extract_wide(long, long_mask);
                assert_eq!(cpu.extract_wide(long, long_mask), gathered);
                let spread = Portable.deposit_wide(gathered, long_mask);
                assert_eq!(spread, long & long_mask);
                assert_eq!(cpu.deposit_wide(gathered, long_mask), spread);
                let atoms: Vec<_> = (0..next() % 65)
                    .map(|_| AtomicU32::new(next() >> 28))
                    .collect();
                let patterns = [(0xf, value >> 8 & 0xf), (0x3, mask >> 8 & 3)];
                let found = Portable.matching(&atoms, patterns);
                assert_eq!(cpu.matching(&atoms, patterns), found);
                for (place, atom) in atoms.iter().enumerate() {
                    let word = atom.load(Relaxed);
                    let matches = patterns.map(|(mask, bits)| word & mask == bits);
                    assert_eq!(found >> place & 1 == 1, matches.contains(&true));
                }
                let words: Vec<u32> = (0..next() % 40).map(|_| next() >> 30).collect();
                let (mask, bits) = (mask & 3, value & mask & 3);
                let expected = words.iter().filter(|&&word| word & mask == bits);
                let mut selected = [0; SELECTED + 8];
                let count = cpu.select(&words, mask, bits, &mut selected);
                assert!(selected[..count].iter().eq(expected.clone()));
                let count = Portable.select(&words, mask, bits, &mut selected);
                assert!(selected[..count].iter().eq(expected));
            }
        }
    }

    #[test]
    fn every_processor_gathers_and_compares_alike() {
        dispatch(AgreesWithPortable);
    }
}
