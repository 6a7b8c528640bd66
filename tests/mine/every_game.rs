//! What columns and scores mean, which is the same in every game.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value as Json;
use tesuji::base::progress::NoProgress;
use tesuji::export::write_csv;
use tesuji::game::{Game, Moves};
use tesuji::mine::{Filter, PuzzleRow};
use tesuji::session::{Checked, MiningOptions, Operation};

use crate::common::game;
use crate::common::program::ok;

const OSTLE: &str = "ostle:3x3,pieces=2,losses=2";

/// The finds of a condition, over all states of a position if `states` says so.
pub(super) fn finds(spec: &str, condition: &str, states: &str) -> Vec<PuzzleRow> {
    let text = format!(
        "name = 'f'\ntitle = ''\ntext = ''\npredicate = \"{condition}\"\nstates = '{states}'\nlimit = 200"
    );
    let filters = [Filter::parse(&text, "f.toml").unwrap()];
    let session = tesuji::open(spec).unwrap();
    let mining = session.mining().unwrap();
    let mut mined = mining
        .mine(&filters, &MiningOptions::default(), &NoProgress)
        .unwrap();
    let rows = mined.sets.remove(0).rows;
    assert!(!rows.is_empty(), "{spec}: nothing found");
    rows
}

/// A column of rows as they are written.
fn column(rows: &[PuzzleRow], name: &str) -> Vec<String> {
    let mut csv = Vec::new();
    write_csv(&mut csv, rows).unwrap();
    let mut csv = csv::Reader::from_reader(csv.as_slice());
    let place = csv.headers().unwrap().iter().position(|it| it == name);
    let cells = csv
        .records()
        .map(|row| row.unwrap()[place.unwrap()].to_owned());
    cells.collect()
}

#[test]
fn a_session_has_the_operations_that_it_names_and_no_others() {
    for spec in [
        OSTLE,
        "kings:3x4",
        "tictactoe",
        "sliding:2x3",
        "tsuitate",
        "hexapawn",
    ] {
        let session = tesuji::open(spec).unwrap();
        let has = |operation: &Operation| match operation {
            Operation::Lines => session.lines().is_ok(),
            Operation::Evaluating => session.evaluating().is_ok(),
            Operation::Solutions => session.solutions().is_ok(),
            Operation::Checking => session.checking().is_ok(),
            Operation::Composing => session.composing().is_ok(),
            Operation::Mining => session.mining().is_ok(),
            Operation::Problems => session.problems().is_ok(),
            Operation::Statistics => session.statistics().is_ok(),
            Operation::Searching => session.searching().is_ok(),
            Operation::Solving => session.solving().is_ok(),
            Operation::Exporting => session.exporting().is_ok(),
            Operation::Playing => session.playing().is_ok(),
            Operation::Umpiring => session.umpiring().is_ok(),
            Operation::Programming => session.programming().is_ok(),
            Operation::Arranging => session.arranging().is_ok(),
            Operation::Stepping => session.stepping().is_ok(),
            _ => panic!("{operation:?} is new"),
        };
        let there: Vec<_> = Operation::ALL.into_iter().filter(has).collect();
        assert_eq!(session.interfaces().operations(), there, "{spec}");
    }
}

#[test]
fn the_column_forbidden_holds_a_forbidden_move_or_nothing() {
    // Positions of one word and of several; no rule of these forbids a move.
    for spec in [
        "kings:3x4",
        "regio:3x3",
        "tictactoe",
        "tapatan",
        "hexapawn",
        "chess:KR-K",
    ] {
        let found = column(&finds(spec, "plies >= 1", "unrestricted"), "forbidden");
        assert!(found.iter().all(String::is_empty), "{spec}: {found:?}");
    }
    let free = column(&finds(OSTLE, "plies >= 1", "unrestricted"), "forbidden");
    assert!(free.iter().all(String::is_empty), "{free:?}");
    // The move that is forbidden is the one that is missing.
    let ostle = game(OSTLE);
    let rows = finds(OSTLE, "restricted", "all");
    for (row, cell) in rows.iter().zip(column(&rows, "forbidden")) {
        let state = ostle.parse_state(&row.position).unwrap();
        let mut missing = ostle.moves(&state.unrestricted());
        missing.retain(|mv| !ostle.moves(&state).contains(mv));
        let missing: Vec<_> = missing.iter().map(|&mv| ostle.format_move(mv)).collect();
        assert_eq!(missing, [cell], "{}", row.position);
    }
}

#[test]
fn conditions_and_tables_have_one_name_for_the_number_of_best_moves() {
    for spec in [
        "kings:3x4",
        "tictactoe",
        "tapatan",
        "hexapawn",
        "chess:KP-K",
        OSTLE,
    ] {
        for count in ["1", "2"] {
            let rows = finds(spec, &format!("n_best = {count}"), "unrestricted");
            let cells = column(&rows, "n_best");
            assert!(cells.iter().all(|cell| cell == count), "{spec}: {cells:?}");
        }
    }
}

#[test]
fn economy_counts_pieces_where_there_are_pieces() {
    for (spec, pieces) in [
        ("kings:3x4", ""),
        ("regio:3x3", ""),
        ("tictactoe", "xo"),
        ("tapatan", "bw"),
        (OSTLE, "bw"),
        ("ostle:4x4,pieces=4,losses=2", "bw"),
    ] {
        let session = tesuji::open(spec).unwrap();
        let checking = session.checking().unwrap();
        let mut met = BTreeSet::new();
        for row in finds(spec, "outcome = 'win' AND plies > 1", "unrestricted")
            .iter()
            .take(20)
        {
            // The side to move, which is one of these letters in Ostle, is no piece.
            let board = row.position.split(' ').next().unwrap();
            let pieces = board.matches(|c| pieces.contains(c)).count();
            let expected = match pieces {
                0 => 0,
                1..5 => 5,
                more => 10_usize.saturating_sub(more),
            };
            let report = checking.check(&row.position, None, &NoProgress).unwrap();
            let Checked::Table(found) = report.found else {
                panic!("{spec} has a table");
            };
            let economy = usize::from(found.score.economy);
            assert_eq!(economy, expected, "{spec} {}", row.position);
            assert_eq!(u32::from(found.score.total), row.score);
            met.insert(economy);
        }
        assert_eq!(met.contains(&0), pieces.is_empty(), "{spec}: {met:?}");
    }
}

#[test]
fn positions_are_counted_apart_by_columns_that_sql_can_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (place, (spec, name)) in [
        (OSTLE, "hole"),
        ("kings:3x4", "parts"),
        ("tictactoe", "phase"),
        ("tapatan", "phase"),
        ("chess:KP-K", "royal"),
    ]
    .into_iter()
    .enumerate()
    {
        let set = format!("states{place}");
        ok(&["export", spec, "-o", &set], here);
        let columns = fs::read_to_string(here.join(&set).join("_columns.csv")).unwrap();
        let mut names = columns.lines().map(|line| line.split(',').next().unwrap());
        assert!(names.any(|column| column == name), "{spec}: {columns}");
        let stats: Json = serde_json::from_str(&ok(&["stats", spec, "--json"], here)).unwrap();
        for layer in stats["layers"].as_array().unwrap() {
            let counts = layer[name].as_object().unwrap().values();
            let sum: u64 = counts.map(|count| count.as_u64().unwrap()).sum();
            assert_eq!(layer["positions"], sum, "{spec}");
        }
    }
}

#[test]
fn lines_without_duals_are_those_in_which_every_move_is_unique() {
    for (spec, states) in [
        ("tictactoe", "unrestricted"),
        ("tapatan", "unrestricted"),
        ("hexapawn", "unrestricted"),
        ("chess:KR-K", "unrestricted"),
        (OSTLE, "all"),
        (
            "ostle:rows=4,columns=3,pieces=2,losses=2,repetition=up-to-symmetry",
            "all",
        ),
        ("ostle:4x4,pieces=2,losses=1", "all"),
    ] {
        let matched = |condition: &str| {
            let text = format!(
                "name = 'f'\ntitle = ''\ntext = ''\npredicate = \"{condition}\"\nstates = '{states}'\nlimit = 1"
            );
            let filters = [Filter::parse(&text, "f.toml").unwrap()];
            let session = tesuji::open(spec).unwrap();
            let mining = session.mining().unwrap();
            let mined = mining.mine(&filters, &MiningOptions::default(), &NoProgress);
            mined.unwrap().sets[0].matched
        };
        let won = "outcome = 'win' AND plies > 1 AND ";
        // With the number of unique moves the whole line is looked at.
        let whole = matched(&format!("{won} unique_moves = solver_moves"));
        assert!(whole > 0, "{spec}");
        assert_eq!(matched(&format!("{won} dual_free")), whole, "{spec}");
        let others = matched(&format!("{won} unique_moves < solver_moves"));
        assert_eq!(matched(&format!("{won} NOT dual_free")), others, "{spec}");
    }
}
