//! The published sets of puzzles: what can be checked of them without a table.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use tesuji::base::value::Outcome;
use tesuji::export::read_csv;
use tesuji::game::{Game, Moves, Next, Symmetric};
use tesuji::games::ostle::{Ostle, State};
use tesuji::mine::PuzzleRow;

use crate::common;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("output/ostle/sets")
}

/// The sets with all columns, by name.
fn sets() -> BTreeMap<String, Vec<PuzzleRow>> {
    let mut sets = BTreeMap::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|e| e == "csv") && name != "forced-sacrifice-all" {
            let rows = read_csv(fs::File::open(&path).unwrap());
            sets.insert(
                name,
                rows.unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            );
        }
    }
    sets
}

/// Plays a line to its end: the outcome for the side to move first.
fn play(game: &Ostle, state: &State, line: &str) -> Option<Outcome> {
    let mut state = *state;
    let moves: Vec<&str> = line.split(' ').collect();
    for (ply, text) in moves.iter().enumerate() {
        let mv = game.parse_move(text).unwrap();
        assert!(game.moves(&state).contains(&mv), "{text} in {line}");
        match game.play(&state, mv) {
            Next::State(next) => state = next,
            Next::Over(outcome) => {
                assert_eq!(ply + 1, moves.len(), "{line} goes on after the end");
                let own = ply % 2 == 0;
                return Some(if own { outcome } else { outcome.reversed() });
            }
        }
    }
    None
}

#[test]
fn every_solution_is_legal_and_ends_as_its_row_says() {
    let sets = sets();
    assert!(sets.len() >= 10, "{:?}", sets.keys());
    for (name, rows) in &sets {
        assert!(!rows.is_empty() && rows.len() <= 200, "{name}");
        let mut seen = HashSet::new();
        for row in rows {
            let game = common::game(&row.game);
            let state = game.parse_state(&row.position).unwrap();
            assert!(
                seen.insert(game.canonical(&state)),
                "{} twice",
                row.position
            );
            let end = play(&game, &state, &row.solution);
            match row.plies {
                Some(plies) => {
                    assert_eq!(row.solution.split(' ').count(), usize::from(plies));
                    assert_eq!(end.map(Outcome::name), Some(row.outcome.as_str()));
                }
                None => assert_eq!((row.outcome.as_str(), end), ("draw", None)),
            }
            assert!(row.solution.starts_with(&row.key));
            assert!(row.n_winning <= row.n_moves && row.score <= 100);
        }
    }
}

#[test]
fn sets_come_from_the_tables_of_the_full_runs() {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/ostle/full-runs.csv");
    let mut runs = csv::Reader::from_path(runs).unwrap();
    let header = runs.headers().unwrap().clone();
    let place = header
        .iter()
        .position(|name| name == "fingerprint")
        .unwrap();
    let known: HashSet<String> = runs
        .records()
        .map(|row| row.unwrap()[place].to_owned())
        .collect();
    for row in sets().values().flatten() {
        assert!(known.contains(&row.table_fingerprint), "{}", row.puzzle_id);
    }
}

#[test]
fn the_forced_sacrifices_are_as_many_as_the_paper_found() {
    let game = common::game("ostle:repetition=up-to-symmetry");
    let mut reader = csv::Reader::from_path(folder().join("forced-sacrifice-all.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let place = |name: &str| header.iter().position(|column| column == name).unwrap();
    let (position, key, plies) = (place("position"), place("key"), place("plies"));
    let mut seen = HashSet::new();
    let figure = game.parse_state("2o2/1b3/w1w2/bwbbb/ww3 b -").unwrap();
    let figure = game.canonical(&figure);
    let mut found = None;
    for row in reader.records() {
        let row = row.unwrap();
        let state = game.parse_state(&row[position]).unwrap();
        let canonical = game.canonical(&state);
        if canonical == figure {
            found = Some((row[plies].to_owned(), row[position].to_owned()));
        }
        assert!(seen.insert(canonical), "{} twice", &row[position]);
        // The key gives up a piece of the mover, and the game goes on.
        let mv = game.parse_move(&row[key]).unwrap();
        assert!(game.moves(&state).contains(&mv));
        let Next::State(next) = game.play(&state, mv) else {
            panic!("{} ends the game", &row[key])
        };
        let own = (state.own().count_ones(), next.opponent().count_ones());
        assert_eq!(own.0, own.1 + 1, "{} gives nothing up", &row[key]);
        assert_eq!(state.opponent().count_ones(), next.own().count_ones());
    }
    assert_eq!(seen.len(), 35_107);
    assert_eq!(found.expect("Fig. 1B is among them").0, "7");
}
