//! Generating positions: at random, by variation, and backward.

use std::ops::ControlFlow;

use shogi_core::{Color, Hand, PartialPosition, Piece, PieceKind};

use super::geometry::{SQUARES, step};
use super::notation::settle;
use super::state::{HAND_KINDS, Move, State, number, square};
use super::{Tsuitate, tries};
use crate::base::random::SplitMix64;
use crate::game::{Answer, Generator, Hidden, Reply};

/// The kinds of pieces on the board; those listed twice are twice as likely.
const KINDS: [PieceKind; 18] = [
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::ProPawn,
    PieceKind::ProSilver,
    PieceKind::ProBishop,
    PieceKind::ProRook,
    PieceKind::ProKnight,
];

const ATTEMPTS: usize = 64;

/// A random square at most `far` files and ranks away; `None` if it is off the board.
fn near(numbers: &mut SplitMix64, square: u8, far: usize) -> Option<u8> {
    let mut offset = || {
        let far = i8::try_from(far).unwrap_or(i8::MAX);
        i8::try_from(numbers.below(2 * far.unsigned_abs() as usize + 1)).unwrap_or(far) - far
    };
    let by = (offset(), offset());
    step(square, by)
}

fn one_of<T: Copy>(numbers: &mut SplitMix64, all: &[T]) -> T {
    all[numbers.below(all.len())]
}

/// Puts a piece on a random square near another one, if that is empty.
fn put_near(numbers: &mut SplitMix64, draft: &mut Draft, square: u8, far: usize, side: Color) {
    let kind = one_of(numbers, &KINDS);
    let Some(on) = near(numbers, square, far) else {
        return;
    };
    let there = &mut draft.board[usize::from(on)];
    if there.is_none() {
        *there = Some(Piece::new(kind, side));
    }
}

/// The squares of all pieces except kings.
fn pieces(draft: &Draft) -> Vec<u8> {
    let piece_on = |on: &u8| {
        draft.board[usize::from(*on)].is_some_and(|piece| piece.piece_kind() != PieceKind::King)
    };
    (0..81).filter(piece_on).collect()
}

fn change(numbers: &mut SplitMix64, draft: &mut Draft) -> Option<()> {
    let king = Some(Piece::new(PieceKind::King, Color::White));
    let king = u8::try_from(draft.board.iter().position(|&piece| piece == king)?).ok()?;
    let all = pieces(draft);
    let hand = numbers.below(HAND_KINDS.len());
    match numbers.below(8) {
        0 => put_near(numbers, draft, king, 3, Color::Black),
        1 => put_near(numbers, draft, king, 2, Color::White),
        2 => draft.hand[hand] += 1,
        3 => draft.hand[hand] = draft.hand[hand].checked_sub(1)?,
        4 => {
            let to = near(numbers, king, 1)?;
            if draft.board[usize::from(to)].is_none() {
                draft.board.swap(usize::from(king), usize::from(to));
            }
        }
        5 if !all.is_empty() => draft.board[usize::from(one_of(numbers, &all))] = None,
        6 if !all.is_empty() => {
            let on = usize::from(one_of(numbers, &all));
            let side = draft.board[on]?.color();
            draft.board[on] = Some(Piece::new(one_of(numbers, &KINDS), side));
        }
        _ if !all.is_empty() => {
            let from = one_of(numbers, &all);
            let to = near(numbers, from, 2)?;
            if draft.board[usize::from(to)].is_none() {
                draft.board.swap(usize::from(from), usize::from(to));
            }
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
        let king = u8::try_from(file * 9 + rank).ok()?;
        draft.board[usize::from(king)] = Some(Piece::new(PieceKind::King, Color::White));
        for _ in 0..=numbers.below(3) {
            put_near(&mut numbers, &mut draft, king, 3, Color::Black);
        }
        for _ in 0..numbers.below(3) {
            put_near(&mut numbers, &mut draft, king, 2, Color::White);
        }
        for _ in 0..2 + numbers.below(3) {
            draft.hand[numbers.below(HAND_KINDS.len())] += 1;
        }
        draft.settled()
    }

    fn vary(&self, state: &State, number: u64) -> Option<State> {
        let mut numbers = SplitMix64::new(number);
        let mut draft = Draft::of(state);
        for _ in 0..=numbers.below(3) {
            change(&mut numbers, &mut draft)?;
        }
        draft.settled()
    }

    /// Takes back a move of White's king without a capture, and before that a check of
    /// Black without a capture.
    fn predecessor(&self, state: &State, seed: u64) -> Option<State> {
        let mut numbers = SplitMix64::new(seed);
        let king = number(state.king(Color::White)?);
        (0..ATTEMPTS).find_map(|_| self.taken_back(state, king, &mut numbers))
    }
}

impl Tsuitate {
    /// Tries once to take back a check and a move of White's king.
    fn taken_back(&self, state: &State, king: u8, numbers: &mut SplitMix64) -> Option<State> {
        let mut draft = Draft::of(state);
        let came_from = near(numbers, king, 1).filter(|&from| !state.occupied(from))?;
        draft.board.swap(usize::from(king), usize::from(came_from));
        let own = state.position().player_bb(Color::Black);
        let own: Vec<u8> = own.into_iter().map(number).collect();
        if own.is_empty() {
            return None;
        }
        let to = one_of(numbers, &own);
        let kind = draft.board[usize::from(to)].take()?.piece_kind();
        let mv = if numbers.below(2) == 0 {
            // The piece was dropped.
            let place = HAND_KINDS.iter().position(|&this| this == kind)?;
            draft.hand[place] += 1;
            Move::drop(place, to)
        } else {
            let from = u8::try_from(numbers.below(SQUARES)).unwrap_or(0);
            let promotes = numbers.below(2) == 0;
            let before = if promotes { kind.unpromote()? } else { kind };
            if draft.board[usize::from(from)].is_some() {
                return None;
            }
            draft.board[usize::from(from)] = Some(Piece::new(before, Color::Black));
            Move::normal(from, to, promotes)
        };
        let before = draft.settled()?;
        self.leads_to(&before, mv, state).then_some(before)
    }

    /// Whether a move is a check, and a reply to it leads to this position.
    fn leads_to(&self, before: &State, mv: Move, to: &State) -> bool {
        if !tries::own_things_allow(before, mv)
            || !matches!(self.answer(before, mv), Answer::Stands(_))
        {
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

/// A board and Black's hand.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub board: [Option<Piece>; SQUARES],
    /// The numbers of [`HAND_KINDS`] in Black's hand.
    pub hand: [u8; HAND_KINDS.len()],
}

impl Draft {
    pub(super) const fn empty() -> Self {
        Self {
            board: [None; SQUARES],
            hand: [0; HAND_KINDS.len()],
        }
    }

    pub(super) fn of(state: &State) -> Self {
        let mut draft = Self::empty();
        for (on, piece) in (0..).zip(&mut draft.board) {
            *piece = state.at(on);
        }
        draft.hand = HAND_KINDS.map(|kind| state.in_hand(Color::Black, kind));
        draft
    }

    /// The position, if it is legal for a problem.
    pub(super) fn settled(&self) -> Option<State> {
        let mut partial = PartialPosition::empty();
        for (on, &piece) in (0..).zip(&self.board) {
            partial.piece_set(square(on), piece);
        }
        let mut hand = Hand::new();
        for (kind, &count) in HAND_KINDS.into_iter().zip(&self.hand) {
            for _ in 0..count {
                hand = hand.added(kind)?;
            }
        }
        *partial.hand_of_a_player_mut(Color::Black) = hand;
        settle(partial, "").ok()
    }
}
