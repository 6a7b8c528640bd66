//! The column `mate` against mates found for all positions at once, the shortest first, and
//! against the referee.

#[path = "../../referee/dobutsu/main.rs"]
#[allow(dead_code, reason = "its main is for whoever runs it")]
mod referee;

use std::collections::HashMap;

use referee::{Checks, Reached, Tries, rules};

use tesuji::game::{FeatureValue, Features, Game, Moves, Next, Ranked, Symmetric};
use tesuji::games::pieces::{Pieces, State};

use super::game;

/// A column of a position.
fn column(game: &Pieces, state: &State, name: &str) -> FeatureValue {
    let features = game.features();
    let place = features.iter().position(|it| it.name == name).unwrap();
    let mut values = Vec::new();
    game.measure(state, &[place], &mut values);
    values[0]
}

fn holds(game: &Pieces, state: &State, name: &str) -> bool {
    column(game, state, name) == FeatureValue::flag(true)
}

/// The positions, up to symmetry, to which moves lead that keep the own lion safe, and
/// whether one of the moves wins instead.
fn safe_moves(game: &Pieces, state: &State) -> (Vec<State>, bool) {
    let (mut reached, mut wins) = (Vec::new(), false);
    for mv in game.moves(state) {
        match game.play(state, mv) {
            Next::Over(_) => wins = true,
            Next::State(next) if holds(game, &next, "can_take_royal") => {}
            Next::State(next) => reached.push(next),
        }
    }
    (reached, wins)
}

/// For each position in which nobody can take a lion, the answers to each of its checks, or
/// `None` for a check after which the other side wins.
fn checks(game: &Pieces) -> HashMap<State, Vec<Vec<State>>> {
    let states = (0..game.slots()).filter_map(|slot| game.unrank(slot));
    let open = states.filter(|state| !holds(game, state, "can_take_royal"));
    open.map(|state| {
        let given = safe_moves(game, &state).0.into_iter();
        let given = given.filter(|next| holds(game, next, "in_check"));
        let answered = given.filter_map(|next| {
            let (answers, wins) = safe_moves(game, &next);
            let answers = answers.iter().map(|state| game.canonical(state));
            (!wins).then(|| answers.collect())
        });
        (game.canonical(&state), answered.collect())
    })
    .collect()
}

#[test]
fn mates_by_checks_are_those_found_from_the_shortest_on() {
    for (spec, some) in [
        ("dobutsu:pieces=lion+chick", 7),
        ("dobutsu:pieces=lion+giraffe", 5),
    ] {
        let game = game(spec);
        let checks = checks(&game);
        let mut mates: HashMap<State, u8> = HashMap::new();
        for plies in (1..=23).step_by(2) {
            let mated = |answers: &Vec<State>| answers.iter().all(|it| mates.contains_key(it));
            let new = checks
                .iter()
                .filter(|(state, given)| !mates.contains_key(state) && given.iter().any(mated));
            let new: Vec<State> = new.map(|(state, _)| *state).collect();
            mates.extend(new.into_iter().map(|state| (state, plies)));
        }
        let mut longest = 0;
        for state in checks.keys() {
            let expected = mates.get(state).copied();
            let value = expected.map_or(FeatureValue::NONE, |it| FeatureValue::number(it.into()));
            assert_eq!(
                column(&game, state, "mate"),
                value,
                "{spec} {}",
                game.format_state(state)
            );
            longest = longest.max(expected.unwrap_or(0));
        }
        assert!(longest >= some, "{spec}: {longest}");
    }
}

#[test]
fn the_referee_finds_the_same_mates() {
    let mut found = 0;
    for spec in [
        "dobutsu:pieces=lion+chick",
        "dobutsu:pieces=lion+giraffe",
        "dobutsu:pieces=lion+elephant",
    ] {
        let game = game(spec);
        let initial = game.format_state(&game.initial());
        let reached = Reached::from(rules::read(&initial).unwrap());
        for (at, plies) in reached.mates(Checks::Attacks, Tries::None) {
            let text = rules::write(at);
            let value = match u8::try_from(plies) {
                Ok(plies @ 1..) => FeatureValue::number(plies.into()),
                _ => FeatureValue::NONE,
            };
            let state = game.parse_state(&text).unwrap();
            assert_eq!(column(&game, &state, "mate"), value, "{spec} {text}");
            found += usize::from(plies > 0);
        }
    }
    assert!(found > 700, "{found}");
}
