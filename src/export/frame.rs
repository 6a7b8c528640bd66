//! Rows as a `DataFrame` of Polars, for programs in Rust.

use polars::prelude::{Column, DataFrame, PolarsResult, Series};

use super::batch::{Batch, DataColumn};
use super::parquet::array;

/// Batches with the same columns as one frame, with the names and types that they have in
/// Parquet. Each batch becomes a chunk, and its memory is given back.
///
/// Finds of a filter come as [`puzzle_columns`](super::puzzle_columns), states and moves from
/// a session's `Exporting`.
///
/// # Errors
/// If the columns differ from those of the first batch.
pub fn data_frame(batches: impl IntoIterator<Item = Batch>) -> PolarsResult<DataFrame> {
    let mut all = DataFrame::empty();
    for batch in batches {
        let columns = batch.columns().iter().map(series);
        let frame = DataFrame::new(batch.rows(), columns.collect::<PolarsResult<_>>()?)?;
        if all.width() == 0 {
            all = frame;
        } else {
            all.vstack_mut(&frame)?;
        }
    }
    Ok(all)
}

fn series(column: &DataColumn) -> PolarsResult<Column> {
    let series = Series::from_arrow(column.name().into(), array(column))?;
    Ok(series.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::ColumnData;

    fn batch(name: &str, values: Vec<Option<i32>>) -> Batch {
        Batch::new(vec![DataColumn::nullable(
            name,
            ColumnData::Numbers(values),
        )])
        .unwrap()
    }

    #[test]
    fn batches_become_one_frame() {
        let batches = [
            batch("plies", vec![]),
            batch("plies", vec![Some(7), None]),
            batch("plies", vec![Some(9)]),
        ];
        let frame = data_frame(batches).unwrap();
        let plies = frame.column("plies").unwrap().i32().unwrap().to_vec();
        assert_eq!(plies, [Some(7), None, Some(9)]);
    }

    #[test]
    fn other_columns_are_refused() {
        let batches = [batch("plies", vec![None]), batch("slot", vec![None])];
        assert!(data_frame(batches).is_err());
        assert_eq!(data_frame([]).unwrap().shape(), (0, 0));
    }
}
