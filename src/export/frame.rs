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
    let series = Series::from_arrow(column.name.as_str().into(), array(column))?;
    Ok(series.into())
}
