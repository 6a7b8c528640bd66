//! Mining: from a solved game to the states that a filter admits, and from those
//! to puzzle rows.
//!
//! Columns come in tiers of cost ([`Tier`]); a predicate is split at its ANDs and
//! the cheap parts run first, so that dear columns are computed for survivors
//! only. Nothing here names a game.

mod analysis;
mod check;
mod columns;
mod error;
mod filter;
mod frame;
pub mod hidden;
mod measure;
mod plan;
mod predicate;
mod puzzle;
mod puzzles;
mod quality;
mod rating;
mod scan;
mod scope;
mod similar;
mod solution;
mod source;
mod themes;
mod verdicts;

pub use analysis::{Analysis, Rated, Step, rate_moves};
pub use check::{Fault, Mending, Purpose, Stipulation, StipulationError, Verdict, check};
pub use columns::{Catalogue, Column, Tier};
pub use error::MineError;
pub use filter::{Example, Filter, States};
pub use measure::{Measured, Wanted, measure, measure_slots};
pub use predicate::Predicate;
pub use puzzle::{Find, puzzle_row};
pub use puzzles::puzzles;
pub use quality::{Quality, difficulty};
pub use rating::{Rate, Ratings};
pub use scan::{Minable, Scan, Task, admits, scan, scan_fitting, scan_solved};
pub use scope::{Partition, Scope, ScopeError};
pub use similar::{SPARE, firsts, key_of_line};
pub use solution::{
    Attack, MOST_NODES, Reply, SetPlay, Solution, Soundness, Tree, Try, write_solution, write_tree,
};
pub use source::{ArrivalSet, Solved, Source};
pub use themes::{ALL as THEMES, Ply, Story, Theme, Thing, themes};
