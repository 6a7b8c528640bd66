//! Apache Parquet, compressed with Zstandard.

use std::io::Write;

use polars::prelude::{Column, DataFrame, NamedFrom, ParquetCompression, ParquetWriter, Series};

use super::error::ExportError;
use crate::mine::PuzzleRow;

/// Writes rows as Parquet, with the same columns as the CSV.
///
/// # Errors
/// [`ExportError::Parquet`] if writing fails.
pub fn write_parquet(sink: impl Write, rows: &[PuzzleRow]) -> Result<(), ExportError> {
    let failed = |error: polars::error::PolarsError| ExportError::Parquet(error.to_string());
    let text = |name: &str, of: fn(&PuzzleRow) -> &str| {
        let values: Vec<&str> = rows.iter().map(of).collect();
        Column::from(Series::new(name.into(), values))
    };
    let count = |name: &str, of: fn(&PuzzleRow) -> u32| {
        let values: Vec<u32> = rows.iter().map(of).collect();
        Column::from(Series::new(name.into(), values))
    };
    let plies = |name: &str, of: fn(&PuzzleRow) -> Option<u16>| {
        let values: Vec<Option<u16>> = rows.iter().map(of).collect();
        Column::from(Series::new(name.into(), values))
    };
    let number = |name: &str, of: fn(&PuzzleRow) -> u64| {
        let values: Vec<u64> = rows.iter().map(of).collect();
        Column::from(Series::new(name.into(), values))
    };
    let columns = vec![
        text("puzzle_id", |row| &row.puzzle_id),
        text("game", |row| &row.game),
        text("position", |row| &row.position),
        text("forbidden", |row| &row.forbidden),
        text("side", |row| &row.side),
        text("stipulation", |row| &row.stipulation),
        text("outcome", |row| &row.outcome),
        plies("plies", |row| row.plies),
        plies("plies_to_checkmate", |row| row.plies_to_checkmate),
        text("key", |row| &row.key),
        text("solution", |row| &row.solution),
        count("n_moves", |row| row.n_moves),
        count("n_winning", |row| row.n_winning),
        count("n_best", |row| row.n_best),
        text("uniqueness", |row| &row.uniqueness),
        text("soundness", |row| &row.soundness),
        count("n_tries", |row| row.n_tries),
        number("variations", |row| row.variations),
        text("themes", |row| &row.themes),
        count("score", |row| row.score),
        count("difficulty", |row| row.difficulty),
        number("similar", |row| row.similar),
        text("filter", |row| &row.filter),
        number("table_index", |row| row.table_index),
        text("table_fingerprint", |row| &row.table_fingerprint),
    ];
    let mut frame = DataFrame::new(rows.len(), columns).map_err(failed)?;
    ParquetWriter::new(sink)
        .with_compression(ParquetCompression::Zstd(None))
        .finish(&mut frame)
        .map_err(failed)?;
    Ok(())
}
