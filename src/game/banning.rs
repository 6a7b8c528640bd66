//! Moves that are forbidden because they take back the last move: rule 8 of Ostle.

use super::{Moves, Ranked, Retrograde};

/// The place of a state in a table of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of the record of the state's position, up to symmetry.
    pub index: u64,
    /// Number of the forbidden move in the stored position; `None` if no move is forbidden.
    pub forbidden: Option<u8>,
}

/// What a move may not restore (rule 8 of Ostle).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Repetition {
    /// The exact position.
    #[default]
    Exact,
    /// That position, or a rotation or reflection of it: one move is forbidden, the first that leads to any, as in the program behind the paper.
    UpToSymmetry,
    /// That position and all its rotations and reflections: every move that leads to one is forbidden.
    AllImages,
}

impl Repetition {
    /// All readings.
    pub const ALL: [Self; 3] = [Self::Exact, Self::UpToSymmetry, Self::AllImages];

    /// The name used in specs: `exact`, `up-to-symmetry` or `all-images`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::UpToSymmetry => "up-to-symmetry",
            Self::AllImages => "all-images",
        }
    }

    /// The reading of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reading| reading.name() == name)
    }
}

/// Games in which a move may be forbidden because it takes back the previous move.
///
/// By default nothing is ever forbidden: a game without such a rule implements the trait
/// with `impl Banning for X {}`.
pub trait Banning: Moves {
    /// How the game reads the rule.
    fn repetition(&self) -> Repetition {
        Repetition::Exact
    }

    /// The same game with another reading of the rule; `None` if it has no such rule.
    fn with_repetition(&self, _repetition: Repetition) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The move forbidden in a state; the first, if several are.
    fn forbidden(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }

    /// The move that names all those that are forbidden together with a move of the position;
    /// that move, where one alone is forbidden.
    fn named_ban(&self, _position: &Self::State, mv: Self::Move) -> Self::Move {
        mv
    }

    /// The same position with nothing forbidden.
    fn unrestricted(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// The slot of a state, and the number of its forbidden move. The same for symmetric
    /// states.
    fn slot(&self, state: &Self::State) -> Slot
    where
        Self: Ranked,
    {
        Slot {
            index: self.rank(state),
            forbidden: None,
        }
    }

    /// The position of `state` with move number `number` forbidden; `None` if there is no
    /// such move. Numbers refer to the stored position, so `state` must come from
    /// [`unrank`](Ranked::unrank).
    fn forbid(&self, _state: &Self::State, _number: u8) -> Option<Self::State>
    where
        Self: Ranked,
    {
        None
    }

    /// Whether the moves of the position and the un-moves that lead to it may not correspond
    /// one to one: it has a symmetry of its own or, where the rule forbids
    /// [all images](Repetition::AllImages), two moves to images of one position. May return
    /// `false` if they always do in this game.
    fn is_symmetric(&self, _cursor: Self::Cursor) -> bool
    where
        Self: Retrograde,
    {
        false
    }

    /// [`Retrograde::edges`], each with whether the move given with the position takes the
    /// edge back.
    fn edges_with_undo(&self, cursor: Self::Cursor, mut visit: impl FnMut(u8, Self::Unplaced, bool))
    where
        Self: Retrograde,
    {
        self.edges(cursor, |number, next| visit(number, next, false));
    }

    /// [`Retrograde::unmoves`], each with the number of the move of this position that
    /// takes the un-move's move back, if there is one.
    fn unmoves_with_undo(
        &self,
        cursor: Self::Cursor,
        mut visit: impl FnMut(Self::Unplaced, Option<u8>),
    ) where
        Self: Retrograde,
    {
        self.unmoves(cursor, |before| visit(before, None));
    }

    /// The slot that a move within the group leads to; `u64::MAX` if there is no such move.
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

    /// The least number among the images of a move under the position's own symmetries, and
    /// whether the move has more than one image. Where the rule forbids
    /// [all images](Repetition::AllImages), those of all moves to images of one position.
    fn least_image_of_move(&self, _cursor: Self::Cursor, number: u8) -> (u8, bool)
    where
        Self: Retrograde,
    {
        (number, false)
    }

    /// Whether a move of the position is forbidden in its state in which `forbidden` is.
    fn forbids(&self, _cursor: Self::Cursor, forbidden: u8, number: u8) -> bool
    where
        Self: Retrograde,
    {
        forbidden == number
    }

    /// Whether two successive moves within the group, to or from this position, may lead
    /// from a position to an image of it other than by exactly taking a move back. `false`
    /// only if they never do.
    fn may_return_turned(&self, _cursor: Self::Cursor) -> bool
    where
        Self: Retrograde,
    {
        false
    }

    /// Visits every *possibly reachable* state of a position once: each state that a move
    /// from some position leads to, whether or not that position can be reached itself. A
    /// state is given by the number of its forbidden move. Symmetric states are visited as
    /// one.
    fn arrivals(&self, _cursor: Self::Cursor, mut visit: impl FnMut(Option<u8>))
    where
        Self: Retrograde,
    {
        visit(None);
    }
}
