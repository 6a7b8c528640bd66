//! Solvers. None of them names a game.

mod codes;
mod ladder;
mod memory;
pub mod naive;
pub mod path;
pub mod reach;
pub mod retrograde;
pub mod solitaire;
mod work;

pub use crate::watch::{Unwatched, Watch};
pub(crate) use codes::Codes;
pub(crate) use ladder::{Ladder, Step, TOO_LONG};
pub use memory::Cells;
pub(crate) use memory::{prefetch_read, zeroed};
pub use path::{PathError, shortest_path};
pub use reach::{Reach, ReachError, Rule, reach, working_set as reach_working_set};
pub use retrograde::{Forgetful, Keeper, Snapshot, SolveError, Solved, Solver, Stage, working_set};
pub use solitaire::Distances;
pub use work::Cell;
