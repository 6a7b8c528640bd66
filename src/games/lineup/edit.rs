//! Changing positions man by man, what moves do on the board, and passing.

use super::geometry::squares_in;
use super::{LineUp, Move, State};
use crate::game::{Board, Editable, MoveEffect, MoveEffects, Passing, Ranked};

impl LineUp {
    /// Whether the game is not over in a state with the right numbers of men.
    fn is_unfinished(&self, state: &State) -> bool {
        let wins = |men| self.geometry.wins(men);
        !wins(state.own) && !wins(state.other) && !self.is_stuck(state.own, state.other)
    }
}

impl Editable for LineUp {
    fn things(&self, state: &State) -> Vec<(u8, String)> {
        let of = |men, side: super::Side| {
            let name = side.man();
            squares_in(men)
                .map(move |square| (square, format!("{name} on {}", self.board().name(square))))
        };
        of(state.own, state.side)
            .chain(of(state.other, state.side.other()))
            .collect()
    }

    /// There is none: the numbers of men say whose turn it is.
    fn without(&self, _state: &State, _square: u8) -> Option<State> {
        None
    }

    fn neighbours(&self, state: &State) -> Vec<(u8, u8, State)> {
        let free = self.geometry.all & !state.taken();
        let mut found = Vec::new();
        for from in squares_in(state.taken()) {
            for to in squares_in(free) {
                let shift = |men: u64| {
                    if men >> from & 1 == 1 {
                        Move { from, to }.play(men)
                    } else {
                        men
                    }
                };
                let moved = State {
                    own: shift(state.own),
                    other: shift(state.other),
                    side: state.side,
                };
                if self.is_unfinished(&moved) {
                    found.push((from, to, moved));
                }
            }
        }
        found
    }

    fn name_of(&self, square: u8) -> String {
        self.board().name(square)
    }
}

impl MoveEffects for LineUp {
    fn move_effect(&self, _state: &State, mv: Move) -> MoveEffect {
        MoveEffect {
            from: mv.from,
            moved: if mv.is_drop() {
                Vec::new()
            } else {
                vec![(mv.from, mv.to)]
            },
            removed: None,
            // As in other games in which a move puts something on the board.
            neutral: mv.is_drop(),
        }
    }

    fn pieces_of(&self, state: &State) -> (Vec<u8>, Vec<u8>) {
        let list = |men| Board::squares_in(men).collect();
        (list(state.own), list(state.other))
    }
}

impl Passing for LineUp {
    fn passed(&self, state: &State) -> Option<State> {
        let passed = state.passed();
        (self.rank(&passed) != u64::MAX && passed.own.count_ones() == self.men()).then_some(passed)
    }
}
