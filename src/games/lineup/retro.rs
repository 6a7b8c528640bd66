//! Line-up games for the retrograde solver and for scans: positions by slot, their moves
//! and un-moves.

use super::index::{Class, Found};
use super::rules::NoMoves;
use super::{LineUp, Move, Side, State};
use crate::base::subsets::bits;
use crate::base::value::Outcome;
use crate::game::{
    Drawable, Layer, Leads, ListedMove, MostMoves, MoveSummary, Moves, Next, Placed, Ranked,
    Retrograde, SizeError,
};

/// A position decoded from its slot.
#[derive(Debug, Clone, Copy)]
pub struct Cursor(Found);

/// A position whose slot is not known yet, and a move of it: the men of the side to move by
/// their class, those of the other side as they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unplaced {
    other: u64,
    class: Class,
    layer: u8,
    mv: Move,
}

impl LineUp {
    /// The position after a move of the side whose men are `men` then; that side's moves
    /// from there are not asked for.
    const fn after(at: &Found, men: u64, layer: u8) -> Unplaced {
        Unplaced {
            other: men,
            class: at.other_class,
            layer,
            mv: Move::drop(0),
        }
    }

    const fn state(at: &Found) -> State {
        // Which side it is follows from the numbers of men, or is only a name.
        let side = if at.own.count_ones() == at.other.count_ones() {
            Side::Black
        } else {
            Side::White
        };
        State {
            own: at.own,
            other: at.other,
            side,
        }
    }

    /// Visits the moves of men on the board, with the men after the move.
    #[inline]
    fn each_move(&self, at: &Found, mut visit: impl FnMut(Move, u64)) {
        let taken = at.own | at.other;
        for from in bits(at.own) {
            for to in bits(self.geometry.targets(from, taken)) {
                let mv = Move { from, to };
                visit(mv, mv.play(at.own));
            }
        }
    }

    /// Whether a side with these men can win by a move.
    #[inline]
    pub(super) fn wins_at_once(&self, own: u64, other: u64) -> bool {
        let taken = own | other;
        let mut nearly = self.geometry.nearly(own, other);
        if self.is_dropping(own) {
            return nearly.next().is_some();
        }
        nearly.any(|goal| self.geometry.finishers(goal, own, taken) != 0)
            || self.wins_by_sticking(own, other)
    }

    /// Whether a side with all men on the board can win by leaving the other side without a
    /// move.
    #[inline]
    fn wins_by_sticking(&self, own: u64, other: u64) -> bool {
        self.rules.no_moves == NoMoves::Lose && self.geometry.sticks(own, other)
    }

    /// The moves of the first pass of a position with all men on the board.
    fn summarize(&self, at: &Found, mut visit: impl FnMut(MoveSummary<Unplaced>)) {
        let geometry = &self.geometry;
        // Goals that the other side is about to complete, while nothing stands in the way.
        let threats: Vec<_> = geometry.nearly(at.other, 0).collect();
        let (mut count, mut xor, mut stuck) = (0, 0, false);
        self.each_move(at, |mv, men| {
            let taken = men | at.other;
            if geometry.is_stuck(at.other, taken) {
                stuck = true;
                return;
            }
            let number = geometry.number(at.own, mv.from, mv.to);
            count += 1;
            xor ^= number;
            let finishes = |&goal: &_| geometry.finishers(goal, at.other, taken) != 0;
            if threats.iter().any(finishes) || self.wins_by_sticking(at.other, men) {
                visit(MoveSummary::IntoCheckmate(number));
            }
        });
        if stuck {
            visit(MoveSummary::Over(self.after_no_moves()));
        }
        visit(MoveSummary::Within { count, xor });
    }

    /// Visits the positions after each drop that does not end the game.
    fn each_drop(&self, at: &Found, mut visit: impl FnMut(Move, u64, Option<Outcome>)) {
        for to in bits(self.drop_squares(&Self::state(at))) {
            let mv = Move::drop(to);
            let men = mv.play(at.own);
            visit(mv, men, self.outcome_after(men, mv, at.other));
        }
    }
}

impl Ranked for LineUp {
    fn rank(&self, state: &State) -> u64 {
        let index = self.index();
        let counts = (state.own.count_ones(), state.other.count_ones());
        let ended = self.geometry.wins(state.other) || self.is_stuck(state.own, state.other);
        let layer = index.layer(counts.0, counts.1).filter(|_| !ended);
        let placed = layer.and_then(|layer| {
            let class = index.class(state.own)?;
            Some(index.place(&self.geometry, layer, class, state.other).slot)
        });
        placed.unwrap_or(u64::MAX)
    }

    fn unrank(&self, index: u64) -> Option<State> {
        self.cursor(index).map(|Cursor(found)| Self::state(&found))
    }

    fn check_size(&self) -> Result<(), SizeError> {
        self.check_picture()
    }

    fn layers(&self) -> &[Layer] {
        self.index().layers()
    }

    fn most_moves(&self) -> MostMoves {
        self.rules.most_moves()
    }
}

impl Retrograde for LineUp {
    type Cursor = Cursor;
    type Unplaced = Unplaced;

    #[inline]
    fn cursor(&self, index: u64) -> Option<Cursor> {
        let found = self.index().position(&self.geometry, index)?;
        (!self.is_stuck(found.own, found.other)).then_some(Cursor(found))
    }

    #[inline]
    fn place(&self, unplaced: Unplaced) -> Placed {
        let (index, geometry) = (self.index(), &self.geometry);
        let Unplaced {
            other,
            class,
            layer,
            mv,
        } = unplaced;
        let place = index.place(geometry, layer, class, other);
        let number = if mv.is_drop() {
            0
        } else {
            let [first, second] = place.turns;
            let turned = |square| geometry.square(second, geometry.square(first, square));
            geometry.number(place.own, turned(mv.from), turned(mv.to))
        };
        Placed {
            slot: place.slot,
            symmetric: place.symmetric,
            number,
        }
    }

    fn summarize_moves(&self, Cursor(at): Cursor, mut visit: impl FnMut(MoveSummary<Unplaced>)) {
        if self.wins_at_once(at.own, at.other) {
            return visit(MoveSummary::Over(Outcome::Win));
        }
        if at.layer == 0 {
            return self.summarize(&at, visit);
        }
        self.each_drop(&at, |_, men, over| {
            visit(match over {
                Some(outcome) => MoveSummary::Over(outcome),
                None => MoveSummary::Earlier(Self::after(&at, men, at.layer - 1)),
            });
        });
        visit(MoveSummary::Within { count: 0, xor: 0 });
    }

    fn edges(&self, Cursor(at): Cursor, mut visit: impl FnMut(u8, Unplaced)) {
        if at.layer != 0 {
            return;
        }
        let geometry = &self.geometry;
        self.each_move(&at, |mv, men| {
            let over = geometry.wins_at(men, mv.to) || geometry.is_stuck(at.other, men | at.other);
            if !over {
                let number = geometry.number(at.own, mv.from, mv.to);
                visit(number, Self::after(&at, men, 0));
            }
        });
    }

    #[inline]
    fn unmoves(&self, Cursor(at): Cursor, mut visit: impl FnMut(Unplaced)) {
        if at.layer != 0 {
            return;
        }
        for to in bits(at.other) {
            let rest = at.other & !(1 << to);
            for from in bits(self.geometry.origins(to, rest | at.own)) {
                if let Some(class) = self.index().class(rest | 1 << from) {
                    visit(Unplaced {
                        other: at.own,
                        class,
                        layer: 0,
                        mv: Move { from, to },
                    });
                }
            }
        }
    }

    fn moves_by_slot(
        &self,
        Cursor(at): Cursor,
        kinds: u32,
        mut visit: impl FnMut(ListedMove<Unplaced>),
    ) {
        let (layer, number_of) = (at.layer.saturating_sub(1), |mv: Move| {
            if mv.is_drop() {
                mv.to
            } else {
                self.geometry.number(at.own, mv.from, mv.to)
            }
        });
        let before = self.both_threats(at.own, at.other);
        let mut list = |mv, men, over| {
            let kinds_of_move = self.kinds_of_move(at.own, at.other, before, mv);
            if kinds != u32::MAX && kinds_of_move & kinds == 0 {
                return;
            }
            visit(ListedMove {
                number: number_of(mv),
                kinds: kinds_of_move,
                within: at.layer == 0,
                leads: match over {
                    Some(outcome) => Leads::Over(outcome),
                    None => Leads::To {
                        child: Self::after(&at, men, layer),
                        undo: false,
                    },
                },
            });
        };
        if at.layer != 0 {
            return self.each_drop(&at, list);
        }
        self.each_move(&at, |mv, men| {
            list(mv, men, self.outcome_after(men, mv, at.other));
        });
    }

    fn is_symmetric(&self, Cursor(at): Cursor) -> bool {
        at.symmetric
    }

    fn arrivals(&self, Cursor(found): Cursor, mut visit: impl FnMut(Option<u8>)) {
        if !self.predecessors(&Self::state(&found)).is_empty() {
            visit(None);
        }
    }

    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        let after = state.passed();
        let mut tried: Vec<(u64, Move)> = Vec::new();
        for to in bits(after.own) {
            let rest = after.own & !(1 << to);
            // The last man of a side may have come from the hand or from another square.
            if self.drops() {
                tried.push((rest, Move::drop(to)));
            }
            if !self.is_dropping(after.own) {
                let origins = self.geometry.origins(to, rest | after.other);
                tried.extend(bits(origins).map(|from| (rest | 1 << from, Move { from, to })));
            }
        }
        let before = tried
            .into_iter()
            .map(|(own, mv)| (State { own, ..after }, mv));
        let mut found: Vec<_> = before
            .filter(|(before, mv)| {
                let fits = self.known_side(before.own.count_ones(), before.other.count_ones());
                let counts = before.own.count_ones() + u32::from(mv.is_drop());
                counts == after.own.count_ones()
                    && fits.is_none_or(|side| side == before.side)
                    && (before.own.count_ones() == before.other.count_ones()
                        || before.own.count_ones() + 1 == before.other.count_ones())
                    && !self.geometry.wins(before.own)
                    && self.moves(before).contains(mv)
                    && self.play(before, *mv) == Next::State(*state)
            })
            .collect();
        found.sort_unstable();
        found
    }

    fn criterion(&self) -> &'static str {
        "phase"
    }

    fn classes(&self) -> Vec<String> {
        ["drop", "move"].map(str::to_owned).into()
    }

    fn class(&self, Cursor(at): Cursor) -> usize {
        usize::from(at.layer == 0)
    }
}
