//! Tries, and what the umpire answers.

use std::ops::ControlFlow;

use shogi_core::{Color, Piece, PieceKind};
use shunsai::Position;

use super::geometry::{
    attacks, back, between, direction, is_dead_end, is_promotion_zone, step, ways,
};
use super::mv::{HAND_KINDS, Move, number};
use super::state::{State, played};
use super::{Captures, Clue, Tsuitate};
use crate::game::Answer;

/// What one of Black's moves may do, apart from what is hidden.
fn for_each_own_move(state: &State, mut visit: impl FnMut(Move, Piece)) {
    for from in state.position().player_bb(Color::Black) {
        let Some(piece) = state.piece_at(from) else {
            continue;
        };
        let from = number(from);
        let kind = piece.piece_kind();
        let promotable = kind.promote().is_some();
        let mut go = |to: u8| {
            if promotable && (is_promotion_zone(from) || is_promotion_zone(to)) {
                visit(Move::normal(from, to, true), piece);
            }
            if !is_dead_end(kind, to) {
                visit(Move::normal(from, to, false), piece);
            }
        };
        let black_on = |on: u8| {
            state
                .at(on)
                .is_some_and(|piece| piece.color() == Color::Black)
        };
        let (steps, slides) = ways(kind);
        for &by in steps {
            if let Some(to) = step(from, by).filter(|&to| !black_on(to)) {
                go(to);
            }
        }
        for &by in slides {
            let mut at = from;
            while let Some(to) = step(at, by).filter(|&to| !black_on(to)) {
                go(to);
                at = to;
            }
        }
    }
}

/// Whether a file holds an unpromoted pawn of Black's.
fn has_pawn(state: &State, file: u8) -> bool {
    let pawn = Some(Piece::new(PieceKind::Pawn, Color::Black));
    (0..9).any(|rank| state.at(file * 9 + rank) == pawn)
}

/// Whether own things allow a piece of a kind to be dropped here.
fn may_drop(state: &State, kind: PieceKind, to: u8) -> bool {
    !is_dead_end(kind, to) && (kind != PieceKind::Pawn || !has_pawn(state, to / 9))
}

/// Whether a move that nothing stands in the way of gives check.
fn gives_check(state: &State, mv: Move, king: u8) -> bool {
    let to = mv.target();
    match mv.origin() {
        Err(kind) => attacks(kind, to, king, |on| state.occupied(on)),
        Ok(from) => {
            let Some(piece) = state.at(from) else {
                return false;
            };
            let kind = piece.piece_kind();
            let kind = if mv.promotes() {
                kind.promote().unwrap_or(kind)
            } else {
                kind
            };
            let occupied = |on: u8| on != from && (on == to || state.occupied(on));
            if attacks(kind, to, king, occupied) {
                return true;
            }
            // Otherwise a slide from behind the square that it left.
            let Some(by) = direction(king, from) else {
                return false;
            };
            let mut at = king;
            while let Some(on) = step(at, by) {
                at = on;
                if !occupied(on) {
                    continue;
                }
                return on != to
                    && state.at(on).is_some_and(|piece| {
                        piece.color() == Color::Black
                            && ways(piece.piece_kind()).1.contains(&back(by))
                    });
            }
            false
        }
    }
}

/// The legal moves of a position in which Black has a king to look after.
fn legal(position: &Position, mv: Move) -> bool {
    let wanted = played(mv);
    position
        .generate_moves(|set| {
            if set.into_iter().any(|mv| mv == wanted) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .is_break()
}

impl Tsuitate {
    /// What the umpire answers to a try that own things allow.
    pub(super) fn judge(&self, state: &State, mv: Move) -> Answer<Clue> {
        let Some(king) = state.target() else {
            return Answer::Quiet;
        };
        let to = mv.target();
        match mv.origin() {
            Err(_) if state.occupied(to) => return Answer::Foul,
            Ok(from) if between(from, to).any(|on| state.white_on(on)) => return Answer::Foul,
            _ => {}
        }
        if state.king(Color::Black).is_some() && !self.is_safe(state, mv) {
            return Answer::Foul;
        }
        if !gives_check(state, mv, king) {
            return Answer::Quiet;
        }
        if mv.dropped() == Some(PieceKind::Pawn) && !state.after(mv).has_legal_moves() {
            return Answer::Foul;
        }
        let captured = state.at(to).map(|piece| {
            let kind = piece.piece_kind();
            match self.rules.captures {
                Captures::Unpromoted => kind.unpromote().unwrap_or(kind),
                Captures::Promoted => kind,
            }
        });
        Answer::Stands(Clue::captured(captured))
    }

    /// Whether Black's own king is in no check after a move.
    fn is_safe(&self, state: &State, mv: Move) -> bool {
        // A pawn drop that mates is a foul of its own, and no other move is judged
        // differently by the generator of legal moves.
        legal(state.position(), mv)
    }

    /// Every try that is not quiet here, with its answer.
    pub(super) fn list_tries(&self, state: &State, tries: &mut Vec<(Move, Answer<Clue>)>) {
        let Some(king) = state.target() else {
            return;
        };
        let first = tries.len();
        for_each_own_move(state, |mv, _| match self.judge(state, mv) {
            Answer::Quiet => {}
            answer => tries.push((mv, answer)),
        });
        // In check, or with a pinned piece, any drop may be a foul; otherwise only those
        // on pieces of White's and, perhaps, those that give check.
        let any = state.position().in_check();
        for (place, kind) in HAND_KINDS.into_iter().enumerate() {
            if state.in_hand(Color::Black, kind) == 0 {
                continue;
            }
            let mut go = |to: u8| {
                if !may_drop(state, kind, to) {
                    return;
                }
                let mv = Move::drop(place, to);
                match self.judge(state, mv) {
                    Answer::Quiet => {}
                    answer => tries.push((mv, answer)),
                }
            };
            if any {
                (0..81)
                    .filter(|&to| {
                        state
                            .at(to)
                            .is_none_or(|piece| piece.color() == Color::White)
                    })
                    .for_each(go);
                continue;
            }
            for on in state.position().player_bb(Color::White) {
                go(number(on));
            }
            let (steps, slides) = ways(kind);
            for &by in steps {
                if let Some(to) = step(king, back(by)).filter(|&to| !state.occupied(to)) {
                    go(to);
                }
            }
            for &by in slides {
                let mut at = king;
                while let Some(to) = step(at, back(by)).filter(|&to| !state.occupied(to)) {
                    go(to);
                    at = to;
                }
            }
        }
        tries[first..].sort_unstable_by_key(|&(mv, _)| mv);
    }
}
