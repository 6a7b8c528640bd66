//! Puzzles as columns.

use super::batch::{Batch, ColumnData, DataColumn};
use super::error::ExportError;
use crate::mine::PuzzleRow;

/// Columns that files of earlier versions lack.
const LATER: [&str; 3] = ["look_ahead", "lure_run", "solved_at"];

/// Whether a file may lack a column: one of an earlier version, which has none of the later
/// ones.
pub(super) fn may_lack(name: &str, has: impl Fn(&str) -> bool) -> bool {
    LATER.contains(&name) && !LATER.iter().any(|later| has(later))
}

/// Puzzles as columns, in the order of the fields of [`PuzzleRow`]. Columns that are also
/// columns of states have the same names and types there.
///
/// # Errors
/// Never with a text in every field that must have one.
pub fn puzzle_columns(rows: &[PuzzleRow]) -> Result<Batch, ExportError> {
    let text = |name: &str, of: fn(&PuzzleRow) -> &String| {
        let values = rows.iter().map(|row| Some(of(row).clone()));
        DataColumn::required(name, ColumnData::Texts(values.collect()))
    };
    let count = |name: &str, of: fn(&PuzzleRow) -> u32| {
        let values = rows.iter().map(of);
        let values = values.map(|value| Some(i32::try_from(value).unwrap_or(i32::MAX)));
        DataColumn::required(name, ColumnData::Numbers(values.collect()))
    };
    let plies = |name: &str, of: fn(&PuzzleRow) -> Option<u16>| {
        let values = rows.iter().map(|row| of(row).map(i32::from));
        DataColumn::nullable(name, ColumnData::Numbers(values.collect()))
    };
    let known = |name: &str, of: fn(&PuzzleRow) -> Option<u32>| {
        let values = rows.iter().map(of);
        let values = values.map(|value| value.map(|it| i32::try_from(it).unwrap_or(i32::MAX)));
        DataColumn::nullable(name, ColumnData::Numbers(values.collect()))
    };
    let number = |name: &str, of: fn(&PuzzleRow) -> u64| {
        let values = rows.iter().map(of);
        let values = values.map(|value| Some(i64::try_from(value).unwrap_or(i64::MAX)));
        DataColumn::required(name, ColumnData::Indices(values.collect()))
    };
    let forbidden = rows.iter().map(|row| row.forbidden.clone()).collect();
    Batch::new(vec![
        text("puzzle_id", |row| &row.puzzle_id),
        text("game", |row| &row.game),
        text("position", |row| &row.position),
        DataColumn::nullable("forbidden", ColumnData::Texts(forbidden)),
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
        known(LATER[0], |row| row.look_ahead),
        known(LATER[1], |row| row.lure_run),
        known(LATER[2], |row| row.solved_at),
        number("similar", |row| row.similar),
        text("filter", |row| &row.filter),
        number("slot", |row| row.slot),
        text("table_fingerprint", |row| &row.table_fingerprint),
    ])
}
