//! Mined puzzles as other files.

use std::fs;

use serde_json::{Map, Value as Json};

use crate::common::program::{ok, refused, tesuji};

const OBLONG: &str = "ostle:rows=4,columns=3,pieces=2,losses=2";

#[test]
fn puzzles_become_json_lines() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(
        &[
            "mine",
            OBLONG,
            "--filter",
            "longest-wins",
            "--limit",
            "9",
            "--draw",
            "0",
        ],
        here,
    );
    let csv = "output/longest-wins/puzzles.csv";
    ok(
        &[
            "export",
            "--puzzles",
            csv,
            "--format",
            "jsonl",
            "-o",
            "p.jsonl",
        ],
        here,
    );
    let lines = fs::read_to_string(here.join("p.jsonl")).unwrap();
    let read = |line| serde_json::from_str(line).unwrap();
    let rows: Vec<Map<String, Json>> = lines.lines().map(read).collect();
    let text = fs::read_to_string(here.join(csv)).unwrap();
    assert_eq!(rows.len() + 1, text.lines().count());
    for (row, line) in rows.iter().zip(text.lines().skip(1)) {
        assert!(line.starts_with(row["puzzle_id"].as_str().unwrap()));
        assert_eq!(row.len(), 28);
    }
    refused(&["export", "--puzzles", "nowhere.csv", "-o", "x.csv"], here);
    refused(&["export", OBLONG, "--puzzles", csv, "-o", "x.csv"], here);
}

#[test]
fn puzzles_become_a_table_of_some_columns() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = &format!("mine {OBLONG} --filter longest-wins --limit 9 --draw 0");
    ok(&mine.split(' ').collect::<Vec<_>>(), here);
    let csv = "output/longest-wins/puzzles.csv";
    let some = |columns, name| {
        let mut args = vec![
            "export",
            "--puzzles",
            csv,
            "--format",
            "csv",
            "--limit",
            "4",
        ];
        args.extend(["--columns", columns, "-o", name]);
        tesuji(&args, here)
    };
    assert!(some("plies,position", "some.csv").status.success());
    let text = fs::read_to_string(here.join("some.csv")).unwrap();
    let mut all = csv::Reader::from_path(here.join(csv)).unwrap();
    let header = all.headers().unwrap().clone();
    let place = |name| header.iter().position(|column| column == name).unwrap();
    let (plies, position) = (place("plies"), place("position"));
    let rows = all.records().take(4).map(Result::unwrap);
    let rows: Vec<_> = rows
        .map(|row| format!("{},{}", &row[plies], &row[position]))
        .collect();
    assert_eq!(text, format!("plies,position\n{}\n", rows.join("\n")));
    let refused = some("plies,colour", "more.csv");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(message.contains("unknown column 'colour'"), "{message}");
    assert!(!here.join("more.csv").exists());
}
