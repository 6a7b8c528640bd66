//! Generating positions: at random, by variation, and backward.

use std::ops::ControlFlow;

use shogi_core::PieceKind::{
    Bishop, Gold, King, Knight, Lance, Pawn, ProBishop, ProKnight, ProPawn, ProRook, ProSilver,
    Rook, Silver,
};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};

use super::Tsuitate;
use super::geometry::{SQUARES, step};
use super::notation::settle;
use super::state::{HAND_KINDS, Move, State, number, square};
use crate::base::random::SplitMix64;
use crate::game::{Answer, Generator, Hidden, Reply};

/// The kinds of pieces on the board; those listed twice are twice as likely.
const KINDS: [PieceKind; 18] = [
    Pawn, Pawn, Pawn, Lance, Knight, Knight, Silver, Silver, Silver, Gold, Gold, Bishop, Rook,
    ProPawn, ProSilver, ProBishop, ProRook, ProKnight,
];

const ATTEMPTS: usize = 64;

/// A random square at most `far` files and ranks away; `None` if it is off the board.
fn near(numbers: &mut SplitMix64, on: Square, far: i8) -> Option<Square> {
    let sides = 2 * usize::from(far.unsigned_abs()) + 1;
    let mut offset = || i8::try_from(numbers.below(sides)).unwrap_or(far) - far;
    let by = (offset(), offset());
    step(number(on), by).map(square)
}

fn one_of<T: Copy>(numbers: &mut SplitMix64, all: &[T]) -> T {
    all[numbers.below(all.len())]
}

/// A board and Black's hand, before White has the rest.
type Draft = PartialPosition;

/// Puts a piece on a random square near another one, if that is empty.
fn put_near(numbers: &mut SplitMix64, draft: &mut Draft, square: Square, far: i8, side: Color) {
    let kind = one_of(numbers, &KINDS);
    let on = near(numbers, square, far).filter(|&on| draft.piece_at(on).is_none());
    if let Some(on) = on {
        draft.piece_set(on, Some(Piece::new(kind, side)));
    }
}

/// Moves a piece to a square, if that is empty.
fn shift(draft: &mut Draft, from: Square, to: Square) {
    if draft.piece_at(to).is_none() {
        draft.piece_set(to, draft.piece_at(from));
        draft.piece_set(from, None);
    }
}

fn add_to_hand(draft: &mut Draft, kind: PieceKind) -> Option<()> {
    let hand = draft.hand_of_a_player_mut(Color::Black);
    *hand = hand.added(kind)?;
    Some(())
}

fn change(numbers: &mut SplitMix64, draft: &mut Draft) -> Option<()> {
    let king = Some(Piece::new(King, Color::White));
    let king = Square::all().find(|&on| draft.piece_at(on) == king)?;
    let is_king = |piece: Piece| piece.piece_kind() == King;
    let all: Vec<Square> = Square::all()
        .filter(|&on| draft.piece_at(on).is_some_and(|piece| !is_king(piece)))
        .collect();
    let held = one_of(numbers, &HAND_KINDS);
    match numbers.below(8) {
        0 => put_near(numbers, draft, king, 3, Color::Black),
        1 => put_near(numbers, draft, king, 2, Color::White),
        2 => add_to_hand(draft, held)?,
        3 => {
            let hand = draft.hand_of_a_player_mut(Color::Black);
            *hand = hand.removed(held)?;
        }
        4 => shift(draft, king, near(numbers, king, 1)?),
        5 if !all.is_empty() => draft.piece_set(one_of(numbers, &all), None),
        6 if !all.is_empty() => {
            let on = one_of(numbers, &all);
            let side = draft.piece_at(on)?.color();
            draft.piece_set(on, Some(Piece::new(one_of(numbers, &KINDS), side)));
        }
        _ if !all.is_empty() => {
            let from = one_of(numbers, &all);
            shift(draft, from, near(numbers, from, 2)?);
        }
        _ => {}
    }
    Some(())
}

impl Generator for Tsuitate {
    /// White's king is in the upper ranks, with up to three pieces of Black and two of
    /// White near it; Black has two to four pieces in hand and no king. (With more pieces
    /// of White or a smaller hand, fewer problems need a foul.)
    fn generate(&self, number: u64) -> Option<State> {
        let mut numbers = SplitMix64::new(number);
        let mut draft = Draft::empty();
        let file = numbers.below(9);
        let rank = numbers.below(5).min(numbers.below(5));
        let king = square(u8::try_from(file * 9 + rank).ok()?);
        draft.piece_set(king, Some(Piece::new(King, Color::White)));
        for _ in 0..=numbers.below(3) {
            put_near(&mut numbers, &mut draft, king, 3, Color::Black);
        }
        for _ in 0..numbers.below(3) {
            put_near(&mut numbers, &mut draft, king, 2, Color::White);
        }
        for _ in 0..2 + numbers.below(3) {
            add_to_hand(&mut draft, one_of(&mut numbers, &HAND_KINDS))?;
        }
        settle(draft, "").ok()
    }

    fn vary(&self, state: &State, number: u64) -> Option<State> {
        let mut numbers = SplitMix64::new(number);
        let mut draft = state.without_rest();
        for _ in 0..=numbers.below(3) {
            change(&mut numbers, &mut draft)?;
        }
        settle(draft, "").ok()
    }

    /// Takes back a move of White's king without a capture, and before that a check of
    /// Black without a capture.
    fn predecessor(&self, state: &State, seed: u64) -> Option<State> {
        let mut numbers = SplitMix64::new(seed);
        let king = state.king(Color::White)?;
        (0..ATTEMPTS).find_map(|_| self.taken_back(state, king, &mut numbers))
    }
}

impl Tsuitate {
    /// Tries once to take back a check and a move of White's king.
    fn taken_back(&self, state: &State, king: Square, numbers: &mut SplitMix64) -> Option<State> {
        let mut draft = state.without_rest();
        let came_from = near(numbers, king, 1).filter(|&from| state.piece_at(from).is_none())?;
        shift(&mut draft, king, came_from);
        let own: Vec<_> = state
            .position()
            .player_bb(Color::Black)
            .into_iter()
            .collect();
        if own.is_empty() {
            return None;
        }
        let to = one_of(numbers, &own);
        let kind = draft.piece_at(to)?.piece_kind();
        draft.piece_set(to, None);
        let mv = if numbers.below(2) == 0 {
            // The piece was dropped.
            let place = HAND_KINDS.iter().position(|&this| this == kind)?;
            add_to_hand(&mut draft, kind)?;
            Move::drop(place, number(to))
        } else {
            let from = u8::try_from(numbers.below(SQUARES)).unwrap_or(0);
            let promotes = numbers.below(2) == 0;
            let before = if promotes { kind.unpromote()? } else { kind };
            if draft.piece_at(square(from)).is_some() {
                return None;
            }
            draft.piece_set(square(from), Some(Piece::new(before, Color::Black)));
            Move::normal(from, number(to), promotes)
        };
        let before = settle(draft, "").ok()?;
        self.leads_to(&before, mv, state).then_some(before)
    }

    /// Whether a move is a check, and a reply to it leads to this position.
    fn leads_to(&self, before: &State, mv: Move, to: &State) -> bool {
        if !self.allows(before, mv) || !matches!(self.answer(before, mv), Answer::Stands(_)) {
            return false;
        }
        let mut found = false;
        self.replies(before, mv, |reply| {
            if let Reply::To(_, state) = reply
                && self.key(&state) == self.key(to)
            {
                found = true;
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }
}
