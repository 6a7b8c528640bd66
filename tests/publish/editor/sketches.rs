//! From a composer's sketch to print: puzzles of which only game and position are known.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tesuji::export::read_csv;

use crate::book::reading::{bookmarks, open, texts};
use crate::common::page_data;
use crate::common::program::{ok, refused, says};

pub(super) const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

/// Two positions that were mined, as rows, and as a sketch with no more than their positions.
pub(super) fn sketches(here: &Path) -> Vec<tesuji::mine::PuzzleRow> {
    fs::write(
        here.join("wins.toml"),
        super::filter("outcome = 'win' AND plies = 7"),
    )
    .unwrap();
    let mine = [
        "mine",
        SMALL,
        "--filter",
        "wins.toml",
        "--draw",
        "0",
        "-o",
        "out",
    ];
    ok(&mine, here);
    let csv = fs::read_to_string(here.join("out/wins/puzzles.csv")).unwrap();
    let rows = read_csv(csv.as_bytes()).unwrap();
    let mut sketch = "source,position,author,game\n".to_owned();
    for row in rows.iter().take(2) {
        writeln!(
            sketch,
            "Club evening,{},A. Composer,\"{SMALL}\"",
            row.position
        )
        .unwrap();
    }
    fs::write(here.join("sketches.csv"), sketch).unwrap();
    rows
}

#[test]
fn a_position_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = sketches(here);
    ok(
        &["export", "--puzzles", "sketches.csv", "-o", "whole.csv"],
        here,
    );
    let whole = fs::read_to_string(here.join("whole.csv")).unwrap();
    let whole = read_csv(whole.as_bytes()).unwrap();
    assert_eq!(whole.len(), 2);
    for (found, mined) in whole.iter().zip(&rows) {
        // All but the filter that found it, and what it left out.
        let mut found = found.clone();
        found.filter.clone_from(&mined.filter);
        found.similar = mined.similar;
        assert_eq!(found, *mined);
    }
    ok(
        &["draw", "--puzzles", "sketches.csv", "-o", "pictures"],
        here,
    );
    assert_eq!(fs::read_dir(here.join("pictures")).unwrap().count(), 2);
    ok(&["book", "sketches.csv", "-o", "book.pdf"], here);
    let words = texts(&open(&fs::read(here.join("book.pdf")).unwrap())).join(" ");
    assert!(words.contains("A. Composer, Club evening"), "{words}");
    // A wrong stipulation is refused with its row.
    let wrong = format!(
        "game,position,stipulation\n\"{SMALL}\",{},win in 5\n",
        rows[0].position
    );
    fs::write(here.join("wrong.csv"), wrong).unwrap();
    let said = refused(&["export", "--puzzles", "wrong.csv", "-o", "no.csv"], here);
    assert!(
        said.contains("wrong.csv, row 1: ") && said.contains("win in 7"),
        "{said}"
    );
    fs::write(here.join("none.csv"), "game,positon\n").unwrap();
    let said = refused(&["book", "none.csv", "-o", "no.pdf"], here);
    assert!(
        said.contains("column 'position' is missing; did you mean it by 'positon'?"),
        "{said}"
    );
}

#[test]
fn several_files_are_chapters() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    sketches(here);
    let both = ["out/wins/puzzles.csv", "sketches.csv"];
    ok(&[&["book"], &both[1..], &["-o", "one.pdf"]].concat(), here);
    // One puzzle twice is no book.
    let said = refused(&[&["book"], &both[..], &["-o", "both.pdf"]].concat(), here);
    assert!(said.contains("two problems are named"), "{said}");
    let csv = fs::read_to_string(here.join(both[0])).unwrap();
    let others: Vec<&str> = csv
        .lines()
        .enumerate()
        .filter(|(n, _)| *n == 0 || *n > 2)
        .map(|(_, line)| line)
        .collect();
    fs::write(here.join("others.csv"), others.join("\n")).unwrap();
    ok(
        &["book", "others.csv", "sketches.csv", "-o", "both.pdf"],
        here,
    );
    let titles = bookmarks(&open(&fs::read(here.join("both.pdf")).unwrap()));
    let chapters = ["Wins", "Sketches"].map(|name| titles.iter().position(|title| title == name));
    assert!(
        chapters[0].is_some() && chapters[0] < chapters[1],
        "{titles:?}"
    );
    ok(
        &["book", "others.csv", "sketches.csv", "-o", "both.html"],
        here,
    );
    let data = page_data(&fs::read_to_string(here.join("both.html")).unwrap());
    let count = others.len() - 1;
    assert_eq!(
        data["chapters"],
        serde_json::json!([["Wins", 0], ["Sketches", count]])
    );
}

#[test]
fn what_fits_a_pattern_is_ranked_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let compose = |pattern: &'static str, rest: &[&'static str]| {
        [&["compose", SMALL, pattern][..], rest].concat()
    };
    ok(
        &compose("???/?o?/???", &["-o", "found", "--limit", "5"]),
        here,
    );
    let csv = fs::read_to_string(here.join("found/puzzles.csv")).unwrap();
    let rows = read_csv(csv.as_bytes()).unwrap();
    assert_eq!(rows.len(), 5);
    assert!(rows.is_sorted_by(|a, b| a.score >= b.score));
    assert!(here.join("found/sheet.svg").exists());
    for (pattern, why) in [
        ("oo?/???/???", "this is a second one"),
        ("bbb/???/???", "at most 2 pieces"),
        ("xxx/xx?/???", "at most 4 pieces on the board"),
        ("bb./.../..w", "no square is left for the hole"),
        ("bb./.o./...", "at least 1 pieces while the game goes on"),
    ] {
        let said = refused(&compose(pattern, &[]), here);
        assert!(said.contains(why), "{pattern}: {said}");
    }
}

/// Whether a value is of the kind that a property of the schema asks for.
fn is_of(value: &Json, property: &Json) -> bool {
    if let Some(listed) = property["enum"].as_array() {
        return listed.contains(value);
    }
    let kinds = match &property["type"] {
        Json::Array(kinds) => kinds.clone(),
        kind => vec![kind.clone()],
    };
    let within = value.as_i64().is_none_or(|number| {
        property["minimum"]
            .as_i64()
            .is_none_or(|least| number >= least)
            && property["maximum"]
                .as_i64()
                .is_none_or(|most| number <= most)
    });
    let of = |kind: &Json| match kind.as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("null") => value.is_null(),
        other => panic!("{other:?}"),
    };
    within && kinds.iter().any(of)
}

#[test]
fn puzzles_are_as_their_schema_says() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    sketches(here);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/puzzle.schema.json");
    let schema: Json = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let names: Vec<&String> = properties.keys().collect();
    ok(
        &[
            "export",
            "--puzzles",
            "out/wins/puzzles.csv",
            "-o",
            "rows.jsonl",
        ],
        here,
    );
    let lines = fs::read_to_string(here.join("rows.jsonl")).unwrap();
    assert!(lines.lines().count() > 2);
    for line in lines.lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        let row = row.as_object().unwrap();
        assert_eq!(row.keys().collect::<Vec<_>>(), names);
        for (name, property) in properties {
            assert!(is_of(&row[name], property), "{name}: {}", row[name]);
        }
        assert!(!is_of(&Json::from("lost"), &properties["outcome"]));
    }
    let required = schema["required"].as_array().unwrap().iter();
    assert!(required.eq(names.iter().map(|name| name.as_str())));
}

#[test]
fn many_are_checked_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = sketches(here);
    // Each line says what a check of the position alone says.
    let (code, text, _) = says(&["check", "--puzzles", "sketches.csv"], here);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    let mut sound = 0;
    for ((number, row), line) in (1..).zip(rows.iter().take(2)).zip(&lines) {
        let (alone, one, _) = says(&["check", SMALL, &row.position], here);
        let verdict = one
            .lines()
            .find_map(|line| line.strip_prefix("verdict"))
            .unwrap();
        assert!(
            line.trim_start()
                .starts_with(&format!("{number}  {}", verdict.trim())),
            "{line}"
        );
        assert!(
            line.ends_with(&row.position) && line.contains("win in 7"),
            "{line}"
        );
        sound += u8::from(alone == Some(0));
    }
    assert_eq!(lines[2], format!("{sound} of 2 sound"));
    assert_eq!(code, Some(i32::from(sound < 2)));
    // The stipulation of a row is what is checked; words that are none say nothing.
    let asked = |task: &str| {
        let csv = format!(
            "game,position,stipulation\n\"{SMALL}\",{},{task}\n",
            rows[0].position
        );
        fs::write(here.join("asked.csv"), csv).unwrap();
        let (code, text, _) = says(&["check", "--puzzles", "asked.csv", "--json"], here);
        let verdict: Json = serde_json::from_str(&text).unwrap();
        assert_eq!(text.lines().count(), 1);
        assert_eq!(verdict["number"], 1);
        assert_eq!(code, Some(i32::from(verdict["sound"] == false)));
        (verdict["stipulation"].clone(), verdict["faults"].clone())
    };
    let mismatch = Json::from(vec!["distance mismatch"]);
    assert_eq!(asked("win in 5"), ("win in 5".into(), mismatch));
    assert_eq!(asked("White helps").0, "win in 7");
    assert_eq!(asked("Black to move and win").0, "win");
    assert_eq!(asked("Win in 4 moves").0, "win in 7");
    // A side that is not to move is an error, in a row and in an option.
    let csv = format!(
        "game,position,stipulation\n\"{SMALL}\",{},White to move and win\n",
        rows[0].position
    );
    fs::write(here.join("side.csv"), csv).unwrap();
    let (code, _, said) = says(&["check", "--puzzles", "side.csv"], here);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("row 1: ") && said.contains("but Black is to move"),
        "{said}"
    );
    let position = &rows[0].position;
    let asking = [
        "check",
        SMALL,
        position,
        "--stipulation",
        "Nobody to move and win",
    ];
    let (code, _, said) = says(&asking, here);
    assert_eq!(code, Some(2));
    assert!(said.contains("but Black is to move"), "{said}");
    let csv = format!("game,position,side\n\"{SMALL}\",{position},White\n");
    fs::write(here.join("column.csv"), csv).unwrap();
    let (code, _, said) = says(&["book", "column.csv", "-o", "side.html"], here);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("the column side is 'White'"), "{said}");
    // A row that cannot be read ends the command, with its number.
    fs::write(
        here.join("wrong.csv"),
        format!("game,position\n\"{SMALL}\",zz\n"),
    )
    .unwrap();
    let told = refused(&["check", "--puzzles", "wrong.csv"], here);
    assert!(told.contains("wrong.csv, row 1"), "{told}");
    let told = refused(&["check", SMALL, "initial", "--puzzles", "wrong.csv"], here);
    assert!(told.contains("--puzzles"), "{told}");
    let told = refused(&["check", SMALL, "initial", "--game", "graph:x"], here);
    assert!(told.contains("--game is for --puzzles"), "{told}");
}
