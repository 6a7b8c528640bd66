//! Capabilities that solvers need: dense numbers, un-moves, ways to arise.

use std::ops::Range;

use super::{Game, SizeError};
use crate::base::value::Outcome;

/// Where a state stands in a dense table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of the record of the state's position, up to symmetry.
    pub index: u64,
    /// Number of the forbidden move, turned as the stored position is.
    pub forbidden: Option<u8>,
}

/// Positions numbered without a list of them.
pub trait Ranked: Game {
    /// Number of slots, a few of which may be vacant.
    fn slots(&self) -> u64;

    /// The slot of a state. Symmetric states have the same slot; the index is
    /// `u64::MAX` if the position is none of those that are numbered.
    fn rank(&self, state: &Self::State) -> Slot;

    /// The unrestricted state stored at an index, `None` if the slot is vacant or
    /// past the end.
    fn unrank(&self, index: u64) -> Option<Self::State>;

    /// Checks that the board is small enough for a table.
    ///
    /// # Errors
    /// If its positions are too many to be numbered.
    fn check_size(&self) -> Result<(), SizeError> {
        Ok(())
    }

    /// The stretches of the table, in the order in which they can be solved.
    fn layers(&self) -> &[Layer];

    /// The state of the position of `state` in which move number `number` is
    /// forbidden. Numbers are the stored position's, so `state` must come from
    /// [`unrank`](Self::unrank); `None` if that is no such move.
    fn forbid(&self, state: &Self::State, number: u8) -> Option<Self::State>;
}

/// A stretch of a table: all positions with the same material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Short name, e.g. `5-4` (mover's pieces, opponent's pieces).
    pub name: String,
    /// Its slots.
    pub slots: Range<u64>,
    /// Layers with the same number depend on each other and are solved together;
    /// groups depend only on groups with lower numbers.
    pub group: usize,
}

/// How rule "no position twice" binds (rule 8 of Ostle).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Repetition {
    /// The very position of two plies before must not come back.
    #[default]
    Exact,
    /// Nor any mirror image or rotation of it (the reading of the program behind
    /// the Ostle paper).
    UpToSymmetry,
}

/// What the retrograde solver's first pass learns of a position's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveSummary<U> {
    /// A move ends the game, with this outcome for the mover.
    Over(Outcome),
    /// A move leads to a position of an earlier group; it can never be forbidden.
    Earlier(U),
    /// The moves that stay in the group: how many, and the XOR of their numbers.
    Within {
        /// Number of moves.
        count: u8,
        /// XOR of the numbers of these moves in the stored position.
        xor: u8,
    },
    /// One of those has this number and leads to a checkmate position.
    IntoCheckmate(u8),
}

/// Where a position stands that was given [unplaced](Retrograde::Unplaced).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Its slot.
    pub slot: u64,
    /// Whether it has a symmetry of its own; then its moves and the un-moves that
    /// lead to it need not correspond one to one.
    pub symmetric: bool,
    /// The number, in the stored position, of the move that came with it.
    pub number: u8,
}

/// A game that retrograde analysis can solve: un-moves and quick access by slot.
/// All methods are called billions of times.
pub trait Retrograde: Ranked {
    /// A position decoded from its slot.
    type Cursor: Copy;
    /// A position whose slot has not been looked up yet, and a move of it. Looking
    /// it up is a step of its own, [`place`](Self::place), so that a caller can do
    /// many at once, with all their table look-ups in flight.
    type Unplaced: Copy + PartialEq;

    /// How repetition binds.
    fn repetition(&self) -> Repetition;

    /// The same game under another reading of that rule; `None` if it has no such rule.
    fn with_repetition(&self, _repetition: Repetition) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Decodes a slot; `None` if vacant.
    fn cursor(&self, index: u64) -> Option<Self::Cursor>;

    /// Whether the position has a symmetry of its own.
    fn is_symmetric(&self, cursor: Self::Cursor) -> bool;

    /// Where a position stands.
    fn place(&self, unplaced: Self::Unplaced) -> Placed;

    /// What the moves of the position come to. Moves that end or shrink the game
    /// may be left out if another move leads to the same state, and all others if a
    /// move wins at once.
    fn summarize_moves(&self, cursor: Self::Cursor, visit: impl FnMut(MoveSummary<Self::Unplaced>));

    /// Every move of the position that stays in the group: its number, the position
    /// it leads to with the move there that takes it back, and whether there is
    /// such a move.
    fn edges(&self, cursor: Self::Cursor, visit: impl FnMut(u8, Self::Unplaced, bool));

    /// Every position of the group that has a move to this one, with that move, as
    /// often as it has un-moves from here; and the number of the move here that
    /// takes it back.
    fn unmoves(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced, Option<u8>));

    /// The slot that a move within the group leads to.
    fn follow(&self, cursor: Self::Cursor, number: u8) -> u64;
}

/// Games that can say with which forbidden moves a position can arise.
pub trait Arrivals: Retrograde {
    /// Visits once every *possibly reachable* state of a position: those that some
    /// move of some position leads to (whether or not that position can be
    /// reached itself). A state is given by the number of its forbidden move;
    /// states that are symmetric to one another are visited as one.
    fn arrivals(&self, cursor: Self::Cursor, visit: impl FnMut(Option<u8>));
}

/// Positions sorted into named classes that are counted apart, such as by the
/// square of a hole.
pub trait Classified: Retrograde {
    /// What the classes are, e.g. `hole`.
    fn criterion(&self) -> &'static str;

    /// Their names.
    fn classes(&self) -> Vec<String>;

    /// The class of a position, an index into [`classes`](Self::classes). Within a
    /// layer classes never decrease from slot to slot.
    fn class(&self, cursor: Self::Cursor) -> usize;

    /// The slots of a layer that hold the positions of a class.
    fn stretch(&self, layer: &Layer, class: usize) -> Range<u64> {
        // The class of the first position at or after a slot.
        let class_from = |slot: u64| {
            let mut rest = slot..layer.slots.end;
            let cursor = rest.find_map(|slot| self.cursor(slot));
            cursor.map_or(usize::MAX, |cursor| self.class(cursor))
        };
        let first = |class: usize| {
            let (mut low, mut high) = (layer.slots.start, layer.slots.end);
            while low < high {
                let middle = low.midpoint(high);
                if class_from(middle) < class {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        first(class)..first(class + 1)
    }
}

/// Games whose states can be searched forward from the initial one, by slot.
pub trait Forward: Arrivals {
    /// Every position of an earlier group that some move of this one leads to, at
    /// least once, also where a move wins at once. Such a move is never forbidden,
    /// nor is any move after it.
    fn departures(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced));

    /// The least number among the images of a move under the position's own
    /// symmetries, and whether it has any other image.
    fn least_image_of_move(&self, cursor: Self::Cursor, number: u8) -> (u8, bool);

    /// `false` only if no two moves in the group, one of either side, lead from
    /// here or to here and on so that first and last of the three positions are
    /// images of one another, except by taking a move back exactly.
    fn may_return_turned(&self, cursor: Self::Cursor) -> bool;
}
