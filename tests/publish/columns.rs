//! Columns of rows: added, taken, and as a frame of Polars.

use std::sync::Arc;

use tesuji::export::{Batch, ColumnData, DataColumn, ExportError, data_frame};

fn batch(name: &str, values: ColumnData) -> Batch {
    // One column cannot differ in length from others.
    Batch::new(vec![DataColumn::nullable(name, values)]).unwrap()
}

fn indices(values: impl IntoIterator<Item = i64>) -> ColumnData {
    ColumnData::Indices(values.into_iter().map(Some).collect())
}

#[test]
fn rows_are_added_and_taken_in_order() {
    let mut rows = batch("slot", indices([1, 2, 3]));
    // Both have the one column.
    rows.append(batch("slot", indices([4]))).unwrap();
    assert_eq!(rows.take(2), batch("slot", indices([1, 2])));
    assert_eq!(rows.take(9), batch("slot", indices([3, 4])));
    assert_eq!(rows.rows(), 0);
}

#[test]
fn rows_of_other_columns_are_refused() {
    let mut rows = batch("slot", indices([1]));
    for other in [
        batch("place", indices([2])),
        batch("slot", ColumnData::Numbers(vec![None])),
        Batch::new(vec![DataColumn::required("slot", indices([2]))]).unwrap(),
    ] {
        assert!(rows.append(other).is_err());
    }
}

#[test]
fn a_value_that_must_be_there_is_there() {
    let words = || ColumnData::Words {
        words: Arc::from(["win".to_owned()]),
        places: vec![Some(0), Some(1)],
    };
    assert!(Batch::new(vec![DataColumn::nullable("outcome", words())]).is_ok());
    let found = Batch::new(vec![DataColumn::required("outcome", words())]);
    assert!(matches!(found, Err(ExportError::Missing(name)) if name == "outcome"));
}

fn numbers(name: &str, values: Vec<Option<i32>>) -> Batch {
    batch(name, ColumnData::Numbers(values))
}

#[test]
fn batches_become_one_frame() {
    let batches = [
        numbers("plies", vec![]),
        numbers("plies", vec![Some(7), None]),
        numbers("plies", vec![Some(9)]),
    ];
    let frame = data_frame(batches).unwrap();
    let plies = frame.column("plies").unwrap().i32().unwrap().to_vec();
    assert_eq!(plies, [Some(7), None, Some(9)]);
}

#[test]
fn batches_of_other_columns_are_no_frame() {
    let batches = [numbers("plies", vec![None]), numbers("slot", vec![None])];
    assert!(data_frame(batches).is_err());
    assert_eq!(data_frame([]).unwrap().shape(), (0, 0));
}
