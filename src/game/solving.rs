//! Capabilities that solvers need: dense numbers, un-moves, ways to arise.

use std::ops::Range;

use super::{Banning, RowVisitor, SizeError};
use crate::base::value::Outcome;

/// Positions numbered without a list of them.
pub trait Ranked: Banning {
    /// Number of slots, a few of which may be vacant.
    fn slots(&self) -> u64;

    /// The index of a state's position. Symmetric positions have the same; it is
    /// `u64::MAX` if the position is none of those that are numbered.
    fn rank(&self, state: &Self::State) -> u64;

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

    /// Decodes a slot; `None` if vacant.
    fn cursor(&self, index: u64) -> Option<Self::Cursor>;

    /// Where a position stands.
    fn place(&self, unplaced: Self::Unplaced) -> Placed;

    /// What the moves of the position come to. Moves that end or shrink the game
    /// may be left out if another move leads to the same state, and all others if a
    /// move wins at once.
    fn summarize_moves(&self, cursor: Self::Cursor, visit: impl FnMut(MoveSummary<Self::Unplaced>));

    /// Every move of the position that stays in the group: its number, and the position
    /// it leads to.
    fn edges(&self, cursor: Self::Cursor, visit: impl FnMut(u8, Self::Unplaced));

    /// Every position of the group that has a move to this one, with that move, as
    /// often as it has un-moves from here.
    fn unmoves(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced));

    /// Lets `visitor` use the game [by rows](super::ByRows), which is much faster.
    ///
    /// # Errors
    /// Gives the visitor back if the positions of the game do not stand in rows.
    fn by_rows<V: RowVisitor>(&self, visitor: V) -> Result<V::Output, V> {
        Err(visitor)
    }
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
pub trait Forward: Retrograde {
    /// Every position of an earlier group that some move of this one leads to, at
    /// least once, also where a move wins at once. Such a move is never forbidden,
    /// nor is any move after it.
    fn departures(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced));
}
