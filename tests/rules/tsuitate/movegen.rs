//! Tries and replies against another generator of legal moves, `shogi_legality_lite`, and
//! an umpire written here from its words.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use shogi_core::{
    Color, LegalityChecker, Move as Played, PartialPosition, Piece, PieceKind, Square,
};
use shogi_legality_lite::{LiteLegalityChecker, prelegality::all_valid_moves};
use tesuji::base::random::SplitMix64;
use tesuji::game::{Answer, Game, Generator, Hidden, Reply};
use tesuji::games::tsuitate::{HAND_KINDS, Move, State, Tsuitate};

/// The position in the other crates' terms.
fn partial(state: &State) -> PartialPosition {
    let mut position = PartialPosition::empty();
    for on in Square::all() {
        position.piece_set(on, state.piece_at(on));
    }
    for side in Color::all() {
        for (kind, count) in state.hand(side) {
            for _ in 0..count {
                let hand = position.hand_of_a_player_mut(side);
                *hand = hand.added(kind).unwrap();
            }
        }
    }
    position
}

fn played(game: &Tsuitate, state: &State, mv: Move) -> Played {
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => Played::Normal {
            from,
            to: mv.to(),
            promote: mv.promotes(),
        },
        (None, Some(kind)) => Played::Drop {
            piece: Piece::new(kind, Color::Black),
            to: mv.to(),
        },
        _ => panic!("{} in {}", game.format_move(mv), game.format_state(state)),
    }
}

/// Every move on a board that holds Black's pieces alone.
fn on_own_board(state: &State) -> Vec<Played> {
    let mut own = PartialPosition::empty();
    for on in Square::all() {
        let piece = state.piece_at(on);
        own.piece_set(on, piece.filter(|piece| piece.color() == Color::Black));
    }
    *own.hand_of_a_player_mut(Color::Black) = partial(state).hand_of_a_player(Color::Black);
    all_valid_moves(&own).collect()
}

/// Whether White, to move, is in check.
fn checks(position: &PartialPosition) -> bool {
    shogi_legality_lite::is_in_check_partial_lite(position)
}

#[test]
fn tries_and_replies_are_those_of_another_generator() {
    let game = Tsuitate::default();
    let two_kings = game
        .parse_state("4r4/9/5S2k/9/8P/9/9/4G4/4K4 b SB 1")
        .unwrap();
    let mut numbers = SplitMix64::new(3);
    let (mut fouls, mut stands, mut mates) = (0, 0, 0);
    for number in 0..1500 {
        let state = if number % 3 == 0 {
            game.vary(&two_kings, numbers.next())
        } else {
            game.generate(numbers.next())
        };
        let Some(state) = state else { continue };
        let text = game.format_state(&state);
        let full = partial(&state);
        let has_king = state.king(Color::Black).is_some();
        let mut expected = BTreeMap::new();
        for mv in on_own_board(&state) {
            let answer = if LiteLegalityChecker.is_legal_partial_lite(&full, mv) {
                let mut after = full.clone();
                after.make_move(mv).unwrap();
                if !checks(&after) {
                    continue;
                }
                "stands"
            } else {
                "foul"
            };
            expected.insert(format!("{mv:?}"), answer);
        }
        let mut tries = Vec::new();
        game.tries(&state, &mut tries);
        let mut found = BTreeMap::new();
        for &(mv, answer) in &tries {
            assert_eq!(game.answer(&state, mv), answer, "{text}");
            let word = if answer == Answer::Foul {
                "foul"
            } else {
                "stands"
            };
            found.insert(format!("{:?}", played(&game, &state, mv)), word);
        }
        assert_eq!(found.len(), tries.len(), "a try comes twice in {text}");
        assert_eq!(found, expected, "{text} (king of Black's: {has_king})");
        let mut standing = Vec::new();
        game.standing(&state, &mut standing);
        let listed = tries.iter().filter(|(_, answer)| *answer != Answer::Foul);
        assert_eq!(
            standing,
            listed.map(|(mv, _)| *mv).collect::<Vec<_>>(),
            "{text}"
        );
        fouls += tries.len() - standing.len();
        stands += standing.len();
        for mv in standing {
            let mut after = full.clone();
            after.make_move(played(&game, &state, mv)).unwrap();
            let expected: BTreeSet<_> = LiteLegalityChecker
                .all_legal_moves_partial(&after)
                .into_iter()
                .map(|reply| {
                    let mut next = after.clone();
                    next.make_move(reply).unwrap();
                    next.to_sfen_owned()
                })
                .collect();
            let mut found = BTreeSet::new();
            let mut count = 0;
            game.replies(&state, mv, |reply| {
                let Reply::To(_, next) = reply else {
                    panic!("an escape in {text}");
                };
                let mut next = partial(&next);
                let _ = next.ply_set(3);
                found.insert(next.to_sfen_owned());
                count += 1;
                ControlFlow::Continue(())
            });
            assert_eq!(count, game.count_replies(&state, mv));
            assert_eq!(game.wins(&state, mv), count == 0);
            mates += usize::from(count == 0);
            let expected: BTreeSet<_> = expected.iter().map(|sfen| bare(sfen)).collect();
            let found: BTreeSet<_> = found.iter().map(|sfen| bare(sfen)).collect();
            assert_eq!(found, expected, "{} in {text}", game.format_move(mv));
        }
    }
    assert!(
        fouls > 1000 && stands > 1000 && mates > 20,
        "{fouls} {stands} {mates}"
    );
}

/// An SFEN without the number of the ply.
fn bare(sfen: &str) -> String {
    sfen.rsplit_once(' ')
        .map_or(sfen, |(rest, _)| rest)
        .to_owned()
}

#[test]
fn kinds_of_hands_are_all_there_are() {
    let hand_kinds = PieceKind::all()
        .into_iter()
        .filter(|&kind| shogi_core::Hand::is_hand_piece(kind));
    assert_eq!(hand_kinds.count(), HAND_KINDS.len());
}
