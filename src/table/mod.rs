//! Tables: solved games on disk.
//!
//! # Format
//! All numbers are little-endian. Every byte of the file is covered by a checksum (XXH3, 64
//! bits). The footer ends the file.
//!
//! | bytes | content |
//! |---|---|
//! | 0-7 | magic `89 54 53 4a 0d 0a 1a 0a` (`.TSJ` and line ends, to catch text-mode damage) |
//! | 8-11 | version: 2 of dense tables, 1 of all others |
//! | 12-15 | length of the description |
//! | 16-23 | offset of the footer |
//! | 24-31 | length of the footer |
//! | 32-39 | checksum of the footer |
//! | 40-47 | checksum of bytes 0-39 |
//! | 48- | blocks, one after the other |
//! | footer | the description, a JSON object ([`Description`]); then for each block its length (`u32`) and checksum (`u64`); then, in a dense table, frequencies |
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
//! # Dense tables
//! Blocks of a `dense` table, of the same slots, leave out what follows from other records by
//! the rules of the game, which must stand [by rows](crate::game::ByRows).
//!
//! Which slots are vacant and which positions are won at once is known from the rules. Of any
//! other position the table says whether it is won, and if not, the best value: its *leaf*.
//! The value of a win follows from the leaves of the positions that its moves lead to. Then
//! the best values of all positions are known, and with them the second values and only best
//! moves. Where a position is not won without its only best move, and some move to it forbids
//! that move, the leaf also has a *bound*: the number of the move, and the value without it.
//!
//! A block begins with the length (`u16`) of each of its parts of 256 slots (the last may be
//! shorter). The parts follow, each coded on its own with rANS (states of 32 bits, words of
//! 16, frequencies that add up to 2^14): first the *class* of each slot that has one (its best
//! value, or that it is won; and whether it has a bound), then the bounds in the order of
//! their slots, the move before the value. A part without classes is empty.
//!
//! The frequencies of a class depend on the *levels* of three slots before it in the part,
//! those in which the opponent's lowest, second or third piece stands one step lower (if there
//! is none: one, two or three slots before). Levels are: no position; won at once; won; won,
//! with a bound; draw; and thirteen of losses, by two plies each. Of the third slot some are
//! taken together, to eight. A move is coded by its place among the moves that some move to
//! the position forbids, with frequencies by their number (15 for more), the value by the
//! class.
//!
//! Frequencies are stored layer by layer. All numbers have seven bits a byte, the lowest
//! first, the top bit set if more follow.
//!
//! | content | |
//! |---|---|
//! | classes | their number; then for each twice the two-byte code of its value, plus one if it has a bound; the code of [`Value::VACANT`](crate::base::value::Value::VACANT) stands for a win |
//! | second values | their number, then their two-byte codes |
//! | frequencies of classes | in each of 18 * 18 * 8 contexts: the number of symbols, then each with its frequency, the most frequent first |
//! | frequencies of moves | the same, in each of 16 contexts |
//! | frequencies of second values | the same, by class |
//!
//! A record is found from the leaves of the position's children, and if these do not tell two
//! of its moves, from those of their children. All records together are derived row by row,
//! twice: the values of wins, then everything.
//!
//! An unfinished table begins with `89 54 53 50 0d 0a 1a 0a` (`.TSP`) and 40 zeros.
//!
//! # Fingerprint
//! XXH3 (128 bits) of the game's spec, followed by the XXH3 (128 bits) of every run of
//! 65,536 slots of each layer, in order. Each record counts as five bytes: best and second
//! value (16-bit codes) and only move. The fingerprint depends only on the logical content,
//! not on the width of values, compression or the number of threads.

mod arranged;
mod block;
mod cache;
mod checkpoint;
mod dense;
mod description;
mod difference;
mod directory;
mod error;
mod fields;
mod findings;
mod format;
mod in_memory;
#[cfg(feature = "rows")]
mod loaded;
mod lookup;
mod oracle;
mod pack;
mod read;
mod reading_at_random;
mod resident;
mod solitaire;
mod stats;
mod verify;
mod write;

#[cfg(feature = "rows")]
pub(crate) use arranged::MoveValues;
pub use block::Block;
pub use checkpoint::{
    CHECKPOINT_MARK, CHECKPOINT_VERSION, Checkpoint, CheckpointError, Found, Head, PartialGroup,
    StageHead,
};
pub use description::{Description, Encoding, LayerDescription};
pub use difference::{Difference, difference};
pub use error::TableError;
pub use fields::{Field, fields};
pub use findings::{Flaw, Verified};
pub use format::{BLOCK_SLOTS, TABLE_MARKS};
pub use in_memory::{InMemoryError, solve_in_memory, solve_puzzle_in_memory};
#[cfg(feature = "rows")]
pub(crate) use loaded::Loaded;
pub use oracle::TableOracle;
pub use read::Table;
pub use solitaire::{Depth, depths, verify_solitaire};
pub use stats::{Distance, LayerCount, Statistics, statistics};
pub use verify::{verify, verify_by_edges};
pub use write::{TableWriter, ValueWidth, Written};
