//! `tesuji twins`: sound problems one change apart with another first move.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::common::program::{ok, refused};
use tesuji::base::progress::NoProgress;
use tesuji::session::open;

const GAME: &str = "ostle:4x4,pieces=3,losses=2";
const PROBLEM: &str = "2b1/3w/1o2/1bw1 b -";

fn twins(more: &[&str]) -> Value {
    let here = tempfile::tempdir().unwrap();
    let args = [&["twins", GAME, PROBLEM, "--json"], more].concat();
    serde_json::from_str(&ok(&args, here.path())).unwrap()
}

/// The first move that alone does what is asked, by the values of all moves.
fn key(position: &str, plies: u64) -> Option<String> {
    let here = tempfile::tempdir().unwrap();
    let told = ok(&["probe", GAME, position, "--json"], here.path());
    let told: Value = serde_json::from_str(&told).unwrap();
    let moves = told["moves"].as_array().unwrap();
    let wins = moves.iter().filter(|mv| mv["outcome"] == "win");
    let wins: Vec<_> = wins.collect();
    let best = wins.iter().map(|mv| mv["plies"].as_u64().unwrap()).min();
    let mut in_time = wins.iter().filter(|mv| mv["plies"] == plies);
    match (best, in_time.next(), in_time.next()) {
        (Some(best), Some(mv), None) if best == plies => {
            Some(mv["move"].as_str().unwrap().to_owned())
        }
        _ => None,
    }
}

#[test]
fn twins_are_the_sound_neighbours_with_another_key() {
    let found = twins(&[]);
    assert_eq!(found["stipulation"], "win in 9");
    let listed = found["twins"].as_array().unwrap().iter();
    let listed: BTreeSet<_> = listed
        .map(|twin| twin["position"].as_str().unwrap())
        .collect();
    let session = open(GAME).unwrap();
    let composing = session.composing().unwrap();
    let near = composing.neighbours(PROBLEM, None, &NoProgress).unwrap();
    let own = key(PROBLEM, 9).unwrap();
    let other = |position: &str| key(position, 9).is_some_and(|key| key != own);
    let near: BTreeSet<_> = near.iter().map(|near| &near.position[..]).collect();
    let expected: BTreeSet<_> = near.into_iter().filter(|near| other(near)).collect();
    assert!(expected.len() >= 2);
    assert_eq!(listed, expected);
}

/// A king that comes from another square to the same one is no other solution.
#[test]
fn twins_begin_with_a_move_that_is_written_differently() {
    let here = tempfile::tempdir().unwrap();
    let at = "k7/3K4/1P6/8/8/8/8/8 w";
    let found = ok(&["twins", "chess:KP-K", at, "--json"], here.path());
    let found: Value = serde_json::from_str(&found).unwrap();
    let twins = found["twins"].as_array().unwrap().iter();
    let lines: Vec<_> = twins.map(|twin| twin["line"].as_str().unwrap()).collect();
    assert!(!lines.is_empty());
    assert!(
        lines.iter().all(|line| !line.starts_with("1.Kc6!")),
        "{lines:?}"
    );
}

/// A board with fewer free squares is not in the table of this one.
#[test]
fn twins_are_sought_among_the_positions_of_the_table() {
    let here = tempfile::tempdir().unwrap();
    let found = ok(&["twins", "kings:1x3", "...", "--json"], here.path());
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["twins"], Value::Array(Vec::new()));
}

#[test]
fn two_changes_make_more_twins_and_a_book_has_them() {
    let found = twins(&["--changes", "2", "--limit", "25"]);
    let twins = found["twins"].as_array().unwrap();
    let commas = |twin: &Value| twin["change"].as_str().unwrap().matches(", ").count();
    let counts: Vec<_> = twins.iter().map(commas).collect();
    assert!(
        counts.is_sorted() && counts.last() == Some(&1),
        "{counts:?}"
    );
    for twin in twins {
        let position = twin["position"].as_str().unwrap();
        let key = key(position, 9).unwrap();
        let line = twin["line"].as_str().unwrap();
        assert!(line.starts_with(&format!("1.{key}!")), "{line}");
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let told = ok(&["twins", GAME, PROBLEM, "-o", "twins.csv"], here);
    assert!(told.contains("(b) c4 to b3"), "{told}");
    ok(&["book", "twins.csv", "-o", "twins.html"], here);
    let page = fs::read_to_string(here.join("twins.html")).unwrap();
    for words in ["(a)", "(b) c4 to b3", "Black to move and win in 9"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn twins_of_an_unsound_problem_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let args = ["twins", GAME, PROBLEM, "--stipulation", "win in 11"];
    let told = refused(&args, here.path());
    assert!(told.contains("distance mismatch"), "{told}");
}
