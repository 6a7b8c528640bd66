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
pub use diagram::{Diagram, diagram};
pub use hash::{Displaced, perfect_hash};
pub use magic::{Magic, MagicBounds, MagicSearch, magic};
pub use measure::Information;
pub use orders::{Index, OrderSearch, Ordered, Tactic, Tactics, single_orders};
pub use orders_all::orders_everywhere;
pub use policy::{Entry, Policy, PolicyError};
pub use program::{Form, Program};
pub use residues::{Residues, Table, residues};
pub use run::{RunError, check, run};
