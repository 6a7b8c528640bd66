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
mod source;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::progress::Progress;

pub use bits::{BitBounds, BitSearch, BitSolution, Found, Term};
pub use diagram::diagram;
pub use hash::perfect_hash;
pub use magic::{MagicBounds, MagicSearch};
pub use measure::Information;
pub use orders::{OrderSearch, Tactic, Tactics, orders_everywhere, single_orders};
pub use policy::{AnswerKind, Entry, Policy, PolicyError};
pub use program::{Diagram, Displaced, Form, Index, Magic, Ordered, Program, Table};
pub(crate) use residues::residues;
pub use run::{RunError, check, run};

/// A search that can be stopped, saved and resumed.
pub trait Search: Serialize + DeserializeOwned {
    /// What programs are to play.
    type Asked;
    /// Whether a search that was read from a file may be this one, which is new.
    fn continues(&self, new: &Self, asked: &Self::Asked) -> bool;
    /// Whether all candidates are tried.
    fn is_finished(&self) -> bool;
    /// Tries some more candidates.
    fn advance(&mut self, asked: &Self::Asked, progress: &dyn Progress);
    /// Candidates tried, and how many there are.
    fn tried(&self) -> (u64, u64);
}
