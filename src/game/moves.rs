//! What every game has: names, notation, moves, numbers for programs, rules in words.

use std::fmt::Debug;
use std::hash::Hash;

use super::notation::NotationError;
use super::program::{Digit, Helper, Language};
use crate::base::value::{Outcome, Value};

/// Whether two specs are of one game. One that is read from a file is known by the digest of its
/// content, wherever the file is.
pub(crate) fn same_game(one: &str, other: &str) -> bool {
    let content = |spec: &str| {
        let (kind, file) = spec.split_once(':')?;
        let (_, digest) = file.rsplit_once('#')?;
        matches!(kind, "graph" | "rules").then(|| (kind.to_owned(), digest.to_owned()))
    };
    one == other || content(one).is_some_and(|it| Some(it) == content(other))
}

/// Names, notation and the initial state. A *state* is everything that decides how the game
/// may continue: the position and, where rules need it, its history.
pub trait Game: Send + Sync {
    /// A state of an unfinished game.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// A move.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The name of the game with its parameters, e.g. `ostle:4x4,pieces=3,losses=2`. The
    /// registry reads it.
    fn spec(&self) -> String;

    /// The name of the family of games that share columns and shipped filters: by default,
    /// the spec up to its colon.
    fn family(&self) -> String {
        let spec = self.spec();
        spec.split(':').next().unwrap_or_default().to_owned()
    }

    /// What readers call the game, without its settings: by default, the spec.
    fn title(&self) -> String {
        self.spec()
    }

    /// The initial state.
    fn initial(&self) -> Self::State;

    /// Whether play begins at the initial state. If not, as in endings, that is one of many.
    fn has_beginning(&self) -> bool {
        true
    }

    /// The one-line notation of a state.
    fn format_state(&self, state: &Self::State) -> String;

    /// Reads a state in any notation that the game documents.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn parse_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// The state in notations of other programs, which [`parse_state`](Self::parse_state) reads
    /// as well, each with its name in one lower-case word; none unless the game says otherwise.
    fn other_notations(&self, _state: &Self::State) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The notation of a move.
    fn format_move(&self, mv: Self::Move) -> String;

    /// Reads a move. It need not be legal (see [`Moves::moves`]).
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    fn parse_move(&self, text: &str) -> Result<Self::Move, NotationError>;

    /// The name of the side to move, e.g. `Black`.
    fn side_to_move(&self, state: &Self::State) -> &'static str;

    /// The rules in words, in the order in which people learn them; none unless the game says
    /// otherwise.
    fn rules_in_words(&self) -> Vec<RuleInWords> {
        Vec::new()
    }

    /// Whether one side makes all moves; every ply then has a number of its own.
    fn is_solitaire(&self) -> bool {
        false
    }
}

/// Where a move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next<S> {
    /// The game continues from this state, with the other side to move.
    State(S),
    /// The game is over, with this result for the side that made the move.
    Over(Outcome),
}

impl<S> Next<S> {
    /// The state from which the game continues, if it does.
    pub fn state(self) -> Option<S> {
        match self {
            Self::State(state) => Some(state),
            Self::Over(_) => None,
        }
    }

    /// The same with something else in place of the state.
    pub fn map<T>(self, of: impl FnOnce(S) -> T) -> Next<T> {
        match self {
            Self::State(state) => Next::State(of(state)),
            Self::Over(outcome) => Next::Over(outcome),
        }
    }
}

/// Legal moves.
pub trait Moves: Game {
    /// The legal moves in the game's fixed order. Never empty in an unfinished game: a rule
    /// must decide the game if a side cannot move.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;

    /// Plays a move, which must be one of [`moves`](Self::moves).
    fn play(&self, state: &Self::State, mv: Self::Move) -> Next<Self::State>;

    /// The value, for the side that moves, of a move to a state of this value; `None` if it
    /// cannot be encoded. Where the other side moves next, the outcome is reversed.
    fn through_move(&self, value: Value) -> Option<Value> {
        value.through_move()
    }

    /// The numbering of states for programs that play; `None` if the game has none.
    fn encoded(&self) -> Option<&dyn Encoded<State = Self::State, Move = Self::Move>> {
        None
    }

    /// Whether whoever wins mates, so that problems ask for a mate in a number of moves of the winner,
    /// as in chess.
    fn wins_by_mate(&self) -> bool {
        false
    }

    /// The plies that a game still takes after the move of a mate by checks after which the other
    /// side is lost whatever it does, which mate problems do not count; `None` if the game has no
    /// such mates.
    fn plies_after_mate(&self) -> Option<u16> {
        None
    }

    /// The plies of the shortest mate by checks alone, up to the mating move; `None` if there is
    /// none.
    fn mate(&self, _state: &Self::State) -> Option<u16> {
        None
    }

    /// Whether the side to move has been given a check and is mated by checks alone within this
    /// many plies, up to the mating move; with 0, that check was it.
    fn is_mated(&self, _state: &Self::State, _plies: u16) -> bool {
        false
    }

    /// The kinds of move that the game distinguishes. Kind `i` is bit `i` of
    /// [`kinds_of`](Self::kinds_of).
    fn kinds(&self) -> &'static [MoveKind] {
        &[]
    }

    /// A move of a state in standard algebraic notation, as in PGN; `None` in games whose records are
    /// not written so.
    fn san(&self, _state: &Self::State, _mv: Self::Move) -> Option<String> {
        None
    }

    /// A move of a state as shogi programs write it, in USI; `None` in games that they do not play.
    fn usi(&self, _state: &Self::State, _mv: Self::Move) -> Option<String> {
        None
    }

    /// A move of a state as people read it: in standard algebraic notation where the game has that,
    /// otherwise in its own.
    fn spell_move(&self, state: &Self::State, mv: Self::Move) -> String {
        let san = self.san(state, mv);
        san.unwrap_or_else(|| self.format_move(mv))
    }

    /// A value as people read it: `win in 9`, or where every win is a mate `mate in 5` and `mated in 4`.
    fn spell_value(&self, value: Value) -> String {
        match (value.outcome(), value.plies()) {
            (Outcome::Win, Some(plies)) if self.wins_by_mate() => {
                format!("mate in {}", plies.div_ceil(2))
            }
            (Outcome::Loss, Some(plies)) if self.wins_by_mate() => {
                format!("mated in {}", plies / 2)
            }
            _ => value.to_string(),
        }
    }

    /// The kinds of a move, as a set of bits.
    fn kinds_of(&self, _state: &Self::State, _mv: Self::Move) -> u32 {
        0
    }
}

/// Games whose states and moves have numbers, so that a program can be asked for the best
/// move, or for the state after it.
pub trait Encoded: Moves {
    /// Every reachable state in which there is a choice of moves, in the order of their
    /// numbers.
    fn questions(&self) -> Vec<Self::State>;

    /// Numbers of finished states that programs are also asked about. Any answer is right.
    fn finished(&self) -> Vec<u64> {
        Vec::new()
    }

    /// The number of a state.
    fn code(&self, state: &Self::State) -> u64;

    /// The digits of a state's number, the squares of the board in reading order.
    fn digits(&self) -> Vec<Digit>;

    /// The number of a move, less than [`answers`](Self::answers).
    fn answer(&self, mv: Self::Move) -> u8;

    /// The number of different answers, at most 16.
    fn answers(&self) -> u8;

    /// The number of the state after a move, finished states included. No two moves lead to
    /// the same one.
    fn code_after(&self, state: &Self::State, mv: Self::Move) -> u64;

    /// Explanations of a state's number and of a move's, one line each.
    fn meaning(&self) -> [String; 2];

    /// Source text that implements rules of the game for a program in a language, if there
    /// is any. A comment in it says how it is used.
    fn helper(&self, which: Helper, language: Language) -> Option<String>;

    /// For games on nine squares in which a move may win or block: the move that wins at
    /// once, otherwise the move that prevents a win of the other side; of several, the one
    /// with the least number. Programs with orders of squares play it first.
    fn forced(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }

    /// For puzzles in which every move changes the parity of the distance: the number of
    /// states of odd distance that a program of distances stores. Symmetric states count
    /// once.
    fn kept(&self) -> Option<u64> {
        None
    }

    /// The index of a state of odd distance among the stored ones; `None` if its distance
    /// is even.
    fn place_kept(&self, _state: &Self::State) -> Option<u64> {
        None
    }
}

/// A kind of move that filters can count, e.g. "sacrifice".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveKind {
    /// One lower-case word, used in the names of columns.
    pub name: &'static str,
    /// What the moves of this kind do.
    pub meaning: &'static str,
    /// Whether human solvers try such moves first.
    pub tempting: bool,
}

impl MoveKind {
    /// A kind of move.
    pub const fn new(name: &'static str, tempting: bool, meaning: &'static str) -> Self {
        Self {
            name,
            meaning,
            tempting,
        }
    }
}

/// The kinds of a move as a set of bits: whether it is of each.
pub(crate) fn kinds_in<const N: usize>(of: [bool; N]) -> u32 {
    (0..)
        .zip(of)
        .fold(0, |set, (bit, is)| set | u32::from(is) << bit)
}

/// Whether moves of some kinds, one bit each, are asked for by kinds of which all bits stand for all
/// moves.
#[inline]
pub(crate) const fn asks_for(asked: u32, kinds: u32) -> bool {
    asked == u32::MAX || asked & kinds != 0
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

/// The least image of a line of moves under some symmetries, one of which is the identity.
pub(crate) fn least_line<M: Ord, S>(
    line: &[M],
    symmetries: impl Iterator<Item = S>,
    image: impl Fn(&M, &S) -> M,
) -> Vec<M> {
    let images = symmetries.map(|symmetry| line.iter().map(|mv| image(mv, &symmetry)).collect());
    images.min().unwrap_or_default()
}

/// Moves with the values of the states that they lead to.
pub type Valued<M> = Vec<(M, Next<Value>)>;

/// Values of states, from a table or a search.
pub trait Oracle<G: Game>: Sync {
    /// The error if a value cannot be read or found.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The value of a state for the side to move.
    ///
    /// # Errors
    /// If the value cannot be read.
    fn value(&self, game: &G, state: &G::State) -> Result<Value, Self::Error>;

    /// The values of several states, in their order. It may be quicker than to ask for each.
    ///
    /// # Errors
    /// If a value cannot be read.
    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>, Self::Error>;

    /// All legal moves of a state in the game's order, with the values of the states that they
    /// lead to.
    ///
    /// # Errors
    /// If a value cannot be read.
    fn children(&self, game: &G, state: &G::State) -> Result<Valued<G::Move>, Self::Error>
    where
        G: Moves,
    {
        let mut states = Vec::new();
        let moves = game.moves(state).into_iter();
        let played = moves.map(|mv| (mv, game.play(state, mv).map(|next| states.push(next))));
        let played: Vec<_> = played.collect();
        let mut values = self.values(game, &states)?.into_iter();
        let mut value = || values.next().unwrap_or(Value::DRAW);
        let valued = played.into_iter();
        let valued = valued.map(|(mv, next)| (mv, next.map(|()| value())));
        Ok(valued.collect())
    }

    /// Whether it is known, without looking at its moves, that one move of a state is better than
    /// all others.
    ///
    /// # Errors
    /// If what is known cannot be read.
    fn has_one_best_move(&self, _game: &G, _state: &G::State) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// The error for a state whose value is not that of its best move: the values are not
    /// those of this game.
    fn contradiction(&self, game: &G, state: &G::State) -> Self::Error;
}

/// A rule of a game, as a book has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleInWords {
    /// What it is about, in a word or two.
    pub title: &'static str,
    /// What it says, in a few sentences.
    pub text: String,
    /// What shows it on a board.
    pub example: RuleExample,
}

/// What shows a rule on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleExample {
    /// Nothing.
    None,
    /// The initial position.
    Initial,
    /// A position that play comes to early, with a move of this kind.
    Kind(&'static str),
    /// A position with a move, both in the game's notation.
    Position(&'static str, &'static str),
}

impl RuleInWords {
    /// A rule.
    pub fn new(title: &'static str, text: impl Into<String>, example: RuleExample) -> Self {
        Self {
            title,
            text: text.into(),
            example,
        }
    }

    /// Rules as a text lists them, one a line, with ` | ` between title, example and what it says,
    /// where each name is replaced by its value. An example is `initial`, the kind of a move, a
    /// position and a move with a comma between, or `-`.
    pub(crate) fn listed(text: &'static str, values: &[(&str, &str)]) -> Vec<Self> {
        let rule = |line: &'static str| {
            let (title, rest) = line.split_once(" | ")?;
            let (example, says) = rest.split_once(" | ")?;
            let says = values.iter().fold(says.to_owned(), |says, (name, value)| {
                says.replace(name, value)
            });
            let example = match (example, example.split_once(", ")) {
                (_, Some((position, mv))) => RuleExample::Position(position, mv),
                ("-", None) => RuleExample::None,
                ("initial", None) => RuleExample::Initial,
                (kind, None) => RuleExample::Kind(kind),
            };
            Some(Self::new(title, says, example))
        };
        text.lines().filter_map(rule).collect()
    }
}
