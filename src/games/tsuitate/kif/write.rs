//! Writing a line as a KIF file.

use std::fmt::Write;
use std::ops::ControlFlow;

use shogi_core::{Color, Move as Played, Piece, PieceKind, Square};

use super::super::mv::Move;
use super::super::state::{State, played};
use super::{DIGITS, FILES, PIECES};
use crate::game::Happened;

/// A line as a game record, `title` in a comment. A foul is no move and stands in a comment
/// too.
pub(in super::super) fn record(
    start: &State,
    line: &[Happened<Move, State>],
    title: &str,
) -> String {
    let mut text = "# KIF version=2.0 encoding=UTF-8\n".to_owned();
    text += &board(start);
    text += "手数----指手---------消費時間--\n";
    let _ = writeln!(text, "*{}", title.replace(['\n', '\r'], " "));
    let mut state = start.clone();
    let mut last = None;
    let mut number = 0;
    let mut put = |text: &mut String, words: &str| {
        number += 1;
        let _ = writeln!(text, "{number:>4} {words}");
    };
    for step in line {
        match step {
            Happened::Foul(mv) => {
                let _ = writeln!(
                    text,
                    "*反則 (foul): {}",
                    in_words(&state, played(*mv), None)
                );
            }
            Happened::Stands(mv, next) => {
                put(&mut text, &in_words(&state, played(*mv), last));
                last = Some(mv.to());
                let Some(next) = next else {
                    continue;
                };
                if let Some(reply) = reply(&state, *mv, next) {
                    put(&mut text, &reply_in_words(&state, *mv, reply));
                    last = Some(reply.to());
                }
                state = next.clone();
            }
        }
    }
    put(&mut text, "詰み");
    text
}

/// The board with both hands.
fn board(state: &State) -> String {
    let mut text = format!("後手の持駒：{}\n", hand(state, Color::White));
    text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n";
    for rank in 1..=9 {
        text.push('|');
        for file in (1..=9).rev() {
            let piece = Square::new(file, rank).and_then(|on| state.piece_at(on));
            match piece {
                None => text += " ・",
                Some(piece) => {
                    let white = piece.color() == Color::White;
                    text.push(if white { 'v' } else { ' ' });
                    text.push(on_board(piece.piece_kind()));
                }
            }
        }
        let _ = writeln!(text, "|{}", DIGITS[usize::from(rank) - 1]);
    }
    text += "+---------------------------+\n";
    text + &format!("先手の持駒：{}\n", hand(state, Color::Black))
}

/// A hand: `飛　歩十八`, or `なし`.
fn hand(state: &State, side: Color) -> String {
    let pieces = state.hand(side).map(|(kind, count)| {
        let number = match usize::from(count) {
            0 | 1 => String::new(),
            count @ 2..=10 => DIGITS[count - 1].to_string(),
            count => format!("十{}", DIGITS[(count - 11).min(8)]),
        };
        format!("{}{number}", on_board(kind))
    });
    let pieces: Vec<_> = pieces.collect();
    if pieces.is_empty() {
        "なし".to_owned()
    } else {
        pieces.join("　")
    }
}

/// The one character of a kind.
fn on_board(kind: PieceKind) -> char {
    let found = PIECES.iter().find(|(_, written)| *written == kind);
    found.map_or('？', |(sign, _)| *sign)
}

/// The name of a kind in a move, in which some have two characters.
fn in_move(kind: PieceKind) -> String {
    match kind {
        PieceKind::ProSilver => "成銀".to_owned(),
        PieceKind::ProKnight => "成桂".to_owned(),
        PieceKind::ProLance => "成香".to_owned(),
        _ => on_board(kind).to_string(),
    }
}

/// A move: `２三銀成(14)`, `同　玉(12)` where the move before led to the same square, or
/// `３三角打`.
fn words(kind: PieceKind, mv: Played, last: Option<Square>) -> String {
    let to = mv.to();
    let place = if last == Some(to) {
        "同　".to_owned()
    } else {
        let (file, rank) = (usize::from(to.file()), usize::from(to.rank()));
        format!("{}{}", FILES[file - 1], DIGITS[rank - 1])
    };
    match mv {
        Played::Normal { from, promote, .. } => {
            let promotes = if promote { "成" } else { "" };
            let (file, rank) = (from.file(), from.rank());
            format!("{place}{}{promotes}({file}{rank})", in_move(kind))
        }
        Played::Drop { piece, .. } => format!("{place}{}打", in_move(piece.piece_kind())),
    }
}

/// A move of Black's.
fn in_words(state: &State, mv: Played, last: Option<Square>) -> String {
    let from = mv.from().and_then(|from| state.piece_at(from));
    words(kind_of(from), mv, last)
}

/// A reply of White's to a move.
fn reply_in_words(state: &State, mv: Move, reply: Played) -> String {
    let after = state.after(mv);
    let from = reply.from().and_then(|from| after.piece_at(from));
    let kind = kind_of(from);
    words(kind, reply, Some(mv.to()))
}

/// The reply of White's that leads from a state, by a move, to another state.
fn reply(state: &State, mv: Move, next: &State) -> Option<Played> {
    let after = state.after(mv);
    let mut found = None;
    let _ = after.generate_moves(|set| {
        for reply in set {
            let mut position = after.clone();
            position.do_move(reply);
            if State::new(position) == *next {
                found = Some(reply);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    found
}

/// The kind of the piece that moves; a drop has none, and names its own.
fn kind_of(piece: Option<Piece>) -> PieceKind {
    if let Some(piece) = piece {
        piece.piece_kind()
    } else {
        PieceKind::Pawn
    }
}
