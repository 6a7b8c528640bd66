//! Mining: from a solved game to the states that a filter admits, and from those
//! to puzzle rows.
//!
//! Columns come in tiers of cost ([`Tier`]); a predicate is split at its ANDs and
//! the cheap parts run first, so that dear columns are computed for survivors
//! only. Nothing here names a game.

mod columns;
mod error;
mod filter;
mod frame;
pub mod hidden;
mod measure;
mod plan;
mod predicate;
mod puzzle;
mod puzzle_row;
mod puzzles;
mod rating;
mod scan;
mod scope;
mod shipped;
mod similar;
mod source;
mod verdicts;

pub use columns::{Catalogue, Column, Tier};
pub use error::MineError;
pub use filter::{Example, Filter, States};
pub use measure::{Measured, Wanted, measure, measure_slots};
pub use predicate::Predicate;
pub use puzzle::{Find, puzzle_row};
pub use puzzle_row::PuzzleRow;
pub use puzzles::puzzles;
pub use rating::{Rate, Ratings};
pub use scan::{Minable, Scan, Task, admits, scan, scan_fitting, scan_solved};
pub use scope::{Partition, Scope, ScopeError};
pub use shipped::filters;
pub use similar::SPARE;
pub use source::{ArrivalSet, Solved, Source};
