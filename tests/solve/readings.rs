//! The three readings of rule 8, side by side.

use crate::common::naive;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Value};
use tesuji::game::{Game, Moves, Next, Oracle, Repetition};
use tesuji::games::ostle::Ostle;
use tesuji::table::{TableOracle, difference, solve_in_memory};

/// The game on 4x4 squares with two pieces of which none may be lost.
fn game(reading: Repetition) -> Ostle {
    Ostle::new(4, 4, 2, 1, reading).unwrap()
}

/// The value of a position by its table, and by playing everything that can follow.
fn values(reading: Repetition, text: &str) -> (Value, Option<Value>) {
    let game = game(reading);
    let state = game.parse_state(text).unwrap();
    let table = solve_in_memory(&game, &NoProgress).unwrap();
    let oracle = TableOracle::new(&table, &game).unwrap();
    // Nothing is taken to be symmetric.
    let naive = naive::solve(&game, [state], Clone::clone);
    (oracle.value(&game, &state).unwrap(), naive.value(&state))
}

#[test]
fn the_third_reading_changes_an_outcome() {
    let text = "2000-0020-0103-0001";
    let draw = (Value::DRAW, Some(Value::DRAW));
    assert_eq!(values(Repetition::UpToSymmetry, text), draw);
    let win = Value::decided(Outcome::Win, 35).unwrap();
    assert_eq!(values(Repetition::AllImages, text), (win, Some(win)));
}

#[test]
fn one_move_or_all_moves_back_to_an_image_are_forbidden() {
    let moves = |reading| {
        let game = Ostle::new(3, 3, 2, 1, reading).unwrap();
        let state = game.parse_state("202-030-101 b2L").unwrap();
        let moves = game.moves(&state);
        moves
            .into_iter()
            .map(|mv| game.format_move(mv))
            .collect::<Vec<_>>()
    };
    let first = moves(Repetition::UpToSymmetry);
    // On this board b2R leads to the mirror image of what b2L leads to.
    assert!(!first.contains(&"b2L".to_owned()) && first.contains(&"b2R".to_owned()));
    let all = moves(Repetition::AllImages);
    assert!(!all.contains(&"b2L".to_owned()) && !all.contains(&"b2R".to_owned()));
    assert_eq!(moves(Repetition::Exact).len(), all.len() + 1);
}

/// Every line that is legal under the third reading is legal under the second, and every such
/// line under the first.
#[test]
fn each_reading_forbids_what_the_one_before_forbids_or_more() {
    for (width, height, pieces, losses) in [(3, 3, 2, 1), (3, 4, 2, 2), (4, 4, 2, 1)] {
        let games = Repetition::ALL
            .map(|reading| Ostle::new(width, height, pieces, losses, reading).unwrap());
        let [exact, first, all] = games.each_ref().map(|game| {
            let mut total = 0;
            for slot in 0..tesuji::game::Ranked::slots(game) {
                let Some(state) = tesuji::game::Ranked::unrank(game, slot) else {
                    continue;
                };
                for mv in game.moves(&state) {
                    if let Next::State(after) = game.play(&state, mv) {
                        total += game.moves(&after).len();
                    }
                }
            }
            total
        });
        assert!(exact >= first && first > all, "{exact} {first} {all}");
    }
}

#[test]
fn tables_of_two_readings_are_compared_state_by_state() {
    let [exact, first, all] = Repetition::ALL.map(game);
    let tables = [&exact, &first, &all].map(|game| solve_in_memory(game, &NoProgress).unwrap());
    let none = difference(&tables[2], &all, &tables[2], &all, &NoProgress).unwrap();
    assert_eq!((none.records, none.states), (0, 0));
    let some = difference(&tables[1], &first, &tables[2], &all, &NoProgress).unwrap();
    assert!(some.outcomes > 0 && some.outcomes <= some.states);
    // Each state, asked in both games.
    let oracles = [
        TableOracle::new(&tables[1], &first).unwrap(),
        TableOracle::new(&tables[2], &all).unwrap(),
    ];
    for &(slot, forbidden) in &some.examples {
        use tesuji::game::Ranked;
        let value = |game: &Ostle, oracle: &TableOracle<'_>| {
            let state = game.unrank(slot).unwrap();
            let state = forbidden.map_or(state, |number| game.forbid(&state, number).unwrap());
            oracle.value(game, &state).unwrap()
        };
        assert_ne!(value(&first, &oracles[0]), value(&all, &oracles[1]));
    }
}
