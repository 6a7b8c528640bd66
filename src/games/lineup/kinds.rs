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

    /// The ways of both sides to complete a goal, the side to move first: what the kinds of
    /// all moves are told by.
    pub(super) fn both_threats(&self, own: u64, other: u64) -> [usize; 2] {
        [self.threats(own, other).0, self.threats(other, own).0]
    }

    /// The kinds of a move, a bit set over [`KINDS`], of a position with these
    /// [threats](Self::both_threats).
    pub(super) fn kinds_of_move(&self, own: u64, other: u64, before: [usize; 2], mv: Move) -> u32 {
        let men = mv.play(own);
        if self.geometry.wins_at(men, mv.to) {
            return 0;
        }
        let (after, squares) = self.threats(men, other);
        let block = before[1] > 0 && self.threats(other, men).0 < before[1];
        let threat = after > before[0];
        let fork = threat && squares.count_ones() > 1;
        let quiet = !threat && !block;
        [block, threat, fork, quiet]
            .into_iter()
            .enumerate()
            .fold(0, |set, (bit, is)| set | u32::from(is) << bit)
    }
}
