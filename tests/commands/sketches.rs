//! Sketches: what `compose` saves, it, `mine` and `check` read.

use std::fs;

use serde_json::{Value, json};

use crate::common::program::{ok, refused, says};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";
const PATTERN: &str = "????/?o??/????/b??w";

/// A win in 31 plies of three pieces against two.
const POSITION: &str = "2b1/w1w1/1ob1/2b1 b -";

#[test]
fn a_saved_sketch_finds_the_same_again() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let asked = [
        "compose",
        GAME,
        PATTERN,
        "--where",
        "plies = 9",
        "--json",
        "--limit",
        "5",
    ];
    let told = ok(&[&asked[..], &["--save", "My sketch.toml"]].concat(), here);
    let text = fs::read_to_string(here.join("My sketch.toml")).unwrap();
    let sketch: toml::Table = text.parse().unwrap();
    assert_eq!(sketch["name"].as_str(), Some("my-sketch"));
    assert_eq!(sketch["text"].as_str(), Some(""));
    assert_eq!(sketch["pattern"].as_str(), Some(PATTERN));
    assert_eq!(sketch["predicate"].as_str(), Some("plies = 9"));
    assert_eq!(sketch["order"], toml::Value::from(vec!["-plies"]));
    let filter = ["--filter", "My sketch.toml"];
    let more = ["--json", "--limit", "5"];
    let again = ok(&[&["compose", GAME], &filter[..], &more[..]].concat(), here);
    let [finds, again] = [told, again].map(|text| {
        let finds: serde_json::Value = serde_json::from_str(&text).unwrap();
        finds
    });
    let positions = |finds: &serde_json::Value| {
        let puzzles = finds["puzzles"].as_array().unwrap().iter();
        puzzles.map(|it| it["position"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(positions(&again), positions(&finds));
    assert_eq!(again["matched"], finds["matched"]);
    let matched = finds["matched"].as_u64().unwrap();
    assert!(matched > 5);
    let mined = ["mine", GAME, "--draw", "0", "-o", "o"];
    let mined = ok(&[&mined[..], &filter[..]].concat(), here);
    let row = mined.lines().find(|line| line.starts_with("my-sketch"));
    let found = row.unwrap().split_whitespace().nth(1).unwrap();
    assert_eq!(found.replace(',', ""), matched.to_string());
}

#[test]
fn sketches_that_cannot_be_kept_or_used_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let compose = |more: &[&'static str]| [&["compose", GAME][..], more].concat();
    let told = refused(&compose(&[PATTERN, "--save", "sketch.txt"]), here);
    assert!(told.contains("ends in .toml"), "{told}");
    fs::write(
        here.join("mine.toml"),
        "name = \"mine\"\npredicate = \"TRUE\"\n",
    )
    .unwrap();
    let told = refused(&compose(&[PATTERN, "--save", "mine.toml"]), here);
    assert!(told.contains("mine.toml exists"), "{told}");
    let told = refused(&compose(&["--filter", "mine.toml"]), here);
    assert!(told.contains("give a partial diagram"), "{told}");
    ok(
        &compose(&[PATTERN, "--save", "kept.toml", "--limit", "1"]),
        here,
    );
    let told = refused(&compose(&[PATTERN, "--filter", "kept.toml"]), here);
    assert!(
        told.contains("the filter kept has a partial diagram already"),
        "{told}"
    );
}

#[test]
fn a_position_is_held_against_a_sketch() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let predicate = "plies = 9 AND (own_pieces = 2 OR outcome = 'loss') AND opp_pieces <= 3";
    let sketch = |name: &str, more: &str| {
        let text = format!("name = \"sketch\"\n{more}predicate = \"{predicate}\"\n");
        fs::write(here.join(name), text).unwrap();
    };
    sketch("all.toml", &format!("pattern = \"{PATTERN}\"\n"));
    sketch("swindle.toml", "against = 2\n");
    let check = |position: &str, filter: &str, more: &[&str]| {
        let asked = ["check", GAME, position, "--filter", filter];
        says(&[&asked[..], more].concat(), here)
    };
    let found = check(POSITION, "all.toml", &["--json"]);
    let json: Value = serde_json::from_str(&found.1).unwrap();
    let unmet = [
        "pattern ????/?o??/????/b??w",
        "plies = 9 (plies is 31)",
        "own_pieces = 2 OR outcome = 'loss' (own_pieces is 3, outcome is win)",
    ];
    assert_eq!(json["filter"]["name"], "sketch");
    assert_eq!(json["filter"]["unmet"], json!(unmet));
    // A puzzle that is sound, and yet none of the filter's.
    assert_eq!((found.0, &json["sound"]), (Some(1), &json!(true)));
    let (_, text, _) = check(POSITION, "all.toml", &[]);
    assert!(
        text.contains("\nfilter       sketch refuses it\n  not met    pattern"),
        "{text}"
    );
    // What 'compose' finds is admitted, as it stands and turned over.
    let saved = [
        "compose",
        GAME,
        PATTERN,
        "--where",
        "plies = 9",
        "--save",
        "kept.toml",
        "--json",
    ];
    let finds: Value = serde_json::from_str(&ok(&saved, here)).unwrap();
    for find in finds["puzzles"].as_array().unwrap() {
        let position = find["position"].as_str().unwrap();
        let (board, rest) = position.split_once(' ').unwrap();
        let turned: String = board.chars().rev().collect();
        for position in [position, &format!("{turned} {rest}")] {
            let (_, text, _) = check(position, "kept.toml", &[]);
            assert!(
                text.contains("filter       kept admits it"),
                "{position}: {text}"
            );
        }
    }
    for (filter, more, message) in [
        ("swindle.toml", &[][..], "asks more than its condition"),
        ("none.toml", &[], "none.toml"),
        ("all.toml", &["--puzzles", "p.csv"], "cannot be used with"),
    ] {
        let (code, _, errors) = check(POSITION, filter, more);
        assert!(code == Some(2) && errors.contains(message), "{errors}");
    }
}
