//! Mining: from a solved game to the states that a filter admits, and from those
//! to puzzle rows.
//!
//! Columns come in tiers of cost ([`Tier`]); a predicate is split at its ANDs and
//! the cheap parts run first, so that dear columns are computed for survivors
//! only. Nothing here names a game.

mod analysis;
mod columns;
mod error;
mod filter;
mod predicate;
mod puzzle;
mod scan;

pub use analysis::{Analysis, Rated, Step, rate_moves};
pub use columns::{Catalogue, Column, Tier};
pub use error::MineError;
pub use filter::{Example, Filter};
pub use predicate::Predicate;
pub use puzzle::{Find, puzzle_row};
pub use scan::{Scan, admits, scan};
