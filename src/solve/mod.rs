//! Solvers. None of them names a game.

mod codes;
mod ladder;
mod memory;
pub mod naive;
pub mod path;
pub mod reach;
pub mod retrograde;
mod work;

pub(crate) use codes::Codes;
pub(crate) use ladder::{Ladder, Step, TOO_LONG};
pub use memory::Cells;
pub(crate) use memory::{prefetch_read, zeroed};
pub use path::{PathError, shortest_path};
pub use reach::{Reach, ReachError, Rule, reach, working_set as reach_working_set};
pub use retrograde::{Forgetful, Keeper, Snapshot, SolveError, Solved, Solver, Stage, working_set};
pub use work::Cell;

/// Someone who wants to know how a long computation is going.
pub trait Watch: Sync {
    /// A stage of `total` steps begins.
    fn begin(&self, stage: &str, total: u64);
    /// `steps` more are done.
    fn advance(&self, steps: u64);
    /// Whether the work should stop at the next convenient point.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Nobody is watching.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn begin(&self, _stage: &str, _total: u64) {}
    fn advance(&self, _steps: u64) {}
}
