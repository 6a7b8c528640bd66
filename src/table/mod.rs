//! Tables: solved games on disk.
//!
//! # Format
//! All numbers are little-endian. Every byte of the file is covered by a checksum (XXH3, 64
//! bits). The footer ends the file.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | magic `89 54 53 4a 0d 0a 1a 0a` (`.TSJ` and line ends, to catch text-mode damage) |
//! | 8-11 | version: 1 (2 was that of dense tables, which are no longer read) |
//! | 12-15 | length of the description |
//! | 16-23 | offset of the footer |
//! | 24-31 | length of the footer |
//! | 32-39 | checksum of the footer |
//! | 40-47 | checksum of bytes 0-39 |
//! | 48- | blocks, one after the other |
//! | footer | the description, a JSON object (`Description`); then for each block its length (`u32`) and checksum (`u64`) |
//!
//! A *block* holds the records of up to 65,536 consecutive slots of one layer; the
//! last block of a layer is shorter. Its content is three planes: the codes of the
//! best values, those of the second values (1 or 2 bytes each, see
//! [`Value`](crate::base::value::Value)), and the numbers of the only best moves (one
//! byte, 255 = none). Blocks are stored uncompressed (`raw`), or `packed`: without what
//! other fields imply, and each compressed with Zstandard. A packed block has the best
//! values; the second values, with code 0 where they equal the best ones; and the only best
//! moves of the slots where the two differ, one after the other.
//!
//! An unfinished table begins with `89 54 53 50 0d 0a 1a 0a` (`.TSP`) and 40 zeros.
//!
//! # Fingerprint
//! XXH3 (128 bits) of the game's spec, followed by the XXH3 (128 bits) of every run of
//! 65,536 slots of each layer, in order. Each record counts as five bytes: best and second
//! value (16-bit codes) and only move. The fingerprint depends only on the logical content,
//! not on the width of values, compression or the number of threads.
#![expect(
    clippy::inline_always,
    reason = "loops that run billions of times are fast only where everything is inlined"
)]

mod arranged;
mod block;
mod checkpoint;
mod error;
mod format;
mod loaded;
mod memory;
mod oracle;
mod read;
mod resident;
mod solitaire;
mod stats;
mod verify;
mod write;

pub(crate) use arranged::MoveValues;
pub use block::Block;
pub(crate) use checkpoint::CHECKPOINT_MARK;
pub use checkpoint::{CHECKPOINT_VERSION, Checkpoint, Head};
use error::Result;
pub use error::TableError;
pub(crate) use format::TABLE_MARKS;
pub use format::{BLOCK_SLOTS, Description, Encoding, LayerDescription, ValueWidth};
pub(crate) use loaded::Loaded;
pub(crate) use memory::solve_puzzle_in_memory;
pub use memory::{InMemoryError, solve_in_memory};
pub use oracle::TableOracle;
pub use read::Table;
pub(crate) use solitaire::depths;
pub use solitaire::verify_solitaire;
pub use stats::{Difference, Distance, Ended, LayerStatistics, Statistics, difference, statistics};
pub use verify::{Flaw, Verified, verify};
pub use write::{TableWriter, Written};
