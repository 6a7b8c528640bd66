//! Moves listed by slot against moves of states.

use tesuji::game::{Moves, Next, Ranked, Repetition, Retrograde, Symmetric};
use tesuji::games::ostle::{Ostle, State};

use super::board;
use crate::common::truth::{on_3x3, on_3x4, on_4x4};

/// The class of positions to which the forbidden move of a state would lead.
fn back(game: &Ostle, state: &State) -> State {
    let Next::State(back) = game.play(&state.unrestricted(), state.forbidden.unwrap()) else {
        panic!("a move that ends the game is forbidden")
    };
    game.canonical(&back.unrestricted())
}

/// Compares the moves of a position; returns how many may not be taken back.
fn compare(game: &Ostle, slot: u64) -> usize {
    let (Some(cursor), Some(state)) = (game.cursor(slot), game.unrank(slot)) else {
        return 0;
    };
    let moves = game.moves(&state);
    let mut listed = Vec::new();
    game.moves_by_slot(cursor, u32::MAX, |found| listed.push(found));
    assert_eq!(listed.len(), moves.len());
    // Some kinds only: one, two that remove pieces, two of which one does not.
    for kinds in (0..6).map(|kind| 1 << kind).chain([0b11, 0b101]) {
        let mut some = Vec::new();
        game.moves_by_slot(cursor, kinds, |found| some.push(found));
        let of_kinds = listed.iter().filter(|found| found.kinds & kinds != 0);
        assert!(of_kinds.eq(&some));
    }
    let mut undos = 0;
    for (found, &mv) in listed.iter().zip(&moves) {
        assert_eq!(found.number, mv.number());
        let kinds = board::kinds(game, &state, mv).map(u32::from);
        let kinds = kinds.iter().rev().fold(0, |set, kind| set << 1 | kind);
        assert_eq!(found.kinds, kinds);
        assert_eq!(game.kinds_of(&state, mv), kinds);
        match (found.leads, game.play(&state, mv)) {
            (Next::Over(found), Next::Over(outcome)) => assert_eq!(found, outcome),
            (Next::State((child, undo)), Next::State(next)) => {
                let placed = game.place(child);
                assert_eq!(placed.slot, game.rank(&next));
                let stored = game.unrank(placed.slot).unwrap();
                let listed = undo.then(|| game.forbid(&stored, placed.number).unwrap());
                if game.repetition() == Repetition::Exact {
                    let listed = listed.unwrap_or(stored);
                    assert_eq!(game.canonical(&listed), game.canonical(&next));
                } else if let Some(listed) = listed {
                    // Of several moves that lead back another may be the forbidden one.
                    assert_eq!(back(game, &listed), game.canonical(&state));
                    assert_eq!(back(game, &next), game.canonical(&state));
                }
                undos += usize::from(undo);
            }
            (listed, played) => panic!("{listed:?} for {played:?}"),
        }
    }
    undos
}

#[test]
fn a_survey_lists_the_moves_of_every_position_of_small_games() {
    for truth in [on_3x3(), on_3x4(), on_4x4()].concat() {
        let slots = 0..truth.game.slots();
        let undos: usize = slots.map(|slot| compare(&truth.game, slot)).sum();
        assert!(undos > 0);
    }
}

#[test]
fn a_survey_lists_the_moves_of_sampled_positions_of_the_published_game() {
    for repetition in Repetition::ALL {
        let game = Ostle::published(repetition);
        let stride = usize::try_from(game.slots() / 3_000).unwrap();
        let slots = (0..game.slots()).skip(stride / 2).step_by(stride);
        let undos: usize = slots.map(|slot| compare(&game, slot)).sum();
        assert!(undos > 0);
    }
}
