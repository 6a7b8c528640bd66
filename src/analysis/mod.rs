//! Analysis of one state: the values of its moves, the main line, the solution in the
//! terms of problem composition, its themes and its quality.
//!
//! Nothing here reads files or knows a game. Values come from an
//! [`Oracle`](crate::game::Oracle), which may be a table or a search.

mod check;
mod dual_free;
mod looking;
pub mod lures;
mod neighbours;
mod quality;
mod rated;
mod similar;
mod solution;
mod stipulation;
mod table_moves;
mod themes;

pub use check::{Fault, Mending, Purpose, Verdict, check};
pub use dual_free::line_is_dual_free;
pub use looking::{Grade, Looker, PROFILE_DEPTH, Profile, profile, profile_of_line};
pub use neighbours::{Change, Neighbour, neighbours};
pub use quality::{Quality, difficulty};
pub use rated::{Analysis, Line, Rated, Step, rate_moves};
pub use similar::{firsts, key_of_line};
pub use solution::{
    Attack, Defence, Folded, Follow, Length, MOST_NODES, Reply, SetPlay, Solution, SolutionText,
    Soundness, TextLine, TextMove, TextPly, Tree, Try, Turn, write_defences, write_line,
    write_solution, write_tree,
};
pub use stipulation::{Stipulation, StipulationError};
pub use table_moves::{TableMove, table_moves};
pub use themes::{ALL as THEMES, Ply, Story, Theme, Thing, themes};
