//! States by distance from the start, and paths between states, against slow and
//! obviously right searches.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;

use tesuji::base::watch::Unwatched;
use tesuji::game::{
    Backward, Banning, Game, Moves, Next, Ranked, Repetition, Retrograde, Symmetric,
};
use tesuji::games::ostle::{Ostle, State};
use tesuji::solve::{PathError, Reach, Rule, reach, shortest_path};

use crate::common::program::{ok, says};
use crate::common::{game, with_threads};

/// The state that a move leads to, up to symmetry. Where rule 8 binds up to
/// symmetry, the forbidden move is the first in the representative's own order.
fn next(game: &Ostle, state: &State, after: &State) -> State {
    let representative = game.canonical(after);
    if game.repetition() == Repetition::Exact || after.forbidden().is_none() {
        return representative;
    }
    let position = |state: &State| game.canonical(&state.unrestricted());
    let free = position(after);
    let before = position(state);
    let back = game
        .moves(&free)
        .into_iter()
        .find(|&mv| matches!(game.play(&free, mv), Next::State(back) if position(&back) == before));
    let number = back.expect("some move leads back").number();
    game.canonical(&game.forbid(&free, number).expect("it removes nothing"))
}

/// States by distance, one by one, to a number of plies.
fn naive(game: &Ostle, rule: Rule, plies: usize) -> (Vec<u64>, HashMap<State, u32>) {
    let start = game.canonical(&game.initial());
    let mut distances = HashMap::from([(start, 0)]);
    let mut level = vec![start];
    let mut counts = Vec::new();
    while !level.is_empty() && counts.len() <= plies {
        counts.push(level.len() as u64);
        let mut found = Vec::new();
        for state in level {
            let state = match rule {
                Rule::Legal => state,
                Rule::TakeBacks => state.unrestricted(),
            };
            for mv in game.moves(&state) {
                if let Next::State(after) = game.play(&state, mv) {
                    let after = next(game, &state, &after);
                    if let Entry::Vacant(vacant) = distances.entry(after) {
                        vacant.insert(u32::try_from(counts.len()).unwrap());
                        found.push(after);
                    }
                }
            }
        }
        level = found;
    }
    (counts, distances)
}

/// Possibly reachable states that are not among those reached.
fn unreached(game: &Ostle, reached: &HashMap<State, u32>) -> u64 {
    let mut count = 0;
    for slot in 0..game.slots() {
        let (Some(cursor), Some(state)) = (game.cursor(slot), game.unrank(slot)) else {
            continue;
        };
        game.arrivals(cursor, |forbidden| {
            let state = match forbidden {
                Some(number) => game.forbid(&state, number).expect("a move"),
                None => state,
            };
            count += u64::from(!reached.contains_key(&game.canonical(&state)));
        });
    }
    count
}

fn check(width: u8, height: u8, pieces: u8, losses: u8) {
    let cases = [
        (Repetition::Exact, Rule::Legal),
        (Repetition::UpToSymmetry, Rule::Legal),
        (Repetition::UpToSymmetry, Rule::TakeBacks),
    ];
    for (repetition, rule) in cases {
        let game = Ostle::new(width, height, pieces, losses, repetition).unwrap();
        let (counts, distances) = naive(&game, rule, usize::MAX);
        let one = with_threads(1, || reach(&game, rule, &Unwatched).unwrap());
        assert_eq!(one.counts(), counts, "{}", game.spec());
        assert_eq!(one.reached(), distances.len() as u64);
        assert_eq!(
            one.unreached(),
            unreached(&game, &distances),
            "{}",
            game.spec()
        );
        let two = with_threads(2, || reach(&game, rule, &Unwatched).unwrap());
        assert_eq!(one, two, "{}", game.spec());
        println!(
            "{}: {} states in {} plies, {} not reached",
            game.spec(),
            one.reached(),
            counts.len() - 1,
            one.unreached()
        );
    }
}

/// The published Table 3 counts with moves that take the last one back; these are
/// its first rows. Legal moves alone reach fewer states.
#[test]
fn the_first_plies_of_the_published_game() {
    let game = Ostle::published(Repetition::UpToSymmetry);
    let (published, _) = naive(&game, Rule::TakeBacks, 5);
    assert_eq!(published, [1, 9, 102, 954, 6329, 33_052]);
    let (legal, _) = naive(&game, Rule::Legal, 5);
    assert_eq!(legal, [1, 9, 99, 932, 6319, 32_994]);
}

#[test]
fn on_3x3() {
    check(3, 3, 2, 2);
    check(3, 3, 2, 1);
    check(3, 3, 1, 1);
}

#[test]
fn on_rectangles() {
    check(3, 4, 2, 2);
    check(5, 3, 2, 1);
}

#[test]
fn on_crowded_boards() {
    check(3, 3, 4, 1);
    check(3, 3, 4, 3);
    check(3, 4, 5, 1);
}

#[test]
fn on_4x4_with_three_pieces() {
    check(4, 4, 3, 1);
}

#[test]
fn on_5x5_with_two_pieces() {
    check(5, 5, 2, 1);
}

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
        "ostle:3x4,pieces=2,losses=2,repetition=up-to-symmetry",
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
                    let plies = match target.forbidden() {
                        None => by_position.get(&free),
                        Some(_) => plies,
                    };
                    let found = shortest_path(&game, &root, &target, 60, 1 << 24, &Unwatched);
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
    (state.forbidden().is_some(), game.format_state(state))
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
    let path = shortest_path(&game, &game.initial(), &turned, 24, 50_000_000, &Unwatched).unwrap();
    assert_eq!(path.len(), 16);
    let end = played(&game, &game.initial(), &path);
    assert_eq!(end.unrestricted(), turned);
    // With fewer plies allowed there is none.
    let short = shortest_path(&game, &game.initial(), &turned, 9, 50_000_000, &Unwatched);
    assert_eq!(short, Err(PathError::TooLong { plies: 9 }));
    let small = shortest_path(&game, &game.initial(), &turned, 24, 1000, &Unwatched);
    assert!(
        matches!(small, Err(PathError::TooLarge { .. })),
        "{small:?}"
    );
}

#[test]
fn the_initial_position_returns_with_the_other_side_to_move_in_nine_plies() {
    // As the position of the paper's figure 3 does.
    let game = Ostle::published(Repetition::Exact);
    let swapped = game.parse_state("wwwww/5/2o2/5/bbbbb w").unwrap();
    let path = shortest_path(&game, &game.initial(), &swapped, 24, 50_000_000, &Unwatched).unwrap();
    assert_eq!(path.len(), 9);
    let end = played(&game, &game.initial(), &path);
    assert_eq!(end.unrestricted(), swapped);
}

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

fn as_csv(reached: &Reach) -> String {
    let rows = reached.counts().iter().enumerate();
    rows.fold(
        "plies_from_start,states\n".to_owned(),
        |text, (plies, states)| text + &format!("{plies},{states}\n"),
    )
}

#[test]
fn a_right_file_agrees_and_a_wrong_one_differs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let right = as_csv(&reach(&game(SMALL), Rule::Legal, &Unwatched).unwrap());
    let file = |text: &str| fs::write(here.join("t.csv"), text).unwrap();
    let args = ["reach", SMALL, "--compare", "t.csv"];

    file(&right);
    let (code, out, _) = says(&args, here);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("rows agree with t.csv"), "{out}");

    file(&right.replacen("0,1\n", "0,2\n", 1));
    let (code, out, _) = says(&args, here);
    assert_eq!(code, Some(1));
    assert!(out.contains("1 rows differ from t.csv"), "{out}");
    let (code, out, _) = says(&[&args[..], &["--json"]].concat(), here);
    assert_eq!(code, Some(1));
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    let differences = &object["comparisons"][0]["differences"];
    assert_eq!(differences[0]["published"], 2);
    assert_eq!(differences[0]["here"], 1);
    assert_eq!(differences.as_array().unwrap().len(), 1);

    for (text, clue) in [
        ("plies,states\n0,1\n", "line 1"),
        (
            "plies_from_start,states\n0,1\n1,many\n",
            "line 3: 'many' is no count of states",
        ),
        ("plies_from_start,states\n0,1,2\n", "line: 2"),
        (
            "plies_from_start,states\n0,1\n0,1\n",
            "line 3: '0' is given twice",
        ),
        ("", "line 1"),
    ] {
        file(text);
        let (code, out, errors) = says(&args, here);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}");
        assert!(
            errors.contains("t.csv") && errors.contains(clue),
            "{errors}"
        );
        assert!(
            errors.contains("give") || errors.contains("leave"),
            "{errors}"
        );
    }
    fs::remove_file(here.join("t.csv")).unwrap();
    let (code, _, errors) = says(&args, here);
    assert_eq!(code, Some(2));
    assert!(errors.contains("t.csv"), "{errors}");
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
