//! Kinds of moves.

use super::{LineUp, Move};
use crate::game::MoveKind;

/// Kinds of move, a bit each.
#[rustfmt::skip]
pub(super) const KINDS: [MoveKind; 4] = [
    MoveKind::new("block", true, "leaves the other side fewer ways to complete a goal by its next move, and some it had before"),
    MoveKind::new("threat", true, "makes more ways to complete a goal by the next own move"),
    MoveKind::new("fork", false, "makes threats of which no one free square stops all: two ways or more to complete a goal, on different squares"),
    MoveKind::new("quiet", false, "completes nothing, makes no threat and blocks none"),
];

impl LineUp {
    /// The ways of a side to complete a goal if it were to move: their number, and the
    /// squares on which they do.
    pub(super) fn threats(&self, own: u64, other: u64) -> (usize, u64) {
        let taken = own | other;
        let ways = self.geometry.nearly(own, other).map(|goal| {
            let ways = if self.is_dropping(own) {
                1
            } else {
                self.geometry.finishers(goal, own, taken).count_ones() as usize
            };
            (ways, goal.1)
        });
        ways.fold((0, 0), |(all, squares), (ways, square)| {
            let here = if ways > 0 { 1 << square } else { 0 };
            (all + ways, squares | here)
        })
    }

    /// The kinds of a move, a bit set over [`KINDS`].
    pub(super) fn kinds_of_move(&self, own: u64, other: u64, mv: Move) -> u32 {
        let men = mv.play(own);
        let (before, _) = self.threats(own, other);
        let (after, squares) = self.threats(men, other);
        let (theirs, _) = self.threats(other, own);
        let (theirs_after, _) = self.threats(other, men);
        let wins = self.geometry.wins_at(men, mv.to);
        let (block, threat) = (!wins && theirs_after < theirs, !wins && after > before);
        let fork = threat && squares.count_ones() > 1;
        let quiet = !wins && !threat && !block;
        [block, threat, fork, quiet]
            .into_iter()
            .enumerate()
            .fold(0, |set, (bit, is)| set | u32::from(is) << bit)
    }
}
