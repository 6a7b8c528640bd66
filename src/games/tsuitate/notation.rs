//! The notation: SFEN for positions, USI for moves. Positions are read from KIF too.
//!
//! Only Black's hand need be given, as is usual for problems: White has all other pieces.

use shogi_core::{Color, Hand, Move as Played, PartialPosition, Piece, PieceKind, Square, ToUsi};
use shogi_usi_parser::{Error as UsiError, FromUsi};
use shunsai::Position;

use super::geometry::is_dead_end;
use super::state::{HAND_KINDS, Move, State, number, played};
use crate::game::{NotationError, fen_row};

/// The sample problem of the paper, as far as its text describes it.
pub(super) const SAMPLE: &str = "8S/9/9/6RSk/8r/9/8P/6L2/9 b - 1";

/// The number of pieces of a kind in a shogi set.
const fn in_set(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Rook | PieceKind::Bishop => 2,
        PieceKind::Pawn => 18,
        _ => 4,
    }
}

/// The name of a kind in USI, such as `S` or `+S`.
pub(super) fn letter(kind: PieceKind) -> String {
    Piece::new(kind, Color::Black).to_usi_owned()
}

/// Pieces of a kind in a hand, such as `S` or `3P`.
pub(super) fn held((kind, count): (PieceKind, u8)) -> String {
    match count {
        1 => letter(kind),
        _ => format!("{count}{}", letter(kind)),
    }
}

/// The name of a square, such as `2d`.
pub(super) fn square_name(square: Square) -> String {
    square.to_usi_owned()
}

/// Writes a position, or its mirror image, without White's hand.
pub(super) fn write(state: &State, mirrored: bool) -> String {
    let rank = |rank: u8| {
        let files = (0..9).map(|column| if mirrored { column } else { 8 - column });
        fen_row(files.map(|file| Some(state.at(file * 9 + rank)?.to_usi_owned())))
    };
    let ranks: Vec<_> = (0..9).map(rank).collect();
    let hand: String = state.hand(Color::Black).map(held).collect();
    let hand = if hand.is_empty() { "-" } else { &hand };
    format!("{} b {hand} 1", ranks.join("/"))
}

/// Reads a position and checks that it is legal for a problem.
pub(super) fn read(text: &str) -> Result<State, NotationError> {
    let bare = text.trim();
    let bare = bare.strip_prefix("sfen ").unwrap_or(bare).trim_start();
    let lead = text.find(bare).map_or(0, |at| text[..at].chars().count());
    let fault = |at: usize, message: String| NotationError::new(text, lead + at, message);
    // Valid text is ASCII, so bytes are characters.
    if let Some(at) = bare.chars().position(|c| !c.is_ascii_graphic() && c != ' ') {
        let message = "SFEN has only letters, digits, '/', '+', '-' and single spaces";
        return Err(fault(at, message.to_owned()));
    }
    let mut partial =
        PartialPosition::from_usi(&format!("sfen {bare}")).map_err(|error| match error {
            UsiError::InvalidInput { from, description, .. } => fault(
                from.saturating_sub(5),
                format!(
                    "invalid SFEN: {description}; a position is nine ranks, side, hands, such as {SAMPLE}"
                ),
            ),
            UsiError::Extra { from } => {
                let message = "unexpected text after the end of SFEN";
                fault(from.saturating_sub(5), message.to_owned())
            }
            _ => fault(0, "this is not a position in SFEN".to_owned()),
        })?;
    let _ = partial.ply_set(1);
    if let Some((at, message)) = hands_fault(bare) {
        return Err(fault(at, message.to_owned()));
    }
    settle(partial, bare).map_err(|(at, message)| fault(at, message))
}

/// What the parser of SFEN passes over in the hands: kings and pieces none times.
fn hands_fault(bare: &str) -> Option<(usize, &'static str)> {
    let at = bare.match_indices(' ').nth(1)?.0 + 1;
    let mut before = ' ';
    for (place, sign) in (at..).zip(bare[at..].chars().take_while(|&sign| sign != ' ')) {
        match sign {
            'K' | 'k' => return Some((place, "a king cannot be in hand; leave it out")),
            '0' if !before.is_ascii_digit() => {
                return Some((place, "a number in a hand begins with 1 to 9"));
            }
            _ => before = sign,
        }
    }
    None
}

/// The position with all other pieces in White's hand, if it is legal for a problem;
/// otherwise what is wrong, and at which character of the text.
pub(super) fn settle(mut partial: PartialPosition, text: &str) -> Result<State, (usize, String)> {
    *partial.hand_of_a_player_mut(Color::White) = rest(&partial, text)?;
    let mut reversed = partial.clone();
    reversed.side_to_move_set(Color::White);
    if Position::new(reversed).in_check() {
        let message = "White's king is in check with Black to move; move a piece";
        return Err((0, message.to_owned()));
    }
    Ok(State::new(Position::new(partial)))
}

/// All pieces that are neither on the board nor in Black's hand, or what is wrong with a
/// position, and at which character of its text.
fn rest(partial: &PartialPosition, text: &str) -> Result<Hand, (usize, String)> {
    // Where the side and the hands begin.
    let mut fields = text.match_indices(' ').map(|(at, _)| at + 1);
    let mut field = || fields.next().unwrap_or(text.len());
    let (side, hands) = (field(), field());
    let fault = |at: usize, message: String| Err((at, message));
    if partial.side_to_move() != Color::Black {
        let message = "Black is the attacker and must be to move; write b";
        return fault(side, message.to_owned());
    }
    let [white, black] = [Color::White, Color::Black].map(|side| {
        let king = Some(Piece::new(PieceKind::King, side));
        let kings = Square::all().filter(|&on| partial.piece_at(on) == king);
        kings.count()
    });
    if white != 1 || black > 1 {
        let message = format!(
            "White (k) must have one king and Black (K) one or none, but there are {white} and {black}"
        );
        return fault(0, message);
    }
    for on in Square::all() {
        let Some(piece) = partial.piece_at(on) else {
            continue;
        };
        let (kind, side) = piece.to_parts();
        // Ranks as the side sees them.
        let rank = on.relative_rank(side) - 1;
        if is_dead_end(kind, rank) {
            let (man, square) = (piece.to_usi_owned(), square_name(on));
            return fault(0, format!("the {man} on {square} could never move"));
        }
        let twin = Square::all().find(|other| {
            number(*other) > number(on)
                && other.file() == on.file()
                && partial.piece_at(*other) == Some(piece)
        });
        if let Some(twin) = twin.filter(|_| kind == PieceKind::Pawn) {
            let message = format!(
                "two pawns of one side are on the same file, on {} and {}",
                square_name(on),
                square_name(twin)
            );
            return fault(0, message);
        }
    }
    let [black, white] = [Color::Black, Color::White].map(|side| partial.hand_of_a_player(side));
    let mut rest = Hand::new();
    for kind in HAND_KINDS {
        let count = |hand: Hand| u32::from(hand.count(kind).unwrap_or(0));
        let used = on_board(partial, kind) + count(black);
        let set = u32::from(in_set(kind));
        let Some(left) = set.checked_sub(used) else {
            let kind = letter(kind);
            return fault(
                0,
                format!("there are {used} of {kind}, but a set has {set}"),
            );
        };
        if white != Hand::new() && count(white) != left {
            let message = format!(
                "White's hand must be the rest of the set, {left} of {}; or leave White's hand out",
                letter(kind).to_lowercase()
            );
            return fault(hands, message);
        }
        for _ in 0..left {
            rest = rest.added(kind).unwrap_or(rest);
        }
    }
    Ok(rest)
}

/// The number of pieces of a kind on the board, promoted or not.
fn on_board(partial: &PartialPosition, kind: PieceKind) -> u32 {
    let kinds = Square::all().filter_map(|on| Some(partial.piece_at(on)?.piece_kind()));
    let plain = kinds.map(|this| this.unpromote().unwrap_or(this));
    plain.filter(|&this| this == kind).map(|_| 1).sum()
}

/// Writes a move in USI: `2d1e`, `3c2b+`, `R*2c`.
pub(super) fn write_move(mv: Move) -> String {
    played(mv).to_usi_owned()
}

pub(super) fn read_move(text: &str) -> Result<Move, NotationError> {
    let form = "a move is written as in USI: 2d1e, 3c2b+ with promotion, R*2c for a drop";
    let fault = |at: usize| NotationError::new(text, at, form);
    let read = Played::from_usi(text).map_err(|error| match error {
        UsiError::InvalidInput { from, .. } | UsiError::Extra { from } => fault(from),
        _ => fault(0),
    });
    match read? {
        Played::Normal { from, to, promote } => Ok(Move::normal(number(from), number(to), promote)),
        Played::Drop { piece, to } => {
            let kind = HAND_KINDS
                .iter()
                .position(|&kind| kind == piece.piece_kind());
            Ok(Move::drop(kind.ok_or_else(|| fault(0))?, number(to)))
        }
    }
}
