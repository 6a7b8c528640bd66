//! Statistics of small tables against a count from the definitions.

use std::collections::{BTreeMap, HashSet};

use tesuji::base::progress::NoProgress;
use tesuji::base::value::Value;
use tesuji::game::{Game, Moves, Next, Oracle, Ranked, Repetition, Symmetric};
use tesuji::games::ostle::Ostle;
use tesuji::table::{Table, TableOracle, statistics};

use crate::common::table;

/// Plays every move of every position and counts the different states that come
/// about, by distance (Algorithm 6 of the Ostle paper, on symmetry classes).
fn counted_by_playing(
    game: &Ostle,
    table: &Table,
    repetition: Repetition,
) -> BTreeMap<Option<u16>, u64> {
    let oracle = TableOracle::new(table, game).unwrap();
    let mut met = HashSet::new();
    let mut counts = BTreeMap::new();
    for position in (0..game.slots()).filter_map(|slot| game.unrank(slot)) {
        for mv in game.moves(&position) {
            let Next::State(state) = game.play(&position, mv) else {
                continue;
            };
            // Exactly: a state is what is forbidden in which position. Up to
            // symmetry: it is what class of positions may not come back.
            let class = match (repetition, state.forbidden) {
                (Repetition::UpToSymmetry | Repetition::AllImages, Some(forbidden)) => {
                    let Next::State(back) = game.play(&state.unrestricted(), forbidden) else {
                        panic!("a removal is forbidden")
                    };
                    (
                        game.canonical(&state.unrestricted()),
                        Some(game.canonical(&back.unrestricted())),
                    )
                }
                _ => (game.canonical(&state), None),
            };
            if !met.insert(class) {
                continue;
            }
            let value = oracle.value(game, &state).unwrap();
            if value != Value::CHECKMATE {
                *counts.entry(value.plies_to_checkmate()).or_default() += 1;
            }
        }
    }
    counts
}

#[test]
fn states_are_counted_as_if_every_move_were_played() {
    for (width, height, pieces, losses) in [
        (3, 3, 2, 2),
        (3, 4, 3, 1),
        (4, 4, 2, 1),
        (4, 4, 3, 2),
        (5, 5, 2, 1),
    ] {
        for repetition in Repetition::ALL {
            let game = Ostle::new(width, height, pieces, losses, repetition).unwrap();
            let table = table(&game);
            let played = counted_by_playing(&game, &table, repetition);
            let mut counted: BTreeMap<Option<u16>, u64> = BTreeMap::new();
            let statistics = statistics(&table, &game, &NoProgress).unwrap();
            for row in statistics.histogram() {
                *counted.entry(row.plies_to_checkmate).or_default() += row.states;
            }
            assert_eq!(counted, played, "{}", game.spec());
            assert_eq!(statistics.states(), played.values().sum::<u64>());
        }
    }
}
