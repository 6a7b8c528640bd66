//! Formulas that play: the shortest program for a solved game.
//!
//! A [`Policy`] says which moves are best in every state of a game, states and moves
//! being numbers. A search looks for a [`Program`] of a stated family whose answer is a
//! best move everywhere. A program is written out in Rust, C and Python
//! ([`Program::source`]) and what is written is compiled, run on every state and held
//! against the policy ([`run`]).
//!
//! Source of the idea, of the 3-puzzle's encoding and of the first family: *Formulas that
//! play { chess, checkers, whatever } optimally*, "the article" below.

mod bits;
mod diagram;
mod hash;
mod magic;
mod measure;
mod orders;
mod orders_all;
mod policy;
mod program;
mod residues;
mod run;
mod source;

pub use bits::{BitBounds, BitSearch, BitSolution, Found, Term};
pub use diagram::diagram;
pub use hash::perfect_hash;
pub use magic::{MagicBounds, MagicSearch, magic};
pub use measure::Information;
pub use orders::{OrderSearch, Tactic, Tactics, single_orders};
pub use orders_all::orders_everywhere;
pub use policy::{Entry, Policy, PolicyError};
pub use program::{Diagram, Displaced, Form, Index, Magic, Ordered, Program, Table};
pub use residues::{Residues, residues};
pub use run::{RunError, check, run};
