//! Sums of impartial games under normal play, and their nimbers.
//!
//! In an impartial game both sides have the same moves, and who cannot move loses.
//! Every position is worth a heap of nim, its *nimber* (Grundy value): the mex of the
//! nimbers of its options. A position that falls into independent parts is their sum,
//! and its nimber is the XOR of theirs; the side to move loses exactly if it is 0.
//!
//! Sources: R. Sprague, *Über mathematische Kampfspiele* (1935); P. M. Grundy,
//! *Mathematics and games* (1939); A. N. Siegel, *Combinatorial Game Theory* (2013),
//! chapter IV.

mod lazy;
mod octal;

pub use lazy::{Nimbers, Shapes};
pub use octal::{Octal, Periodic};

use crate::game::Nimber;

/// The least number that is not among `values`.
#[must_use]
pub fn mex(values: impl IntoIterator<Item = Nimber>) -> Nimber {
    let mut seen = Vec::new();
    for value in values {
        let value = usize::from(value);
        if value >= seen.len() {
            seen.resize(value + 1, false);
        }
        seen[value] = true;
    }
    let least = seen.iter().position(|&seen| !seen).unwrap_or(seen.len());
    Nimber::try_from(least).unwrap_or(Nimber::MAX)
}
