//! Shortest paths between states, against a slow and obviously right search.

use std::collections::{HashMap, HashSet};

use tesuji::base::progress::NoProgress;
use tesuji::game::{Game, Moves, Next, Ranked, Repetition, Retrograde};
use tesuji::games::ostle::{Ostle, State};
use tesuji::solve::{PathError, Rule, shortest_path};

use super::reach::naive;
use crate::common::game;
use crate::common::program::{ok, says};

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

/// All states of a game: every position, for both sides, with any forbidden move.
fn states(game: &Ostle) -> Vec<State> {
    let (_, distances) = naive(game, Rule::Legal, usize::MAX);
    let mut met: HashSet<State> = HashSet::from([game.initial()]);
    let mut level = vec![game.initial()];
    while let Some(state) = level.pop() {
        for mv in game.moves(&state) {
            if let Next::State(after) = game.play(&state, mv)
                && met.insert(after)
            {
                level.push(after);
            }
        }
    }
    assert!(met.len() >= distances.len());
    let mut met: Vec<State> = met.into_iter().collect();
    met.sort_unstable_by_key(|state| key(game, state));
    met
}

#[test]
fn moves_and_un_moves_are_inverse() {
    for spec in [
        "ostle:3x3,pieces=2,losses=2",
        "ostle:3x3,pieces=4,losses=2",
        "ostle:rows=4,columns=3,pieces=2,losses=2,repetition=up-to-symmetry",
    ] {
        let game = game(spec);
        let (mut forward, mut backward) = (HashSet::new(), HashSet::new());
        let positions: HashSet<State> = states(&game)
            .iter()
            .map(|state| game.unrestricted(state))
            .collect();
        for state in &positions {
            for mv in game.moves(state) {
                if let Next::State(after) = game.play(state, mv) {
                    forward.insert((*state, mv, game.unrestricted(&after)));
                }
            }
            let predecessors = game.predecessors(state);
            for (before, mv) in &predecessors {
                assert_eq!(*before, game.unrestricted(before));
                if positions.contains(before) {
                    assert!(backward.insert((*before, *mv, *state)), "{predecessors:?}");
                }
            }
        }
        assert!(!forward.is_empty() && forward == backward, "{spec}");
    }
}

/// Plays a path and returns where it ends.
fn played(game: &Ostle, from: &State, path: &[tesuji::games::ostle::Move]) -> State {
    path.iter().fold(*from, |state, &mv| {
        assert!(game.moves(&state).contains(&mv), "a path has legal moves");
        match game.play(&state, mv) {
            Next::State(next) => next,
            Next::Over(_) => panic!("a path ends in an unfinished game"),
        }
    })
}

#[test]
fn paths_are_shortest_ones() {
    for spec in [
        "ostle:3x3,pieces=2,losses=2",
        "ostle:3x3,pieces=1,losses=1",
        "ostle:3x3,pieces=2,losses=1,repetition=up-to-symmetry",
        "ostle:3x3,pieces=2,losses=1,repetition=all-images",
    ] {
        let game = game(spec);
        let all = states(&game);
        // A restricted state to begin with, as well as the initial one.
        let roots = [
            game.initial(),
            *all.iter().max_by_key(|state| key(&game, state)).unwrap(),
        ];
        for root in roots {
            let distances = distances(&game, root);
            let mut by_position: HashMap<State, u16> = HashMap::new();
            for (state, &plies) in &distances {
                let known = by_position.entry(state.unrestricted()).or_insert(plies);
                *known = plies.min(*known);
            }
            // Some hundred of them, spread over all.
            for target in all.iter().step_by(all.len() / 200 + 1) {
                let free = target.unrestricted();
                for (target, plies) in [
                    (free, by_position.get(&free)),
                    (*target, distances.get(target)),
                ] {
                    // A target with nothing forbidden stands for its position.
                    let plies = match target.forbidden {
                        None => by_position.get(&free),
                        Some(_) => plies,
                    };
                    let found = shortest_path(&game, &root, &target, 60, 1 << 24, &NoProgress);
                    match (found, plies) {
                        (Ok(path), Some(&plies)) => {
                            assert_eq!(path.len(), usize::from(plies), "{root:?} {target:?}");
                            let end = played(&game, &root, &path);
                            assert!(end == target || target == free && end.unrestricted() == free);
                        }
                        (Err(PathError::Impossible), None) => {}
                        (found, plies) => panic!("{root:?} {target:?}: {found:?}, not {plies:?}"),
                    }
                }
            }
        }
    }
}

/// An order of states in which restricted ones come last.
fn key(game: &Ostle, state: &State) -> (bool, String) {
    (state.forbidden.is_some(), game.format_state(state))
}

/// Plies from a state to all others.
fn distances(game: &Ostle, root: State) -> HashMap<State, u16> {
    let mut distances = HashMap::from([(root, 0)]);
    let mut level = vec![root];
    for plies in 1.. {
        let mut found = Vec::new();
        for state in level {
            for mv in game.moves(&state) {
                if let Next::State(after) = game.play(&state, mv)
                    && !distances.contains_key(&after)
                {
                    distances.insert(after, plies);
                    found.push(after);
                }
            }
        }
        if found.is_empty() {
            break;
        }
        level = found;
    }
    distances
}

#[test]
fn the_initial_position_turns_by_ninety_degrees_in_sixteen_plies() {
    // Figure 4 of the paper.
    let game = Ostle::published(Repetition::Exact);
    let turned = game.parse_state("b3w/b3w/b1o1w/b3w/b3w b").unwrap();
    let path = shortest_path(&game, &game.initial(), &turned, 24, 50_000_000, &NoProgress).unwrap();
    assert_eq!(path.len(), 16);
    let end = played(&game, &game.initial(), &path);
    assert_eq!(end.unrestricted(), turned);
    // With fewer plies allowed there is none.
    let short = shortest_path(&game, &game.initial(), &turned, 9, 50_000_000, &NoProgress);
    assert_eq!(short, Err(PathError::TooLong(9)));
    let small = shortest_path(&game, &game.initial(), &turned, 24, 1000, &NoProgress);
    assert!(matches!(small, Err(PathError::TooLarge(..))), "{small:?}");
}

#[test]
fn the_initial_position_returns_with_the_other_side_to_move_in_nine_plies() {
    // As the position of the paper's figure 3 does.
    let game = Ostle::published(Repetition::Exact);
    let swapped = game.parse_state("wwwww/5/2o2/5/bbbbb w").unwrap();
    let path = shortest_path(
        &game,
        &game.initial(),
        &swapped,
        24,
        50_000_000,
        &NoProgress,
    )
    .unwrap();
    assert_eq!(path.len(), 9);
    let end = played(&game, &game.initial(), &path);
    assert_eq!(end.unrestricted(), swapped);
}

#[test]
fn a_path_is_printed_and_its_absence_explained() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (code, out, errors) = says(&["path", SMALL, "initial", "initial", "--json"], here);
    assert_eq!(code, Some(0), "{errors}");
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(object["plies"], 0);
    // The initial position shifted, with the other side to move.
    let game = game(SMALL);
    let target = game.parse_state("1ww/1o1/bb1 w").unwrap();
    let distances = distances(&game, game.initial());
    let at_target = distances
        .iter()
        .filter(|(state, _)| state.unrestricted() == target);
    let shortest = at_target.map(|(_, &plies)| plies).min().unwrap();
    let args = ["path", SMALL, "initial", "1ww/1o1/bb1 w"];
    let object: serde_json::Value =
        serde_json::from_str(&ok(&[&args[..], &["--json"]].concat(), here)).unwrap();
    let names = object["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| mv.as_str().unwrap());
    let moves: Vec<_> = names
        .clone()
        .map(|name| game.parse_move(name).unwrap())
        .collect();
    assert_eq!(moves.len(), usize::from(shortest));
    assert_eq!(
        played(&game, &game.initial(), &moves).unrestricted(),
        target
    );
    let printed = ok(&args, here);
    for (ply, name) in (1..).zip(names) {
        assert!(
            printed.contains(&format!("\n{ply:>4}  {name:<4}  ")),
            "{printed}"
        );
    }
    let wrong = says(&["path", SMALL, "initial", "1ww/1o1/bbb w"], here);
    assert_eq!(wrong.0, Some(2));
    assert!(
        wrong.2.contains("invalid position of ostle:3x3"),
        "{}",
        wrong.2
    );
    let args = [
        "path",
        SMALL,
        "initial",
        "1ww/1o1/bb1 w",
        "--max-plies",
        "0",
    ];
    let (code, _, errors) = says(&args, here);
    assert_eq!(code, Some(2));
    assert!(errors.contains("--max-plies"), "{errors}");
}
