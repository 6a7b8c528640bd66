//! KIF, in which Japanese programs exchange problems: a position with its board drawn in
//! characters, and the best line as a game record.

use std::fmt::Write;

use shogi_core::{Color, Hand, Move as Played, PartialPosition, Piece, PieceKind, Square};
use shunsai::Position;

use super::notation::settle;
use super::state::{HAND_KINDS, Move, State, played};
use crate::game::{Happened, NotationError};

/// The characters of the kinds of pieces, as they are written on a board. Of two characters
/// for one kind the first is written.
const PIECES: [(char, PieceKind); 16] = [
    ('玉', PieceKind::King),
    ('王', PieceKind::King),
    ('飛', PieceKind::Rook),
    ('角', PieceKind::Bishop),
    ('金', PieceKind::Gold),
    ('銀', PieceKind::Silver),
    ('桂', PieceKind::Knight),
    ('香', PieceKind::Lance),
    ('歩', PieceKind::Pawn),
    ('龍', PieceKind::ProRook),
    ('竜', PieceKind::ProRook),
    ('馬', PieceKind::ProBishop),
    ('全', PieceKind::ProSilver),
    ('圭', PieceKind::ProKnight),
    ('杏', PieceKind::ProLance),
    ('と', PieceKind::ProPawn),
];

/// The digits of ranks and counts.
const DIGITS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// Whether a text is KIF rather than SFEN, which has neither of these.
pub(super) fn is_kif(text: &str) -> bool {
    text.contains(['|', '\n', '：']) || text.contains("持駒")
}

/// Reads the position of a KIF file: its header with the board, up to the first move. What
/// the header says of people, dates and other things is passed over.
pub(super) fn read(text: &str) -> Result<State, NotationError> {
    let mut reader = Reader {
        text,
        line: 1,
        start: 0,
        partial: PartialPosition::empty(),
        ranks: 0,
        board: (1, 0),
        hands: [false; 2],
    };
    for line in text.split('\n') {
        let bare = line.strip_suffix('\r').unwrap_or(line);
        if !reader.line(bare.trim_start_matches('\u{feff}'))? {
            break;
        }
        reader.line += 1;
        reader.start += line.chars().count() + 1;
    }
    reader.end()
}

struct Reader<'t> {
    text: &'t str,
    /// The number of the line, from one, and that of its first character, from zero.
    line: usize,
    start: usize,
    partial: PartialPosition,
    /// Ranks of the board that were read.
    ranks: u8,
    /// The number of the board's first line, and of its first character.
    board: (usize, usize),
    /// Whether the hands of Black and White were given.
    hands: [bool; 2],
}

impl Reader<'_> {
    fn fault(&self, message: &str) -> NotationError {
        let message = format!("KIF, line {}: {message}", self.line);
        NotationError::new(self.text, self.start, message)
    }

    /// Reads a line; `false` for the first of the moves.
    fn line(&mut self, line: &str) -> Result<bool, NotationError> {
        let bare = line.trim();
        match bare.chars().next() {
            None | Some('#' | '*' | '&' | '+' | '９') => return Ok(true),
            Some('|') => return self.rank(bare).map(|()| true),
            _ if bare.starts_with("手数-") || bare.starts_with(|c: char| c.is_ascii_digit()) => {
                return Ok(false);
            }
            _ => {}
        }
        let (key, value) = match bare.split_once(['：', ':']) {
            Some((key, value)) => (key.trim(), value.trim()),
            // A line of its own says whose move it is.
            None => match bare {
                // Which side a program shows below, and the last move before the position.
                "先手番" | "下手番" | "盤面反転" => return Ok(true),
                _ if bare.starts_with("手数＝") => return Ok(true),
                "後手番" | "上手番" => ("手番", "後手"),
                _ => {
                    let message = "a line of the header is a name, '：' and a value, such as 先手の持駒：銀二, or a rank of the board between two '|'";
                    return Err(self.fault(message));
                }
            },
        };
        match key {
            "先手の持駒" | "下手の持駒" => self.hand(Color::Black, value)?,
            "後手の持駒" | "上手の持駒" => self.hand(Color::White, value)?,
            "手番" if value.starts_with(['後', '上']) => {
                let message = "White (後手) is to move, but Black (先手) is the attacker and must be; exchange the sides";
                return Err(self.fault(message));
            }
            _ => {}
        }
        Ok(true)
    }

    /// Reads a rank: nine squares, each a piece or ・ with v before it for White's or a space,
    /// and the number of the rank.
    fn rank(&mut self, line: &str) -> Result<(), NotationError> {
        if self.ranks == 0 {
            self.board = (self.line, self.start);
        }
        if self.ranks == 9 {
            return Err(self.fault("the board has more than nine ranks"));
        }
        let inside = line.strip_prefix('|').and_then(|rest| rest.split_once('|'));
        let Some((squares, name)) = inside else {
            return Err(self.fault("the rank has no '|' at its end"));
        };
        let expected = DIGITS[usize::from(self.ranks)];
        let name = name.trim();
        if !name.is_empty() && !name.starts_with(expected) {
            let message = format!("this should be rank {expected}, ranks go from 一 to 九");
            return Err(self.fault(&message));
        }
        let mut side = Color::Black;
        let mut file = 9;
        for sign in squares.chars() {
            let piece = match sign {
                ' ' | '^' => {
                    side = Color::Black;
                    continue;
                }
                'v' | 'V' => {
                    side = Color::White;
                    continue;
                }
                '・' | '･' => None,
                _ => {
                    let Some(kind) = kind(sign) else {
                        let message = format!(
                            "'{sign}' is no piece; write 玉 飛 角 金 銀 桂 香 歩 龍 馬 全 圭 杏 と, or ・ for an empty square"
                        );
                        return Err(self.fault(&message));
                    };
                    Some(Piece::new(kind, side))
                }
            };
            let Some(on) = Square::new(file, self.ranks + 1) else {
                return Err(self.fault("the rank has more than nine squares"));
            };
            self.partial.piece_set(on, piece);
            file -= 1;
            side = Color::Black;
        }
        if file > 0 {
            let message = format!("the rank has {} squares, not nine", 9 - file);
            return Err(self.fault(&message));
        }
        self.ranks += 1;
        Ok(())
    }

    /// Reads a hand: pieces with their numbers, なし for none, or for White 残り, all the rest.
    fn hand(&mut self, side: Color, value: &str) -> Result<(), NotationError> {
        let given = &mut self.hands[usize::from(side == Color::White)];
        if std::mem::replace(given, true) {
            return Err(self.fault("the same hand was given before; leave one out"));
        }
        if value.is_empty() || value == "なし" || side == Color::White && value.starts_with("残")
        {
            return Ok(());
        }
        let mut hand = Hand::new();
        let mut signs = value
            .chars()
            .filter(|sign| !sign.is_whitespace())
            .peekable();
        while let Some(sign) = signs.next() {
            let Some(kind) = kind(sign).filter(|kind| HAND_KINDS.contains(kind)) else {
                let message = format!(
                    "'{sign}' is no piece in hand; a hand is written 飛　角　金四　歩十八, or なし"
                );
                return Err(self.fault(&message));
            };
            let mut count = 0;
            let digit = |sign: char| DIGITS.iter().position(|&digit| digit == sign).ok_or(sign);
            while let Some(digit) = signs.next_if_map(digit) {
                // 十八 is 10 and 8; nothing in a set is more.
                count += digit + 1;
            }
            for _ in 0..count.clamp(1, 19) {
                let more = hand.added(kind).filter(|hand| hand.count(kind) < Some(20));
                hand = more.ok_or_else(|| {
                    self.fault(&format!("there cannot be that many {sign} in a hand"))
                })?;
            }
        }
        *self.partial.hand_of_a_player_mut(side) = hand;
        Ok(())
    }

    /// The position, if everything was there and it is one of a problem.
    fn end(self) -> Result<State, NotationError> {
        if self.ranks < 9 {
            let message = format!(
                "KIF: the file has {} of the nine ranks of a board, such as | ・ ・ ・ ・ ・ ・ ・ ・v玉|一",
                self.ranks
            );
            let end = self.text.chars().count();
            return Err(NotationError::new(self.text, end, message));
        }
        let (line, start) = self.board;
        settle(self.partial, "").map_err(|(_, message)| {
            let message = format!("KIF, board from line {line}: {message}");
            NotationError::new(self.text, start, message)
        })
    }
}

fn kind(sign: char) -> Option<PieceKind> {
    let found = PIECES.iter().find(|(written, _)| *written == sign);
    found.map(|(_, kind)| *kind)
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
