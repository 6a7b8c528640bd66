//! The program from outside: what it prints, what it leaves, how it refuses.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::common::program::{ok, portable, refusal, tesuji, threaded};
use crate::common::{files, golden};

const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

fn json(args: &[&str], folder: &Path) -> Json {
    serde_json::from_str(&ok(args, folder)).expect("the output is one JSON value")
}

/// The one message of a refusal.
fn refused(args: &[&str], folder: &Path) -> String {
    let output = tesuji(args, folder);
    let errors = refusal(args, &output);
    assert!(
        output.stdout.is_empty(),
        "{args:?} printed something before refusing"
    );
    errors
}

#[test]
fn printed_answers_are_the_golden_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    golden("cli/probe.txt", &ok(&["probe", SMALL], here));
    golden("cli/probe.json", &ok(&["probe", SMALL, "--json"], here));
    golden("cli/stats.txt", &ok(&["stats", SMALL], here));
    golden("cli/features.txt", &ok(&["features"], here));
    golden(
        "cli/initial.svg",
        &ok(
            &["draw", "ostle", "initial", "--caption", "Black begins"],
            here,
        ),
    );
}

#[test]
fn a_probe_is_one_object_with_moves_best_first() {
    let folder = tempfile::tempdir().unwrap();
    // White's piece on b3 stands on the rim, Black's b2 behind it: b2U wins at once.
    let won = json(
        &["probe", SMALL, "ow1/1b1/b1w b -", "--json"],
        folder.path(),
    );
    assert_eq!(won["game"], SMALL);
    assert_eq!(won["position"], "ow1/1b1/b1w b -");
    let keys = ["outcome", "plies", "moves", "line"];
    assert!(keys.iter().all(|key| won.get(key).is_some()));
    let moves = won["moves"].as_array().unwrap();
    let rank = |outcome: &Json| {
        ["win", "draw", "loss"]
            .iter()
            .position(|name| outcome == name)
            .unwrap()
    };
    assert!(moves.is_sorted_by_key(|entry| rank(&entry["outcome"])));
    assert_eq!(won["outcome"], moves[0]["outcome"]);
    assert_eq!(won["plies"], moves[0]["plies"]);
    assert_eq!(won["line"][0], moves[0]["move"]);
    // One loss allowed: now b2U ends the game.
    let mate = json(
        &[
            "probe",
            "ostle:3x3,pieces=2,losses=1",
            "ow1/1b1/b1w b -",
            "--json",
        ],
        folder.path(),
    );
    assert_eq!(
        (&mate["outcome"], &mate["plies"]),
        (&Json::from("win"), &Json::from(1))
    );
    assert_eq!(mate["moves"][0]["move"], "b2U");
    assert_eq!(mate["line"], Json::from(vec!["b2U"]));
    // Giving up the last piece that may be lost ends it the other way.
    let walk_off = mate["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|m| m["move"] == "a1D")
        .unwrap();
    assert_eq!(
        (&walk_off["outcome"], &walk_off["plies"]),
        (&Json::from("loss"), &Json::from(1))
    );
    let digits = json(&["probe", SMALL, "320-010-102", "--json"], folder.path());
    assert_eq!(digits["position"], won["position"]);
}

#[test]
fn statistics_are_one_object_whose_histogram_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let stats = json(&["stats", SMALL, "--json"], folder.path());
    let histogram = stats["histogram"].as_array().unwrap();
    let sum: u64 = histogram
        .iter()
        .map(|row| row["states"].as_u64().unwrap())
        .sum();
    assert_eq!(stats["states"].as_u64(), Some(sum));
    assert!(
        histogram
            .iter()
            .any(|row| row["plies_to_checkmate"].is_null())
    );
    // Placements of hole, own and other pieces up to symmetry, listed apart from this
    // program: 66 with (1, 1) pieces, 198 with (2, 1) and (1, 2), 492 with (2, 2).
    assert_eq!(stats["positions"], 954);
    assert!(stats["checkmate_positions"].as_u64().unwrap() < 954);
}

#[test]
fn classes_of_many_layers_are_added_up() {
    let folder = tempfile::tempdir().unwrap();
    let stats = json(&["stats", "hexapawn", "--json"], folder.path());
    let layers = stats["layers"].as_array().unwrap();
    let moves = layers
        .iter()
        .map(|layer| layer["phase"]["move"].as_u64().unwrap());
    let total: u64 = moves.sum();
    let text = ok(&["stats", "hexapawn"], folder.path());
    let classes = format!("\n  phase              all\n   move {total:>16}\n");
    assert!(text.contains(&classes), "{text}");
    let hint = format!("({} layers; --json has all numbers of each)", layers.len());
    assert!(text.contains(&hint), "{text}");
}

#[test]
fn perft_counts_the_opening_moves() {
    let folder = tempfile::tempdir().unwrap();
    // Five pieces and the hole with four directions each; the reply has as many,
    // less the one move of the hole that takes the last move of the hole back.
    assert_eq!(
        ok(&["perft", "ostle", "initial", "0"], folder.path()),
        "1\n"
    );
    assert_eq!(
        ok(&["perft", "ostle", "initial", "1"], folder.path()),
        "24\n"
    );
}

#[test]
fn tables_are_the_same_without_special_instructions_of_the_processor() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let game = "ostle:4x4,pieces=3,losses=2";
    for reading in ["exact", "up-to-symmetry"] {
        let solve = ["solve", game, "--repetition", reading, "--force", "-o"];
        ok(&[&solve[..], &["t.tsj"]].concat(), here);
        let solved = portable(&[&solve[..], &["p.tsj"]].concat(), here);
        assert!(solved.status.success());
        let [here, there] = ["t.tsj", "p.tsj"].map(|name| fs::read(here.join(name)).unwrap());
        assert!(here == there, "{reading}");
    }
    let verified = portable(&["verify", "p.tsj"], here);
    assert!(verified.status.success());
}

#[test]
fn a_table_is_written_verified_and_never_overwritten_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let solved = ok(&["solve", SMALL, "-o", "t.tsj"], here);
    let fingerprint = solved
        .lines()
        .find(|line| line.starts_with("fingerprint"))
        .unwrap()
        .to_owned();
    assert!(ok(&["verify", "t.tsj"], here).contains(&fingerprint));
    let before = fs::read(here.join("t.tsj")).unwrap();
    assert!(refused(&["solve", SMALL, "-o", "t.tsj"], here).contains("--force"));
    assert_eq!(fs::read(here.join("t.tsj")).unwrap(), before);
    let raw = ok(&["solve", SMALL, "-o", "t.tsj", "--force", "--raw"], here);
    assert!(raw.contains(&fingerprint));
    let other = refused(
        &["probe", "ostle:4x4,pieces=3,losses=2", "--table", "t.tsj"],
        here,
    );
    assert!(other.contains("t.tsj") && other.contains(SMALL));
    let mut damaged = fs::read(here.join("t.tsj")).unwrap();
    damaged[200] ^= 4;
    fs::write(here.join("t.tsj"), &damaged).unwrap();
    let message = refused(&["verify", "t.tsj"], here);
    assert!(
        message.contains("t.tsj") && message.contains("block 0"),
        "{message}"
    );
    assert_eq!(files(here).len(), 1, "nothing else is left");
}

const TABLE: &str = "output/ostle-3x3-pieces-2-losses-2.tsj";

/// Solves the small game, and changes a byte in the middle of its table.
fn solve_and_damage(folder: &Path) -> Vec<u8> {
    ok(&["solve", SMALL], folder);
    let whole = fs::read(folder.join(TABLE)).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(folder.join(TABLE), damaged).unwrap();
    whole
}

#[test]
fn a_table_that_solve_wrote_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let puzzles = ["mine", SMALL, "--draw", "0", "--filter", "longest-wins"];
    let styled = [&puzzles[..], &["--style", "dark"]].concat();
    assert!(refused(&styled, here).contains("--draw 0 makes none"));
    ok(&puzzles, here);
    let whole = solve_and_damage(here);
    let csv = "output/longest-wins/puzzles.csv";
    for args in [&["stats", SMALL][..], &["check", "--puzzles", csv]] {
        let found = tesuji(args, here);
        let words = String::from_utf8([found.stdout, found.stderr].concat()).unwrap();
        assert_eq!(found.status.code(), Some(2), "{args:?}: {words}");
        assert!(words.contains("losses-2.tsj: block"), "{words}");
    }
    // The file that is named comes first, and another reading has another file.
    fs::write(here.join("whole.tsj"), whole).unwrap();
    let stats = ["stats", SMALL, "--table", "whole.tsj"];
    let counts = ok(&stats, here);
    golden("cli/stats.txt", &counts);
    ok(&["stats", SMALL, "--repetition", "up-to-symmetry"], here);
    // Of placement games, positions have nimbers.
    let probe = ["probe", "kings:3x3"];
    let nimbers = ok(&probe, here);
    ok(&["solve", "kings:3x3"], here);
    assert_eq!(ok(&probe, here), nimbers);
}

#[test]
fn tables_of_studies_and_of_rules_files_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let hexapawn = include_str!("../../src/games/pieces/shipped/hexapawn.toml");
    fs::write(here.join("hexapawn.toml"), hexapawn).unwrap();
    let study = "[FEN \"1k6/1P6/8/2K5/8/8/8/8 w - - 0 1\"]\n\n1. Kc6 1-0\n";
    fs::write(here.join("study.pgn"), study).unwrap();
    let own = "rules:hexapawn.toml";
    let row = "game,position,stipulation\nrules:hexapawn.toml,pp1/3/1PP w,win in 5\n";
    fs::write(here.join("row.csv"), row).unwrap();
    let rows = ["--puzzles", "row.csv", "--game", own];
    for (spec, puzzles) in [
        (own, &rows[..]),
        ("chess:KP-K", &["--puzzles", "study.pgn"]),
    ] {
        let check = [&["check"], puzzles].concat();
        let sound = ok(&check, here);
        ok(&["solve", spec], here);
        assert_eq!(ok(&check, here), sound);
        let written = files(&here.join("output")).pop_first();
        let (name, mut bytes) = written.expect("a table was written");
        let table = here.join("output").join(name);
        bytes.pop();
        fs::write(&table, bytes).unwrap();
        let found = tesuji(&check, here);
        let errors = String::from_utf8(found.stderr).unwrap();
        assert!(
            errors.starts_with("not used: output/"),
            "{check:?}: {errors}"
        );
        fs::remove_file(table).unwrap();
    }
}

/// A game from a file is one game under every path of the file.
#[test]
fn paths_of_rules_files_may_differ() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let hexapawn = include_str!("../../src/games/pieces/shipped/hexapawn.toml");
    fs::create_dir(here.join("sub")).unwrap();
    for name in ["own.toml", "sub/moved.toml"] {
        fs::write(here.join(name), hexapawn).unwrap();
    }
    let (one, other) = ("rules:own.toml", "rules:sub/moved.toml");
    ok(&["solve", one, "--output", "own.tsj"], here);
    let spec = json(&["stats", one, "--json"], here)["game"].clone();
    let spec = spec.as_str().unwrap();
    let row = format!("game,position,stipulation\n\"{spec}\",pp1/3/1PP w,win in 5\n");
    fs::write(here.join("row.csv"), row).unwrap();
    let check = ["check", "--puzzles", "row.csv", "--table", "own.tsj"];
    for path in [one, "rules:./own.toml", other] {
        ok(&["stats", path, "--table", "own.tsj"], here);
        ok(&[&check[..], &["--game", path]].concat(), here);
    }
    // Other rules are another game, whatever their path.
    let changed = hexapawn.replace("no_move = \"loss\"", "no_move = \"win\"");
    assert_ne!(changed, hexapawn);
    fs::write(here.join("sub/moved.toml"), changed).unwrap();
    let message = refused(&["stats", other, "--table", "own.tsj"], here);
    assert!(message.contains("is a table of"), "{message}");
}

#[test]
fn a_file_that_is_no_table_of_the_game_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let stats = ["stats", SMALL];
    let counts = ok(&stats, here);
    ok(&["solve", "tictactoe"], here);
    let other = fs::read(here.join("output/tictactoe.tsj")).unwrap();
    for text in [&b"no table"[..], &other] {
        fs::write(here.join(TABLE), text).unwrap();
        let found = tesuji(&stats, here);
        let errors = String::from_utf8(found.stderr).unwrap();
        assert!(
            errors.contains("not used: output/ostle-3x3-pieces-2-losses-2.tsj"),
            "{errors}"
        );
        assert_eq!(String::from_utf8(found.stdout).unwrap(), counts);
        refused(&["stats", SMALL, "--table", TABLE], here);
    }
    // A table of another game, whose name leaves out the same signs, is not overwritten unasked.
    ok(&["solve", "kings:.../.._"], here);
    let message = refused(&["solve", "kings:.../_.."], here);
    assert!(
        message.contains("is a table of 'kings:.../.._'; give another name"),
        "{message}"
    );
    // A game that is too large to be solved on the way has one note, however many its puzzles.
    fs::write(here.join("output/ostle.tsj"), "no table").unwrap();
    let row = "ostle,wwwww/5/2o2/5/bbbbb b -\n";
    let rows = format!("game,position\n{row}{row}{row}");
    fs::write(here.join("rows.csv"), rows).unwrap();
    let found = tesuji(&["draw", "--puzzles", "rows.csv", "-o", "pictures"], here);
    let errors = String::from_utf8(found.stderr).unwrap();
    assert_eq!(errors.matches("not used").count(), 1, "{errors}");
}

#[test]
fn bad_input_gets_one_message_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("occupied"), "a file").unwrap();
    fs::write(here.join("broken.toml"), "name = 3").unwrap();
    fs::write(
        here.join("unknown.toml"),
        "name = 'x'\ntitle = ''\ntext = ''\npredicate = 'n_wining = 1'",
    )
    .unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["probe", "checkers"], "checkers"),
        (&["probe", "ostle:9x9"], "9x9"),
        (&["probe", "ostle:4x4,pieces=0"], "pieces"),
        (&["probe", "ostle:4x4,pieces=3,losses=9"], "losses=9"),
        (&["probe", SMALL, "1ww/1o1/bb2 b -"], "more than 3"),
        (&["probe", SMALL, "1ww/1o1/bb1 x -"], "b or w"),
        (
            &[
                "probe",
                "ostle:rows=4,columns=3,pieces=2,losses=2",
                "2001-0320-0010",
            ],
            "ranks, which have 3 squares each",
        ),
        (&["probe", SMALL, "201-032010"], "expected '-' after 3"),
        (&["probe", SMALL, "1ww/1o1/bb1 b a1D"], "a1D"),
        (&["probe", "ostle"], "--table"),
        (&["probe", SMALL, "--table", "missing.tsj"], "missing.tsj"),
        (&["probe", SMALL, "--table", "occupied"], "occupied"),
        (&["verify", "."], ". is a folder"),
        (&["perft", SMALL, "initial", "-3"], "-3"),
        (&["perft", SMALL, "initial", "10000"], "at most 1,000"),
        (&["nimbers", "kings", "1x9999999999"], "at most 10,000"),
        (
            &["nimbers", "kings", "1x18446744073709551615"],
            "at most 10,000",
        ),
        (&["mine", SMALL, "--filter", "nonsense"], "nonsense"),
        (&["mine", SMALL, "--filter", "broken.toml"], "broken.toml"),
        (&["mine", SMALL, "--filter", "unknown.toml"], "n_winning"),
        (&["mine", SMALL, "-o", "occupied"], "occupied"),
        (&["mine", SMALL, "--style", "gaudy"], "gaudy"),
        (&["draw", SMALL, "initial", "--moves", "a9U"], "rank"),
        (&["draw", SMALL, "initial", "--moves", "a3U"], "a3U"),
        (&["nonsense"], "nonsense"),
    ];
    for (args, named) in cases {
        let message = refused(args, here);
        assert!(
            message.contains(named),
            "{args:?} does not name {named}: {message}"
        );
    }
    assert_eq!(files(here).len(), 3, "a refused command leaves nothing");
}

#[test]
fn mining_twice_changes_nothing_and_a_different_run_is_refused_whole() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let one = &[
        "mine",
        "ostle:4x4,pieces=3,losses=2",
        "-o",
        "finds",
        "--filter",
        "unique-shortest-win",
    ];
    ok(one, here);
    let before = files(&here.join("finds"));
    let names: Vec<_> = before
        .keys()
        .map(|name| name.display().to_string())
        .collect();
    assert!(names.contains(&"unique-shortest-win/puzzles.csv".to_owned()));
    assert!(names.contains(&"unique-shortest-win/puzzles.parquet".to_owned()));
    assert_eq!(
        names.iter().filter(|name| name.contains(".svg")).count(),
        13,
        "a sheet, six diagrams and their solutions"
    );
    assert!(names.iter().all(|name| !name.contains(".partial")));
    ok(one, here);
    assert_eq!(files(&here.join("finds")), before);
    // All filters, another limit: one folder differs, so none is written.
    refused(
        &[
            "mine",
            "ostle:4x4,pieces=3,losses=2",
            "-o",
            "finds",
            "--limit",
            "3",
        ],
        here,
    );
    assert_eq!(files(&here.join("finds")), before);
    ok(
        &[
            "mine",
            "ostle:4x4,pieces=3,losses=2",
            "-o",
            "finds",
            "--limit",
            "3",
            "--force",
        ],
        here,
    );
    let after = files(&here.join("finds/unique-shortest-win"));
    // puzzles.csv, puzzles.parquet, sheet.svg and run.json.
    assert_eq!(after.len(), 4 + 2 * 3, "pictures of the first run are gone");
}

#[test]
fn one_thread_and_two_leave_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for threads in ["1", "2"] {
        let args = ["mine", "ostle:4x4,pieces=3,losses=2", "-o", threads];
        assert!(threaded(threads, &args, here).status.success());
    }
    let one = files(&here.join("1"));
    assert!(one.len() > 6 * 2);
    assert_eq!(one, files(&here.join("2")));
}

#[test]
fn options_that_do_not_apply_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let from_table = "is for games of two players that are played from a table; kings:3x3 is not";
    for (args, part) in [
        (
            &["play", "kings:3x3", "--table", "none.tsj"][..],
            from_table,
        ),
        (&["play", "kings:3x3", "--level", "3"], from_table),
        (&["play", "kings:3x3", "--lure", "3"], from_table),
        (&["probe", "kings:3x3", "--lure", "2"], from_table),
        (
            &["export", "kings:3x3", "-o", "states", "--restricted"],
            "is for rule 8 of Ostle; kings:3x3 has no such rule",
        ),
        (
            &["nimbers", "kings", "3x3", "--outcomes", "2x2"],
            "adds boards beyond the size",
        ),
        (
            &["nimbers", "ostle", "5x5"],
            "'ostle' is not a family of boards with nimbers; try kings or regio",
        ),
        (
            &["nimbers", "graph", "3x3"],
            "'graph' is not a family of boards",
        ),
        (
            &[
                "formula",
                "sliding:2x2",
                "--terms",
                "33,1,7",
                "2945,1,13",
                "-o",
                "programs",
            ],
            "cannot be used with",
        ),
    ] {
        let told = refused(args, here);
        assert!(told.contains(part), "{args:?}: {told}");
    }
    assert_eq!(std::fs::read_dir(here).unwrap().count(), 0);
}
