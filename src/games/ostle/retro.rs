//! Ostle for solvers and scans: positions by slot, their moves and un-moves, and moves by state
//! backward.

use super::banning::MOST_MOVES;
use super::directed_set::DirectedSet;
use super::features::{CAPTURE, HOLE, SACRIFICE};
use super::index::Unplaced;
use super::movegen::number_of;
use super::setup::{positions, size_of};
use super::state::Placement;
use super::{Move, Ostle, Side, State};
use crate::base::subsets::NumberSet;
use crate::base::value::Outcome;
use crate::game::{
    Layer, ListedMove, MostMoves, MoveSummary, Next, Placed, Ranked, Repetition, Retrograde,
    RowVisitor, Slot, asks_for,
};
use crate::games::ostle::grid::Mask;

/// A position decoded from its slot.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    placement: Placement,
    symmetric: bool,
}

impl Ranked for Ostle {
    fn rank(&self, state: &State) -> u64 {
        self.slot(state).index
    }

    fn unrank(&self, index: u64) -> Option<State> {
        let (placement, _) = self.index().placement(index)?;
        Some(State::open(placement, Side::Black))
    }

    fn positions(&self) -> u64 {
        let (size, numbers) = (size_of(&self.grid), self.fewest()..=self.pieces);
        positions(size, self.has_fixed_hole(), numbers.clone(), numbers)
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }

    fn most_moves(&self) -> MostMoves {
        MostMoves {
            numbers: 4 * self.grid.squares().max(32),
            ..MostMoves::default()
        }
    }

    fn static_value(&self, layer: usize) -> i8 {
        let (own, opponent) = self.index().pieces(layer);
        own.cast_signed() - opponent.cast_signed()
    }

    fn by_rows<'g, V: RowVisitor<'g>>(&'g self, visitor: V) -> Result<V::Output, V> {
        // Sets over free squares must be small enough for events of the solver, and its look-ups of
        // sets take 24 places.
        let squares = self.grid.squares();
        if !self.bans_all_images() && squares <= 25 && squares - 1 - self.fewest() <= 22 {
            Ok(visitor.visit(self))
        } else {
            Err(visitor)
        }
    }

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn with_repetition(&self, repetition: Repetition) -> Option<Self> {
        let (width, height) = (self.grid.width, self.grid.height);
        let game = Self::new(width, height, self.pieces, self.losses, repetition).ok()?;
        Some(if self.has_fixed_hole() {
            game.with_fixed_hole()
        } else {
            game
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
}

impl Retrograde for Ostle {
    type Cursor = Cursor;
    type Unplaced = Unplaced;

    #[inline]
    fn cursor(&self, index: u64) -> Option<Cursor> {
        let (placement, symmetric) = self.index().placement(index)?;
        Some(Cursor {
            placement,
            symmetric: symmetric || self.bans_all_images() && self.has_doubles(placement),
        })
    }

    #[inline(always)]
    fn summarize_moves(&self, cursor: Cursor, mut visit: impl FnMut(MoveSummary<Unplaced>)) {
        let at = cursor.placement;
        let fewest = u32::from(self.fewest());
        let lone_own = at.own.count_ones() == fewest;
        let lone_opp = at.opp.count_ones() == fewest;
        if lone_opp && self.shifts.can_capture(at.own, at.opp, 1 << at.hole) {
            return visit(MoveSummary::Over(Outcome::Win));
        }
        let empty = self.shifts.all & !(at.own | at.opp | 1 << at.hole);
        let ends = self.shifts.before(empty);
        let staying = self.movers(at, ends).or(self.hole_moves(at));
        let (count, xor) = staying.count_and_xor();
        visit(MoveSummary::Within { count, xor });
        if lone_own {
            self.steps(at, |step| {
                let (own, opp) = (step.after.opp, step.after.own);
                if self.shifts.can_capture(own, opp, 1 << step.after.hole) {
                    visit(MoveSummary::IntoCheckmate(step.number));
                }
            });
        }
        let orbit = self.index().orbit(at.hole);
        self.removals(at, |is_own, after| {
            visit(if is_own && lone_own {
                MoveSummary::Over(Outcome::Loss)
            } else {
                MoveSummary::Earlier(self.unplaced_beside(after, orbit))
            });
        });
    }

    #[inline(always)]
    fn edges(&self, cursor: Cursor, mut visit: impl FnMut(u8, Unplaced)) {
        self.edges_with_undo(cursor, |number, next, _| visit(number, next));
    }

    #[inline(always)]
    fn unmoves(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced)) {
        self.unmoves_with_undo(cursor, |before, _| visit(before));
    }

    #[inline(always)]
    fn place(&self, unplaced: Unplaced) -> Placed {
        let index = self.index();
        let place = index.place(unplaced);
        let doubles = || self.bans_all_images() && self.has_doubles(unplaced.placement());
        Placed {
            slot: place.slot,
            symmetric: place.symmetric || doubles(),
            number: index.turned(place.turn, unplaced.number),
        }
    }

    fn moves_by_slot(
        &self,
        cursor: Cursor,
        kinds: u32,
        mut visit: impl FnMut(ListedMove<Self::Unplaced>),
    ) {
        let at = cursor.placement;
        let state = State::open(at, Side::Black);
        let fewest = u32::from(self.fewest());
        // Few moves remove a piece or move the hole, and they are found at once.
        let candidates = if kinds & !(SACRIFICE | CAPTURE | HOLE) != 0 {
            DirectedSet::all(self.shifts.all)
        } else if kinds == HOLE {
            self.hole_moves(at)
        } else {
            let removers = self.movers(at, self.outside(at));
            removers.or(self.hole_moves(at))
        };
        for mv in Self::candidates(&state) {
            if !candidates.contains(mv.number()) {
                continue;
            }
            let Some(effect) = self.effect(&state, mv) else {
                continue;
            };
            let within = effect.removed.is_none();
            let leads = if effect.after.opp.count_ones() < fewest {
                Next::Over(Outcome::Win)
            } else if effect.after.own.count_ones() < fewest {
                Next::Over(Outcome::Loss)
            } else {
                let number = effect.reply.map_or(0, Move::number);
                Next::State((self.unplaced(effect.after, number), effect.reply.is_some()))
            };
            let kinds_of_move = self.kinds_of_effect(state.placement.own, &effect);
            if asks_for(kinds, kinds_of_move) {
                visit(ListedMove {
                    number: mv.number(),
                    kinds: kinds_of_move,
                    within,
                    leads,
                });
            }
        }
    }

    #[inline(always)]
    fn departures(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced)) {
        let at = cursor.placement;
        let fewest = u32::from(self.fewest());
        let lone_own = at.own.count_ones() == fewest;
        let lone_opp = at.opp.count_ones() == fewest;
        if lone_own && lone_opp {
            return;
        }
        let orbit = self.index().orbit(at.hole);
        self.removals(at, |is_own, after| {
            let over = if is_own { lone_own } else { lone_opp };
            if !over {
                visit(self.unplaced_beside(after, orbit));
            }
        });
    }

    #[inline]
    fn is_symmetric(&self, cursor: Cursor) -> bool {
        cursor.symmetric
    }

    #[inline(always)]
    fn edges_with_undo(&self, cursor: Cursor, mut visit: impl FnMut(u8, Unplaced, bool)) {
        self.steps(cursor.placement, |step| {
            let has_undo = step.undo_from != 0;
            let undo = number_of(step.undo_from, step.number & 3 ^ 1);
            visit(step.number, self.unplaced(step.after, undo), has_undo);
        });
    }

    #[inline(always)]
    fn unmoves_with_undo(&self, cursor: Cursor, mut visit: impl FnMut(Unplaced, Option<u8>)) {
        let at = cursor.placement;
        self.hole_unmoves(at, &mut visit);
        self.piece_unmoves(at, &mut visit);
    }

    #[inline]
    fn follow(&self, cursor: Cursor, number: u8) -> u64 {
        let after = self.moved(cursor.placement, number);
        after.map_or(u64::MAX, |after| self.place(self.unplaced(after, 0)).slot)
    }

    fn least_image_of_move(&self, cursor: Cursor, number: u8) -> (u8, bool) {
        let at = cursor.placement;
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
        let symmetries = self.grid.symmetries.iter();
        let kept = symmetries.filter(|symmetry| at.image(symmetry) == at);
        kept.fold((number, false), |(least, several), symmetry| {
            let image = Move::from_number(number).image(symmetry).number();
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
        self.returns_turned(cursor.placement)
    }

    fn arrivals(&self, cursor: Cursor, mut visit: impl FnMut(Option<u8>)) {
        let at = cursor.placement;
        let mut numbers = NumberSet::default();
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
                    numbers.insert(first);
                }
            });
        } else {
            self.unmoves_with_undo(cursor, |_, undo| match undo {
                Some(number) => numbers.insert(number),
                None => unrestricted = true,
            });
        }
        if self.is_symmetric(cursor) {
            for number in std::mem::take(&mut numbers).iter() {
                numbers.insert(self.least_image_of_move(cursor, number).0);
            }
        }
        if unrestricted {
            visit(None);
        }
        numbers.iter().for_each(|number| visit(Some(number)));
    }

    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        // Seen by the side that made the last move.
        let at = state.placement.turned();
        let empty = self.grid.all() & !(at.occupied() | 1 << at.hole);
        let most = u32::from(self.pieces);
        let mut found = Vec::new();
        for mv in Self::moves_from(empty) {
            let mut tried = self.pulled_back(at, mv);
            if self.grid.neighbour(mv.from, mv.direction) == Some(at.hole) {
                tried.push(Placement {
                    hole: mv.from,
                    ..at
                });
            }
            for placement in tried {
                let before = State::open(placement, state.side.other());
                let fits = placement.own.count_ones() <= most && placement.opp.count_ones() <= most;
                let effect = self.effect(&before, mv);
                if fits && effect.is_some_and(|effect| effect.after == at) {
                    found.push((before, mv));
                }
            }
        }
        found
    }

    fn criterion(&self) -> &'static str {
        "hole"
    }

    fn classes(&self) -> Vec<String> {
        let name = |square| self.grid.square_name(square);
        self.hole_squares().map(name).collect()
    }

    fn class(&self, cursor: Cursor) -> usize {
        self.index().orbit(cursor.placement.hole).into()
    }
}

impl Ostle {
    /// Positions, seen by the side that made the move, from which it may have been made with a
    /// piece.
    fn pulled_back(&self, at: Placement, mv: Move) -> Vec<Placement> {
        let (mut found, mut before, mut to) = (Vec::new(), at, mv.from);
        loop {
            let next = self.grid.neighbour(to, mv.direction);
            let Some(from) = next.filter(|&next| next != at.hole) else {
                // The piece on the last square was removed.
                let last: Mask = 1 << to;
                found.extend([(last, 0), (0, last)].map(|(own, opp)| Placement {
                    own: before.own | own,
                    opp: before.opp | opp,
                    ..before
                }));
                return found;
            };
            if at.occupied() >> from & 1 == 0 {
                return found;
            }
            let shift = |mask: Mask| mask & !(1 << from) & !(1 << to) | (mask >> from & 1) << to;
            (before.own, before.opp) = (shift(before.own), shift(before.opp));
            found.push(before);
            to = from;
        }
    }
}
