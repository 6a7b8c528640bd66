//! Counts from outside: published figures, the other reading of rule 8, and tables
//! packed anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tesuji::game::{Ranked, Retrograde};

use crate::common::program::{ok, refused, says};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";

fn json(args: &[&str], folder: &Path) -> Json {
    serde_json::from_str(&ok(args, folder)).unwrap()
}

fn number(value: &Json) -> u64 {
    value.as_u64().unwrap()
}

/// The histogram as a file of published figures has it.
fn histogram(stats: &Json) -> String {
    let mut text = "plies_to_checkmate,states\n".to_owned();
    for row in stats["histogram"].as_array().unwrap() {
        let plies = &row["plies_to_checkmate"];
        let plies = plies.as_u64().map_or("draw".to_owned(), |n| n.to_string());
        writeln!(text, "{plies},{}", row["states"]).unwrap();
    }
    text
}

#[test]
fn published_figures_agree_or_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let stats = json(&["stats", GAME, "--json"], here);
    let right = histogram(&stats);
    fs::write(here.join("t.csv"), &right).unwrap();
    // Positions by square of the hole: 4x4 boards have three classes of squares, and
    // with one hole class each of the sums is a layer's.
    let mut places = "hole,player_pieces,opponent_pieces,positions\n".to_owned();
    let mut layers = "layer,what,number\n".to_owned();
    for layer in stats["layers"].as_array().unwrap() {
        let (own, opponent) = layer["layer"].as_str().unwrap().split_once('-').unwrap();
        let classes = layer["hole"].as_object().unwrap();
        let sum: u64 = classes.values().map(number).sum();
        assert_eq!(sum, number(&layer["positions"]));
        let outcomes = ["win", "draw", "loss"].map(|what| (what, number(&layer[what])));
        assert_eq!(outcomes.map(|(_, count)| count).iter().sum::<u64>(), sum);
        let name = layer["layer"].as_str().unwrap();
        for (what, count) in outcomes {
            writeln!(layers, "{name},{what},{count}").unwrap();
        }
        for (hole, count) in classes {
            writeln!(places, "{hole},{own},{opponent},{count}").unwrap();
        }
    }
    fs::write(here.join("p.csv"), &places).unwrap();
    fs::write(here.join("l.csv"), &layers).unwrap();
    let files = ["t.csv", "p.csv", "l.csv"].map(|file| ["--compare", file]);
    let all = [&["stats", GAME], files.concat().as_slice()].concat();
    let (code, out, _) = says(&all, here);
    assert_eq!(code, Some(0));
    for file in ["t.csv", "p.csv", "l.csv"] {
        assert!(out.contains(&format!("rows agree with {file}")), "{out}");
    }
    let both = &all[..6];
    // Figures of some layers will do, but those of a layer that is none do not agree.
    fs::write(here.join("l.csv"), "layer,what,number\n9-9,win,7\n").unwrap();
    let (code, out, _) = says(&["stats", GAME, "--compare", "l.csv"], here);
    assert_eq!(code, Some(1), "{out}");

    let wrong = right.replacen("draw,", "draw,1", 1) + "4000,7\n";
    fs::write(here.join("t.csv"), wrong).unwrap();
    let (code, out, _) = says(both, here);
    assert_eq!(code, Some(1));
    assert!(out.contains("2 rows differ from t.csv"), "{out}");

    for (text, clue) in [
        ("plies,states\n1,2\n", "line 1"),
        ("plies_to_checkmate,states\n", "there are no rows"),
        ("plies_to_checkmate,states\ndraw,-3\n", "line 2"),
        ("plies_to_checkmate,states\n1,2\n1,2\n", "line 3"),
        ("plies_to_checkmate,states\n1,2,3\n", "line: 2"),
    ] {
        fs::write(here.join("t.csv"), text).unwrap();
        let (code, out, err) = says(both, here);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}");
        assert!(err.contains("t.csv") && err.contains(clue), "{err}");
    }
}

#[test]
fn the_two_readings_of_rule_8_are_held_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let turned = format!("{GAME},repetition=up-to-symmetry");
    for (game, name) in [(GAME, "exact.tsj"), (&turned, "turned.tsj")] {
        ok(&["solve", game, "--output", name], here);
    }
    let against = ["stats", GAME, "--table", "exact.tsj", "--against"];
    let found = json(&[&against[..], &["turned.tsj", "--json"]].concat(), here);
    // Held against a look at every record of both tables.
    let (mut positions, mut examples, mut states, mut outcomes) = (0, 0, 0, 0);
    let game = tesuji::games::ostle::Ostle::from_settings(GAME, None).unwrap();
    let open = |name| tesuji::table::Table::open(&here.join(name)).unwrap();
    let (exact, other) = (open("exact.tsj"), open("turned.tsj"));
    for slot in 0..game.slots() {
        let (a, b) = (exact.record(slot).unwrap(), other.record(slot).unwrap());
        positions += u64::from(a.best() != b.best());
        examples += u64::from(a != b);
        let Some(cursor) = game.cursor(slot) else {
            continue;
        };
        game.arrivals(cursor, |forbidden| {
            let (a, b) = (a.without(forbidden), b.without(forbidden));
            states += u64::from(a != b);
            outcomes += u64::from(a.outcome() != b.outcome());
        });
    }
    assert_eq!(number(&found["positions_with_other_values"]), positions);
    assert_eq!(number(&found["positions_with_other_records"]), examples);
    assert_eq!(number(&found["states_with_other_values"]), states);
    assert_eq!(number(&found["states_with_other_outcomes"]), outcomes);
    assert!(states > 0);
    let text = ok(&[&against[..], &["turned.tsj"]].concat(), here);
    let lines = text.lines().skip(3);
    for (line, count) in lines.zip([positions, examples, states, outcomes]) {
        let verb = if count == 1 { " has " } else { " have " };
        assert!(line.contains(verb), "{line}");
    }
    for example in found["examples"].as_array().unwrap() {
        assert_ne!(example["value"], example["other_value"]);
    }
    let same = json(&[&against[..], &["exact.tsj", "--json"]].concat(), here);
    assert_eq!(number(&same["states_with_other_values"]), 0);
}

#[test]
fn a_table_packed_anew_is_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", GAME, "--output", "a.tsj"], here);
    for options in [&["--raw"][..], &["--level", "19"], &["--level", "1"]] {
        let args = [
            &["repack", "a.tsj", "--output", "b.tsj", "--force"],
            options,
        ]
        .concat();
        let out = ok(&args, here);
        let info = ok(&["info", "a.tsj"], here);
        let fingerprint = info
            .lines()
            .find_map(|line| line.strip_prefix("fingerprint"))
            .unwrap();
        assert!(out.contains(fingerprint.trim()), "{out}");
        let verified = ok(&["verify", "b.tsj"], here);
        assert!(verified.contains("every record follows"), "{verified}");
    }
    let err = refused(&["repack", "a.tsj", "--output", "b.tsj"], here);
    assert!(err.contains("--force"), "{err}");
    let err = refused(&["repack", "a.tsj", "-o", "c.tsj", "--dense"], here);
    assert!(err.contains("leave out '--dense'"), "{err}");
    let err = refused(&["info", "a.tsj", "--fields"], here);
    assert!(err.contains("leave out '--fields'"), "{err}");
}
