//! Data sets of all states: what is in them, and that they are whole or not there.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;

use polars::prelude::AnyValue;
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use serde_json::{Map, Value as Json, json};
use tesuji::base::value::{Record, Value};
use tesuji::export::{About, Batch, ColumnData, DataColumn, DataSet, Format};
use tesuji::game::{Game, Ranked};
use tesuji::games::ostle::Ostle;
use tesuji::mine::{Catalogue, Tier, measure};

use crate::common::program::{ok, refused, threaded};
use crate::common::truth::on_3x3;
use crate::common::{self, files};

pub(super) const GAMES: [&str; 2] = [
    "ostle:3x3,pieces=2,losses=2",
    "ostle:rows=4,columns=3,pieces=2,losses=2",
];

fn json_of(value: &AnyValue<'_>) -> Json {
    match value {
        AnyValue::Null => Json::Null,
        AnyValue::Boolean(flag) => json!(flag),
        AnyValue::Int32(number) => json!(number),
        AnyValue::Int64(number) => json!(number),
        AnyValue::String(text) => json!(text),
        AnyValue::StringOwned(text) => json!(text.as_str()),
        other => panic!("no column has values such as {other:?}"),
    }
}

/// The rows of a file.
pub(super) fn rows_of(path: &Path) -> Vec<Map<String, Json>> {
    if path
        .extension()
        .is_some_and(|extension| extension == "jsonl")
    {
        let text = fs::read_to_string(path).unwrap();
        let read = |line| serde_json::from_str(line).unwrap();
        return text.lines().map(read).collect();
    }
    let frame = ParquetReader::new(File::open(path).unwrap())
        .finish()
        .unwrap();
    let mut rows = vec![Map::new(); frame.height()];
    for column in frame.columns() {
        for (place, row) in rows.iter_mut().enumerate() {
            let cell = json_of(&column.get(place).unwrap());
            row.insert(column.name().to_string(), cell);
        }
    }
    rows
}

/// The rows of a data set, sorted by slot and forbidden move.
pub(super) fn rows(folder: &Path) -> Vec<Map<String, Json>> {
    let mut all = Vec::new();
    let data = folder.join("data");
    for path in files(&data).into_keys() {
        all.extend(rows_of(&data.join(&path)));
    }
    all.sort_by_key(|row| {
        let forbidden = row.get("forbidden").and_then(Json::as_str);
        (slot(row), forbidden.map(str::to_owned))
    });
    all
}

pub(super) fn slot(row: &Map<String, Json>) -> u64 {
    row["slot"].as_u64().unwrap()
}

/// What the record's columns must say.
fn check_record(row: &Map<String, Json>, record: Record) {
    let outcome = |value: Value| json!(value.outcome().name());
    let (best, second) = (record.best(), record.second());
    assert_eq!(row["outcome"], outcome(best), "{row:?}");
    assert_eq!(row["plies"], json!(best.plies()), "{row:?}");
    assert_eq!(row["plies_to_checkmate"], json!(best.plies_to_checkmate()));
    assert_eq!(row["banned_outcome"], outcome(second), "{row:?}");
    assert_eq!(row["banned_plies"], json!(second.plies()), "{row:?}");
    assert_eq!(row["bannable_best"], json!(record.only_move().is_some()));
}

fn positions(game: &Ostle) -> Vec<u64> {
    let slots = 0..game.slots();
    slots.filter(|&slot| game.unrank(slot).is_some()).collect()
}

/// The name of a square, turned to the corner of a1.
fn towards_a1(game: &Ostle, square: u8) -> String {
    let (width, height) = (game.grid.width, game.grid.height);
    let (file, rank) = (square / height, square % height);
    let (file, rank) = (file.min(width - 1 - file), rank.min(height - 1 - rank));
    let turned = if width == height {
        file.min(rank)
    } else {
        file
    };
    format!("{}{}", char::from(b'a' + turned), file + rank - turned + 1)
}

#[test]
fn every_position_is_one_row_with_its_record() {
    for spec in GAMES {
        let folder = tempfile::tempdir().unwrap();
        let game = common::game(spec);
        let records = common::records(&game);
        ok(
            &["export", spec, "-o", "states", "--position"],
            folder.path(),
        );
        ok(&["export", spec, "-o", "plain"], folder.path());
        let rows = rows(&folder.path().join("states"));
        let slots: Vec<u64> = rows.iter().map(slot).collect();
        assert_eq!(slots, positions(&game), "{spec}");
        for row in &rows {
            let slot = slot(row);
            check_record(row, records[usize::try_from(slot).unwrap()]);
            assert_eq!(row["restricted"], json!(false));
            let state = game.parse_state(row["position"].as_str().unwrap()).unwrap();
            assert_eq!(game.rank(&state), slot);
            let (own, other) = (state.own().count_ones(), state.opponent().count_ones());
            assert_eq!(row["layer"], json!(format!("{own}-{other}")));
            assert_eq!(row["hole"], json!(towards_a1(&game, state.hole())));
        }
        // Without positions the rows come by another way.
        let mut plain = self::rows(&folder.path().join("plain"));
        for (row, with) in plain.iter_mut().zip(&rows) {
            row.insert("position".to_owned(), with["position"].clone());
        }
        assert_eq!(plain, rows, "{spec}");
    }
}

#[test]
fn the_boards_columns_are_those_a_filter_sees() {
    let folder = tempfile::tempdir().unwrap();
    let game = common::game(GAMES[1]);
    let table = common::table(&game);
    ok(
        &["export", GAMES[1], "-o", "states", "--board"],
        folder.path(),
    );
    let catalogue = Catalogue::new(&game);
    let columns = catalogue.columns.iter().enumerate();
    let board: Vec<_> = columns
        .filter(|(_, column)| column.tier == Tier::Board && column.feature.name != "layer")
        .collect();
    let places: Vec<usize> = board.iter().map(|&(place, _)| place).collect();
    for row in rows(&folder.path().join("states")).iter().step_by(97) {
        let state = game.unrank(slot(row)).unwrap();
        let values = measure(&game, &table, &catalogue, &places, &[state]).unwrap();
        for ((_, column), value) in board.iter().zip(&values[0]) {
            let found = &row[&column.feature.name];
            match found.as_str() {
                Some(word) => assert_eq!(word, row["hole"], "the only column of words"),
                None => assert_eq!(*found, json!(value.get()), "{}", column.feature.name),
            }
        }
    }
}

#[test]
fn restricted_states_are_those_that_can_arise() {
    let spec = GAMES[0];
    let folder = tempfile::tempdir().unwrap();
    let [truth, _] = on_3x3();
    let game = common::game(spec);
    assert_eq!(truth.game.spec(), game.spec());
    ok(
        &["export", spec, "-o", "states", "--restricted", "--position"],
        folder.path(),
    );
    let rows = rows(&folder.path().join("states"));
    let mut found = HashSet::new();
    for row in &rows {
        let state = game.parse_state(row["position"].as_str().unwrap()).unwrap();
        let forbidden = state.forbidden.map(|mv| game.format_move(mv));
        assert_eq!(row["forbidden"], json!(forbidden), "{row:?}");
        assert_eq!(row["restricted"], json!(forbidden.is_some()));
        let (outcome, plies) = truth.worth(&state);
        assert_eq!(
            (&row["outcome"], &row["plies"]),
            (&json!(outcome.name()), &json!(plies)),
            "{row:?}"
        );
        assert_eq!(game.rank(&state), slot(row));
        found.insert(truth.identity(&state));
    }
    let states = truth.states();
    let expected = states.iter().map(|state| truth.identity(state)).collect();
    assert_eq!((rows.len(), found), (states.len(), expected));
}

#[test]
fn json_lines_say_the_same_as_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--board", "--position", "--restricted"];
    for (format, name) in [("parquet", "a"), ("jsonl", "b")] {
        let mut args = vec!["export", GAMES[0], "-o", name, "--format", format];
        args.extend(more);
        ok(&args, folder.path());
    }
    let (a, b) = (
        rows(&folder.path().join("a")),
        rows(&folder.path().join("b")),
    );
    assert!(a == b, "the rows differ");
}

#[test]
fn threads_do_not_change_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["parquet", "jsonl"] {
        let sets = ["1", "2"].map(|threads| {
            let name = format!("{format}{threads}");
            let args = [
                "export", GAMES[1], "--board", "--format", format, "-o", &name,
            ];
            let output = threaded(threads, &args, folder.path());
            assert!(output.status.success());
            files(&folder.path().join(name))
        });
        assert!(sets[0] == sets[1], "{format}");
    }
}

#[test]
fn layers_holes_and_samples_take_parts() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["export", GAMES[1], "-o", "all"], here);
    ok(
        &[
            "export", GAMES[1], "-o", "part", "--layer", "2-1", "--class", "a1",
        ],
        here,
    );
    ok(&["export", GAMES[1], "-o", "some", "--sample", "10"], here);
    let all = rows(&here.join("all"));
    let mut part = all.clone();
    part.retain(|row| row["layer"] == json!("2-1") && row["hole"] == json!("a1"));
    assert!(!part.is_empty());
    assert_eq!(rows(&here.join("part")), part);
    let some = rows(&here.join("some"));
    assert!(some.len() * 5 < all.len() && some.len() * 20 > all.len());
    assert!(some.iter().all(|row| all.contains(row)));
    let made = files(here).len();
    for (args, named) in [
        (["--layer", "9-9"], "unknown layer '9-9'"),
        (["--class", "z9"], "unknown hole 'z9'"),
        (["--sample", "1000000000000"], "lower --sample"),
    ] {
        let mut all = vec!["export", GAMES[1], "-o", "none"];
        all.extend(args);
        let message = refused(&all, here);
        assert!(message.contains(named), "{message}");
        assert_eq!(files(here).len(), made, "a refused export leaves nothing");
    }
}

#[test]
fn a_damaged_table_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", GAMES[1], "-o", "t.tsj"], here);
    let mut bytes = fs::read(here.join("t.tsj")).unwrap();
    bytes[1000] ^= 1;
    fs::write(here.join("t.tsj"), bytes).unwrap();
    let message = refused(&["export", GAMES[1], "--table", "t.tsj", "-o", "set"], here);
    assert!(message.contains("t.tsj"), "{message}");
    assert_eq!(files(here).len(), 1, "a refused export leaves nothing");
}

/// What a data set may say of itself.
fn about() -> About {
    About {
        writer: "tesuji of a test".to_owned(),
        game: GAMES[0].to_owned(),
        repetition: Some("exact".to_owned()),
        fingerprint: "0".repeat(32),
        rows_are: "states".to_owned(),
        restricted: false,
        layers: None,
        classes: None,
        sample: 1,
        sampled_by: "all positions".to_owned(),
        sorted_by: "slot".to_owned(),
    }
}

#[test]
fn long_files_have_several_row_groups() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    let set = DataSet::begin(&path, Format::Parquet, false).unwrap();
    let mut writer = set.part(3, &about());
    for from in (0..600_000).step_by(1000) {
        let slots = ColumnData::Indices((from..from + 1000).map(Some).collect());
        let batch = Batch::new(vec![DataColumn::required("slot", slots)]).unwrap();
        writer.push(batch).unwrap();
    }
    let written = writer.finish().unwrap();
    assert_eq!(written.rows(), 600_000);
    assert_eq!(written.extents.of(0), Some((0, 599_999)));
    // A part without rows is no file.
    let none = set.part(0, &about()).finish().unwrap();
    assert_eq!(none.files, []);
    set.finish(about(), &[], written).unwrap();
    let file = path.join("data/part-00003.parquet");
    let mut reader = ParquetReader::new(File::open(&file).unwrap());
    let groups = &reader.get_metadata().unwrap().row_groups;
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the type of a row group has no public name here"
    )]
    let lengths: Vec<usize> = groups.iter().map(|group| group.num_rows()).collect();
    assert_eq!(lengths, [1 << 18, 1 << 18, 75_712]);
    assert!(rows_of(&file).iter().map(slot).eq(0..600_000));
    // Besides those that explain it.
    assert_eq!(files(&path).len(), 5);
}
