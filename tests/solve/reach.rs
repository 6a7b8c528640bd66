//! States by distance from the start, against a slow and obviously right search.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;

use foldhash::fast::FixedState;
use tesuji::base::progress::NoProgress;
use tesuji::game::{Game, Moves, Next, Ranked, Repetition, Retrograde, Symmetric};
use tesuji::games::ostle::{Ostle, State};
use tesuji::solve::{Reach, Rule, reach};

use crate::common::program::says;
use crate::common::{game, with_threads};

/// The state that a move leads to, up to symmetry. Where rule 8 binds up to
/// symmetry, the forbidden move is the first in the representative's own order.
///
/// `exact` is the same game with the reading in which a play forbids without a search.
fn next(game: &Ostle, exact: &Ostle, state: &State, after: &State) -> State {
    let representative = game.canonical(after);
    if game.repetition() == Repetition::Exact || after.forbidden.is_none() {
        return representative;
    }
    let position = |state: &State| game.canonical(&state.unrestricted());
    let free = position(after);
    let before = position(state);
    let back = exact.moves(&free).into_iter().find(
        |&mv| matches!(exact.play(&free, mv), Next::State(back) if position(&back) == before),
    );
    let number = back.expect("some move leads back").number();
    game.canonical(&game.forbid(&free, number).expect("it removes nothing"))
}

/// How many plies away states are.
pub(super) type Distances = HashMap<State, u32, FixedState>;

/// States by distance, one by one, to a number of plies.
pub(super) fn naive(game: &Ostle, rule: Rule, plies: usize) -> (Vec<u64>, Distances) {
    let exact = game.with_repetition(Repetition::Exact).unwrap();
    let start = game.canonical(&game.initial());
    let mut distances = Distances::from_iter([(start, 0)]);
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
                    let after = next(game, &exact, &state, &after);
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
fn unreached(game: &Ostle, reached: &Distances) -> u64 {
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

const CASES: [(Repetition, Rule); 6] = [
    (Repetition::Exact, Rule::Legal),
    (Repetition::Exact, Rule::TakeBacks),
    (Repetition::UpToSymmetry, Rule::Legal),
    (Repetition::UpToSymmetry, Rule::TakeBacks),
    (Repetition::AllImages, Rule::Legal),
    (Repetition::AllImages, Rule::TakeBacks),
];

fn check(width: u8, height: u8, pieces: u8, losses: u8) {
    for (repetition, rule) in CASES {
        let game = Ostle::new(width, height, pieces, losses, repetition).unwrap();
        let (counts, distances) = naive(&game, rule, usize::MAX);
        let one = with_threads(1, || reach(&game, rule, &NoProgress).unwrap());
        assert_eq!(one.counts, counts, "{}", game.spec());
        assert_eq!(one.counts.iter().sum::<u64>(), distances.len() as u64);
        assert_eq!(
            one.unreached,
            unreached(&game, &distances),
            "{}",
            game.spec()
        );
        let two = with_threads(2, || reach(&game, rule, &NoProgress).unwrap());
        assert_eq!(one, two, "{}", game.spec());
        println!(
            "{}: {} states in {} plies, {} not reached",
            game.spec(),
            one.counts.iter().sum::<u64>(),
            counts.len() - 1,
            one.unreached
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

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

fn as_csv(reached: &Reach) -> String {
    let rows = reached.counts.iter().enumerate();
    rows.fold(
        "plies_from_start,states\n".to_owned(),
        |text, (plies, states)| text + &format!("{plies},{states}\n"),
    )
}

#[test]
fn a_right_file_agrees_and_a_wrong_one_differs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let right = as_csv(&reach(&game(SMALL), Rule::Legal, &NoProgress).unwrap());
    let file = |text: &str| fs::write(here.join("t.csv"), text).unwrap();
    let args = ["reach", SMALL, "--compare", "t.csv"];

    file(&right);
    let (code, out, _) = says(&args, here);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("rows agree with t.csv"), "{out}");

    file(&right.replacen("0,1\n", "0,2\n", 1));
    let (code, out, _) = says(&args, here);
    assert_eq!(code, Some(1));
    assert!(out.contains("1 row differs from t.csv"), "{out}");
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
