//! KIF, in which Japanese programs exchange problems: a position with its board drawn in
//! characters, and the best line as a game record.

mod read;
mod write;

pub(super) use read::{is_kif, read};
pub(super) use write::record;

use shogi_core::PieceKind;

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

/// The digits of files.
const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
