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
mod plan;
mod predicate;
mod puzzle;
mod puzzles;
mod rows;
mod run;
mod scan;
mod scope;
mod solved;
mod verdicts;

pub(crate) use columns::LAYER;
pub use columns::{Catalogue, Column, Tier};
pub use condition::Condition;
pub use error::MineError;
pub use estimates::Coverage;
pub use filter::{Example, Filter, States, filters, titled};
pub use frame::Minable;
pub(crate) use kept::compare;
pub use measure::{Measured, Wanted, measure, measure_slots};
pub use predicate::{Predicate, Task};
pub(crate) use puzzle::{Describer, add_profile};
pub use puzzle::{Find, PuzzleRow};
pub use puzzles::puzzles;
pub use scan::{Scan, Way, scan};
pub(crate) use scope::Partition;
pub use scope::{Reachable, Scope};
pub use solved::Solved;
