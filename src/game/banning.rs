//! Moves that are forbidden because they take back the last one: rule 8 of Ostle.

use super::{Moves, Ranked, Retrograde};

/// Where a state stands in a dense table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of the record of the state's position, up to symmetry.
    pub index: u64,
    /// Number of the forbidden move, turned as the stored position is.
    pub forbidden: Option<u8>,
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

/// Games in which a move may be forbidden because it takes back the move before.
///
/// Every method has a body that says that nothing is ever forbidden, so a game without
/// such a rule writes `impl Banning for X {}` and is done.
pub trait Banning: Moves {
    /// How the rule binds.
    fn repetition(&self) -> Repetition {
        Repetition::Exact
    }

    /// The same game under another reading of the rule; `None` if it has no such rule.
    fn with_repetition(&self, _repetition: Repetition) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The move forbidden in a state.
    fn forbidden(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }

    /// The same position with nothing forbidden.
    fn unrestricted(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// The slot of a state with the number of its forbidden move. Symmetric states have
    /// the same.
    fn slot(&self, state: &Self::State) -> Slot
    where
        Self: Ranked,
    {
        Slot {
            index: self.rank(state),
            forbidden: None,
        }
    }

    /// The state of the position of `state` in which move number `number` is
    /// forbidden. Numbers are the stored position's, so `state` must come from
    /// [`unrank`](Ranked::unrank); `None` if that is no such move.
    fn forbid(&self, _state: &Self::State, _number: u8) -> Option<Self::State>
    where
        Self: Ranked,
    {
        None
    }

    /// Whether the position has a symmetry of its own; then its moves and the un-moves
    /// that lead to it need not correspond one to one. A game in which they always do
    /// may say no.
    fn is_symmetric(&self, _cursor: Self::Cursor) -> bool
    where
        Self: Retrograde,
    {
        false
    }

    /// [`Retrograde::edges`], each with whether the move that comes with the position
    /// it leads to takes it back.
    fn edges_with_undo(&self, cursor: Self::Cursor, mut visit: impl FnMut(u8, Self::Unplaced, bool))
    where
        Self: Retrograde,
    {
        self.edges(cursor, |number, next| visit(number, next, false));
    }

    /// [`Retrograde::unmoves`], each with the number of the move here that takes the
    /// move back, if one does.
    fn unmoves_with_undo(
        &self,
        cursor: Self::Cursor,
        mut visit: impl FnMut(Self::Unplaced, Option<u8>),
    ) where
        Self: Retrograde,
    {
        self.unmoves(cursor, |before| visit(before, None));
    }

    /// The slot that a move within the group leads to, `u64::MAX` if there is no such
    /// move.
    fn follow(&self, cursor: Self::Cursor, number: u8) -> u64
    where
        Self: Retrograde,
    {
        let mut slot = u64::MAX;
        self.edges(cursor, |other, next| {
            if other == number {
                slot = self.place(next).slot;
            }
        });
        slot
    }

    /// The least number among the images of a move under the position's own
    /// symmetries, and whether it has any other image.
    fn least_image_of_move(&self, _cursor: Self::Cursor, number: u8) -> (u8, bool)
    where
        Self: Retrograde,
    {
        (number, false)
    }

    /// `false` only if no two moves in the group, one of either side, lead from
    /// here or to here and on so that first and last of the three positions are
    /// images of one another, except by taking a move back exactly.
    fn may_return_turned(&self, _cursor: Self::Cursor) -> bool
    where
        Self: Retrograde,
    {
        false
    }

    /// Visits once every *possibly reachable* state of a position: those that some
    /// move of some position leads to (whether or not that position can be
    /// reached itself). A state is given by the number of its forbidden move;
    /// states that are symmetric to one another are visited as one.
    fn arrivals(&self, _cursor: Self::Cursor, mut visit: impl FnMut(Option<u8>))
    where
        Self: Retrograde,
    {
        visit(None);
    }
}
