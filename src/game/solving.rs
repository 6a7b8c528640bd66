//! Capabilities for solvers: numbered positions, un-moves, classes.

use std::ops::Range;

use super::{Banning, RowVisitor, SizeError};
use crate::base::value::Outcome;

/// Games whose positions are numbered.
pub trait Ranked: Banning {
    /// The number of slots. A few may be vacant.
    fn slots(&self) -> u64;

    /// The index of a state's position, the same for symmetric positions. `u64::MAX` if the
    /// position is not numbered.
    fn rank(&self, state: &Self::State) -> u64;

    /// The unrestricted state at an index; `None` if the slot is vacant or past the end.
    fn unrank(&self, index: u64) -> Option<Self::State>;

    /// Checks that the board is small enough for a table.
    ///
    /// # Errors
    /// If there are too many positions.
    fn check_size(&self) -> Result<(), SizeError> {
        Ok(())
    }

    /// The layers of the table, in the order in which they can be solved.
    fn layers(&self) -> &[Layer];

    /// Number of groups of layers that are solved together.
    fn groups(&self) -> usize {
        self.layers().last().map_or(0, |layer| layer.group + 1)
    }

    /// The slots of a group; none if there is no such group.
    fn group_slots(&self, group: usize) -> Range<u64> {
        let layers = || self.layers().iter().filter(|layer| layer.group == group);
        let first = layers().map(|layer| layer.slots.start).min().unwrap_or(0);
        first..layers().map(|layer| layer.slots.end).max().unwrap_or(0)
    }

    /// The names of a group's layers, joined by `+`.
    fn group_name(&self, group: usize) -> String {
        let layers = self.layers().iter().filter(|layer| layer.group == group);
        let names: Vec<_> = layers.map(|layer| layer.name.as_str()).collect();
        names.join("+")
    }

    /// What the positions of a layer are worth to a player who looks at nothing but the
    /// board, for the side to move, from -6 to 6: for example the difference in pieces. The
    /// players of [`look_ahead`](crate::solve::look_ahead) judge by it.
    fn static_value(&self, layer: usize) -> i8 {
        let _ = layer;
        0
    }

    /// Lets `visitor` use the game [by rows](super::ByRows), which is much faster.
    ///
    /// # Errors
    /// Gives the visitor back if the positions of the game do not stand in rows.
    fn by_rows<V: RowVisitor>(&self, visitor: V) -> Result<V::Output, V> {
        Err(visitor)
    }
}

/// A part of a table: all positions with the same material.
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

/// What the first pass of the retrograde solver learns about the moves of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveSummary<U> {
    /// A move ends the game, with this outcome for the mover.
    Over(Outcome),
    /// A move leads to a position of an earlier group; it can never be forbidden.
    Earlier(U),
    /// The moves that stay in the group.
    Within {
        /// Number of moves.
        count: u8,
        /// XOR of the numbers of these moves in the stored position.
        xor: u8,
    },
    /// The move that stays in the group with this number leads to a checkmate position.
    IntoCheckmate(u8),
}

/// The slot of an [unplaced](Retrograde::Unplaced) position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Its slot.
    pub slot: u64,
    /// Whether it has a symmetry of its own, so that its moves and the un-moves that lead
    /// to it may not correspond one to one.
    pub symmetric: bool,
    /// The number, in the stored position, of the move given with it.
    pub number: u8,
}

/// Games that retrograde analysis can solve: un-moves, and fast access by slot. All methods
/// are called billions of times.
pub trait Retrograde: Ranked {
    /// A position decoded from its slot.
    type Cursor: Copy;
    /// A position whose slot is not known yet, and a move of it. [`place`](Self::place) is
    /// a separate step so that a caller can look up many positions at once and overlap
    /// their memory accesses.
    type Unplaced: Copy + PartialEq;

    /// Decodes a slot; `None` if vacant.
    fn cursor(&self, index: u64) -> Option<Self::Cursor>;

    /// Looks up the slot of a position.
    fn place(&self, unplaced: Self::Unplaced) -> Placed;

    /// Summarizes the moves of the position. Moves that end the game or leave the group may
    /// be left out if another move leads to the same state. If a move wins at once, all
    /// others may be left out.
    fn summarize_moves(&self, cursor: Self::Cursor, visit: impl FnMut(MoveSummary<Self::Unplaced>));

    /// Visits every move of the position that stays in the group: its number, and the
    /// position it leads to.
    fn edges(&self, cursor: Self::Cursor, visit: impl FnMut(u8, Self::Unplaced));

    /// Visits every position of the group that has a move to this one, with that move, once
    /// for each un-move from here.
    fn unmoves(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced));
}

/// Games whose positions fall into named classes that are counted separately, for example
/// by the square of a hole.
pub trait Classified: Retrograde {
    /// What the classes are by, e.g. `hole`.
    fn criterion(&self) -> &'static str;

    /// The names of the classes.
    fn classes(&self) -> Vec<String>;

    /// The class of a position, an index into [`classes`](Self::classes). Within a layer,
    /// classes never decrease from slot to slot.
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
    /// Visits every position of an earlier group that a move of this position leads to, at
    /// least once each, even if a move wins at once. Neither such a move nor the reply to
    /// it is ever forbidden.
    fn departures(&self, cursor: Self::Cursor, visit: impl FnMut(Self::Unplaced));
}
