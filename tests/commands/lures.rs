//! Lures and players who look ahead, through the program.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::common::program::{ok, refused, threaded};
use crate::common::sealed;

const GAME: &str = "ostle:rows=4,columns=3,pieces=2,losses=2";

#[test]
fn a_search_for_lures_goes_on_where_it_stopped_and_refuses_other_searches() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let whole = ok(
        &["lure", GAME, "--moves", "4", "--json", "-o", "a.csv"],
        here,
    );
    let first = [
        "lure", GAME, "--moves", "4", "--depth", "2", "--keep", "kept", "--json",
    ];
    ok(&first, here);
    let mut all = first.to_vec();
    all[5] = "1-4";
    assert_eq!(ok(&all, here), whole);
    // What is kept is read, and not found again.
    let kept = here.join("kept/depth-2.json");
    let text = fs::read_to_string(&kept).unwrap();
    let (_, found) = text.split_once('\n').unwrap();
    let changed = found.replace("wins_looked_at\": ", "wins_looked_at\": 7777777");
    fs::write(&kept, sealed(&changed)).unwrap();
    assert_eq!(ok(&all, here).matches("7777777").count(), 1);
    fs::write(&kept, &text).unwrap();
    all[3] = "5";
    assert!(refused(&all, here).contains("is of another search"));
    // A finished run is found again and compared.
    all[3] = "4";
    all.push("--verify");
    assert_eq!(ok(&all, here), whole);
    let other = found.replacen("\"draws_lost\": 0.", "\"draws_lost\": 0.9", 1);
    assert_ne!(other, found);
    fs::write(&kept, sealed(&other)).unwrap();
    assert!(refused(&all, here).contains("is not what is found now"));
    fs::write(&kept, &text).unwrap();
    // The same bytes with one thread.
    let args = ["lure", GAME, "--moves", "4", "--json", "-o", "b.csv"];
    let single = threaded("1", &args, here);
    assert_eq!(String::from_utf8(single.stdout).unwrap(), whole);
    let csv = fs::read(here.join("a.csv")).unwrap();
    assert_eq!(fs::read(here.join("b.csv")).unwrap(), csv);
    // And from a table, packed or not.
    for raw in [&[][..], &["--raw"]] {
        let solve = ["solve", GAME, "--output", "t.tsj", "--force"];
        ok(&[&solve[..], raw].concat(), here);
        let args = ["lure", GAME, "--moves", "4", "--json", "--table", "t.tsj"];
        assert_eq!(ok(&args, here), whole);
    }
    // A row for each depth and number of moves, and the best lurer is the best.
    let rows = csv.split(|&byte| byte == b'\n').count();
    assert_eq!(rows, 1 + 4 * 4 + 1);
    let found: Json = serde_json::from_str(&whole).unwrap();
    for depth in found["depths"].as_array().unwrap() {
        for row in depth["chances"].as_array().unwrap() {
            let number = |name: &str| row[name].as_f64().unwrap();
            assert!(number("best") + 1e-6 >= number("uniform"), "{row}");
            assert!(number("best") + 1e-6 >= number("fewest_replies"), "{row}");
        }
    }
}

#[test]
fn probe_ranks_lures_and_shows_what_is_forced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(
        &[
            "mine",
            GAME,
            "--filter",
            "swindle-1",
            "--draw",
            "0",
            "-o",
            "o",
        ],
        here,
    );
    let mut rows = csv::Reader::from_path(here.join("o/swindle-1/puzzles.csv")).unwrap();
    let headers = rows.headers().unwrap().clone();
    let at = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let [position, key, stipulation] = ["position", "key", "stipulation"].map(at);
    let mut seen = 0;
    for row in rows.records().take(5) {
        let row = row.unwrap();
        let found = ok(
            &["probe", GAME, &row[position], "--lure", "1", "--json"],
            here,
        );
        let found: Json = serde_json::from_str(&found).unwrap();
        let first = &found["moves"][0];
        assert_eq!(first["move"], row[key]);
        // Within ten moves it is certain only if it takes no more.
        let (plies, chance) = (
            first["forced_plies"].as_u64().unwrap(),
            first["chance"].as_f64(),
        );
        let claim = format!("force a mistake in {plies} plies");
        assert!(row[stipulation].contains(&claim), "{}", &row[stipulation]);
        assert_eq!(chance == Some(1.0), plies <= 20, "{chance:?}");
        assert_eq!(found["outcome"], "draw");
        let shown = found["swindle"].as_str().unwrap();
        assert!(shown.starts_with(&format!("1.{}!", &row[key])), "{shown}");
        let drawing = found["moves"].as_array().unwrap().iter();
        let chances: Vec<_> = drawing.filter_map(|mv| mv["chance"].as_f64()).collect();
        assert!(chances[1..].is_sorted_by(|a, b| a >= b));
        seen += 1;
    }
    assert!(seen > 0, "a game without swindles shows nothing");
    let won = [
        "probe",
        "ostle:3x3,pieces=2,losses=2",
        "ow1/1b1/b1w b -",
        "--lure",
        "2",
    ];
    assert!(refused(&won, here).contains("is for drawn positions"));
    let other = ["probe", "kings:3x4", "--lure", "2"];
    assert!(
        refused(&other, here)
            .contains("--lure is for games of two players that are played from a table")
    );
    let reading = ["lure", GAME, "--repetition", "up-to-symmetry"];
    assert!(refused(&reading, here).contains("exact reading"));
    assert!(refused(&["lure", GAME, "--depth", "9"], here).contains("from 1 to 8"));
}

#[test]
fn a_player_who_looks_ahead_takes_what_can_be_won_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // One loss allowed, and b2U pushes White's piece off the board.
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["play", "ostle:3x3,pieces=2,losses=1", "ow1/1b1/b1w b -"])
        .args(["--second", "--level", "1", "--seed", "3"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("tesuji plays b2U"), "{text}");
    assert!(text.contains("tesuji wins"), "{text}");
}

#[test]
fn an_ending_has_no_chance_from_an_initial_position() {
    let folder = tempfile::tempdir().unwrap();
    let lure = [
        "lure",
        "chess:KP-K",
        "--depth",
        "1",
        "--moves",
        "1",
        "--json",
    ];
    let found: Json = serde_json::from_str(&ok(&lure, folder.path())).unwrap();
    let chances = &found["depths"][0]["chances"][0];
    assert!(chances["best"].is_number(), "{found}");
    assert!(chances["initial"].is_null(), "{found}");
}
