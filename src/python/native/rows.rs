//! Values of positions as rows.

use std::sync::Arc;

use tesuji::export::{Batch, ColumnData, DataColumn, ExportError};
use tesuji::session::PositionValues;

/// One row a position, with its value and its best moves.
pub fn of_values(found: &[PositionValues]) -> Result<Batch, ExportError> {
    let texts = |of: fn(&PositionValues) -> String| {
        ColumnData::Texts(found.iter().map(|values| Some(of(values))).collect())
    };
    let outcomes: Arc<[String]> = ["draw", "loss", "win"].map(str::to_owned).into();
    let place = |values: &PositionValues| outcomes.iter().position(|name| name == values.outcome);
    let number = |number: usize| i32::try_from(number).ok();
    let outcome = found.iter().map(|values| place(values).and_then(number));
    let plies = found.iter().map(|values| values.plies.map(i32::from));
    let counts = |of: fn(&PositionValues) -> usize| {
        ColumnData::Numbers(found.iter().map(|values| number(of(values))).collect())
    };
    let slots = found.iter().map(|values| i64::try_from(values.slot).ok());
    Batch::new(vec![
        DataColumn::required("slot", ColumnData::Indices(slots.collect())),
        DataColumn::required("position", texts(|values| values.position.clone())),
        DataColumn::required("side", texts(|values| values.side.to_owned())),
        DataColumn::required(
            "outcome",
            ColumnData::Words {
                words: Arc::clone(&outcomes),
                places: outcome.collect(),
            },
        ),
        DataColumn::nullable("plies", ColumnData::Numbers(plies.collect())),
        DataColumn::required("n_moves", counts(|values| values.moves.len())),
        DataColumn::required("n_best", counts(best)),
        DataColumn::nullable("best", ColumnData::Texts(found.iter().map(first).collect())),
    ])
}

/// How many moves are best.
fn best(values: &PositionValues) -> usize {
    let moves = values.moves.iter();
    moves
        .filter(|mv| (mv.outcome, mv.plies) == (values.outcome, values.plies))
        .count()
}

/// The first best move.
fn first(values: &PositionValues) -> Option<String> {
    values.moves.first().map(|mv| mv.name.clone())
}
