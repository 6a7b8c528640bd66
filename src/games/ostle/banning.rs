//! Rule 8: the forbidden move of a state, moves that take each other back, and the
//! forbidden moves with which a position can arise (the "possibly reachable states" of the
//! paper, Algorithm 6).
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "the values are bounded by the sizes of boards and cells, and checks would cost time in hot loops"
)]

use super::directed_set::DirectedSet;
use super::index::{Placement, Unplaced};
use super::movegen::number_of;
use super::retro::Cursor;
use super::{Effect, Move, Ostle, State};
use crate::game::{Banning, Repetition, Retrograde, Slot};
use crate::games::ostle::grid::{Direction, Mask};

/// The most moves of a position: twelve pieces and the hole in four directions.
const MOST_MOVES: usize = 52;

impl Ostle {
    /// Whether the last move can have removed a piece: the moving piece left an empty
    /// square behind, and it or what it pushed left the board or fell into the hole.
    fn can_follow_removal(&self, at: Placement) -> bool {
        let most = u32::from(self.pieces());
        let mover_had_more = at.opp.count_ones() < most;
        let other_had_more = at.own.count_ones() < most;
        if !mover_had_more && !other_had_more {
            return false;
        }
        let shifts = self.shifts;
        let occupied = at.own | at.opp;
        let inside = shifts.all & !(1 << at.hole);
        let empty = DirectedSet::all(inside & !occupied);
        // Squares next to the edge of the board or the hole. A piece that walked off
        // belonged to the mover; one pushed off may have belonged to either side.
        let mut ends = DirectedSet::all(shifts.all).without(shifts.before(inside));
        if mover_had_more && !empty.and(ends).is_empty() {
            return true;
        }
        let mut ahead = shifts.before(occupied);
        let mut origins = empty.and(shifts.before(at.opp));
        while !origins.is_empty() {
            ends = shifts.before_each(ends);
            if !origins.and(ends).is_empty() {
                return true;
            }
            ahead = shifts.before_each(ahead);
            origins = origins.and(ahead);
        }
        false
    }
}

/// The reading of rule 8 that forbids every move to an image of the earlier position.
impl Ostle {
    pub(super) fn bans_all_images(&self) -> bool {
        self.repetition == Repetition::AllImages
    }

    /// The move that names all those to images of where `mv` leads: the first of them. Where
    /// the rule forbids one move, `mv` itself.
    pub(super) fn naming(&self, state: &State, mv: Move) -> Move {
        let quiet = |effect: &Effect| self.bans_all_images() && effect.removed.is_none();
        let Some(effect) = self.effect(state, mv).filter(quiet) else {
            return mv;
        };
        self.restoring(state, &seen_by_other(effect.after))
            .unwrap_or(mv)
    }

    /// Whether two moves of a placement that stay in the group lead to images of one position.
    #[cold]
    #[inline(never)]
    pub(super) fn has_doubles(&self, at: Placement) -> bool {
        if !self.returns_turned(at) {
            return false;
        }
        let (mut slots, mut found) = ([u64::MAX; MOST_MOVES], false);
        let mut count = 0;
        self.steps(at, |step| {
            let slot = self.index().place(self.unplaced(step.after, 0)).slot;
            found |= slots[..count].contains(&slot);
            slots[count] = slot;
            count += 1;
        });
        found
    }

    /// [`may_return_turned`](Banning::may_return_turned).
    #[inline(always)]
    fn returns_turned(&self, at: Placement) -> bool {
        // A move of a piece changes which squares are occupied at two squares: its origin
        // and the end of what it pushes. A move of the hole changes none.
        let occupied = at.own | at.opp;
        let hole: Mask = 1 << at.hole;
        let near = self.shifts.before(hole).any() | hole;
        let far = self.shifts.before(near).any();
        let mut found = false;
        for symmetry in &self.grid().symmetries()[1..] {
            let image: Mask = 1 << symmetry.square(at.hole);
            if image & far == 0 {
                continue;
            }
            let most = if image == hole {
                4
            } else if image & near != 0 {
                2
            } else {
                0
            };
            found |= (occupied ^ symmetry.mask(occupied)).count_ones() <= most;
        }
        found
    }
}

/// A placement as the other side sees it.
pub(super) const fn seen_by_other(at: Placement) -> Placement {
    Placement {
        own: at.opp,
        opp: at.own,
        hole: at.hole,
    }
}

impl Banning for Ostle {
    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn with_repetition(&self, repetition: Repetition) -> Option<Self> {
        let (width, height) = (self.grid.width(), self.grid.height());
        let game = Self::new(width, height, self.pieces, self.losses, repetition).ok()?;
        Some(Self {
            hole_moves_from: self.hole_moves_from,
            ..game
        })
    }

    fn forbidden(&self, state: &State) -> Option<Move> {
        state.forbidden
    }

    fn named_ban(&self, position: &State, mv: Move) -> Move {
        self.naming(position, mv)
    }

    fn unrestricted(&self, state: &State) -> State {
        (*state).unrestricted()
    }

    fn slot(&self, state: &State) -> Slot {
        let index = self.index();
        let placement = state.placement;
        let layer = index.layer_number(placement.own, placement.opp);
        let number = state.forbidden.map(Move::number);
        let placed = self.place(index.settled(layer, placement, number.unwrap_or(0)));
        // The moves of a symmetric position have images; the least represents them all.
        let cursor = placed.symmetric.then(|| self.cursor(placed.slot)).flatten();
        let least = cursor.map_or(placed.number, |cursor| {
            self.least_image_of_move(cursor, placed.number).0
        });
        Slot {
            index: placed.slot,
            forbidden: number.map(|_| least),
        }
    }

    fn forbid(&self, state: &State, number: u8) -> Option<State> {
        let mv = Move::from_number(number);
        let effect = self.effect(state, mv)?;
        effect.removed.is_none().then(|| State {
            forbidden: Some(self.naming(state, mv)),
            ..*state
        })
    }

    #[inline]
    fn is_symmetric(&self, cursor: Cursor) -> bool {
        cursor.is_symmetric()
    }

    #[inline(always)]
    fn edges_with_undo(&self, cursor: Cursor, mut visit: impl FnMut(u8, Unplaced, bool)) {
        self.steps(cursor.placement(), |step| {
            let has_undo = step.undo_from != 0;
            let undo = number_of(step.undo_from, step.number & 3 ^ 1) & 127;
            visit(step.number, self.unplaced(step.after, undo), has_undo);
        });
    }

    #[inline(always)]
    fn unmoves_with_undo(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced, Option<u8>)) {
        let at = cursor.placement();
        self.hole_unmoves(at, &mut visit);
        self.piece_unmoves(at, &mut visit);
    }

    #[inline]
    fn follow(&self, cursor: Cursor, number: u8) -> u64 {
        let after = self.moved(cursor.placement(), number);
        after.map_or(u64::MAX, |after| self.place(self.unplaced(after, 0)).slot)
    }

    fn least_image_of_move(&self, cursor: Cursor, number: u8) -> (u8, bool) {
        let at = cursor.placement();
        if self.bans_all_images() {
            let back = self.follow(cursor, number);
            let (mut least, mut several) = (number, false);
            self.steps(at, |step| {
                if step.number != number && self.follow(cursor, step.number) == back {
                    (least, several) = (least.min(step.number), true);
                }
            });
            return (least, several);
        }
        let kept = self.grid().symmetries().iter().filter(|symmetry| {
            symmetry.square(at.hole) == at.hole
                && symmetry.mask(at.own) == at.own
                && symmetry.mask(at.opp) == at.opp
        });
        kept.fold((number, false), |(least, several), symmetry| {
            let direction = symmetry.direction(Direction::from_index(number));
            let image = symmetry.square(number >> 2) << 2 | direction as u8;
            (least.min(image), several || image != number)
        })
    }

    fn forbids(&self, cursor: Cursor, forbidden: u8, number: u8) -> bool {
        forbidden == number
            || self.bans_all_images()
                && self.is_symmetric(cursor)
                && self.least_image_of_move(cursor, number).0
                    == self.least_image_of_move(cursor, forbidden).0
    }

    #[inline(always)]
    fn may_return_turned(&self, cursor: Cursor) -> bool {
        self.returns_turned(cursor.placement())
    }

    fn arrivals(&self, cursor: Cursor, mut visit: impl FnMut(Option<u8>)) {
        let at = cursor.placement();
        let mut numbers: u128 = 0;
        let mut unrestricted = self.can_follow_removal(at);
        // Up to symmetry, a move may lead back without taking the last move back. Where
        // this is impossible, which is nearly always, nothing has to be looked up.
        let turned = self.repetition() != Repetition::Exact
            && (self.is_symmetric(cursor) || self.may_return_turned(cursor));
        if turned {
            // The first move that leads back up to symmetry is the forbidden one.
            let mut back = [(u64::MAX, 0u8); MOST_MOVES];
            let mut count = 0;
            self.edges(cursor, |number, next| {
                back[count] = (self.place(next).slot, number);
                count += 1;
            });
            self.unmoves(cursor, |before| {
                let from = self.place(before).slot;
                let mut first = u8::MAX;
                for &(to, number) in &back[..count] {
                    first = first.min(if to == from { number } else { u8::MAX });
                }
                if first == u8::MAX {
                    unrestricted = true;
                } else {
                    numbers |= 1 << first;
                }
            });
        } else {
            self.unmoves_with_undo(cursor, |_, undo| match undo {
                Some(number) => numbers |= 1 << number,
                None => unrestricted = true,
            });
        }
        if self.is_symmetric(cursor) {
            let mut least: u128 = 0;
            let mut rest = numbers;
            while rest != 0 {
                least |= 1
                    << self
                        .least_image_of_move(cursor, rest.trailing_zeros() as u8)
                        .0;
                rest &= rest - 1;
            }
            numbers = least;
        }
        if unrestricted {
            visit(None);
        }
        while numbers != 0 {
            visit(Some(numbers.trailing_zeros() as u8));
            numbers &= numbers - 1;
        }
    }
}
