//! Values of positions as rows.

use std::sync::Arc;

use tesuji::export::{Batch, ColumnData, DataColumn, ExportError};
use tesuji::session::PositionValues;

/// The outcomes, in the order of their names.
const OUTCOMES: [&str; 3] = ["draw", "loss", "win"];

/// What is kept of a position's values.
pub struct ValueRow {
    slot: Option<i64>,
    position: String,
    side: &'static str,
    outcome: Option<i32>,
    plies: Option<i32>,
    moves: Option<i32>,
    best_moves: Option<i32>,
    best: Option<String>,
}

impl From<PositionValues> for ValueRow {
    fn from(values: PositionValues) -> Self {
        let number = |number: usize| i32::try_from(number).ok();
        let outcome = OUTCOMES
            .iter()
            .position(|name| *name == values.value.outcome().name());
        // Moves stand best first.
        let moves = values.moves.iter();
        let best = moves.take_while(|mv| mv.value == values.value);
        Self {
            slot: i64::try_from(values.slot).ok(),
            outcome: outcome.and_then(number),
            plies: values.value.plies().map(i32::from),
            moves: number(values.moves.len()),
            best_moves: number(best.count()),
            position: values.position,
            side: values.side,
            best: values.moves.into_iter().next().map(|mv| mv.name),
        }
    }
}

/// One row a position, with its value and its best moves.
pub fn of_values(found: Vec<ValueRow>) -> Result<Batch, ExportError> {
    let numbers = |of: fn(&ValueRow) -> Option<i32>| found.iter().map(of).collect::<Vec<_>>();
    let slots = found.iter().map(|row| row.slot).collect();
    let sides = found.iter().map(|row| Some(row.side.to_owned())).collect();
    let outcomes = ColumnData::Words {
        words: OUTCOMES
            .map(str::to_owned)
            .into_iter()
            .collect::<Arc<[_]>>(),
        places: numbers(|row| row.outcome),
    };
    let plies = ColumnData::Numbers(numbers(|row| row.plies));
    let moves = ColumnData::Numbers(numbers(|row| row.moves));
    let best_moves = ColumnData::Numbers(numbers(|row| row.best_moves));
    let texts = found.into_iter().map(|row| (Some(row.position), row.best));
    let (positions, best) = texts.unzip();
    Batch::new(vec![
        DataColumn::required("slot", ColumnData::Indices(slots)),
        DataColumn::required("position", ColumnData::Texts(positions)),
        DataColumn::required("side", ColumnData::Texts(sides)),
        DataColumn::required("outcome", outcomes),
        DataColumn::nullable("plies", plies),
        DataColumn::required("n_moves", moves),
        DataColumn::required("n_best", best_moves),
        DataColumn::nullable("best", ColumnData::Texts(best)),
    ])
}
