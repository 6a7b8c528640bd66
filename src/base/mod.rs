//! What every room of the crate may use: values of positions, progress and cancelling,
//! files, threads, random numbers, numbers and names in words, symmetries of boards, sets as
//! numbers, and special instructions of the processor.

pub(crate) mod cpu;
pub mod files;
#[expect(
    clippy::inline_always,
    reason = "loops that run billions of times are fast only where everything is inlined"
)]
pub(crate) mod memory;
pub mod progress;
pub mod random;
pub(crate) mod subsets;
pub mod text;
pub mod threads;
pub(crate) mod turn;
pub mod value;
