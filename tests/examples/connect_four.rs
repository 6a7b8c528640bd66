//! A third game of one's own: Connect Four on small boards.
//!
//! Rules: two sides drop men into the columns of an upright board in turn; a man falls to the
//! lowest free square. Four in a row win, along a row, a column or a diagonal; a full board is a
//! draw. J. Tromp, *John's Connect Four Playground*, <https://tromp.github.io/c4/c4.html>.

use std::collections::HashSet;

use tesuji::base::{progress::NoProgress, value::Outcome};
use tesuji::draw::{BoardSquare, Glyph, Point, Tone};
use tesuji::game::{
    Board, FiniteGame, Game, Listed, Moves, Next, NotationError, Playable, Ranked, Standing,
    Symmetric,
};
use tesuji::table::solve_in_memory;

/// Connect Four on a board of so many columns and rows, at most 64 squares.
#[derive(Clone, Copy)]
pub(crate) struct ConnectFour(pub u8, pub u8);

/// The men of the side to move and of the other side.
type State = (u64, u64);

impl ConnectFour {
    const fn grid(self) -> Board {
        Board::new(self.0, self.1)
    }

    /// Whether the side that begins is to move: then there are as many men of either side.
    const fn first_moves(&(own, other): &State) -> bool {
        own.count_ones() == other.count_ones()
    }

    /// The lowest free square of a column.
    fn lowest(self, (own, other): State, column: u8) -> Option<u8> {
        let mut squares = (0..self.1).rev().map(|row| row * self.0 + column);
        squares.find(|square| (own | other) >> square & 1 == 0)
    }

    /// Whether a set of men has four in a row.
    fn has_four(self, men: u64) -> bool {
        let (columns, rows) = (i32::from(self.0), i32::from(self.1));
        let has = |column: i32, row: i32| {
            let inside = (0..columns).contains(&column) && (0..rows).contains(&row);
            inside && men >> (row * columns + column) & 1 == 1
        };
        let mut firsts = Board::squares_in(men).map(|square| {
            let square = i32::from(square);
            (square % columns, square / columns)
        });
        firsts.any(|(column, row)| {
            let mut ways = [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter();
            ways.any(|(right, down)| {
                (1..4).all(|step| has(column + step * right, row + step * down))
            })
        })
    }
}

impl Game for ConnectFour {
    type State = State;
    type Move = u8;

    fn spec(&self) -> String {
        format!("connect-four:{}x{}", self.1, self.0)
    }

    fn initial(&self) -> State {
        (0, 0)
    }

    fn format_state(&self, state: &State) -> String {
        let &(own, other) = state;
        let (first, second) = if Self::first_moves(state) {
            (own, other)
        } else {
            (other, own)
        };
        self.grid().write([0, first, second], ['.', 'x', 'o'])
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let [_, first, second] = self.grid().read(text, ['.', 'x', 'o'])?;
        let fault = |message| Err(NotationError::new(text, 0, message));
        let state = match first.count_ones().checked_sub(second.count_ones()) {
            Some(0) => (first, second),
            Some(1) => (second, first),
            _ => return fault("x begins, so it has as many men as o, or one more"),
        };
        let falls = Board::squares_in(first | second).all(|square| {
            let below = square + self.0;
            below >= self.grid().squares() || (first | second) >> below & 1 == 1
        });
        if !falls {
            return fault("a man has a free square below");
        }
        if self.has_four(first) || self.has_four(second) || self.moves(&state).is_empty() {
            return fault("the game is over here");
        }
        Ok(state)
    }

    fn format_move(&self, column: u8) -> String {
        char::from(b'a' + column).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        let mut columns = 0..self.0;
        let found = columns.find(|&column| self.format_move(column) == text);
        found.ok_or_else(|| NotationError::new(text, 0, "a move is the letter of a column"))
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        if Self::first_moves(state) { "x" } else { "o" }
    }
}

impl Moves for ConnectFour {
    fn moves(&self, state: &State) -> Vec<u8> {
        let columns = 0..self.0;
        columns
            .filter(|&column| self.lowest(*state, column).is_some())
            .collect()
    }

    fn play(&self, state: &State, column: u8) -> Next<State> {
        let Some(square) = self.lowest(*state, column) else {
            return Next::State(*state);
        };
        let next = (state.1, state.0 | 1 << square);
        if self.has_four(next.1) {
            return Next::Over(Outcome::Win);
        }
        if self.moves(&next).is_empty() {
            return Next::Over(Outcome::Draw);
        }
        Next::State(next)
    }
}

impl FiniteGame for ConnectFour {
    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, &(own, other): &State, turn: usize) -> State {
        let [own, other] = [own, other].map(|men| self.grid().image_of_set(men, turn));
        (own, other)
    }

    fn image_of_move(&self, column: u8, turn: usize) -> u8 {
        self.grid().image(column, turn)
    }

    fn stage(&self, (own, other): &State) -> u32 {
        (own | other).count_ones()
    }
}

impl Playable for ConnectFour {
    fn board(&self) -> Board {
        self.grid()
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let &(own, other) = state;
        let (first, second) = if Self::first_moves(state) {
            (own, other)
        } else {
            (other, own)
        };
        let first = Standing::on(self.grid(), first, Glyph::Piece(Tone::Dark), "dark man");
        let second = Standing::on(self.grid(), second, Glyph::Piece(Tone::Light), "light man");
        first.chain(second).collect()
    }

    fn aim(&self, state: &State, column: u8) -> (BoardSquare, Point) {
        let square = self.lowest(*state, column).unwrap_or(column);
        (self.grid().cell(square), self.grid().cell(square).into())
    }
}

/// The outcome of a board, and how many positions games come to, those at the end included.
pub(crate) fn solve(game: ConnectFour) -> Result<(Outcome, u64), Box<dyn std::error::Error>> {
    let listed = Listed::of(game);
    listed.check_size()?;
    let (mut open, mut over) = (0, HashSet::new());
    for state in (0..listed.slots()).filter_map(|slot| listed.unrank(slot)) {
        open += 2 / u64::from(listed.symmetries_kept(&state));
        for column in game.moves(&state) {
            if let (Next::Over(_), Some(square)) =
                (game.play(&state, column), game.lowest(state, column))
            {
                let end = (state.1, state.0 | 1 << square);
                over.extend([end, game.image(&end, 1)]);
            }
        }
    }
    let table = solve_in_memory(&listed, &NoProgress)?;
    let start = table.record(listed.rank(&listed.initial()))?;
    Ok((start.best().outcome(), open + over.len() as u64))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (columns, rows) in [(4, 4), (4, 5), (5, 4), (7, 3)] {
        let game = ConnectFour(columns, rows);
        let (outcome, positions) = solve(game)?;
        println!("{}: {outcome}, {positions} positions", game.spec());
    }
    Ok(())
}
