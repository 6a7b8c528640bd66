//! Mining: finding the states of a solved game that a filter admits, and turning them into
//! puzzle rows.
//!
//! Columns are divided into tiers by cost ([`Tier`]). A predicate is split at its ANDs, and
//! the cheap parts run first, so that expensive columns are only computed for the states
//! that remain.

mod columns;
mod condition;
mod error;
mod estimates;
mod filter;
mod frame;
pub mod hidden;
mod kept;
mod measure;
mod minable;
mod nearest;
mod plan;
mod predicate;
mod puzzle;
mod puzzle_row;
mod puzzles;
mod rating;
mod reachable;
mod rows;
mod run;
mod sample;
mod scan;
mod scope;
mod shipped;
mod similar;
mod solved;
mod source;
mod verdicts;
mod win_tests;

pub use columns::{Catalogue, Column, Tier};
pub use condition::Condition;
pub use error::MineError;
pub use estimates::Coverage;
pub use filter::{Example, Filter, SPARE, States};
pub use measure::{Measured, Wanted, measure, measure_slots};
pub use minable::Minable;
pub(crate) use nearest::nearest;
pub use predicate::Predicate;
pub use puzzle::{Find, mate_row, puzzle_row, swindle_row};
pub use puzzle_row::PuzzleRow;
pub use puzzles::puzzles;
pub use rating::{Rate, Ratings};
pub use reachable::Reachable;
pub use scan::{Scan, Task, admits, scan, scan_fitting, scan_progressively, scan_solved};
pub use scope::{Partition, Scope, ScopeError};
pub use shipped::filters;
pub use solved::Solved;
pub use source::{ArrivalSet, Source};
