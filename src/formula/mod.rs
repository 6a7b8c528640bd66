//! Searches for the shortest program that plays a solved game perfectly.
//!
//! A [`Policy`] says which moves are best in every state of a game; states and moves are
//! numbers. A search looks for a [`Program`] of one family whose answer is a best move in
//! every state, or the state that it leads to. A program is written in Rust, C and Python ([`Program::source`]), and the
//! source is compiled, run on every state and compared with the policy ([`check`]).
//!
//! The idea, the encoding of the 3-puzzle and the first family are from the article
//! *Formulas that play { chess, checkers, whatever } optimally*.

mod bits;
mod diagram;
mod hash;
mod magic;
mod measure;
mod orders;
mod policy;
mod program;
mod residues;
mod run;
mod search;
mod source;

pub use bits::{BitBounds, BitSearch, BitSolution, Found, Term};
pub use diagram::diagram;
pub use hash::perfect_hash;
pub use magic::{MagicBounds, MagicSearch};
pub use measure::Information;
pub use orders::{OrderSearch, Tactic, Tactics, orders_everywhere, single_orders};
pub use policy::{AnswerKind, Entry, Policy, PolicyError};
pub use program::{Diagram, Displaced, Form, Index, Magic, Ordered, Program, Table};
pub(crate) use residues::residues;
pub use run::{RunError, check, end_together, run};
pub use search::Search;
