//! The files of a set of finds: tables, pictures, a sheet.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::earlier::SAMPLE;
use super::puzzle_pictures::{puzzle_svg, solution_svg};
use crate::draw::Style;
use crate::export::{write_batch, write_csv, write_parquet};
use crate::session::{MinedSet, Session, sheet};

/// A file's path and content.
pub type Made = (PathBuf, Vec<u8>);

/// Makes the tables of a filter, and pictures of its `drawn` best puzzles.
pub fn make_files(
    session: &dyn Session,
    set: &MinedSet,
    folder: &Path,
    style: &Style,
    drawn: usize,
) -> Result<Vec<Made>> {
    let (mut csv, mut parquet) = (Vec::new(), Vec::new());
    write_csv(&mut csv, &set.rows)?;
    write_parquet(&mut parquet, &set.rows)?;
    let mut files = vec![
        (folder.join("puzzles.csv"), csv),
        (folder.join("puzzles.parquet"), parquet),
    ];
    if let Some(columns) = &set.columns {
        let mut csv = Vec::new();
        write_batch(&mut csv, columns)?;
        files.push((folder.join("columns.csv"), csv));
    }
    if let Some(coverage) = set.coverage {
        let json = serde_json::json!({
            "filter": set.filter,
            "complete": false,
            "slots_looked_at": coverage.looked_at,
            "slots": coverage.of,
            "found": set.matched,
            "estimated": coverage.estimate.number.round(),
            "error_95": coverage.estimate.error.ceil(),
        });
        let text = format!("{json:#}\n");
        files.push((folder.join(SAMPLE), text.into_bytes()));
    }
    for (number, row) in (1..).zip(set.rows.iter().take(drawn)) {
        let stem = format!("{number:02}-{}", row.puzzle_id);
        let puzzle = puzzle_svg(session, row, number, style)?;
        files.push((folder.join(format!("{stem}.svg")), puzzle.into_bytes()));
        let solution = solution_svg(session, row, number, style)?;
        let name = format!("{stem}-solution.svg");
        files.push((folder.join(name), solution.into_bytes()));
    }
    if drawn > 0 && !set.rows.is_empty() {
        let sheet = sheet(session, &set.title, &set.rows, style)?;
        files.push((folder.join("sheet.svg"), sheet.into_bytes()));
    }
    Ok(files)
}
