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

/// A kind of processor, with the instructions that differ between kinds.
pub trait Cpu: Copy + Debug + Send + Sync {
    /// Gathers the bits of `value` that lie under `mask` into the low bits (`pext`).
    fn extract(self, value: u32, mask: u32) -> u32;

    /// Spreads the low bits of `value` over the bits of `mask` (`pdep`), the inverse of
    /// [`extract`](Self::extract).
    fn deposit(self, value: u32, mask: u32) -> u32;

    /// The words with `word & mask == bits`, as a set of eight bits.
    fn matching(self, words: &[u32; 8], mask: u32, bits: u32) -> u32;
}

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

    #[inline(always)]
    fn matching(self, words: &[u32; 8], mask: u32, bits: u32) -> u32 {
        (0..8).fold(0, |found, place| {
            found | u32::from(words[place] & mask == bits) << place
        })
    }
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
    fn matching(self, words: &[u32; 8], mask: u32, bits: u32) -> u32 {
        use core::arch::x86_64::{
            _mm256_and_si256, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256,
            _mm256_movemask_ps, _mm256_set1_epi32,
        };
        // SAFETY: a value of this type exists only where the processor has AVX2, and the
        // load reads the eight words that `words` borrows.
        unsafe {
            let words = _mm256_loadu_si256(words.as_ptr().cast());
            let masked = _mm256_and_si256(words, _mm256_set1_epi32(mask.cast_signed()));
            let hits = _mm256_cmpeq_epi32(masked, _mm256_set1_epi32(bits.cast_signed()));
            _mm256_movemask_ps(_mm256_castsi256_ps(hits)).cast_unsigned()
        }
    }
}

/// [`Cpu::extract`], outside of a [`CpuTask`].
#[inline]
#[must_use]
pub fn extract(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: compiled only where the target is known to have BMI2.
    unsafe {
        core::arch::x86_64::_pext_u32(value, mask)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    Portable.extract(value, mask)
}

/// [`Cpu::deposit`], outside of a [`CpuTask`].
#[inline]
#[must_use]
pub fn deposit(value: u32, mask: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    // SAFETY: compiled only where the target is known to have BMI2.
    unsafe {
        core::arch::x86_64::_pdep_u32(value, mask)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
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
                let words: [u32; 8] = std::array::from_fn(|_| next() >> 30);
                let (mask, bits) = (mask & 3, value & mask & 3);
                let expected = words.map(|word| word & mask == bits);
                let found = cpu.matching(&words, mask, bits);
                assert_eq!(Portable.matching(&words, mask, bits), found);
                for (place, expected) in expected.into_iter().enumerate() {
                    assert_eq!(found >> place & 1 == 1, expected);
                }
            }
        }
    }

    #[test]
    fn every_processor_gathers_and_compares_alike() {
        dispatch(AgreesWithPortable);
    }
}
