//! Sliding-block puzzles: the 3-puzzle, the 8-puzzle and others.
//!
//! # Rules
//! All squares of a board except one have numbered tiles. A move slides a tile into the
//! blank; it is named by the direction in which the *blank* moves. The puzzle is solved
//! when the tiles are in order, row by row from the top, with the blank last. Half of all
//! arrangements can be solved; only these are states.
//!
//! `sliding:ROWSxCOLUMNS` has at least two rows and two columns. An arrangement is written
//! row by row from the top, `213/456/78.`, with letters from `A` for the tiles from 10, or
//! as its number, `#135`: its squares row by row as digits in the base of the number of
//! squares, with 0 for the blank, as in *Formulas that play { chess, checkers, whatever }
//! optimally*.

mod notation;
mod picture;
mod program;
mod rank;

pub use notation::SetupError;

use crate::base::value::{Outcome, Value};
use crate::game::{Encoded, Game, Layer, Moves, Next, NotationError, Solitaire, Symmetric};

/// A board of sliding tiles.
#[derive(Debug, Clone)]
pub struct Sliding {
    rows: usize,
    columns: usize,
    layers: Vec<Layer>,
}

/// An arrangement: the tile on square `i` (row by row from the top) in nibble `i`, with 0
/// for the blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(u64);

impl State {
    const fn tile(self, square: usize) -> usize {
        (self.0 >> (4 * square) & 15) as usize
    }

    const fn blank(self) -> usize {
        let mut square = 0;
        while self.tile(square) != 0 {
            square += 1;
        }
        square
    }

    /// Exchanges the tiles of two squares, one of them the blank.
    const fn slid(self, blank: usize, square: usize) -> Self {
        let tile = self.tile(square) as u64;
        Self(self.0 ^ tile << (4 * square) ^ tile << (4 * blank))
    }

    fn of(tiles: impl IntoIterator<Item = usize>) -> Self {
        let nibbles = tiles.into_iter().enumerate();
        Self(nibbles.fold(0, |state, (square, tile)| {
            state | (tile as u64) << (4 * square)
        }))
    }
}

/// A direction in which the blank moves. The numbers are those of the article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// To the row below.
    Down,
    /// To the column on the left.
    Left,
    /// To the row above.
    Up,
    /// To the column on the right.
    Right,
}

/// All directions, in the order of their numbers.
const MOVES: [Move; 4] = [Move::Down, Move::Left, Move::Up, Move::Right];

impl Move {
    const fn letter(self) -> &'static str {
        match self {
            Self::Down => "D",
            Self::Left => "L",
            Self::Up => "U",
            Self::Right => "R",
        }
    }
}

impl Sliding {
    const fn squares(&self) -> usize {
        self.rows * self.columns
    }

    /// The square to which the blank moves; `None` at the edge.
    const fn target(&self, blank: usize, mv: Move) -> Option<usize> {
        let (row, column) = (blank / self.columns, blank % self.columns);
        match mv {
            Move::Down if row + 1 < self.rows => Some(blank + self.columns),
            Move::Left if column > 0 => Some(blank - 1),
            Move::Up if row > 0 => Some(blank - self.columns),
            Move::Right if column + 1 < self.columns => Some(blank + 1),
            _ => None,
        }
    }

    /// The tiles in order.
    fn solved(&self) -> State {
        State::of((1..self.squares()).chain([0]))
    }

    fn neighbours(&self, state: State) -> impl Iterator<Item = (Move, State)> + '_ {
        let blank = state.blank();
        let targets = MOVES
            .into_iter()
            .filter_map(move |mv| Some((mv, self.target(blank, mv)?)));
        targets.map(move |(mv, square)| (mv, state.slid(blank, square)))
    }
}

impl Game for Sliding {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        format!("sliding:{}x{}", self.rows, self.columns)
    }

    /// The tiles in reverse order, with the lowest two exchanged if that arrangement cannot
    /// be solved.
    fn initial(&self) -> State {
        let mut tiles: Vec<usize> = (0..self.squares()).rev().collect();
        if !self.is_solvable(&tiles) {
            let last = tiles.len() - 1;
            tiles.swap(last - 2, last - 1);
        }
        State::of(tiles)
    }

    fn format_state(&self, state: &State) -> String {
        self.written(*state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        self.read(text)
    }

    fn format_move(&self, mv: Move) -> String {
        mv.letter().to_owned()
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let fits = |mv: &Move| text.eq_ignore_ascii_case(mv.letter());
        MOVES.into_iter().find(fits).ok_or_else(|| {
            let message = "a move is the direction of the blank: D, L, U or R";
            NotationError::new(text, 0, message)
        })
    }

    fn side_to_move(&self, _state: &State) -> &'static str {
        "Solver"
    }

    fn is_solitaire(&self) -> bool {
        true
    }
}

impl Moves for Sliding {
    fn encoded(&self) -> Option<&dyn Encoded<State = State, Move = Move>> {
        Some(self)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        self.neighbours(*state).map(|(mv, _)| mv).collect()
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        let blank = state.blank();
        let next = self
            .target(blank, mv)
            .map(|square| state.slid(blank, square));
        match next {
            Some(next) if next == self.solved() => Next::Over(Outcome::Win),
            next => Next::State(next.unwrap_or(*state)),
        }
    }

    /// The player moves again.
    fn through_move(&self, value: Value) -> Option<Value> {
        Value::decided(value.outcome(), value.plies()?.checked_add(1)?)
    }
}

impl Solitaire for Sliding {
    /// Every move can be taken back.
    fn predecessors(&self, state: &State) -> Vec<State> {
        let predecessors = self.neighbours(*state).map(|(_, before)| before);
        predecessors
            .filter(|&before| before != self.solved())
            .collect()
    }

    fn number(&self, mv: Move) -> u8 {
        mv as u8
    }
}

impl Symmetric for Sliding {
    /// No two arrangements are the same, because tiles have numbers.
    fn canonical(&self, state: &State) -> State {
        *state
    }

    fn symmetries_kept(&self, _state: &State) -> u32 {
        1
    }

    fn canonical_line(&self, line: &[Move]) -> Vec<Move> {
        line.to_vec()
    }
}
