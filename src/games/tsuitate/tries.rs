//! Tries, and the umpire's answers.

use std::ops::ControlFlow;

use shogi_core::{Color, Move as Played, Piece, PieceKind, Square};
use shunsai::Position;

use super::geometry::{
    SQUARES, attacks, back, between, direction, is_dead_end, is_promotion_zone, ray, step, ways,
};
use super::state::{HAND_KINDS, Move, State, number, played, square};
use super::{Clue, Tsuitate, notation};
use crate::game::{Answer, Hidden, Reply};

/// Visits the moves of a piece of Black's, with its kind after the move. Pieces of White's
/// stop a slide only if they are `seen`.
fn for_each_move(state: &State, from: Square, seen: bool, mut visit: impl FnMut(Move, PieceKind)) {
    let Some(piece) = state.piece_at(from) else {
        return;
    };
    let (from, kind) = (number(from), piece.piece_kind());
    let promoted = kind.promote();
    // Whether it may go beyond this square.
    let mut go = |to: u8| {
        let there = state.at(to);
        if there.is_some_and(|piece| piece.color() == Color::Black) {
            return false;
        }
        if let Some(promoted) = promoted
            && (is_promotion_zone(from) || is_promotion_zone(to))
        {
            visit(Move::normal(from, to, true), promoted);
        }
        if !is_dead_end(kind, to) {
            visit(Move::normal(from, to, false), kind);
        }
        !seen || there.is_none()
    };
    let (steps, slides) = ways(kind);
    for &by in steps {
        if let Some(to) = step(from, by) {
            go(to);
        }
    }
    for &by in slides {
        let mut at = from;
        while let Some(to) = step(at, by).filter(|&to| go(to)) {
            at = to;
        }
    }
}

/// Whether a piece that leaves this square may discover a check by a slide.
fn uncovers(state: &State, from: u8, king: u8) -> bool {
    let Some(by) = direction(king, from) else {
        return false;
    };
    if between(king, from).any(|on| state.occupied(on)) {
        return false;
    }
    let next = ray(from, by).find_map(|on| state.at(on));
    next.is_some_and(|piece| {
        piece.color() == Color::Black && ways(piece.piece_kind()).1.contains(&back(by))
    })
}

/// Whether Black's own pieces allow a drop of this kind here.
fn may_drop(state: &State, kind: PieceKind, to: u8) -> bool {
    let pawn = Some(Piece::new(PieceKind::Pawn, Color::Black));
    let has_pawn = || (0..9).any(|rank| state.at(to / 9 * 9 + rank) == pawn);
    !is_dead_end(kind, to) && (kind != PieceKind::Pawn || !has_pawn())
}

/// The free squares from which a piece of a kind would give check.
fn for_each_checking_drop(state: &State, kind: PieceKind, mut visit: impl FnMut(u8)) {
    let king = state.target();
    let (steps, slides) = ways(kind);
    let free = |to: &u8| !state.occupied(*to);
    let near = steps.iter().filter_map(|&by| step(king, back(by)));
    near.filter(free).for_each(&mut visit);
    for &by in slides {
        ray(king, back(by)).take_while(free).for_each(&mut visit);
    }
}

/// Whether a move that nothing obstructs gives check.
fn gives_check(state: &State, mv: Move, king: u8) -> bool {
    let to = mv.target();
    match mv.origin() {
        Err(kind) => attacks(kind, to, king, |on| state.occupied(on)),
        Ok(from) => {
            let Some(piece) = state.at(from) else {
                return false;
            };
            let kind = piece.piece_kind();
            let promoted = kind.promote().filter(|_| mv.promotes());
            // Otherwise, the check is discovered: a slide through the square that it left,
            // off its line.
            attacks(promoted.unwrap_or(kind), to, king, |on| {
                on != from && state.occupied(on)
            }) || uncovers(state, from, king) && direction(king, to) != direction(king, from)
        }
    }
}

/// Whether a move is legal, according to the generator of legal moves.
fn is_legal(position: &Position, mv: Move) -> bool {
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

impl Hidden for Tsuitate {
    type Clue = Clue;

    fn key(&self, state: &State) -> u64 {
        state.position().key()
    }

    fn tries(&self, state: &State, tries: &mut Vec<(Move, Answer<Clue>)>) {
        let first = tries.len();
        let mut judge = |mv| match self.answer(state, mv) {
            Answer::Quiet => {}
            answer => tries.push((mv, answer)),
        };
        for from in state.position().player_bb(Color::Black) {
            for_each_move(state, from, false, |mv, _| judge(mv));
        }
        // In check, any drop may be a foul; otherwise only one on a piece of White's, or
        // one that would give check.
        let any = state.position().in_check();
        for (place, kind) in HAND_KINDS.into_iter().enumerate() {
            if state.in_hand(Color::Black, kind) == 0 {
                continue;
            }
            let mut drop_on = |to: u8| {
                if may_drop(state, kind, to) {
                    judge(Move::drop(place, to));
                }
            };
            let own = state.position().player_bb(Color::Black);
            if any {
                (0..81)
                    .filter(|&to| !own.contains(square(to)))
                    .for_each(drop_on);
                continue;
            }
            for on in state.position().player_bb(Color::White) {
                drop_on(number(on));
            }
            for_each_checking_drop(state, kind, drop_on);
        }
        tries[first..].sort_unstable_by_key(|&(mv, _)| mv);
    }

    fn allows(&self, state: &State, mv: Move) -> bool {
        match mv.origin() {
            Ok(from) => {
                let mut found = false;
                for_each_move(state, square(from), false, |this, _| found |= this == mv);
                // White's king may be in plain sight.
                found && state.has(Color::Black, from)
            }
            Err(kind) => {
                !state.has(Color::Black, mv.target())
                    && state.in_hand(Color::Black, kind) > 0
                    && may_drop(state, kind, mv.target())
            }
        }
    }

    fn answer(&self, state: &State, mv: Move) -> Answer<Clue> {
        let to = mv.target();
        match mv.origin() {
            Err(_) if state.occupied(to) => return Answer::Foul,
            Ok(from) if between(from, to).any(|on| state.has(Color::White, on)) => {
                return Answer::Foul;
            }
            _ => {}
        }
        // With a king of Black's, this also covers a pawn drop that mates.
        if state.king(Color::Black).is_some() && !is_legal(state.position(), mv) {
            return Answer::Foul;
        }
        if !gives_check(state, mv, state.target()) {
            return Answer::Quiet;
        }
        if mv.dropped() == Some(PieceKind::Pawn) && !state.after(mv).has_legal_moves() {
            return Answer::Foul;
        }
        let captured = state.at(to).map(|piece| {
            let kind = piece.piece_kind();
            let plain = kind.unpromote().filter(|_| !self.tells_promoted);
            plain.unwrap_or(kind)
        });
        Answer::Stands(Clue::captured(captured))
    }

    fn standing(&self, state: &State, tries: &mut Vec<Move>) {
        let king = state.target();
        let first = tries.len();
        let own_king = state.king(Color::Black).is_some();
        for from in state.position().player_bb(Color::Black) {
            let uncovers = uncovers(state, number(from), king);
            for_each_move(state, from, true, |mv, kind| {
                let check = if uncovers {
                    gives_check(state, mv, king)
                } else {
                    attacks(kind, mv.target(), king, |on| {
                        on != number(from) && state.occupied(on)
                    })
                };
                if check && (!own_king || is_legal(state.position(), mv)) {
                    tries.push(mv);
                }
            });
        }
        for (place, kind) in HAND_KINDS.into_iter().enumerate() {
            if state.in_hand(Color::Black, kind) == 0 {
                continue;
            }
            for_each_checking_drop(state, kind, |to| {
                let mv = Move::drop(place, to);
                if may_drop(state, kind, to)
                    && (!own_king || is_legal(state.position(), mv))
                    && (kind != PieceKind::Pawn || state.after(mv).has_legal_moves())
                {
                    tries.push(mv);
                }
            });
        }
        tries[first..].sort_unstable();
    }

    fn wins(&self, state: &State, mv: Move) -> bool {
        if self.omits_futile {
            self.count_replies(state, mv) == 0
        } else {
            !state.after(mv).has_legal_moves()
        }
    }

    fn count_replies(&self, state: &State, mv: Move) -> usize {
        let after = state.after(mv);
        let mut count = 0;
        let mut known = [None; SQUARES];
        let _ = after.generate_moves(|set| {
            count += if self.omits_futile {
                set.into_iter()
                    .filter(|&mv| !is_futile(&after, mv, &mut known))
                    .count()
            } else {
                set.len()
            };
            ControlFlow::Continue(())
        });
        count
    }

    fn replies(
        &self,
        state: &State,
        mv: Move,
        mut visit: impl FnMut(Reply<Clue, State>) -> ControlFlow<()>,
    ) {
        let after = state.after(mv);
        let two_kings = after.king_square(Color::Black).is_some();
        let mut known = [None; SQUARES];
        let _ = after.generate_moves(|set| {
            for reply in set {
                if self.omits_futile && is_futile(&after, reply, &mut known) {
                    continue;
                }
                if self.entry_escapes && enters(&after, reply) {
                    visit(Reply::Escape)?;
                    continue;
                }
                let vanished = match reply {
                    Played::Normal { to, .. } if after.piece_at(to).is_some() => Some(number(to)),
                    _ => None,
                };
                let mut next = after.clone();
                next.do_move(reply);
                let countercheck = two_kings && next.in_check();
                let clue = Clue::replied(vanished, countercheck);
                visit(Reply::To(clue, State::new(next)))?;
            }
            ControlFlow::Continue(())
        });
    }

    /// The pieces in Black's hand: their number, then the number of each kind, so that a
    /// subset is always less. The paper compares by subset only; the rest makes the order
    /// total.
    fn left_over(&self, state: &State, mv: Move) -> u64 {
        let after = state.after(mv);
        let hand = after.hand(Color::Black);
        let counts = HAND_KINDS.map(|kind| u64::from(hand.count(kind).unwrap_or(0)));
        counts
            .iter()
            .fold(counts.iter().sum(), |number, count| number << 5 | count)
    }

    fn format_announced(&self, clue: Clue) -> String {
        clue.kind()
            .map_or_else(String::new, |kind| format!("x{}", notation::letter(kind)))
    }

    fn format_reply(&self, clue: Clue) -> String {
        let capture = clue.vanished().map_or_else(
            || "-".to_owned(),
            |square| format!("x{}", notation::square_name(square)),
        );
        if clue.countercheck() {
            capture + "/check"
        } else {
            capture
        }
    }

    /// The line or its mirror image, whichever is first. Files are the only digits in it.
    fn canonical_words(&self, line: &str) -> String {
        let mirrored = line.chars().map(|c| match c.to_digit(10) {
            Some(file @ 1..=9) => char::from_digit(10 - file, 10).unwrap_or(c),
            _ => c,
        });
        mirrored.collect::<String>().min(line.to_owned())
    }

    fn canonical_text(&self, state: &State) -> String {
        notation::write(state, false).min(notation::write(state, true))
    }
}

/// Ranks of Black's camp, g to i, from zero.
const CAMP: std::ops::RangeInclusive<u8> = 6..=8;

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
        let (place, king) = (number(from), number(king));
        let occupied = |on| after.piece_at(square(on)).is_some();
        let slides = |piece: Piece| attacks(piece.piece_kind(), place, king, occupied);
        after.piece_at(from).is_some_and(slides) && between(place, king).any(|on| on == number(to))
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
