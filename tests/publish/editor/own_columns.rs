//! What an editor writes beside puzzles goes wherever they go.

use std::fs::{self, File};
use std::path::Path;

use polars::prelude::PlSmallStr;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use serde_json::Value as Json;
use tesuji::export::read_csv;

use super::sketches::{SMALL, sketches};
use crate::book::reading::{open, texts};
use crate::common::program::{ok, refused, says};

/// Columns of one's own, and what stands there.
const OWN: [&str; 4] = ["title", "date", "author", "my comments"];
const TEXTS: [&str; 4] = [
    " Spring ",
    "2024-05",
    "A. Composer",
    "=1+1, \"so\"\nthey say",
];

/// A file of mined puzzles with columns of one's own, half before and half after the others; the
/// second puzzle has other texts than the first.
fn annotated(here: &Path) {
    sketches(here);
    let mut reader = csv::Reader::from_path(here.join("out/wins/puzzles.csv")).unwrap();
    let mut writer = csv::Writer::from_path(here.join("own.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let mut write = |[a, b, c, d]: [&str; 4], cells: &csv::StringRecord| {
        let own = [a, b].into_iter().chain(cells).chain([c, d]);
        writer.write_record(own).unwrap();
    };
    write(OWN, &header);
    for (place, record) in reader.records().enumerate() {
        let texts = if place == 1 { [""; 4] } else { TEXTS };
        write(texts, &record.unwrap());
    }
}

/// The header and the rows of a CSV.
fn cells(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.has_headers(false).from_path(path).unwrap();
    let records = reader.records().map(Result::unwrap);
    records
        .map(|it| it.iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn columns_of_ones_own_come_through_every_export() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    annotated(here);
    let export = |rest: &[&str]| {
        ok(&[&["export", "--puzzles", "own.csv"], rest].concat(), here);
    };
    let plain = cells(&here.join("out/wins/puzzles.csv"));
    export(&["-o", "out.csv"]);
    let found = cells(&here.join("out.csv"));
    for (place, (found, plain)) in found.iter().zip(&plain).enumerate() {
        let own = match place {
            0 => OWN,
            2 => [""; 4],
            _ => TEXTS,
        };
        let expected: Vec<&str> = plain.iter().map(String::as_str).chain(own).collect();
        assert_eq!(*found, expected);
    }
    // What is written is read, and written again as it is.
    ok(&["export", "--puzzles", "out.csv", "-o", "again.csv"], here);
    assert_eq!(cells(&here.join("again.csv")), found);

    export(&["--distinct", "-o", "distinct.csv"]);
    let distinct = cells(&here.join("distinct.csv"));
    assert!(distinct.len() > 1);
    assert!(distinct.iter().all(|row| found.contains(row)));
    export(&[
        "--limit",
        "1",
        "--columns",
        "my comments,plies",
        "-o",
        "some.csv",
    ]);
    assert_eq!(
        cells(&here.join("some.csv")),
        [["my comments", "plies"], [TEXTS[3], "7"]]
    );

    export(&["-o", "out.jsonl"]);
    let lines = fs::read_to_string(here.join("out.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), found.len() - 1);
    for (line, row) in lines.lines().zip(&found[1..]) {
        let line: serde_json::Map<String, Json> = serde_json::from_str(line).unwrap();
        assert!(line.keys().eq(&found[0]));
        for (name, text) in OWN.iter().zip(&row[plain[0].len()..]) {
            assert_eq!(line[*name], Json::from(text.as_str()));
        }
    }
    export(&["-o", "out.parquet"]);
    let frame = ParquetReader::new(File::open(here.join("out.parquet")).unwrap());
    let frame = frame.finish().unwrap();
    assert!(
        frame
            .get_column_names()
            .into_iter()
            .map(PlSmallStr::as_str)
            .eq(&found[0])
    );
    let comments = frame.column(OWN[3]).unwrap().str().unwrap();
    assert_eq!(
        (comments.get(0), comments.get(1)),
        (Some(TEXTS[3]), Some(""))
    );
    // The program's own reader for rows that were mined keeps them, too.
    let rows = read_csv(File::open(here.join("own.csv")).unwrap()).unwrap();
    assert_eq!(rows[0].own("my comments"), TEXTS[3]);
    // And a booklet prints the credits of both kinds of files.
    ok(&["book", "own.csv", "--limit", "1", "-o", "own.pdf"], here);
    let words = texts(&open(&fs::read(here.join("own.pdf")).unwrap())).join(" ");
    assert!(
        words.contains("Spring") && words.contains("A. Composer"),
        "{words}"
    );
}

#[test]
fn sketches_keep_their_columns_when_they_are_solved() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rows = sketches(here);
    ok(
        &["export", "--puzzles", "sketches.csv", "-o", "whole.csv"],
        here,
    );
    let whole = read_csv(File::open(here.join("whole.csv")).unwrap()).unwrap();
    for row in &whole {
        let own: Vec<(&str, &str)> = row
            .own
            .iter()
            .map(|(name, text)| (&**name, &**text))
            .collect();
        assert_eq!(own, [("source", "Club evening"), ("author", "A. Composer")]);
    }
    let position = &rows[0].position;
    let wrong = |columns: &str, fields: &str| {
        let csv = format!("game,position,{columns}\n\"{SMALL}\",{position},{fields}\n");
        fs::write(here.join("wrong.csv"), csv).unwrap();
        refused(&["export", "--puzzles", "wrong.csv", "-o", "no.csv"], here)
    };
    // A column with the name of one of ours is not replaced without a word.
    let said = wrong("plies", "9");
    assert!(
        said.contains("row 1: the column plies is '9', but tesuji finds '7'"),
        "{said}"
    );
    let said = wrong("difficulty", "hard");
    assert!(said.contains("the column 'difficulty' is 'hard'"), "{said}");
    for (name, near) in [
        ("Title", "title"),
        ("Plies ", "plies"),
        ("puzzle-id", "puzzle_id"),
    ] {
        let said = wrong(name, "x");
        let told = format!("column '{name}' is nearly '{near}'; write {near} if you mean it");
        assert!(said.contains(&told), "{said}");
    }
    let said = wrong("date,date", "a,b");
    assert!(said.contains("column 'date' is there twice"), "{said}");
    let names: Vec<String> = (0..257).map(|number| format!("c{number}")).collect();
    let said = wrong(&names.join(","), &names.join(","));
    assert!(said.contains("at most 256 of your own are kept"), "{said}");
    // A misspelt one is kept, and told.
    let csv = format!("game,position,stipulaton,plies\n\"{SMALL}\",{position},win in 5,7\n");
    fs::write(here.join("near.csv"), csv).unwrap();
    let (code, _, said) = says(
        &["export", "--puzzles", "near.csv", "-o", "near-out.csv"],
        here,
    );
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("'stipulaton' is kept as a column of your own; did you mean 'stipulation'?"),
        "{said}"
    );
}

#[test]
fn what_a_limit_leaves_out_is_not_solved() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The second takes longer than it says, which is found out by solving it.
    let rows = "game,position,stipulation\n\"ostle:4x4,pieces=3,losses=2\",1b2/ww2/o1b1/b3 b -,win in 3\n\"ostle:4x4,pieces=3,losses=2\",2b1/3w/1o2/1bw1 b -,win in 3\n";
    fs::write(here.join("rows.csv"), rows).unwrap();
    let export = ["export", "--puzzles", "rows.csv", "-o", "out.csv"];
    let told = refused(&export, here);
    assert!(
        told.contains("row 2") && told.contains("the position is a win in 9"),
        "{told}"
    );
    ok(&[&export[..], &["--limit", "1"]].concat(), here);
    assert_eq!(cells(&here.join("out.csv")).len(), 2);
}
