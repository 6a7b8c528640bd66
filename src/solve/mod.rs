//! Solvers. None of them names a game.

pub mod belief;
pub mod breadth_first;
mod codes;
mod ladder;
mod memory;
pub mod naive;
pub mod nimbers;
pub mod path;
pub mod perft;
pub mod reach;
pub mod retrograde;
mod work;

pub use breadth_first::Distances;
pub(crate) use codes::Codes;
pub(crate) use ladder::{Ladder, Step, TOO_LONG};
pub use memory::Cells;
pub(crate) use memory::{prefetch_read, zeroed};
pub use path::{PathError, shortest_path};
pub use reach::{Reach, ReachError, Rule, reach, working_set as reach_working_set};
pub use retrograde::{Forgetful, Keeper, Snapshot, SolveError, Solved, Solver, Stage, working_set};
pub use work::Cell;
