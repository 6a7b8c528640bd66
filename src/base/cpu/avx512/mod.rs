//! Processors with AVX-512: Intel since Ice Lake, AMD since Zen 4.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

mod kernels;
mod packed;
mod vectors;

use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;

use super::avx2::Avx2;
use super::{
    BitMap, Bound, CountDown, Cpu, CpuTask, Filter, PackedBytes, PackedWords, Packing, Selected,
    Shifts, is_portable,
};
use crate::base::subsets::Ranker;

/// Processors with AVX-512 and the instructions that came with it in Ice Lake.
#[derive(Debug, Clone, Copy)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// A value if the processor at hand is one, and `TESUJI_PORTABLE` is not set.
    #[must_use]
    pub fn detected() -> Option<Self> {
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

    /// Does the work on this processor.
    pub fn run<T: CpuTask>(self, task: T) -> T::Output {
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
    fn extract_wide(self, value: u64, mask: u64) -> u64 {
        self.0.extract_wide(value, mask)
    }

    #[inline(always)]
    fn deposit_wide(self, value: u64, mask: u64) -> u64 {
        self.0.deposit_wide(value, mask)
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
        unsafe { kernels::select::<KEYED>(words, filter, selected) }
    }

    #[inline(always)]
    fn ranks(self, sets: &mut [u32], shifts: Shifts, ranker: &Ranker) {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { kernels::ranks(sets, shifts, ranker) }
    }

    #[inline(always)]
    fn count_down(
        self,
        words: &[AtomicU32],
        places: &[u32],
        step: CountDown,
        rest: &mut Selected,
    ) -> Option<usize> {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        Some(unsafe { kernels::count_down(words, places, step, rest) })
    }

    #[inline(always)]
    fn failing(
        self,
        words: &[AtomicU32],
        places: &[u32],
        bound: Bound,
        rest: &mut Selected,
    ) -> Option<usize> {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        Some(unsafe { kernels::failing(words, places, bound, rest) })
    }

    #[inline(always)]
    fn pack(self, words: &mut PackedWords, bytes: &mut PackedBytes, packing: Packing) {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { packed::pack(words, bytes, packing) }
    }

    #[inline(always)]
    fn unpack(self, bytes: &PackedBytes, words: &mut PackedWords, packing: Packing) {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { packed::unpack(bytes, words, packing) }
    }

    #[inline(always)]
    fn with_byte(self, bytes: &PackedBytes, byte: u8) -> u64 {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { packed::with_byte(bytes, byte) }
    }

    #[inline(always)]
    fn gather_packed(self, bytes: &[u8], places: &[u32], packing: Packing, found: &mut [u32; 16]) {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { packed::gather_packed(bytes, places, packing, found) }
    }

    #[inline(always)]
    fn image_ranks(self, sets: &mut [u32], map: &BitMap, ranker: &Ranker) {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { kernels::image_ranks(sets, map, ranker) }
    }

    #[inline(always)]
    fn gather(self, words: &[AtomicU32], places: &[u32], found: &mut [u32]) {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { kernels::gather_all(words, places, found) }
    }

    #[inline(always)]
    fn compress(self, words: &[AtomicU32], chosen: &[u16], found: &mut [u32]) -> usize {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { kernels::compress(words, chosen, found) }
    }

    #[inline(always)]
    fn raise(self, greatest: &mut [u32], second: &mut [u32], chosen: &[u16], numbers: &[u32]) {
        // SAFETY: a value of this type exists only where the processor has AVX-512.
        unsafe { kernels::raise(greatest, second, chosen, numbers) }
    }
}
