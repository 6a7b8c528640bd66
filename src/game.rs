//! What a game can do, in small capabilities.
//!
//! A game implements the traits it can honour and no more; asking the retrograde
//! solver to solve a game without un-moves is a compile error, not a run-time
//! flag. Games know nothing of files, tables or mining.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::ops::Range;

use crate::draw::{Diagram, Tone};
use crate::value::{Outcome, Value};

/// A text that is not what its notation asks for, with the place of the fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotationError {
    input: String,
    at: usize,
    message: String,
}

impl NotationError {
    /// `message` about `input`, at character number `at` (from zero; the length
    /// of the input means "at its end"). The message should say what to do.
    #[must_use]
    pub fn new(input: &str, at: usize, message: impl Into<String>) -> Self {
        Self {
            input: input.to_owned(),
            at: at.min(input.chars().count()),
            message: message.into(),
        }
    }

    /// The offending text.
    #[must_use]
    pub fn input(&self) -> &str {
        &self.input
    }

    /// Place of the fault in characters from zero.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// What is wrong and what would be right.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A caret under a long or many-line input would help nobody, so only a
        // window of it is shown, with control characters made visible.
        let shown: Vec<char> = self
            .input
            .chars()
            .map(|c| if c.is_control() { '\u{fffd}' } else { c })
            .collect();
        let start = self.at.saturating_sub(60);
        let end = shown.len().min(self.at + 40);
        let window: String = shown[start..end].iter().collect();
        let lead = if start > 0 { "..." } else { "" };
        let tail = if end < shown.len() { "..." } else { "" };
        let indent = " ".repeat(lead.len() + self.at - start);
        write!(
            f,
            "{} (character {})\n  {lead}{window}{tail}\n  {indent}^",
            self.message,
            self.at + 1
        )
    }
}

impl std::error::Error for NotationError {}

/// Names, notation and the initial state. A *state* is everything that decides
/// how the game may go on: the position and, where rules need it, what came before.
pub trait Game: Send + Sync {
    /// A state of an unfinished game.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The text that names this game with its parameters, e.g.
    /// `ostle:4x4,pieces=3,losses=2`; the registry reads it back.
    fn spec(&self) -> String;

    /// The state the game begins with.
    fn initial(&self) -> Self::State;

    /// A state in the game's one-line notation.
    fn format_state(&self, state: &Self::State) -> String;

    /// Reads every notation of a state that the game documents.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// A move as people write it.
    fn format_move(&self, mv: Self::Move) -> String;

    /// Reads a move; whether it is legal is for [`Moves::moves`] to say.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// The name of the side to move, e.g. `Black`.
    fn side_to_move(&self, state: &Self::State) -> &'static str;
}

/// Where a move leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next<S> {
    /// The game goes on from this state, with the other side to move.
    State(S),
    /// The game is over, with this result for the side that made the move.
    Over(Outcome),
}

/// Legal moves, for every game that is played move by move.
pub trait Moves: Game {
    /// The legal moves in the game's fixed order; never empty in an unfinished game
    /// (a side that cannot move is the game's to judge).
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;

    /// Plays a move that [`moves`](Self::moves) lists.
    fn play(&self, state: &Self::State, mv: Self::Move) -> Next<Self::State>;

    /// What kinds of move the game tells apart; kind `i` is bit `i` of
    /// [`kinds_of`](Self::kinds_of).
    fn kinds(&self) -> &'static [MoveKind] {
        &[]
    }

    /// The kinds of a move, as a bit set over [`kinds`](Self::kinds).
    fn kinds_of(&self, _state: &Self::State, _mv: Self::Move) -> u32 {
        0
    }
}

/// A kind of move that filters can count, e.g. "sacrifice".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveKind {
    /// One lower-case word; columns are named after it.
    pub name: &'static str,
    /// What makes a move one of this kind.
    pub meaning: &'static str,
    /// Whether solvers try such moves first.
    pub tempting: bool,
}

/// States that are the same up to a symmetry of the board.
pub trait Symmetric: Game {
    /// The representative of all states symmetric to this one.
    fn canonical(&self, state: &Self::State) -> Self::State;

    /// Number of symmetries that map the position to itself (at least 1).
    fn symmetries_kept(&self, state: &Self::State) -> u32;

    /// The representative of all lines of moves symmetric to this one.
    fn canonical_line(&self, line: &[Self::Move]) -> Vec<Self::Move>;
}

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

    /// The slot of a state. Symmetric states have the same slot.
    fn rank(&self, state: &Self::State) -> Slot;

    /// The unrestricted state stored at an index, `None` if the slot is vacant or
    /// past the end.
    fn unrank(&self, index: u64) -> Option<Self::State>;

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
pub enum Census<U> {
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

    /// Decodes a slot; `None` if vacant.
    fn cursor(&self, index: u64) -> Option<Self::Cursor>;

    /// Whether the position has a symmetry of its own.
    fn is_symmetric(&self, cursor: Self::Cursor) -> bool;

    /// Where a position stands.
    fn place(&self, unplaced: Self::Unplaced) -> Placed;

    /// What the moves of the position come to. Moves that end or shrink the game
    /// may be left out if another move leads to the same state, and all others if a
    /// move wins at once.
    fn census(&self, cursor: Self::Cursor, visit: impl FnMut(Census<Self::Unplaced>));

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

/// Games that can be played backward, state by state.
pub trait Backward: Moves {
    /// Every unrestricted state with a move of it that leads to the position of
    /// `state`, with the same side to move; whatever is forbidden in `state` does
    /// not matter.
    fn befores(&self, state: &Self::State) -> Vec<(Self::State, Self::Move)>;

    /// The same position with nothing forbidden.
    fn unrestricted(&self, state: &Self::State) -> Self::State;

    /// The move forbidden in a state.
    fn forbidden(&self, state: &Self::State) -> Option<Self::Move>;
}

/// Values of states, from a table or a search.
pub trait Oracle<G: Game>: Sync {
    /// Why a value cannot be had.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The value of a state for the side to move.
    ///
    /// # Errors
    /// If what the values come from cannot be read.
    fn value(&self, game: &G, state: &G::State) -> Result<Value, Self::Error>;
}

/// The cell of a feature column: a number, a flag, a word, or nothing (SQL NULL).
/// Its column's [`Feature`] says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell(i32);

impl Cell {
    /// The column says nothing of this state.
    pub const NONE: Self = Self(i32::MIN);

    /// A whole number.
    #[must_use]
    pub const fn number(number: i32) -> Self {
        Self(number)
    }

    /// A number of things.
    #[must_use]
    pub fn count(count: usize) -> Self {
        Self(i32::try_from(count).unwrap_or(i32::MAX))
    }

    /// A yes or no.
    #[must_use]
    pub const fn flag(flag: bool) -> Self {
        Self(flag as i32)
    }

    /// The word at this place among the feature's words.
    #[must_use]
    pub fn word(place: usize) -> Self {
        Self::count(place)
    }

    /// The number, 1 or 0 for yes or no, or a word's place; `None` if nothing.
    #[must_use]
    pub const fn get(self) -> Option<i32> {
        if self.0 == i32::MIN {
            None
        } else {
            Some(self.0)
        }
    }
}

/// The type of a feature column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellKind {
    /// Yes or no.
    Flag,
    /// A whole number.
    Number,
    /// One of these words, in the order in which they sort.
    Word(Vec<String>),
}

/// A documented feature of a state that filters may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// Column name in SQL, snake case.
    pub name: String,
    /// Type of its cells.
    pub kind: CellKind,
    /// What it says, with unit and range.
    pub meaning: String,
}

impl Feature {
    /// A column of numbers.
    #[must_use]
    pub fn number(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: CellKind::Number,
            meaning: meaning.into(),
        }
    }

    /// A column of yes and no.
    #[must_use]
    pub fn flag(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind: CellKind::Flag,
            meaning: meaning.into(),
        }
    }

    /// A column of words, given in the order in which they sort.
    #[must_use]
    pub fn word(
        name: impl Into<String>,
        words: impl IntoIterator<Item = impl Into<String>>,
        meaning: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            kind: CellKind::Word(words.into_iter().map(Into::into).collect()),
            meaning: meaning.into(),
        }
    }
}

/// Features that can be read off the board without knowing any values.
pub trait Features: Game {
    /// The columns, always the same ones in the same order.
    fn features(&self) -> Vec<Feature>;

    /// Appends to `cells` the cells of one state in the columns `wanted`, places
    /// among [`features`](Self::features).
    fn measure(&self, state: &Self::State, wanted: &[usize], cells: &mut Vec<Cell>);
}

/// A move of a position as [`Survey`] lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surveyed<U> {
    /// The move's number.
    pub number: u8,
    /// Its kinds, as [`Moves::kinds_of`] has them.
    pub kinds: u32,
    /// Where it leads.
    pub leads: Leads<U>,
}

/// Where a surveyed move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads<U> {
    /// The game is over, with this result for the mover.
    Over(Outcome),
    /// To a position; the move there that comes with it takes this one back if
    /// `undo`.
    To {
        /// The position.
        child: U,
        /// Whether the reply that comes with it takes the move back.
        undo: bool,
    },
}

/// Games whose moves can be listed by slot, with their kinds: what a scan of
/// billions of positions needs. The twin of [`Moves`], which tests compare.
pub trait Survey: Moves + Retrograde {
    /// Visits the moves of a position in the game's fixed order.
    fn survey(&self, cursor: Self::Cursor, visit: impl FnMut(Surveyed<Self::Unplaced>));
}

/// Games in which one may ask what the other side would do if it were to move.
pub trait Passing: Game {
    /// The position with the other side to move and nothing forbidden.
    fn passed(&self, state: &Self::State) -> Self::State;
}

/// What a move does on the board, square by square: what themes are told from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The square that the moving thing leaves.
    pub from: u8,
    /// Everything that changes squares and stays on the board, the moving thing
    /// first if it stays: from, to.
    pub moved: Vec<(u8, u8)>,
    /// What leaves the board, if anything does.
    pub removed: Option<Leaving>,
    /// The moving thing belongs to neither side.
    pub neutral: bool,
}

/// A piece leaving the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaving {
    /// Where it stood.
    pub from: u8,
    /// It belongs to the side that moves.
    pub own: bool,
    /// It falls into a hole of the board, not over its edge.
    pub inside: bool,
}

/// Games whose moves can be told square by square.
pub trait Accounts: Moves {
    /// What a legal move does.
    fn account(&self, state: &Self::State, mv: Self::Move) -> Account;

    /// The squares of the pieces of the side to move, and those of the other side.
    fn pieces_of(&self, state: &Self::State) -> (Vec<u8>, Vec<u8>);
}

/// Games whose positions a composer may change by hand.
pub trait Editable: Game {
    /// Everything on the board: its square, and what it is in words.
    fn things(&self, state: &Self::State) -> Vec<(u8, String)>;

    /// The position without the piece on a square, nothing forbidden; `None` if
    /// there is no piece, or the game would be over.
    fn without(&self, state: &Self::State, square: u8) -> Option<Self::State>;

    /// Every position in which one thing stands on another, empty square, nothing
    /// forbidden, with the squares it left and came to.
    fn neighbours(&self, state: &Self::State) -> Vec<(u8, u8, Self::State)>;

    /// The name of a square.
    fn name_of(&self, square: u8) -> String;
}

/// Games in which a position can be described in part.
pub trait Patterned: Symmetric {
    /// What may stand on each square.
    type Pattern: Send + Sync;

    /// Reads a partial diagram in the notation that the game documents.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn parse_pattern(&self, text: &str) -> Result<Self::Pattern, NotationError>;

    /// A state symmetric to this one that fits the pattern, if there is one.
    fn fit(&self, pattern: &Self::Pattern, state: &Self::State) -> Option<Self::State>;
}

/// States that can be drawn.
pub trait Drawable: Game {
    /// The tone in which the pieces of the side to move are drawn.
    fn side_tone(&self, state: &Self::State) -> Tone;

    /// The board with everything on it, the side to move, what the rules forbid,
    /// and the position in words.
    fn diagram(&self, state: &Self::State) -> Diagram;

    /// Adds a move of the state to its diagram: an arrow, and a cross where a
    /// piece vanishes.
    fn with_move(&self, diagram: Diagram, state: &Self::State, mv: Self::Move) -> Diagram;
}
