//! Problems in KIF: a position with its board drawn in characters, and the best line as a game
//! record.

use std::fmt::Write;

use shogi_core::{Color, Move as Played, PieceKind, Square};
use shunsai::Position;

use super::notation::{self, letter};
use super::state::{Move, State, played};
use crate::game::kif::{DIGITS, FILES, Fault, Header, lines, sign};
use crate::game::{Happened, NotationError};

/// Whether a text is KIF rather than SFEN, which has neither of these.
pub(super) fn is_kif(text: &str) -> bool {
    text.contains(['|', '\n', '：']) || text.contains("持駒")
}

/// Reads the position of a KIF file: its header with the board, up to the first move.
pub(super) fn read(text: &str) -> Result<State, NotationError> {
    let fault = |what: &str, (line, why): Fault| {
        let before = text.split('\n').take(line - 1);
        let start = before.map(|line| line.chars().count() + 1).sum();
        NotationError::new(text, start, format!("KIF, {what}line {line}: {why}"))
    };
    let header = Header::read(&mut lines(text), true).map_err(|error| fault("", error))?;
    let (Some(sfen), 9) = (header.sfen(), header.ranks.len()) else {
        let message = format!(
            "KIF: the file has {} of the nine ranks of a board, such as | ・ ・ ・ ・ ・ ・ ・ ・v玉|一",
            header.ranks.len()
        );
        return Err(NotationError::new(text, text.chars().count(), message));
    };
    notation::read(&sfen).map_err(|error| fault("board from ", (header.board, error.message)))
}

/// A line as a game record, `title` in a comment. A foul is no move and stands in a comment
/// too.
pub(super) fn record(start: &State, line: &[Happened<Move, State>], title: &str) -> String {
    let mut text = format!(
        "# KIF version=2.0 encoding=UTF-8\n{}手数----指手---------消費時間--\n*{}\n",
        board(start),
        title.replace(['\n', '\r'], " ")
    );
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
                let tried = words(state.position(), played(*mv), None);
                let _ = writeln!(text, "*反則 (foul): {tried}");
            }
            Happened::Stands(mv, next) => {
                put(&mut text, &words(state.position(), played(*mv), last));
                last = Some(mv.to());
                let Some(next) = next else {
                    continue;
                };
                let after = state.after(*mv);
                if let Some(reply) = reply(&after, next) {
                    put(&mut text, &words(&after, reply, last));
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
    sign(&letter(kind))
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

/// A move of a position: `２三銀成(14)`, `同　玉(12)` where the move before led to the same
/// square, or `３三角打`.
fn words(before: &Position, mv: Played, last: Option<Square>) -> String {
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
            let piece = before.piece_at(from);
            let kind = piece.map_or(PieceKind::Pawn, |piece| piece.to_parts().0);
            format!("{place}{}{promotes}({file}{rank})", in_move(kind))
        }
        Played::Drop { piece, .. } => format!("{place}{}打", in_move(piece.piece_kind())),
    }
}

/// The reply of White's that leads from a position to a state.
fn reply(after: &Position, next: &State) -> Option<Played> {
    after.legal_moves().into_iter().find(|&reply| {
        let mut position = after.clone();
        position.do_move(reply);
        State::new(position) == *next
    })
}
