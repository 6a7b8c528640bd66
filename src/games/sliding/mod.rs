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
mod program;

use crate::base::text::{bytes, grouped, named};
use crate::base::value::{Outcome, Value};
use crate::draw::{BoardSquare, Diagram, Glyph, Point, Slide};
use crate::game::{
    Drawable, Encoded, Game, Layer, Moves, Next, Playable, Ranked, SizeError, Solitaire, Symmetric,
    marked, slid,
};

/// The most squares of a board whose arrangements fit in a table.
const MOST_SQUARES_SOLVED: usize = 12;

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

named! {
    /// A direction in which the blank moves. The numbers are those of the article.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Move {
        /// To the row below.
        Down = "D",
        /// To the column on the left.
        Left = "L",
        /// To the row above.
        Up = "U",
        /// To the column on the right.
        Right = "R",
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

    fn solved(&self) -> State {
        State::of((1..self.squares()).chain([0]))
    }

    /// The arrangement after a move of the blank, which is on this square; `None` at the edge.
    fn after(&self, state: State, blank: usize, mv: Move) -> Option<State> {
        Some(state.slid(blank, self.target(blank, mv)?))
    }

    fn neighbours(&self, state: State) -> impl Iterator<Item = (Move, State)> + '_ {
        let blank = state.blank();
        let moves = Move::ALL.into_iter();
        moves.filter_map(move |mv| Some((mv, self.after(state, blank, mv)?)))
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
        match self.after(*state, state.blank(), mv) {
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
        let before = self.neighbours(*state).map(|(_, before)| before);
        before.filter(|&before| before != self.solved()).collect()
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

// The numbering of arrangements that can be solved.
//
// They are numbered first by the square of the blank, then by the tiles in reading order
// as a permutation in lexicographic order. Of two permutations that differ only in their
// last two tiles, exactly one can be solved, so the number of the permutation is halved.

impl Sliding {
    /// Whether the tiles, given square by square, can be solved: each move exchanges two
    /// squares, so the parity of the arrangement must equal that of the blank's distance
    /// from its home.
    pub(super) fn is_solvable(&self, tiles: &[usize]) -> bool {
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        let way =
            (self.rows - 1 - blank / self.columns) + (self.columns - 1 - blank % self.columns);
        // The blank counts as the highest tile, because it is last.
        let order = |tile: usize| if tile == 0 { tiles.len() } else { tile };
        let inversions = tiles.iter().enumerate().map(|(square, &tile)| {
            let behind = tiles[square + 1..].iter();
            behind.filter(|&&other| order(other) < order(tile)).count()
        });
        (inversions.sum::<usize>() + way).is_multiple_of(2)
    }

    /// The number of arrangements with the blank on a given square.
    pub(super) fn a_blank(&self) -> u64 {
        (1..self.squares() as u64).product::<u64>() / 2
    }

    /// The number of arrangements that can be solved, including the solved one.
    pub fn states(&self) -> u64 {
        self.squares() as u64 * self.a_blank()
    }
}

impl Ranked for Sliding {
    /// The number of an arrangement that can be solved. The solved one has a number too.
    fn rank(&self, state: &State) -> u64 {
        let tiles = (0..self.squares()).map(|square| state.tile(square));
        let mut unused = (1_u32 << self.squares()) - 2;
        let mut number = 0;
        let mut left = self.squares() as u64 - 1;
        for tile in tiles.filter(|&tile| tile != 0) {
            let less = (unused & ((1 << tile) - 1)).count_ones();
            number = number * left + u64::from(less);
            unused &= !(1 << tile);
            left -= 1;
        }
        state.blank() as u64 * self.a_blank() + number / 2
    }

    /// The slot of the solved arrangement is vacant.
    fn unrank(&self, number: u64) -> Option<State> {
        if number >= self.states() {
            return None;
        }
        let squares = self.squares();
        let blank = usize::try_from(number / self.a_blank()).ok()?;
        let mut rest = number % self.a_blank() * 2;
        // The digits of the number, the least significant last.
        let mut digits = vec![0; squares - 1];
        for (place, digit) in digits.iter_mut().enumerate().rev() {
            let radix = (squares - 1 - place) as u64;
            *digit = usize::try_from(rest % radix).ok()?;
            rest /= radix;
        }
        let mut unused: Vec<usize> = (1..squares).collect();
        let mut tiles: Vec<usize> = digits.iter().map(|&digit| unused.remove(digit)).collect();
        tiles.insert(blank, 0);
        if !self.is_solvable(&tiles) {
            // The last two tiles, ignoring the blank.
            let mut places = (0..squares).rev().filter(|&square| tiles[square] != 0);
            let (last, before) = (places.next()?, places.next()?);
            tiles.swap(last, before);
        }
        Some(State::of(tiles)).filter(|&state| state != self.solved())
    }

    fn check_size(&self) -> Result<(), SizeError> {
        if self.squares() <= MOST_SQUARES_SOLVED {
            return Ok(());
        }
        let (rows, columns) = (self.rows, self.columns);
        // At most 16 factorial, which fits.
        let arrangements: u64 = (3..=self.squares() as u64).product();
        // Five to a byte, of the arrangements of odd distance, on square boards without
        // reflections.
        let reflections = if rows == columns { 2 } else { 1 };
        Err(SizeError::new(format!(
            "sliding:{rows}x{columns} has too many arrangements to solve: {}, and even their distances modulo 6, as programs that play store them, would take {}; choose at most {MOST_SQUARES_SOLVED} squares, such as sliding:3x4",
            grouped(arrangements),
            bytes(arrangements / 2 / reflections / 5)
        )))
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }
}

impl Sliding {
    fn cell(&self, square: usize) -> BoardSquare {
        let side = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let row = self.rows - 1 - square / self.columns;
        BoardSquare::new(side(square % self.columns), side(row))
    }

    /// The old and the new place of the tile that a move slides.
    fn slide(&self, state: State, mv: Move) -> Option<(BoardSquare, Point)> {
        let blank = state.blank();
        let from = self.target(blank, mv)?;
        Some((self.cell(from), self.cell(blank).into()))
    }
}

impl Playable for Sliding {}

impl Drawable for Sliding {
    fn diagram(&self, state: &State) -> Diagram {
        let side = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        let (columns, rows) = (side(self.columns), side(self.rows));
        let empty = Diagram::new(columns, rows).expect("boards have at most 16 squares");
        let tiles = (0..self.squares()).filter(|&square| state.tile(square) != 0);
        let diagram = tiles.fold(empty, |diagram, square| {
            let glyph = Glyph::Text(state.tile(square).to_string());
            let placed = diagram.place(self.cell(square), glyph);
            placed.expect("every square is placed once")
        });
        diagram
            .title("Sliding puzzle")
            .desc(format!("Rows from the top: {}.", self.format_state(state)))
    }

    fn with_move(&self, diagram: Diagram, state: &State, mv: Move) -> Diagram {
        match self.slide(*state, mv) {
            Some(aim) => marked(diagram, aim, []),
            None => diagram,
        }
    }

    fn slides(&self, state: &State, mv: Move) -> Vec<Slide> {
        let slide = self.slide(*state, mv);
        slide.map_or_else(Vec::new, |aim| slid(aim, []))
    }
}
