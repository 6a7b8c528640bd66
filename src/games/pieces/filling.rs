//! Games in which the sides only fill squares, such as tic-tac-toe, as numbers: programs can be
//! asked for the best move.

use std::collections::BTreeMap;

use super::Pieces;
use super::rules::Squares;
use super::state::{Move, State};
use crate::game::{Digit, Encoded, Game, Helper, Language, Moves};

/// The most squares of a game whose states are all listed.
const MOST_SQUARES: u8 = 12;

/// The squares of a board whose programs may have orders of squares.
const ORDERED_SQUARES: u8 = 9;

impl Pieces {
    /// The game as numbers, if the sides only fill squares.
    pub(super) fn filling(&self) -> Option<&dyn Encoded<State = State, Move = Move>> {
        let rules = self.rules();
        (rules.fills_squares() && rules.squares() <= MOST_SQUARES).then_some(self)
    }

    /// The squares of the side to move and of the other one, as the side sees them that begins.
    fn sides(&self, state: &State) -> [Squares; 2] {
        let seen = state.seen_by_first(self.rules());
        let own = state.side as usize;
        [own, 1 - own].map(|side| seen.of_side(side))
    }

    /// The number of a position with these squares of the side to move and of the other one.
    fn number(&self, [own, other]: [Squares; 2]) -> u64 {
        own << self.rules().squares() | other
    }

    /// The sets of squares that win, as programs have them.
    fn lines(&self, language: Language) -> String {
        let lines = self.rules().goals.iter().map(|line| match language {
            Language::C => line.to_string(),
            Language::Rust | Language::Python => format!("{line:#o}"),
        });
        language.list(&lines.collect::<Vec<_>>())
    }
}

impl Encoded for Pieces {
    fn questions(&self) -> Vec<State> {
        let mut open = vec![self.initial()];
        let mut found = BTreeMap::new();
        while let Some(state) = open.pop() {
            if found.insert(self.code(&state), state).is_some() {
                continue;
            }
            let moves = self.moves(&state).into_iter();
            open.extend(moves.filter_map(|mv| self.play(&state, mv).state()));
        }
        found.into_values().collect()
    }

    fn code(&self, state: &State) -> u64 {
        self.number(self.sides(state))
    }

    fn digits(&self) -> Vec<Digit> {
        let squares = self.rules().squares();
        let digit = |square| Digit::Bits(vec![square, square + squares]);
        (0..squares).map(digit).collect()
    }

    fn answer(&self, mv: Move) -> u8 {
        mv.to
    }

    fn answers(&self) -> u8 {
        self.rules().squares()
    }

    fn code_after(&self, state: &State, mv: Move) -> u64 {
        let [own, other] = self.sides(state);
        self.number([other, own | 1 << mv.to])
    }

    fn meaning(&self) -> [String; 2] {
        let squares = self.rules().squares();
        let last = squares - 1;
        [
            format!(
                "n: squares 0 to {last} row by row from the top, bit i set if the other side has square i, bit {squares} + i if the side to move has"
            ),
            "the square to fill".to_owned(),
        ]
    }

    fn helper(&self, which: Helper, language: Language) -> Option<String> {
        let rules = self.rules();
        let template = match (which, language) {
            _ if rules.squares() != ORDERED_SQUARES => return None,
            (Helper::Orders, Language::Rust) => include_str!("programs/orders.rs.txt"),
            (Helper::Orders, Language::C) => include_str!("programs/orders.c.txt"),
            (Helper::Orders, Language::Python) => include_str!("programs/orders.py.txt"),
            (Helper::NextState, Language::Rust) => include_str!("programs/next_state.rs.txt"),
            (Helper::NextState, Language::C) => include_str!("programs/next_state.c.txt"),
            (Helper::NextState, Language::Python) => include_str!("programs/next_state.py.txt"),
            (Helper::Residues, _) => return None,
        };
        let lines = template.replace("{LINES}", &self.lines(language));
        Some(lines.replace("{LINE_COUNT}", &rules.goals.len().to_string()))
    }

    fn forced(&self, state: &State) -> Option<Move> {
        let completes =
            |set: Squares, mv: &Move| self.core.completes(mv.to.into(), set | 1 << mv.to);
        let moves = self.moves(state);
        self.sides(state).into_iter().find_map(|set| {
            let moves = moves.iter().copied().filter(|mv| completes(set, mv));
            moves.min_by_key(|mv| mv.to)
        })
    }
}
