//! Sketches: what `compose` saves, it and `mine` read.

use std::fs;

use crate::common::program::{ok, refused};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";
const PATTERN: &str = "????/?o??/????/b??w";

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
