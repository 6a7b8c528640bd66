//! Tic-tac-toe.
//!
//! # Rules
//! On a 3x3 board, X and O take turns to fill a free square, X first. Three in a row, a
//! column or a diagonal win; a full board without three in a line is a draw. In
//! `tictactoe:diagonals=none`, diagonals do not win.
//!
//! A position is written row by row from the top, `x.o/.x./..o`; the numbers of stones
//! determine who is to move. Squares are named as on a chessboard, with a1 at the lower
//! left.

use crate::base::value::Outcome;
use crate::draw::{Diagram, Glyph};
use crate::game::{
    Arrangement, Board, Digit, Encoded, Feature, FeatureValue, FiniteGame, Game, Helper, Language,
    Listed, MoveKind, Moves, Next, NotationError, PaletteItem, Playable, RuleExample, RuleInWords,
    Standing, write_arrangement,
};

/// The rules: by default, rows, columns and diagonals win.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rules {
    /// Whether diagonals do not win.
    straight: bool,
}

/// Tic-tac-toe with its list of positions.
pub type TicTacToe = Listed<Rules>;

/// A position of the unfinished game, with the squares of each side as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The squares of the side to move.
    own: u64,
    other: u64,
}

const BOARD: Board = Board::new(3, 3);

/// Rows, columns and diagonals.
const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Rules {
    /// Rows, columns and diagonals win.
    pub const STANDARD: Self = Self { straight: false };

    /// Reads a spec, `tictactoe` or `tictactoe:diagonals=none`; `None` if it is neither.
    pub fn from_spec(spec: &str) -> Option<Self> {
        let all = [false, true].map(|straight| Self { straight });
        all.into_iter().find(|rules| rules.spec() == spec)
    }

    /// The lines that win.
    const fn lines(self) -> &'static [u64] {
        let [straight @ .., _, _] = &LINES;
        if self.straight { straight } else { &LINES }
    }

    fn has_line(self, set: u64) -> bool {
        self.lines().iter().any(|line| set & line == *line)
    }

    /// The number of lines that meet `near` and have two squares of a side and none of the
    /// other.
    fn threats(self, own: u64, other: u64, near: u64) -> usize {
        let open = |&&l: &&u64| near & l != 0 && other & l == 0 && (own & l).count_ones() == 2;
        self.lines().iter().filter(open).count()
    }
}

impl State {
    const fn free(self) -> u64 {
        0o777 & !self.own & !self.other
    }

    /// The squares of X and of O.
    const fn sides(self) -> [u64; 2] {
        if self.own.count_ones() == self.other.count_ones() {
            [self.own, self.other]
        } else {
            [self.other, self.own]
        }
    }
}

impl Game for Rules {
    type State = State;
    /// The square to fill.
    type Move = u8;

    fn spec(&self) -> String {
        let diagonals = if self.straight { ":diagonals=none" } else { "" };
        format!("tictactoe{diagonals}")
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        let lines = if self.straight {
            "a row or a column"
        } else {
            "a row, a column or a diagonal"
        };
        vec![
            RuleInWords::new(
                "Turns",
                "X and O take turns to fill a free square; X begins.",
                RuleExample::Initial,
            ),
            RuleInWords::new(
                "The end",
                format!("Three in {lines} win. A full board without that is a draw."),
                RuleExample::Kind("block"),
            ),
        ]
    }

    fn initial(&self) -> State {
        State { own: 0, other: 0 }
    }

    fn format_state(&self, state: &State) -> String {
        let [x, o] = state.sides();
        BOARD.write([state.free(), x, o], ['.', 'x', 'o'])
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let [_, x, o] = BOARD.read(text, ['.', 'x', 'o'])?;
        let message = match x.count_ones().wrapping_sub(o.count_ones()) {
            0 | 1 if self.has_line(x) || self.has_line(o) => {
                "there are three in a row: the game is over"
            }
            0 | 1 if x | o == 0o777 => "the board is full: the game is over",
            0 => return Ok(State { own: x, other: o }),
            1 => return Ok(State { own: o, other: x }),
            _ => "X begins and the sides take turns, so there must be as many x as o, or one more",
        };
        Err(NotationError::new(text, 0, message))
    }

    fn format_move(&self, mv: u8) -> String {
        BOARD.name(mv)
    }

    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        BOARD.read_name(text)
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        ["O", "X"][usize::from(state.sides()[0] == state.own)]
    }
}

impl Moves for Rules {
    fn encoded(&self) -> Option<&dyn Encoded<State = State, Move = u8>> {
        Some(self)
    }

    fn moves(&self, state: &State) -> Vec<u8> {
        Board::squares_in(state.free()).collect()
    }

    fn play(&self, state: &State, mv: u8) -> Next<State> {
        let (own, other) = (state.other, state.own | 1 << mv);
        match (self.has_line(other), State { own, other }) {
            (true, _) => Next::Over(Outcome::Win),
            (false, next) if next.free() == 0 => Next::Over(Outcome::Draw),
            (false, next) => Next::State(next),
        }
    }

    #[rustfmt::skip]
    fn kinds(&self) -> &'static [MoveKind] {
        const { &[
            MoveKind::new("block", true, "fills the third square of a line of which the other side has two"),
            MoveKind::new("threat", true, "makes two in a line whose third square is free"),
            MoveKind::new("fork", false, "makes two such threats or more"),
        ] }
    }

    fn kinds_of(&self, state: &State, mv: u8) -> u32 {
        let square = 1 << mv;
        let made = self.threats(state.own | square, state.other, square);
        u32::from(self.has_line(state.other | square))
            | u32::from(made >= 1) << 1
            | u32::from(made >= 2) << 2
    }
}

impl FiniteGame for Rules {
    fn symmetries(&self) -> usize {
        BOARD.symmetries()
    }

    fn image(&self, state: &State, symmetry: usize) -> State {
        let [own, other] = [state.own, state.other].map(|set| BOARD.image_of_set(set, symmetry));
        State { own, other }
    }

    fn image_of_move(&self, mv: u8, symmetry: usize) -> u8 {
        BOARD.image(mv, symmetry)
    }

    fn stage(&self, state: &State) -> u32 {
        9 - state.free().count_ones()
    }

    #[rustfmt::skip]
    fn features(&self) -> Vec<Feature> {
        vec![
            Feature::number("stones", "filled squares, 0 to 8"),
            Feature::number("own_threats", "lines with two of the side to move whose third square is free"),
            Feature::number("opp_threats", "lines with two of the other side whose third square is free"),
            Feature::number("symmetries", "symmetries of the board that keep the position, 1 to 8"),
        ]
    }

    fn measure(&self, state: &State, place: usize) -> FeatureValue {
        FeatureValue::count(match place {
            0 => self.stage(state) as usize,
            1 => self.threats(state.own, state.other, 0o777),
            2 => self.threats(state.other, state.own, 0o777),
            _ => (0..8)
                .filter(|&turn| self.image(state, turn) == *state)
                .count(),
        })
    }

    fn annotate(&self, diagram: Diagram, state: &State) -> Diagram {
        let (rows, side) = (self.format_state(state), self.side_to_move(state));
        let diagram = diagram.title(if self.straight {
            "Position of tic-tac-toe without diagonals"
        } else {
            "Tic-tac-toe position"
        });
        diagram.desc(format!("Rows from the top: {rows}. {side} to move."))
    }
}

impl Playable for Rules {
    fn board(&self) -> Board {
        BOARD
    }

    fn standing(&self, state: &State) -> Vec<Standing> {
        let [x, o] = state.sides();
        let stones = |set, words: &'static str| {
            Standing::on(BOARD, set, Glyph::Text(words.to_owned()), words)
        };
        stones(x, "X").chain(stones(o, "O")).collect()
    }

    fn palette(&self) -> Vec<PaletteItem> {
        let stone = |words: &'static str| PaletteItem::new(Glyph::Text(words.to_owned()), words);
        ["X", "O"].map(stone).into()
    }

    fn arranged(&self, things: &Arrangement, _second: bool) -> String {
        write_arrangement(BOARD.size(), things, &['x', 'o'], |_| '.')
    }
}

impl Encoded for Rules {
    fn questions(&self) -> Vec<State> {
        Listed::of(*self).states()
    }

    fn code(&self, state: &State) -> u64 {
        state.own << 9 | state.other
    }

    fn digits(&self) -> Vec<Digit> {
        let digit = |square| Digit::Bits(vec![square, square + 9]);
        (0..9).map(digit).collect()
    }

    fn answer(&self, mv: u8) -> u8 {
        mv
    }

    fn answers(&self) -> u8 {
        9
    }

    fn code_after(&self, state: &State, mv: u8) -> u64 {
        state.other << 9 | state.own | 1 << mv
    }

    fn meaning(&self) -> [String; 2] {
        [
            "n: squares 0 to 8 row by row from the top, bit i set if the other side has square i, bit 9 + i if the side to move has",
            "the square to fill",
        ]
        .map(str::to_owned)
    }

    fn helper(&self, which: Helper, language: Language) -> Option<String> {
        let template = match (which, language) {
            (Helper::Orders, Language::Rust) => include_str!("programs/orders.rs.txt"),
            (Helper::Orders, Language::C) => include_str!("programs/orders.c.txt"),
            (Helper::Orders, Language::Python) => include_str!("programs/orders.py.txt"),
            (Helper::NextState, Language::Rust) => include_str!("programs/next_state.rs.txt"),
            (Helper::NextState, Language::C) => include_str!("programs/next_state.c.txt"),
            (Helper::NextState, Language::Python) => include_str!("programs/next_state.py.txt"),
            (Helper::Residues, _) => return None,
        };
        // The diagonals are the last two of the eight lines.
        let straight = template
            .replace(", 0o421, 0o124", "")
            .replace(", 273, 84}", "}")
            .replace("[u64; 8]", "[u64; 6]")
            .replace("LINES[8]", "LINES[6]")
            .replace("line < 8", "line < 6");
        Some(if self.straight {
            straight
        } else {
            template.into()
        })
    }

    fn forced(&self, state: &State) -> Option<u8> {
        let completes = |set: u64, square: &u8| self.has_line(set | 1 << square);
        let free = || Board::squares_in(state.free());
        let win = free().find(|square| completes(state.own, square));
        win.or_else(|| free().find(|square| completes(state.other, square)))
    }
}
