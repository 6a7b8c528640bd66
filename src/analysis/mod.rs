//! Analysis of one state: the values of its moves, the main line, the solution in the
//! terms of problem composition, its themes and its quality.
//!
//! Nothing here reads files or knows a game. Values come from an
//! [`Oracle`](crate::game::Oracle), which may be a table or a search.

mod check;
mod followed;
mod looking;
pub mod lures;
mod quality;
mod rated;
mod solution;
mod stipulation;
mod themes;

pub use check::{
    Change, Fault, Mending, Neighbour, Purpose, Twin, Verdict, check, neighbours, twins,
};
pub(crate) use check::{faults, solving};
pub use followed::{FollowedPly, OtherMove, follow};
pub use looking::{Looker, PROFILE_DEPTH, Profile, profile, profile_of_line};
pub use quality::{Grade, Quality};
pub(crate) use quality::{difficulty, rounded};
pub use rated::{Analysis, Rated, Step};
pub(crate) use rated::{
    Line, TableMove, firsts, key_of_line, line_is_dual_free, rate_moves, table_moves, value_of_pass,
};
pub use solution::{
    Attack, Length, MOST_NODES, Reply, SetPlay, Solution, SolutionText, Soundness, TextLine,
    TextMove, TextPly, Then, Tree, Try, write_solution,
};
pub(crate) use solution::{
    Folded, Turn, spell_in, states_after, write_defences, write_line, write_tree,
};
#[cfg(feature = "session")]
pub(crate) use stipulation::number_of;
pub use stipulation::{Stipulation, StipulationError};
pub use themes::{ALL as THEMES, Ply, Story, Theme, Thing, themes};
