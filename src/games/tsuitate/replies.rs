//! White's replies.

use std::ops::ControlFlow;

use shogi_core::{Color, Move as Played, PieceKind, Square};
use shunsai::Position;

use super::geometry::{SQUARES, between, direction, ways};
use super::mv::{Move, number};
use super::state::State;
use super::{Clue, Entry, Futile, Tsuitate};
use crate::game::Reply;

/// Ranks of Black's camp, g to i, from zero.
const CAMP: std::ops::RangeInclusive<u8> = 6..=8;

impl Tsuitate {
    /// Whether a check mates.
    pub(super) fn mates(&self, state: &State, mv: Move) -> bool {
        match self.rules.futile {
            Futile::Kept => !state.after(mv).has_legal_moves(),
            Futile::Omitted => self.count_defences(state, mv) == 0,
        }
    }

    /// The number of White's replies to a check.
    pub(super) fn count_defences(&self, state: &State, mv: Move) -> usize {
        let after = state.after(mv);
        let mut count = 0;
        let mut known = [None; SQUARES];
        let _ = after.generate_moves(|set| {
            count += match self.rules.futile {
                Futile::Kept => set.len(),
                Futile::Omitted => set
                    .into_iter()
                    .filter(|&mv| !is_futile(&after, mv, &mut known))
                    .count(),
            };
            ControlFlow::Continue(())
        });
        count
    }

    /// White's replies to a check.
    pub(super) fn visit_replies(
        &self,
        state: &State,
        mv: Move,
        mut visit: impl FnMut(Reply<Clue, State>) -> ControlFlow<()>,
    ) {
        let after = state.after(mv);
        let two_kings = after.king_square(Color::Black).is_some();
        let mut known = [None; SQUARES];
        let mut reply_with = |reply: Played| {
            if self.rules.futile == Futile::Omitted && is_futile(&after, reply, &mut known) {
                return ControlFlow::Continue(());
            }
            if self.rules.entry == Entry::Escape && enters(&after, reply) {
                return visit(Reply::Escape);
            }
            let vanished = match reply {
                Played::Normal { to, .. } if after.piece_at(to).is_some() => Some(number(to)),
                _ => None,
            };
            let mut next = after.clone();
            next.do_move(reply);
            let countercheck = two_kings && next.in_check();
            visit(Reply::To(
                Clue::replied(vanished, countercheck),
                State::new(next),
            ))
        };
        let _ = after.generate_moves(|set| {
            for reply in set {
                reply_with(reply)?;
            }
            ControlFlow::Continue(())
        });
    }
}

/// Whether White's king enters Black's camp.
fn enters(after: &Position, reply: Played) -> bool {
    let Played::Normal { from, to, .. } = reply else {
        return false;
    };
    after
        .piece_at(from)
        .is_some_and(|piece| piece.piece_kind() == PieceKind::King)
        && CAMP.contains(&(number(to) % 9))
        && !CAMP.contains(&(number(from) % 9))
}

/// Whether a drop on a square is futile, as far as known. It depends neither on the piece
/// dropped nor on how the slider came to its square, but only on where the slider stands.
/// (Without this, seven kinds on seven squares would be tried in every order.)
type Known = [Option<bool>; SQUARES];

/// Whether a reply is a futile interposition: a drop between a slider and the king, where
/// the slider takes it without promoting and mates, ignoring further futile interpositions.
/// The recursion ends because the slider comes nearer each time.
fn is_futile(after: &Position, reply: Played, known: &mut Known) -> bool {
    let Played::Drop { to, .. } = reply else {
        return false;
    };
    let place = usize::from(number(to));
    if let Some(futile) = known[place] {
        return futile;
    }
    let futile = is_taken_with_mate(after, reply, to, known);
    known[place] = Some(futile);
    futile
}

/// Whether the checking slider takes a piece dropped here and mates, ignoring futile drops.
fn is_taken_with_mate(after: &Position, reply: Played, to: Square, known: &mut Known) -> bool {
    let Some(king) = after.king_square(Color::White) else {
        return false;
    };
    let slider = after.player_bb(Color::Black).into_iter().find(|&from| {
        let slides = after.piece_at(from).is_some_and(|piece| {
            direction(number(from), number(king))
                .is_some_and(|by| ways(piece.piece_kind()).1.contains(&by))
        });
        slides
            && between(number(from), number(king)).any(|on| on == number(to))
            && between(number(from), number(king))
                .all(|on| after.piece_at(super::mv::square(on)).is_none())
    });
    let Some(from) = slider else {
        return false;
    };
    let takes = Played::Normal {
        from,
        to,
        promote: false,
    };
    let mut next = after.clone();
    next.do_move(reply);
    if !next.legal_moves().contains(&takes) {
        return false;
    }
    next.do_move(takes);
    next.in_check()
        && next
            .legal_moves()
            .iter()
            .all(|&mv| is_futile(&next, mv, known))
}
