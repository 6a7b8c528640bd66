//! Lures: drawn positions in which one side hopes that the other goes wrong.
//!
//! The *opponent* is the player who looks `d` plies ahead ([`crate::solve::look_ahead`]): one
//! of the moves that this player likes, `A_d(s)`, is made, each as likely as the others. The
//! *lurer* knows the table and never gives up the draw.
//!
//! * `X_0(s) = 0`, and `X_N(s)` is the greatest, over the lurer's moves that keep the draw, of
//!   the mean over `m` in `A_d` after it of 1 if `m` loses, otherwise `X_{N-1}` after `m`. It is
//!   the greatest chance that the opponent goes wrong within the next `N` moves of theirs.
//! * `W_d` are the states in which the opponent goes wrong whatever they choose from `A_d`. A
//!   state is in it if and only if `X_N(s) = 1` for some `N`; the least is the number of moves
//!   within which it happens.
//!
//! Chances are kept in [ten-millionths](ONE). A mean is rounded down, and nothing else is, so
//! that a chance is at most `N` units too small, and is [`ONE`] only if it is exactly 1.

mod baselines;
mod chances;
mod chunks;
mod graph;
mod likes;
mod sweeps;
mod swindle;
mod won;

use std::io;

use thiserror::Error;

pub use baselines::{Baseline, Baselines, Choices};
pub use chances::{Lure, Lures};
pub use graph::DrawnGraph;
pub use likes::Likes;
pub use sweeps::Swept;
pub(crate) use swindle::SwindleTask;

use crate::solve::look_ahead::LookAhead;
use crate::table::TableError;

/// The chance 1. Chances are whole numbers up to this.
pub const ONE: u32 = 10_000_000;

/// The greatest depth.
pub const DEEPEST: u8 = LookAhead::DEEPEST + 1;

/// Stands for the position after a move that ends the game in a draw.
const END: u32 = u32::MAX >> 1;

type Result<T, E = LureError> = std::result::Result<T, E>;

/// Why lures cannot be found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LureError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is not enough memory.
    #[error("there is not enough memory to find lures: {0}")]
    Memory(#[from] io::Error),
    /// The game forbids positions up to symmetry or has too many, or what was found is not what
    /// follows from the positions after the moves.
    #[error("{0}")]
    Refused(String),
    /// The work was cancelled.
    #[error("the search for lures was stopped")]
    Cancelled,
}
