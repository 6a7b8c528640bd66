//! Solvers. None of them names a game.

pub mod belief;
pub mod breadth_first;
mod codes;
mod memory;
pub mod naive;
pub mod nimbers;
pub mod path;
pub mod perft;
pub mod reach;
pub mod retrograde;
mod value_order;
mod word;
mod work;

pub use breadth_first::Distances;
pub(crate) use codes::Codes;
pub use memory::WordArray;
pub(crate) use memory::{prefetch_read, zeroed};
pub use path::{PathError, shortest_path};
pub use reach::{Reach, ReachError, Rule, reach, working_set as reach_working_set};
pub use retrograde::{
    NoSnapshots, Snapshot, SnapshotSink, SolveError, SolvedGroup, Solver, Stage, working_set,
};
pub(crate) use value_order::{Ordinal, TOO_LONG, ValueOrder};
pub use word::WordWidth;
