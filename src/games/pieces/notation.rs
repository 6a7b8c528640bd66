//! The notation of positions and moves.
//!
//! A position is written in FEN: the rows from the top with `/` between them, capital letters for
//! the men of the side that begins, small ones for those of the other side, a number for free
//! squares side by side. Where the rules give the men of either side letters of their own, these
//! stand there, and a dot for each free square. Games with hands go on with the men in hand in
//! brackets, as crazyhouse has them, unless these are all that are not on the board. The side to
//! move follows, unless the sides only fill squares, so that the men tell it; the rights to castle,
//! if there are any; and in games where men are taken in passing, `-` if there are none, and the square that a man has just passed, or `-`. A move is
//! written as UCI has it: `e2e4`, `e7e8q`, `P@e4`; where the sides only fill squares, as the square.
//!
//! Rules may ask for the notation of R. Clausecker's program `dobutsu` instead
//! (<https://github.com/clausecker/dobutsu>): `S/gle/-c-/-C-/ELG/-` has the side to move, the rows
//! with a hyphen for each free square, and the men in hand. Its moves are `Gc4-c3`, `Cb3xb2`,
//! `Cb2-b1+` and `C*b2`. Games of Sente and Gote with drops are also read and written in SFEN, the
//! notation of shogi engines: `gle/1c1/1C1/ELG b - 1`; the moves of their protocol, USI, are `3d3c`,
//! `2b2a+` and `C*2c`, with files from the right and ranks from the top.

mod moves;
mod reading;
mod san;

use super::Pieces;
use super::rules::{KindNumber, Names, Notation, Rules};
use super::state::{Side, State};
use crate::game::fen_row;

pub(super) use moves::{format_move, format_usi, parse_move};
pub(super) use reading::{parse_state, read_state};
pub(super) use san::format_san;

/// The letter of a side to move, a small one.
pub(super) fn letter_to_move(rules: &Rules, side: Side) -> char {
    let first = side.name(rules.names).chars().next();
    first.unwrap_or('-').to_ascii_lowercase()
}

pub(super) fn knows_sfen(rules: &Rules) -> bool {
    rules.names == Names::SenteGote && rules.has_simple_promotions() && rules.castling.is_none()
}

pub(super) fn format_state(rules: &Rules, state: &State) -> String {
    let at = state.seen_by_first(rules);
    let letter = |square| {
        let (side, kind) = at.on(square)?;
        Some(rules.kinds[kind].letters[side])
    };
    let held = |side: usize, kind: KindNumber| at.hands[side][kind].into();
    let mut text = format_position(rules, state.side, letter, held);
    let rights = rules.letters_of_rights(at.castling);
    if !rights.is_empty() {
        text = format!("{text} {rights}");
    }
    if rules.takes_in_passing() && rules.notation == Notation::Fen {
        let passed = state.at.passed(rules);
        let name = passed.map(|square| rules.board.name(state.seen_square(rules, square)));
        text += if rights.is_empty() { " - " } else { " " };
        text += name.as_deref().unwrap_or("-");
    }
    text
}

/// Writes a position of letters by square, and of men in hand by side and kind, with a side to
/// move.
pub(super) fn format_position(
    rules: &Rules,
    side: Side,
    letter: impl Fn(u8) -> Option<char>,
    held: impl Fn(usize, KindNumber) -> usize,
) -> String {
    let to_move = letter_to_move(rules, side);
    let written = |square| letter(square).map(String::from);
    let has_hands = rules.has_hands() && rules.all_men().is_none();
    let in_hand = letters_in_hand(rules, held);
    match rules.notation {
        Notation::Fen => {
            let free = rules.has_dots().then_some('.');
            let mut text = format_board(rules, free, written);
            if has_hands {
                text = format!("{text}[{in_hand}]");
            }
            if rules.fills_squares() {
                text
            } else {
                format!("{text} {to_move}")
            }
        }
        Notation::Clausecker => {
            let board = format_board(rules, Some('-'), written);
            let in_hand = if in_hand.is_empty() { "-" } else { &in_hand };
            format!("{}/{board}/{in_hand}", to_move.to_ascii_uppercase())
        }
    }
}

/// Writes a board, with a letter for each free square, or with their numbers.
fn format_board(
    rules: &Rules,
    free_square: Option<char>,
    written: impl Fn(u8) -> Option<String>,
) -> String {
    let (columns, rows) = rules.board.size();
    let row = |row: u8| {
        let squares = row * columns..(row + 1) * columns;
        fen_row(squares.map(|square| written(square).or_else(|| free_square.map(String::from))))
    };
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

/// The letters of the men in hand, as the notation orders them.
fn letters_in_hand(rules: &Rules, held: impl Fn(usize, KindNumber) -> usize) -> String {
    let kinds = rules.written_kinds().map(|(kind, _)| kind);
    let kinds = kinds.filter(|&kind| rules.can_be_in_hand(kind));
    let mut men: Vec<_> = kinds.flat_map(|kind| [(0, kind), (1, kind)]).collect();
    if rules.notation == Notation::Fen {
        men.sort_unstable();
    }
    let letters = men.into_iter().flat_map(|(side, kind)| {
        std::iter::repeat_n(rules.kinds[kind].letters[side], held(side, kind))
    });
    letters.collect()
}

pub(super) fn format_sfen(game: &Pieces, state: &State) -> String {
    let (rules, at) = (game.rules(), state.seen_by_first(game.rules()));
    let board = format_board(rules, None, |square| {
        let (side, kind) = at.on(square)?;
        let unpromoted = rules.kinds[kind].in_hand;
        let letter = rules.kinds[unpromoted].letters[side];
        let plus = if unpromoted == kind { "" } else { "+" };
        Some(format!("{plus}{letter}"))
    });
    let mut hands = String::new();
    for (side, held) in at.hands.iter().enumerate() {
        for kind in game.kinds_by_worth() {
            if held[kind] > 1 {
                hands += &held[kind].to_string();
            }
            if held[kind] > 0 {
                hands.push(rules.kinds[kind].letters[side]);
            }
        }
    }
    let hands = if hands.is_empty() { "-" } else { &hands };
    let to_move = match state.side {
        Side::First => 'b',
        Side::Second => 'w',
    };
    format!("{board} {to_move} {hands} 1")
}
