//! Positions and squares in writing.

use super::{State, has_line};
use crate::game::NotationError;

pub(super) fn written(state: State) -> String {
    let (x, o) = if state.x_moves() {
        (state.own, state.other)
    } else {
        (state.other, state.own)
    };
    let letter = |square: u8| match (x >> square & 1, o >> square & 1) {
        (1, _) => 'x',
        (_, 1) => 'o',
        _ => '.',
    };
    let row = |row: u8| (3 * row..3 * row + 3).map(letter).collect::<String>();
    [row(0), row(1), row(2)].join("/")
}

pub(super) fn read(text: &str) -> Result<State, NotationError> {
    let fault = |at, message: &str| Err(NotationError::new(text, at, message));
    let (mut x, mut o, mut square) = (0_u16, 0_u16, 0_u8);
    for (at, letter) in text.chars().enumerate() {
        // Rows have four characters with their separator.
        if at % 4 == 3 {
            if letter != '/' || at > 8 {
                return fault(at, "a position is three rows of three, such as x.o/.x./..o");
            }
            continue;
        }
        if square == 9 {
            return fault(at, "the board is full here: three rows of three");
        }
        match letter.to_ascii_lowercase() {
            'x' => x |= 1 << square,
            'o' => o |= 1 << square,
            '.' => {}
            _ => {
                return fault(
                    at,
                    "a square is 'x', 'o', or '.' if free; '/' ends a row of three",
                );
            }
        }
        square += 1;
    }
    if square < 9 {
        return fault(
            text.chars().count(),
            "squares are missing: three rows of three, such as x.o/.x./..o",
        );
    }
    let (first, second) = (x.count_ones(), o.count_ones());
    if first != second && first != second + 1 {
        return fault(
            0,
            "X begins and the sides take turns, so there are as many x as o, or one more",
        );
    }
    if has_line(x) || has_line(o) {
        return fault(0, "there are three in a row: the game is over");
    }
    if first + second == 9 {
        return fault(0, "the board is full: the game is over");
    }
    let (own, other) = if first == second { (x, o) } else { (o, x) };
    Ok(State { own, other })
}

pub(super) fn name(square: u8) -> String {
    let file = char::from(b'a' + square % 3);
    format!("{file}{}", 3 - square / 3)
}

pub(super) fn read_square(text: &str) -> Result<u8, NotationError> {
    let found = (0..9).find(|&square| text.eq_ignore_ascii_case(&name(square)));
    found.ok_or_else(|| NotationError::new(text, 0, "a move is a square, a1 (lower left) to c3"))
}
