//! Placement games for the solver of tables and for mining: small boards whose
//! positions are [listed](super::index).
//!
//! No position ever comes back, so nothing is forbidden, and every move leads to an
//! earlier layer.

use super::index::{Index, MOST};
use super::notation::SetupError;
use super::squares::Squares;
use super::{Move, Placement, Rules, State};
use crate::base::value::Outcome;
use crate::game::{
    Account, Accounts, Arrivals, Backward, Classified, Editable, Forward, Layer, Leads,
    MoveSummary, Moves, NotationError, Passing, Patterned, Placed, Ranked, Repetition, Retrograde,
    SizeError, Slot, Survey, Surveyed, Symmetric,
};

/// A position of the list.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    free: u128,
    symmetric: bool,
}

/// What may be on each square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    free: Squares,
    taken: Squares,
}

impl Placement {
    fn index(&self) -> Option<&Index> {
        self.index.get_or_init(|| Index::of(self)).as_ref()
    }

    /// Makes sure that the positions can be numbered, as tables and mining need, and
    /// drawn.
    ///
    /// # Errors
    /// [`SetupError::TooMany`] or [`SetupError::TooWide`] if the board is too large.
    pub fn numbered(&self) -> Result<(), SetupError> {
        self.pictured()?;
        let too_many = || SetupError::TooMany {
            spec: self.spec.clone(),
            most: MOST,
        };
        self.index().map(|_| ()).ok_or_else(too_many)
    }

    /// Whether play can reach a position, so that it is in the list.
    fn is_listed(&self, state: &State) -> bool {
        self.rank(state).index != u64::MAX
    }

    fn set(&self, mask: u128) -> Squares {
        Squares::of_mask(mask, self.squares())
    }

    /// A move's number; boards that are listed have no more than 128 squares.
    fn number(square: usize) -> u8 {
        u8::try_from(square).unwrap_or(u8::MAX)
    }

    /// What is left after each move of a position, nothing perhaps.
    fn left(&self, cursor: Cursor) -> impl Iterator<Item = (usize, Squares)> + '_ {
        let free = self.set(cursor.free);
        let moves: Vec<usize> = free.iter().collect();
        moves
            .into_iter()
            .map(move |square| (square, self.after(&free, square)))
    }
}

impl Ranked for Placement {
    fn slots(&self) -> u64 {
        self.index().map_or(MOST as u64 + 1, Index::len)
    }

    fn rank(&self, state: &State) -> Slot {
        let mask = self.canonical(state).free.mask();
        let slot = self.index().and_then(|index| index.slot(mask));
        Slot {
            index: slot.unwrap_or(u64::MAX),
            forbidden: None,
        }
    }

    fn unrank(&self, index: u64) -> Option<State> {
        let free = self.set(self.index()?.position(index)?);
        Some(State { free })
    }

    fn check_size(&self) -> Result<(), SizeError> {
        self.numbered()
            .map_err(|error| SizeError::new(error.to_string()))
    }

    fn layers(&self) -> &[Layer] {
        self.index().map_or(&[], Index::layers)
    }

    fn forbid(&self, _state: &State, _number: u8) -> Option<State> {
        None
    }
}

impl Retrograde for Placement {
    type Cursor = Cursor;
    type Unplaced = (u128, u8);

    fn repetition(&self) -> Repetition {
        Repetition::Exact
    }

    fn cursor(&self, index: u64) -> Option<Cursor> {
        let free = self.index()?.position(index)?;
        Some(Cursor {
            free,
            symmetric: self.turns_that_keep(&self.set(free)) > 1,
        })
    }

    fn is_symmetric(&self, cursor: Cursor) -> bool {
        cursor.symmetric
    }

    fn place(&self, (mask, number): (u128, u8)) -> Placed {
        let state = State {
            free: self.set(mask),
        };
        Placed {
            slot: self.rank(&state).index,
            symmetric: self.symmetries_kept(&state) > 1,
            number,
        }
    }

    fn summarize_moves(&self, cursor: Cursor, mut visit: impl FnMut(MoveSummary<(u128, u8)>)) {
        for (_, left) in self.left(cursor) {
            visit(if left.is_empty() {
                MoveSummary::Over(Outcome::Win)
            } else {
                MoveSummary::Earlier((left.mask(), 0))
            });
        }
        visit(MoveSummary::Within { count: 0, xor: 0 });
    }

    fn edges(&self, _cursor: Cursor, _visit: impl FnMut(u8, (u128, u8), bool)) {}

    fn unmoves(&self, _cursor: Cursor, _visit: impl FnMut((u128, u8), Option<u8>)) {}

    fn follow(&self, _cursor: Cursor, _number: u8) -> u64 {
        u64::MAX
    }
}

impl Arrivals for Placement {
    /// Every listed position arises, the first one at the start.
    fn arrivals(&self, _cursor: Cursor, mut visit: impl FnMut(Option<u8>)) {
        visit(None);
    }
}

impl Classified for Placement {
    fn criterion(&self) -> &'static str {
        "number of parts"
    }

    fn classes(&self) -> Vec<String> {
        // On a board no two parts touch, so there are not more than half the squares;
        // a graph may have no edges at all.
        let most = match self.rules {
            Rules::Graph(_) => self.squares(),
            Rules::Kings | Rules::Regio => self.squares().div_ceil(2),
        };
        (1..=most).map(|parts| parts.to_string()).collect()
    }

    fn class(&self, cursor: Cursor) -> usize {
        self.parts(&self.set(cursor.free)).len() - 1
    }
}

impl Forward for Placement {
    fn departures(&self, cursor: Cursor, mut visit: impl FnMut((u128, u8))) {
        for (_, left) in self.left(cursor).filter(|(_, left)| !left.is_empty()) {
            visit((left.mask(), 0));
        }
    }

    fn least_image_of_move(&self, cursor: Cursor, number: u8) -> (u8, bool) {
        let free = self.set(cursor.free);
        let kept = self.turns.iter();
        let kept = kept.filter(|&&turn| self.turned(&free, turn) == free);
        kept.fold((number, false), |(least, several), &turn| {
            let image = Self::number(self.image(number.into(), turn));
            (least.min(image), several || image != number)
        })
    }

    fn may_return_turned(&self, _cursor: Cursor) -> bool {
        false
    }
}

impl Survey for Placement {
    fn survey(&self, cursor: Cursor, kinds: u32, mut visit: impl FnMut(Surveyed<(u128, u8)>)) {
        let state = State {
            free: self.set(cursor.free),
        };
        for (square, left) in self.left(cursor) {
            let kinds_of_move = self.kinds_of(&state, Move::of(square));
            if kinds != u32::MAX && kinds_of_move & kinds == 0 {
                continue;
            }
            let leads = if left.is_empty() {
                Leads::Over(Outcome::Win)
            } else {
                Leads::To {
                    child: (left.mask(), 0),
                    undo: false,
                }
            };
            visit(Surveyed {
                number: Self::number(square),
                kinds: kinds_of_move,
                leads,
            });
        }
    }
}

impl Passing for Placement {
    /// The same position: the sides have the same moves.
    fn passed(&self, state: &State) -> Option<State> {
        Some(state.clone())
    }
}

impl Accounts for Placement {
    /// Nothing changes its square.
    fn account(&self, _state: &State, mv: Move) -> Account {
        Account {
            from: Self::number(mv.square()),
            moved: Vec::new(),
            removed: None,
            neutral: true,
        }
    }

    /// Nobody has pieces.
    fn pieces_of(&self, _state: &State) -> (Vec<u8>, Vec<u8>) {
        (Vec::new(), Vec::new())
    }
}

impl Backward for Placement {
    fn predecessors(&self, state: &State) -> Vec<(State, Move)> {
        let mut found = Vec::new();
        for slot in 0..self.index().map_or(0, Index::len) {
            let Some(before) = self.unrank(slot) else {
                continue;
            };
            for &turn in &self.turns {
                let free = self.turned(&before.free, turn);
                let leads = free
                    .iter()
                    .filter(|&square| self.after(&free, square) == state.free);
                let moves: Vec<Move> = leads.map(Move::of).collect();
                let state = State { free };
                found.extend(moves.into_iter().map(|mv| (state.clone(), mv)));
            }
        }
        found.sort_by(|a, b| (&a.0.free, a.1).cmp(&(&b.0.free, b.1)));
        found.dedup();
        found
    }

    fn unrestricted(&self, state: &State) -> State {
        state.clone()
    }

    fn forbidden(&self, _state: &State) -> Option<Move> {
        None
    }
}

impl Editable for Placement {
    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let squares = state.free.iter();
        let named = squares.map(|square| {
            let name = self.name_of_square(square);
            (Self::number(square), format!("free square {name}"))
        });
        named.collect()
    }

    fn without(&self, state: &State, square: u8) -> Option<State> {
        let mut free = state.free.clone();
        if !free.contains(square.into()) {
            return None;
        }
        free.remove(square.into());
        let left = State { free };
        (!left.free.is_empty() && self.is_listed(&left)).then_some(left)
    }

    fn neighbours(&self, state: &State) -> Vec<(u8, u8, State)> {
        let mut found = Vec::new();
        for from in state.free.iter() {
            let empty = (0..self.squares())
                .filter(|&to| self.board.contains(to) && !state.free.contains(to));
            for to in empty {
                let mut free = state.free.clone();
                free.remove(from);
                free.insert(to);
                let state = State { free };
                if self.is_listed(&state) {
                    found.push((Self::number(from), Self::number(to), state));
                }
            }
        }
        found
    }

    fn name_of(&self, square: u8) -> String {
        self.name_of_square(square.into())
    }
}

impl Patterned for Placement {
    type Pattern = Pattern;

    /// A picture as of a position, with `?` for a square that may be free or not.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        // What is open is free in one reading and not free in the other.
        let read = |open: &str| self.read_picture(&text.replace('?', open), text);
        let (most, least) = (read(".")?, read("_")?);
        let mut taken = Squares::none(self.squares());
        (0..self.squares())
            .filter(|&square| !most.contains(square))
            .for_each(|square| taken.insert(square));
        Ok(Pattern { free: least, taken })
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        let images = self
            .turns
            .iter()
            .map(|&turn| self.turned(&state.free, turn));
        let fits = |free: &Squares| {
            pattern.free.iter().all(|square| free.contains(square))
                && pattern.taken.iter().all(|square| !free.contains(square))
        };
        images
            .min_by_key(|free| (!fits(free), free.clone()))
            .filter(fits)
            .map(|free| State { free })
    }
}
