//! Sums of impartial games: nimbers under normal play, and winners under misère play.
//!
//! In an impartial game both sides have the same moves, and a player who cannot move loses.
//! Every position is equivalent to a heap of nim, whose size is its *nimber* (Grundy
//! value): the mex, the least number that is no nimber of its options. A position that
//! splits into independent parts is their sum, and its nimber is the XOR of theirs. The
//! side to move loses if and only if the nimber is 0.
//!
//! Sources: R. Sprague, *Über mathematische Kampfspiele* (1935); P. M. Grundy,
//! *Mathematics and games* (1939); A. N. Siegel, *Combinatorial Game Theory* (2013),
//! chapter IV.

mod lazy;
mod memo;
mod misere;
mod octal;

pub use lazy::{Nimbers, Shapes};
pub(crate) use misere::Misere;
pub use octal::{Octal, Periodic};

use crate::game::NimberError;

type Result<T, E = NimberError> = std::result::Result<T, E>;
