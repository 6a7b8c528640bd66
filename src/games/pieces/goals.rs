//! How near sides are to goals, and the kinds of moves where goals win.

use super::core::Core;
use super::geometry::NO_WAY;
use super::index::Placing;
use super::movegen::Step;
use super::rules::{Counts, KindNumber, Position, Squares};
use crate::base::subsets::bits;
use crate::game::{MoveKind, kinds_in};

/// Kinds of move where goals win, a bit each.
#[rustfmt::skip]
pub(super) const KINDS: [MoveKind; 4] = [
    MoveKind::new("block", true, "leaves the other side fewer moves that complete a goal than it had before"),
    MoveKind::new("threat", true, "makes more moves that complete a goal next"),
    MoveKind::new("fork", false, "makes a threat, and no one free square stops all: goals can be completed on two squares or more"),
    MoveKind::new("quiet", false, "completes nothing, makes no threat and blocks none"),
];

impl Core {
    /// Where men of a side may come from the hand, by kind.
    fn drops(&self, at: &Placing, hands: &Counts, side: usize) -> impl Iterator<Item = Squares> {
        let held = (0..self.rules.kinds.len()).filter(move |&kind| hands[side][kind] > 0);
        held.map(move |kind| self.drop_targets(at, side, kind))
    }

    /// The men of a side that may move: kind, square and targets.
    fn movers(
        &self,
        at: &Placing,
        hands: &Counts,
        side: usize,
    ) -> impl Iterator<Item = (u8, Squares)> {
        let rests = self.rules.drop_first && hands[side].iter().any(|&men| men > 0);
        let kinds = 0..if rests { 0 } else { self.rules.kinds.len() };
        let (taken, others) = (at.all(), at.taken[1 - side]);
        kinds.flat_map(move |kind| {
            bits(at.men[side][kind]).map(move |square| {
                let reach = self.geometry.from(side, kind, square.into());
                let (goes, takes) = reach.targets(taken, others);
                (square, goes | takes)
            })
        })
    }

    /// The moves of a side, if it were to move.
    pub(super) fn mobility(&self, at: &Placing, hands: &Counts, side: usize) -> u32 {
        let moves = self.movers(at, hands, side).map(|(_, targets)| targets);
        let all = moves.chain(self.drops(at, hands, side));
        all.map(Squares::count_ones).sum()
    }

    /// The moves of a side that complete a goal, if it were to move: their number, and the squares
    /// to which they lead.
    pub(super) fn threats(&self, at: &Placing, hands: &Counts, side: usize) -> (u32, Squares) {
        let own = at.taken[side];
        let mut near = self.completing(at, side);
        if !self.takes {
            near &= !at.taken[1 - side];
        }
        if near == 0 {
            return (0, 0);
        }
        let (mut count, mut squares) = (0, 0);
        for dropped in self.drops(at, hands, side) {
            count += (dropped & near).count_ones();
            squares |= dropped & near;
        }
        for (from, targets) in self.movers(at, hands, side) {
            for to in bits(targets & near) {
                let men = own & !(1 << from) | 1 << to;
                if self.completes(to.into(), men) {
                    count += 1;
                    squares |= 1 << to;
                }
            }
        }
        (count, squares)
    }

    /// The kinds of a move, a bit set over [`KINDS`], of a position in which the sides have `before`
    /// [threats](Self::threats); `after` is the position after it, as the side sees it that moved.
    pub(super) fn goal_kinds(&self, before: [u32; 2], after: &Placing, step: Step) -> u32 {
        if self.completes(step.to, after.taken[0]) {
            return 0;
        }
        let mut hands = self.layer(after).material.hands;
        if step.from.is_none() {
            hands[0][step.kind] = hands[0][step.kind].saturating_sub(1);
        }
        let (own, squares) = self.threats(after, &hands, 0);
        let block = before[1] > 0 && self.threats(after, &hands, 1).0 < before[1];
        let threat = own > before[0];
        let fork = threat && squares.count_ones() > 1;
        kinds_in([block, threat, fork, !threat && !block])
    }

    /// The goals in which the other side does not stand.
    pub(super) fn free_goals(&self, at: &Placing, side: usize) -> impl Iterator<Item = Squares> {
        let others = at.taken[1 - side];
        let goals = self.rules.goals.iter().copied();
        goals.filter(move |goal| goal & others == 0)
    }

    /// How many of these lack this number of a side's men.
    pub(super) fn open_goals(&self, at: &Placing, side: usize, men: u32) -> usize {
        let lacking = |goal: &Squares| (goal & !at.taken[side]).count_ones() == men;
        self.free_goals(at, side).filter(lacking).count()
    }

    /// The least steps that fill a goal: its squares are filled one by one, and `least` has the
    /// fewest steps for each set of the men used so far. `None` if the men cannot fill it.
    pub(super) fn steps_to(&self, goal: Squares, at: &Position, side: usize) -> Option<u16> {
        let kinds = 0..self.rules.kinds.len();
        let men: Vec<(KindNumber, u8)> = kinds
            .flat_map(|kind| bits(at.men[side][kind]).map(move |square| (kind, square)))
            .collect();
        let in_hand: u32 = at.hands[side].iter().copied().map(u32::from).sum();
        let mut least: Vec<Option<u16>> = vec![None; 1 << men.len()];
        least[0] = Some(0);
        for (filled, square) in (0..).zip(bits(goal)) {
            let mut next = vec![None; least.len()];
            let mut offer = |used: usize, steps: u16| {
                let known: &mut Option<u16> = &mut next[used];
                *known = Some(known.map_or(steps, |known| known.min(steps)));
            };
            for (used, steps) in least.iter().enumerate() {
                let Some(steps) = steps else { continue };
                for (place, &(kind, man)) in men.iter().enumerate() {
                    let way = self.steps[kind][side][usize::from(man)][usize::from(square)];
                    if way != NO_WAY && used >> place & 1 == 0 {
                        offer(used | 1 << place, steps + u16::from(way));
                    }
                }
                if filled - used.count_ones() < in_hand {
                    offer(used, steps + 1);
                }
            }
            least = next;
        }
        least.into_iter().flatten().min()
    }
}
