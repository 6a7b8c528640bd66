//! The numbering of positions for programs that play.

use super::{Rules, State};
use crate::game::{Board, Digit, Encoded, Helper, Language, Listed};

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
