//! Solvers, generic over games.
//!
//! | module | answers |
//! |---|---|
//! | [`retrograde`] | outcome and distance of every position of a two-player game ([`Solver`]) |
//! | [`breadth_first`] | the shortest solution of every state of a puzzle ([`Distances`]) |
//! | [`belief`] | problems in which the attacker does not see the defender ([`belief::solve`]) |
//! | [`look_ahead`] | what positions are worth to a player who looks a few plies ahead |
//! | [`nimbers`] | sums of impartial games ([`nimbers::Nimbers`]) |
//! | [`reach`](mod@reach) | which states can be reached, and in how many plies |
//! | [`path`] | a shortest line of play between two states |
//! | [`mod@perft`] | numbers of move sequences |
#![expect(
    clippy::inline_always,
    reason = "loops that run billions of times are fast only where everything is inlined"
)]

pub mod belief;
pub mod breadth_first;
mod codes;
pub mod look_ahead;
use crate::base::memory;
pub mod nimbers;
pub mod path;
pub mod perft;
pub mod reach;
pub mod retrograde;
mod rows;
mod words;
mod work;

pub use breadth_first::Distances;
pub(crate) use codes::{BestCodes, Codes, Ordinal, TOO_LONG, ValueOrder};
pub use memory::{OutOfMemory, WordArray};
pub(crate) use memory::{fetched_together, prefetch_read, prefetch_write, zeroed};
pub use path::{PathError, shortest_path};
pub use reach::{Reach, ReachError, Rule, reach, working_set as reach_working_set};
pub use retrograde::{
    SnapshotSink, SolveError, Solver, Stage, StageHead, least_working_set, room_for_records,
    working_set,
};
pub(crate) use rows::{Floors, RowTable, has_rows};
pub use words::{WordWidth, Words};
