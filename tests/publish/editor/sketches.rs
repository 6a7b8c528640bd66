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
        // All but the filter that found it, and what it left out; credits stay.
        let mut found = found.clone();
        assert_eq!(found.own("source"), "Club evening");
        assert_eq!(found.own("author"), "A. Composer");
        found.own.clear();
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
    // A puzzle that is there twice is printed once.
    let twice = [&["book"], &both[..], &["-o", "both.pdf"]].concat();
    let (code, _, said) = says(&twice, here);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("2 rows repeat a problem: 2 exactly"),
        "{said}"
    );
    let mined = fs::read_to_string(here.join(both[0])).unwrap();
    let count = read_csv(mined.as_bytes()).unwrap().len();
    let words = texts(&open(&fs::read(here.join("both.pdf")).unwrap())).join(" ");
    let title = format!("{count} problems with their solutions");
    assert!(words.contains(&title), "{words}");
    let csv = fs::read_to_string(here.join(both[0])).unwrap();
    let others: Vec<&str> = csv
        .lines()
        .enumerate()
        .filter(|(n, _)| *n == 0 || *n > 2)
        .map(|(_, line)| line)
        .collect();
    fs::write(here.join("others.csv"), others.join("\n")).unwrap();
    ok(
        &[
            "book",
            "others.csv",
            "sketches.csv",
            "-o",
            "both.pdf",
            "--force",
        ],
        here,
    );
    let titles = bookmarks(&open(&fs::read(here.join("both.pdf")).unwrap()));
    let chapters = ["Wins", "Sketches"].map(|name| titles.iter().position(|title| title == name));
    assert!(
        chapters[0].is_some() && chapters[0] < chapters[1],
        "{titles:?}"
    );
    // The name of a file keeps its capitals.
    let named = "from the Club_in Zürich.csv";
    fs::copy(here.join("sketches.csv"), here.join(named)).unwrap();
    ok(&["book", "others.csv", named, "-o", "both.html"], here);
    let data = page_data(&fs::read_to_string(here.join("both.html")).unwrap());
    let count = others.len() - 1;
    assert_eq!(
        data["chapters"],
        serde_json::json!([["Wins", 0], ["From the Club in Zürich", count]])
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
    // The stipulation of a row is what is checked.
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
    assert_eq!(asked("Black to move and win").0, "win");
    assert_eq!(asked("BLACK WINS IN FOUR MOVES!").0, "win in 7");
    assert_eq!(asked("Win in 4 moves").0, "win in 7");
    // Free words are not taken as fine.
    let csv = format!(
        "game,position,stipulation\n\"{SMALL}\",{0},White helps\n\"{SMALL}\",{0},\n",
        rows[0].position
    );
    fs::write(here.join("free.csv"), csv).unwrap();
    let (code, text, _) = says(&["check", "--puzzles", "free.csv"], here);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("1  not checked: invalid stipulation \"White helps\""),
        "{text}"
    );
    assert!(text.contains(" of 2 sound, 1 not checked"), "{text}");
    let (_, text, _) = says(&["check", "--puzzles", "free.csv", "--json"], here);
    let first: Json = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert!(
        first["not_checked"].is_string() && first["sound"].is_null(),
        "{first}"
    );
}

#[test]
fn rows_with_a_wrong_side_or_position_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = sketches(here);
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
    for command in [
        &["book", "column.csv", "-o", "side.html"][..],
        &["check", "--puzzles", "column.csv"],
    ] {
        let (code, _, said) = says(command, here);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("the column side is 'White'"), "{said}");
    }
    let wrong = if rows[0].outcome == "win" {
        "loss"
    } else {
        "win"
    };
    let csv = format!("game,position,outcome\n\"{SMALL}\",{position},{wrong}\n");
    fs::write(here.join("column.csv"), csv).unwrap();
    for command in [
        &["book", "column.csv", "-o", "side.html", "--force"][..],
        &["check", "--puzzles", "column.csv"],
        &["export", "--puzzles", "column.csv", "-o", "solved.csv"],
    ] {
        let (code, _, said) = says(command, here);
        assert_eq!(code, Some(2), "{said}");
        let expected = format!("column.csv, row 1: the column outcome is '{wrong}'");
        assert!(said.contains(&expected), "{said}");
    }
    // A row that cannot be read ends the command, with its number.
    fs::write(
        here.join("wrong.csv"),
        format!("game,position\n\"{SMALL}\",zz\n"),
    )
    .unwrap();
    let told = refused(&["check", "--puzzles", "wrong.csv"], here);
    assert!(told.contains("wrong.csv, row 1"), "{told}");
    fs::write(
        here.join("empty.csv"),
        format!("game,position,stipulation\n\"{SMALL}\", ,win\n"),
    )
    .unwrap();
    let told = refused(&["check", "--puzzles", "empty.csv"], here);
    assert!(
        told.contains("line 2: the column 'position' is empty"),
        "{told}"
    );
    let told = refused(&["check", SMALL, "initial", "--puzzles", "wrong.csv"], here);
    assert!(told.contains("--puzzles"), "{told}");
    let told = refused(&["check", SMALL, "initial", "--game", "graph:x"], here);
    assert!(told.contains("--game is for --puzzles"), "{told}");
}

#[test]
fn puzzles_that_are_not_sound_are_told_and_refused_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = sketches(here);
    let [good, other, third, fourth, ..] = &rows[..] else {
        panic!("four puzzles");
    };
    // Claims of mined rows that the table contradicts.
    let mut cooked = rows.iter().find(|row| row.n_winning > 1).unwrap().clone();
    cooked.stipulation = "Black to move and win".to_owned();
    let mut wrong_key = good.clone();
    wrong_key.key.clone_from(&other.key);
    assert_ne!(good.key, other.key);
    let mut wrong_task = other.clone();
    wrong_task.stipulation = "Black to move and win in 9".to_owned();
    let mut free = third.clone();
    free.stipulation = "White helps".to_owned();
    let all = [cooked, wrong_key, wrong_task, free, fourth.clone()];
    let mut csv = Vec::new();
    tesuji::export::write_csv(&mut csv, &all).unwrap();
    fs::write(here.join("claims.csv"), csv).unwrap();
    let faults = [
        "row 1: not sound: cooked",
        "row 2: not sound: other key",
        "row 3: not sound: distance mismatch",
        "row 4: not checked: invalid stipulation \"White helps\"",
    ];
    for (command, made) in [
        (&["book", "claims.csv", "-o", "c.html"][..], "c.html"),
        (&["draw", "--puzzles", "claims.csv", "-o", "drawn"], "drawn"),
    ] {
        let said = refused(&[command, &["--strict"]].concat(), here);
        assert!(
            said.contains("4 puzzles not sound or not checked"),
            "{said}"
        );
        assert!(!here.join(made).exists(), "{made}");
        let (code, _, said) = says(command, here);
        assert_eq!(code, Some(0), "{said}");
        for fault in faults {
            assert!(
                said.contains(&format!("claims.csv, {fault}")),
                "{fault}: {said}"
            );
        }
        assert!(!said.contains("row 5"), "{said}");
    }
    // The same as a check says.
    let (_, text, _) = says(&["check", "--puzzles", "claims.csv"], here);
    for (line, fault) in text.lines().zip(faults) {
        let (_, fault) = fault.split_once(": ").unwrap();
        assert!(line.contains(fault), "{line}");
    }
    let said = refused(&["draw", SMALL, "initial", "--strict"], here);
    assert!(said.contains("--strict is for --puzzles"), "{said}");
    // Problems with hidden information, too: this one is won in 9 plies with one foul, as its source
    // says.
    let strict = ["draw", "--puzzles", "hidden.csv", "-o", "h", "--strict"];
    let hidden = |asked| format!("game,position,stipulation\ntsuitate,initial,{asked}\n");
    fs::write(here.join("hidden.csv"), hidden("win in 7")).unwrap();
    let said = refused(&strict, here);
    assert!(said.contains("not sound: distance mismatch"), "{said}");
    fs::write(
        here.join("hidden.csv"),
        hidden("win in 9 with 1 foul allowed"),
    )
    .unwrap();
    ok(&strict, here);
}

#[test]
fn rows_of_one_problem_are_printed_and_exported_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The first five are one problem: written again, as the initial position of nobody, turned,
    // mirrored, and with colours swapped. The last has a move less.
    let ostle = "ostle:4x4,pieces=3,losses=2";
    let tapatan = "tapatan";
    let positions = [
        (ostle, "2b1/3w/1o2/1bw1 b -"),
        (ostle, "2b1/3w/1o2/1bw1 b"),
        (ostle, "1b2/w3/2o1/1wb1 b -"),
        (ostle, "1wb1/2o1/w3/1b2 b -"),
        (ostle, "2w1/3b/1o2/1wb1 w -"),
        (ostle, "2b1/w1w1/1ob1/2b1 b -"),
        (tapatan, "b.w/.b./... w"),
        (tapatan, "w.b/.b./... w"),
    ];
    let mut csv = "game,position\n".to_owned();
    for (game, position) in positions {
        writeln!(csv, "\"{game}\",{position}").unwrap();
    }
    fs::write(here.join("all.csv"), &csv).unwrap();
    let line = "5 rows repeat a problem: 1 exactly, 4 mirrored, turned or with colours swapped";
    let command = [
        "export",
        "--puzzles",
        "all.csv",
        "--distinct",
        "-o",
        "out.csv",
    ];
    let (code, _, said) = says(&command, here);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains(line), "{said}");
    let found = fs::read_to_string(here.join("out.csv")).unwrap();
    let found = read_csv(found.as_bytes()).unwrap();
    let kept: Vec<_> = found.iter().map(|row| row.position.as_str()).collect();
    assert_eq!(kept, [positions[0].1, positions[5].1, positions[6].1]);
    // A book is of one game.
    let lines: Vec<_> = csv.lines().take(7).collect();
    fs::write(here.join("one.csv"), lines.join("\n")).unwrap();
    let (code, _, said) = says(&["book", "one.csv", "-o", "b.html"], here);
    assert_eq!(code, Some(0), "{said}");
    let line = "4 rows repeat a problem: 1 exactly, 3 mirrored, turned or with colours swapped";
    assert!(said.contains(line), "{said}");
    let data = page_data(&fs::read_to_string(here.join("b.html")).unwrap());
    assert_eq!(data["puzzles"].as_array().unwrap().len(), 2);
    assert_eq!(data["subtitle"], "2 problems with their solutions");
}
