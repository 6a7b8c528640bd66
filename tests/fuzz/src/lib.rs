//! The parsers of tesuji under a fuzzer.
//!
//! ```sh
//! cd tests/fuzz
//! cargo +nightly fuzz run --fuzz-dir . position -- -max_total_time=600
//! ```
//!
//! or, without cargo-fuzz, on x86-64 Linux:
//!
//! ```sh
//! RUSTFLAGS="-C passes=sancov-module -C llvm-args=-sanitizer-coverage-level=4 \
//!   -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
//!   -C llvm-args=-sanitizer-coverage-pc-table --cfg fuzzing -C debug-assertions" \
//!   cargo +nightly build --release --target x86_64-unknown-linux-gnu
//! target/x86_64-unknown-linux-gnu/release/position corpus/position -max_total_time=600
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
#![allow(dead_code, missing_docs, unused_imports, unused_macros)]

#[path = "../../../src/bits.rs"]
pub mod bits;
#[path = "../../../src/export/cells.rs"]
mod cells;
#[path = "../../../src/draw/mod.rs"]
pub mod draw;
#[path = "../../../src/export/csv.rs"]
pub mod export_csv;
#[path = "../../../src/game/mod.rs"]
pub mod game;
#[path = "../../../src/games/mod.rs"]
pub mod games;
#[path = "../../../src/grid.rs"]
pub mod grid;
#[path = "../../../src/metapositions/mod.rs"]
pub mod metapositions;
#[path = "../../../src/mine/error.rs"]
mod mine_error;
#[path = "../../../src/mine/filter.rs"]
mod mine_filter;
#[path = "../../../src/export/row.rs"]
mod row;
#[path = "../../../src/solve/mod.rs"]
pub mod solve;
#[path = "../../../src/sums/mod.rs"]
pub mod sums;
#[path = "../../../src/table/mod.rs"]
pub mod table;
#[path = "../../../src/value.rs"]
pub mod value;
#[path = "../../../src/watch.rs"]
pub mod watch;

pub mod checks;
#[cfg(test)]
mod solved;

use cells::{Batch, ColumnData};
use mine_error::MineError;
use row::PuzzleRow;

/// As in `mine`.
const SPARE: usize = 20;

/// As in `export`, without the columnar engine.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("{0}")]
    Csv(#[from] ::csv::Error),
    #[error("{0}")]
    Columns(String),
    #[error("{0}")]
    Header(String),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// What is checked.
mod subject {
    pub use crate::export_csv::{read_csv, write_csv};
    pub use crate::mine_filter::Filter;
    pub use crate::{draw, game, games, solve, table, base::value};
}
