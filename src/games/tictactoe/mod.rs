//! Tic-tac-toe.
//!
//! # Rules
//! On a board of 3x3, X and O in turn fill a free square, X first. Three of one's own in
//! a row, a column or a diagonal win; a full board without is a draw.
//!
//! A position is written row by row from the top, `x.o/.x./..o`; the numbers of stones
//! tell who is to move. Squares are named as on a chessboard, a1 being the lower left.

mod features;
mod list;
mod mining;
mod notation;
mod picture;
mod program;

use crate::base::value::Outcome;
use crate::game::{Encoded, Game, MoveKind, Moves, Next, NotationError, Symmetric};
use list::List;

/// Tic-tac-toe.
#[derive(Debug)]
pub struct TicTacToe {
    list: List,
}

/// A position of the unfinished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The squares of the side to move, bit `i` being square `i`, row by row from the
    /// top.
    own: u16,
    /// Those of the other side.
    other: u16,
}

/// The square that is filled, row by row from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u8);

/// All squares.
const BOARD: u16 = 0o777;

/// Rows, columns and diagonals.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Where each symmetry of the board puts each square, the identity first.
const TURNS: [[u8; 9]; 8] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    [2, 5, 8, 1, 4, 7, 0, 3, 6],
    [8, 7, 6, 5, 4, 3, 2, 1, 0],
    [6, 3, 0, 7, 4, 1, 8, 5, 2],
    [2, 1, 0, 5, 4, 3, 8, 7, 6],
    [6, 7, 8, 3, 4, 5, 0, 1, 2],
    [0, 3, 6, 1, 4, 7, 2, 5, 8],
    [8, 5, 2, 7, 4, 1, 6, 3, 0],
];

/// Kinds of move, a bit each.
const KINDS: [MoveKind; 3] = [
    MoveKind {
        name: "block",
        meaning: "fills the third square of a line of which the other side has two",
        tempting: true,
    },
    MoveKind {
        name: "threat",
        meaning: "makes two in a line whose third square is free",
        tempting: true,
    },
    MoveKind {
        name: "fork",
        meaning: "makes two such threats or more",
        tempting: false,
    },
];

/// The squares in a set.
fn squares(set: u16) -> impl Iterator<Item = u8> {
    (0..9).filter(move |square| set >> square & 1 == 1)
}

fn has_line(set: u16) -> bool {
    LINES.iter().any(|line| set & line == *line)
}

/// Lines of which a side has so many squares and the other none.
fn open_lines(own: u16, other: u16, count: u32) -> usize {
    let open = LINES
        .iter()
        .filter(|&line| other & line == 0 && (own & line).count_ones() == count);
    open.count()
}

fn turned(set: u16, turn: &[u8; 9]) -> u16 {
    squares(set).fold(0, |image, square| image | 1 << turn[usize::from(square)])
}

impl State {
    const fn free(self) -> u16 {
        BOARD & !self.own & !self.other
    }

    const fn stones(self) -> u32 {
        (self.own | self.other).count_ones()
    }

    /// Whether X is to move.
    const fn x_moves(self) -> bool {
        self.own.count_ones() == self.other.count_ones()
    }

    fn turned(self, turn: &[u8; 9]) -> Self {
        Self {
            own: turned(self.own, turn),
            other: turned(self.other, turn),
        }
    }

    /// The symmetries that keep the position, the identity first.
    fn kept(self) -> impl Iterator<Item = &'static [u8; 9]> {
        TURNS.iter().filter(move |turn| self.turned(turn) == self)
    }

    fn least_image(self) -> Self {
        let images = TURNS.iter().map(|turn| self.turned(turn));
        images.min().unwrap_or(self)
    }
}

impl TicTacToe {
    /// The game.
    #[must_use]
    pub fn new() -> Self {
        Self { list: List::new() }
    }
}

impl Default for TicTacToe {
    fn default() -> Self {
        Self::new()
    }
}

impl Game for TicTacToe {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        "tictactoe".to_owned()
    }

    fn initial(&self) -> State {
        State { own: 0, other: 0 }
    }

    fn format_state(&self, state: &State) -> String {
        notation::written(*state)
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        notation::read(text)
    }

    fn format_move(&self, mv: Move) -> String {
        notation::name(mv.0)
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        notation::read_square(text).map(Move)
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        if state.x_moves() { "X" } else { "O" }
    }
}

impl Moves for TicTacToe {
    fn encoded(&self) -> Option<&dyn Encoded<State = State, Move = Move>> {
        Some(self)
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        squares(state.free()).map(Move).collect()
    }

    fn play(&self, state: &State, mv: Move) -> Next<State> {
        let own = state.own | 1 << mv.0;
        if has_line(own) {
            return Next::Over(Outcome::Win);
        }
        if own | state.other == BOARD {
            return Next::Over(Outcome::Draw);
        }
        Next::State(State {
            own: state.other,
            other: own,
        })
    }

    fn kinds(&self) -> &'static [MoveKind] {
        &KINDS
    }

    fn kinds_of(&self, state: &State, mv: Move) -> u32 {
        let after = state.own | 1 << mv.0;
        let made = LINES.iter().filter(|&line| {
            line >> mv.0 & 1 == 1 && state.other & line == 0 && (after & line).count_ones() == 2
        });
        let made = made.count();
        let blocks = has_line(state.other | 1 << mv.0);
        let kinds = [blocks, made >= 1, made >= 2];
        let bits = kinds.into_iter().enumerate();
        bits.fold(0, |set, (bit, is)| set | u32::from(is) << bit)
    }
}

impl Symmetric for TicTacToe {
    fn canonical(&self, state: &State) -> State {
        state.least_image()
    }

    fn symmetries_kept(&self, state: &State) -> u32 {
        u32::try_from(state.kept().count()).unwrap_or(u32::MAX)
    }

    fn canonical_line(&self, line: &[Move]) -> Vec<Move> {
        let image = |turn: &[u8; 9]| {
            let squares = line.iter().map(|mv| Move(turn[usize::from(mv.0)]));
            squares.collect::<Vec<_>>()
        };
        let images = TURNS.iter().map(image);
        images.min().unwrap_or_else(|| line.to_vec())
    }
}
