//! Positions as numbers, for programs that play.

use super::list::layers;
use super::{Move, State, TicTacToe, squares};
use crate::game::{Digit, Encoded, Helper, Language};

impl Encoded for TicTacToe {
    fn questions(&self) -> Vec<State> {
        let mut states: Vec<State> = layers(self, |state| state).into_iter().flatten().collect();
        states.sort_by_key(|state| self.code(state));
        states
    }

    fn finished(&self) -> Vec<u64> {
        Vec::new()
    }

    fn code(&self, state: &State) -> u64 {
        u64::from(state.own) << 9 | u64::from(state.other)
    }

    fn digits(&self) -> Vec<Digit> {
        (0..9)
            .map(|square| Digit::Bits(vec![square, square + 9]))
            .collect()
    }

    fn answer(&self, mv: Move) -> u8 {
        mv.0
    }

    fn answers(&self) -> u8 {
        9
    }

    fn meaning(&self) -> [String; 2] {
        [
            "n: squares 0 to 8 row by row from the top, bit i set if the other side has square i, bit 9 + i if the side to move has".to_owned(),
            "the square to fill".to_owned(),
        ]
    }

    fn helper(&self, which: Helper, language: Language) -> Option<String> {
        let template = match language {
            Language::Rust => include_str!("programs/orders.rs.txt"),
            Language::C => include_str!("programs/orders.c.txt"),
            Language::Python => include_str!("programs/orders.py.txt"),
        };
        (which == Helper::Orders).then(|| template.to_owned())
    }

    fn forced(&self, state: &State) -> Option<Move> {
        let wins = Self::completing(state.own, state.other);
        let blocks = Self::completing(state.other, state.own);
        squares(wins).chain(squares(blocks)).next().map(Move)
    }
}
