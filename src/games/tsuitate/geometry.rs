//! The movement of Black's pieces.

use shogi_core::PieceKind;

pub(super) const SQUARES: usize = 81;

/// A step in files and ranks. Black moves towards rank 1.
type Step = (i8, i8);

const FORWARD: [Step; 1] = [(0, -1)];
const KNIGHT: [Step; 2] = [(1, -2), (-1, -2)];
const SILVER: [Step; 5] = [(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const GOLD: [Step; 6] = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
const ORTHOGONAL: [Step; 4] = [(0, -1), (1, 0), (-1, 0), (0, 1)];
const DIAGONAL: [Step; 4] = [(1, -1), (-1, -1), (1, 1), (-1, 1)];
/// All directions.
const KING: [Step; 8] = {
    let ([a, b, c, d], [e, f, g, h]) = (ORTHOGONAL, DIAGONAL);
    [a, b, c, d, e, f, g, h]
};

/// The single steps of a kind of Black's pieces, and the directions in which it slides.
pub(super) const fn ways(kind: PieceKind) -> (&'static [Step], &'static [Step]) {
    match kind {
        PieceKind::Pawn => (&FORWARD, &[]),
        PieceKind::Lance => (&[], &FORWARD),
        PieceKind::Knight => (&KNIGHT, &[]),
        PieceKind::Silver => (&SILVER, &[]),
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => (&GOLD, &[]),
        PieceKind::Bishop => (&[], &DIAGONAL),
        PieceKind::Rook => (&[], &ORTHOGONAL),
        PieceKind::King => (&KING, &[]),
        PieceKind::ProBishop => (&ORTHOGONAL, &DIAGONAL),
        PieceKind::ProRook => (&DIAGONAL, &ORTHOGONAL),
    }
}

/// The square one step away, if it is on the board. Squares are numbered 0 to 80, file by
/// file from 1a.
pub(super) const fn step(square: u8, by: Step) -> Option<u8> {
    let file = (square / 9).cast_signed() + by.0;
    let rank = (square % 9).cast_signed() + by.1;
    if file < 0 || file > 8 || rank < 0 || rank > 8 {
        return None;
    }
    Some((file * 9 + rank).cast_unsigned())
}

/// The squares in a direction, up to the edge of the board.
pub(super) fn ray(from: u8, by: Step) -> impl Iterator<Item = u8> {
    let mut at = from;
    std::iter::from_fn(move || {
        at = step(at, by)?;
        Some(at)
    })
}

pub(super) const fn back(by: Step) -> Step {
    (-by.0, -by.1)
}

/// The direction from one square to another on the same line, if there is one.
pub(super) fn direction(from: u8, to: u8) -> Option<Step> {
    let files = (to / 9).cast_signed() - (from / 9).cast_signed();
    let ranks = (to % 9).cast_signed() - (from % 9).cast_signed();
    let on_line = from != to && (files == 0 || ranks == 0 || files.abs() == ranks.abs());
    on_line.then_some((files.signum(), ranks.signum()))
}

/// The squares between two squares on a line, from the first; empty if they are not on a
/// line.
pub(super) fn between(from: u8, to: u8) -> impl Iterator<Item = u8> {
    let by = direction(from, to);
    let mut at = from;
    std::iter::from_fn(move || {
        at = step(at, by?)?;
        (at != to).then_some(at)
    })
}

/// Whether a piece of Black's on one square attacks another square. `occupied` returns
/// whether a square stops a slide.
pub(super) fn attacks(
    kind: PieceKind,
    from: u8,
    to: u8,
    mut occupied: impl FnMut(u8) -> bool,
) -> bool {
    let (steps, slides) = ways(kind);
    let files = (to / 9).cast_signed() - (from / 9).cast_signed();
    let ranks = (to % 9).cast_signed() - (from % 9).cast_signed();
    if steps.contains(&(files, ranks)) {
        return true;
    }
    if slides.is_empty() {
        return false;
    }
    match direction(from, to) {
        Some(by) if slides.contains(&by) => between(from, to).all(|square| !occupied(square)),
        _ => false,
    }
}

/// Whether a piece on this rank (0 to 8) could never move again.
pub(super) const fn is_dead_end(kind: PieceKind, square: u8) -> bool {
    let rank = square % 9;
    match kind {
        PieceKind::Pawn | PieceKind::Lance => rank == 0,
        PieceKind::Knight => rank < 2,
        _ => false,
    }
}

/// Whether Black may promote with a move that begins or ends here.
pub(super) const fn is_promotion_zone(square: u8) -> bool {
    square % 9 < 3
}
