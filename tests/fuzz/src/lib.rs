//! The parsers of tesuji under a fuzzer.
//!
//! ```sh
//! cd tests/fuzz
//! cargo +nightly fuzz run --strip-dead-code --fuzz-dir . position -- -max_total_time=600
//! ```
//!
//! Without `--strip-dead-code`, Polars does not compile. Or, without cargo-fuzz, on x86-64 Linux:
//!
//! ```sh
//! RUSTFLAGS="-C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=4 \
//!   -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
//!   -C llvm-args=-sanitizer-coverage-pc-table --cfg fuzzing -C debug-assertions" \
//!   cargo +nightly build --release --target x86_64-unknown-linux-gnu
//! ../../target/x86_64-unknown-linux-gnu/release/position corpus/position -max_total_time=600
//! ```
//!
//! The same checks run on the corpora and on random inputs in the normal test run, see
//! `tests/faults/inputs.rs`.
//!
//! Miri follows the solver through the smallest game, in minutes:
//!
//! ```sh
//! MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks" \
//!   cargo +nightly miri test --lib solved::
//! ```

pub mod checks;
#[cfg(test)]
mod solved;
