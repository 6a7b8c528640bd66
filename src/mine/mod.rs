//! Mining: finding the states of a solved game that a filter admits, and turning them into
//! puzzle rows.
//!
//! Columns are divided into tiers by cost ([`Tier`]). A predicate is split at its ANDs, and
//! the cheap parts run first, so that expensive columns are only computed for the states
//! that remain.

#[cfg(feature = "sql")]
mod columns;
mod error;
mod filter;
#[cfg(feature = "sql")]
mod frame;
#[cfg(feature = "sql")]
pub mod hidden;
#[cfg(feature = "sql")]
mod measure;
#[cfg(feature = "sql")]
mod minable;
#[cfg(feature = "sql")]
mod plan;
#[cfg(feature = "sql")]
mod predicate;
#[cfg(feature = "sql")]
mod puzzle;
mod puzzle_row;
#[cfg(feature = "sql")]
mod puzzles;
#[cfg(feature = "sql")]
mod rating;
#[cfg(feature = "sql")]
mod scan;
#[cfg(feature = "sql")]
mod scope;
mod shipped;
#[cfg(feature = "sql")]
mod similar;
#[cfg(feature = "sql")]
mod solved;
#[cfg(feature = "sql")]
mod source;
#[cfg(feature = "sql")]
mod verdicts;

#[cfg(feature = "sql")]
pub use columns::{Catalogue, Column, Tier};
pub use error::MineError;
pub use filter::{Example, Filter, SPARE, States};
#[cfg(feature = "sql")]
pub use measure::{Measured, Wanted, measure, measure_slots};
#[cfg(feature = "sql")]
pub use minable::Minable;
#[cfg(feature = "sql")]
pub use predicate::Predicate;
#[cfg(feature = "sql")]
pub use puzzle::{Find, puzzle_row};
pub use puzzle_row::PuzzleRow;
#[cfg(feature = "sql")]
pub use puzzles::puzzles;
#[cfg(feature = "sql")]
pub use rating::{Rate, Ratings};
#[cfg(feature = "sql")]
pub use scan::{Scan, Task, admits, scan, scan_fitting, scan_solved};
#[cfg(feature = "sql")]
pub use scope::{Partition, Scope, ScopeError};
pub use shipped::filters;
#[cfg(feature = "sql")]
pub use solved::Solved;
#[cfg(feature = "sql")]
pub use source::{ArrivalSet, Source};
