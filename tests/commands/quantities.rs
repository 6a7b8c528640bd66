//! One name is one quantity in one unit: in conditions, data sets, rows of puzzles, what
//! commands print as JSON and what the explorer answers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use polars::prelude::{DataFrame, DataType, ParquetReader, SerReader};
use serde_json::{Value as Json, json};

use crate::common::files;
use crate::common::program::{ok, says};
use crate::explore::client::Running;

const GAME: &str = "ostle:rows=4,columns=3,pieces=2,losses=2";

/// A value as a cell of CSV has it; `None` for what no cell holds.
fn cell(value: &Json) -> Option<String> {
    match value {
        Json::Null => Some(String::new()),
        Json::String(text) => Some(text.clone()),
        Json::Array(words) => {
            let words = words.iter().map(|word| word.as_str().map(str::to_owned));
            Some(words.collect::<Option<Vec<_>>>()?.join(" "))
        }
        Json::Object(_) => None,
        scalar => Some(scalar.to_string()),
    }
}

fn lines(text: &[u8]) -> Vec<Json> {
    let lines = std::str::from_utf8(text).unwrap().lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn batch(position: &str, here: &Path) -> Json {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["probe", GAME, "--batch"]).current_dir(here);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{position}").unwrap();
    drop(input);
    lines(&child.wait_with_output().unwrap().stdout).remove(0)
}

/// The rows of a data set in the format Parquet: cells by name, as CSV has them. Columns of
/// numbers hold numbers.
fn of_parquet(folder: &Path, features: &BTreeMap<&str, &str>) -> Vec<BTreeMap<String, String>> {
    let files = files(folder).into_iter();
    let files = files.filter(|(name, _)| name.extension().is_some_and(|end| end == "parquet"));
    let frame = |content| ParquetReader::new(Cursor::new(content)).finish().unwrap();
    let rows = |frame: DataFrame| {
        let mut rows = vec![BTreeMap::new(); frame.height()];
        for column in frame.columns() {
            let name = column.name().as_str();
            if let Some(told) = features.get(name) {
                let is_number = column.dtype().is_primitive_numeric();
                assert_eq!(is_number, *told == "number", "{name} in Parquet");
            }
            let texts = column.cast(&DataType::String).unwrap();
            for (row, text) in rows.iter_mut().zip(texts.str().unwrap().iter()) {
                row.insert(name.to_owned(), text.unwrap_or_default().to_owned());
            }
        }
        rows
    };
    files
        .flat_map(|(_, content)| rows(frame(content)))
        .collect()
}

#[test]
fn a_name_means_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let explorer = Running::new(GAME);
    for (name, condition) in [
        ("won", "outcome = 'win' AND plies > 4"),
        ("drawn", "outcome = 'draw'"),
    ] {
        let filter = format!("name = '{name}'\npredicate = \"{condition}\"\nlimit = 4\n");
        fs::write(here.join(format!("{name}.toml")), filter).unwrap();
        let file = format!("{name}.toml");
        ok(&["mine", GAME, "--filter", &file, "--draw", "0"], here);
        compare(&format!("output/{name}/puzzles.csv"), here, &explorer);
    }
}

fn compare(puzzles: &str, here: &Path, explorer: &Running) {
    let mut reader = csv::Reader::from_path(here.join(puzzles)).unwrap();
    let header = reader.headers().unwrap().clone();
    let features: Json = serde_json::from_str(&ok(&["features", GAME, "--json"], here)).unwrap();
    let features: BTreeMap<&str, &str> = features
        .as_array()
        .unwrap()
        .iter()
        .map(|feature| {
            (
                feature["name"].as_str().unwrap(),
                feature["type"].as_str().unwrap(),
            )
        })
        .collect();
    let shared: Vec<&str> = header
        .iter()
        .filter(|name| features.contains_key(name))
        .collect();
    assert!(shared.len() > 10, "{shared:?}");
    let columns = shared.join(",");
    let export = ["export", GAME, "--columns", &columns, "--position"];
    ok(
        &[
            &export[..],
            &["--format", "jsonl", "-o", "states", "--force"],
        ]
        .concat(),
        here,
    );
    ok(&[&export[..], &["-o", "parquet", "--force"]].concat(), here);
    let parquet = of_parquet(&here.join("parquet"), &features);
    let mut states: Vec<Json> = Vec::new();
    for (name, content) in files(&here.join("states")) {
        if name.extension().is_some_and(|end| end == "jsonl") {
            states.extend(lines(&content));
        }
    }
    ok(
        &["export", "--puzzles", puzzles, "-o", "p.jsonl", "--force"],
        here,
    );
    let rows = lines(&fs::read(here.join("p.jsonl")).unwrap());
    let mut compared = 0;
    for (row, of_row) in reader.records().map(Result::unwrap).zip(&rows) {
        let row: BTreeMap<&str, &str> = header.iter().zip(&row).collect();
        let position = row["position"];
        let same = |told: &Json, by: &str| {
            let told = told.as_object().unwrap().iter();
            let known = told.filter(|(name, _)| shared.contains(&name.as_str()));
            let cells = known.filter_map(|(name, value)| Some((name, value, cell(value)?)));
            cells
                .map(|(name, value, text)| {
                    assert_eq!(row[name.as_str()], text, "{name} of {position} in {by}");
                    let is_number = features[name.as_str()] == "number";
                    assert!(
                        value.is_null() || value.is_number() == is_number,
                        "{name} in {by}"
                    );
                })
                .count()
        };
        let state = states.iter().find(|state| state["position"] == position);
        assert_eq!(same(state.unwrap(), "a data set"), shared.len());
        assert_eq!(same(of_row, "rows of puzzles"), shared.len());
        let stored = parquet.iter().find(|row| row["position"] == position);
        for name in &shared {
            assert_eq!(
                stored.unwrap()[*name],
                row[name],
                "{name} of {position} in Parquet"
            );
        }
        for command in ["probe", "solution", "check"] {
            // A problem that is not sound is an answer too.
            let (_, told, _) = says(&[command, GAME, position, "--json"], here);
            let told: Json = serde_json::from_str(&told).unwrap();
            compared += same(&told, command);
            if let Some(profile) = told["depth_profile"].as_object() {
                assert!(profile.contains_key("line_look_ahead"));
                compared += same(&told["depth_profile"], "check");
            }
        }
        compared += same(&batch(position, here), "probe --batch");
        for question in ["evaluate", "solution", "check"] {
            let told = explorer.ask(question, &json!({ "position": position }));
            compared += same(&told, "the explorer");
        }
    }
    assert!(compared > 20, "{compared}");
}
