//! Rows in memory: those of the data set, in the same order.

use std::ops::ControlFlow;

use serde_json::{Map, Value as Json, json};
use tesuji::base::progress::NoProgress;
use tesuji::export::{Batch, ColumnData, Format};
use tesuji::session::{
    Asked, ExportColumns, ExportOptions, ExportRows, RowOptions, ScopeOptions, SessionError,
};

use super::export::{GAMES, rows, slot};

/// The rows of a batch as objects.
fn objects(batch: &Batch) -> Vec<Map<String, Json>> {
    let mut objects = vec![Map::new(); batch.rows()];
    for column in batch.columns() {
        for (place, object) in objects.iter_mut().enumerate() {
            let value = match &column.values {
                ColumnData::Indices(values) => json!(values[place]),
                ColumnData::Numbers(values) => json!(values[place]),
                ColumnData::Flags(values) => json!(values[place]),
                ColumnData::Texts(values) => json!(values[place]),
                ColumnData::Words { words, places } => {
                    json!(places[place].map(|word| &words[usize::try_from(word).unwrap()]))
                }
            };
            object.insert(column.name.clone(), value);
        }
    }
    objects
}

/// Which rows are compared.
fn kinds() -> [RowOptions; 3] {
    let states = |columns, restricted| ExportRows::States {
        columns,
        restricted,
    };
    let named = ["plies", "own_mobility", "n_winning"].map(str::to_owned);
    [
        (states(ExportColumns::Record, true), false),
        (states(ExportColumns::Named(named.into()), false), true),
        (ExportRows::Moves, true),
    ]
    .map(|(rows, position)| RowOptions {
        scope: ScopeOptions::default(),
        rows,
        position,
    })
}

#[test]
fn batches_are_the_rows_of_the_data_set() {
    for spec in GAMES {
        let session = tesuji::open(spec).unwrap();
        let exporting = session.exporting().unwrap();
        for wanted in kinds() {
            let folder = tempfile::tempdir().unwrap();
            let set = folder.path().join("set");
            let options = ExportOptions {
                format: Format::Parquet,
                wanted: wanted.clone(),
                force: false,
            };
            exporting.export(&set, &options, &NoProgress).unwrap();
            let mut found = Vec::new();
            let mut sizes = Vec::new();
            let mut visit = |batch: Batch| {
                sizes.push(batch.rows());
                found.extend(objects(&batch));
                ControlFlow::Continue(())
            };
            exporting.batches(&wanted, &NoProgress, &mut visit).unwrap();
            assert_eq!(sizes[0], 0, "the first has the columns alone");
            assert!(found.iter().map(slot).is_sorted());
            let key = |row: &Map<String, Json>| {
                let forbidden = row.get("forbidden").and_then(Json::as_str);
                (slot(row), forbidden.map(str::to_owned))
            };
            found.sort_by_key(key);
            assert!(found == rows(&set), "{spec}: {wanted:?}");
        }
    }
}

#[test]
fn batches_end_when_nobody_wants_more() {
    let session = tesuji::open(GAMES[0]).unwrap();
    let mut calls = 0;
    let mut visit = |_| {
        calls += 1;
        ControlFlow::Break(())
    };
    let exporting = session.exporting().unwrap();
    let [states, ..] = kinds();
    exporting.batches(&states, &NoProgress, &mut visit).unwrap();
    assert_eq!(calls, 1);
}

#[test]
fn moves_of_all_positions_are_those_of_the_data_set() {
    let session = tesuji::open(GAMES[0]).unwrap();
    let exporting = session.exporting().unwrap();
    let [.., moves] = kinds();
    let mut all = Vec::new();
    let mut visit = |batch: Batch| {
        all.extend(objects(&batch));
        ControlFlow::Continue(())
    };
    exporting.batches(&moves, &NoProgress, &mut visit).unwrap();
    for row in &mut all {
        row.remove("layer");
        row.remove("hole");
    }
    let mut slots: Vec<u64> = all.iter().map(slot).collect();
    slots.dedup();
    let asked: Vec<_> = slots.iter().copied().map(Asked::Slot).collect();
    let found = exporting.moves_of(&asked, &NoProgress).unwrap();
    assert!(objects(&found) == all);
    let wrong = [Asked::Slot(slots[0]), Asked::Position("1ww/1x1/bb1 b -")];
    let error = exporting.moves_of(&wrong, &NoProgress).unwrap_err();
    assert!(
        matches!(error, SessionError::OneOfMany { number: 2, .. }),
        "{error}"
    );
}
