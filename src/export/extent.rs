//! The least and the greatest values of columns.

use super::batch::{Batch, ColumnData};

/// The least and the greatest number of each column, by its place; `None` for columns
/// without numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extents(Vec<Option<(i64, i64)>>);

impl Extents {
    /// Extends them by the rows of a batch.
    pub(super) fn extend(&mut self, rows: &Batch) {
        let found = rows.columns().iter().map(|column| match column.values() {
            ColumnData::Indices(values) => ends(values.iter().flatten().copied()),
            ColumnData::Numbers(values) => ends(values.iter().flatten().map(|&n| n.into())),
            ColumnData::Flags(_) | ColumnData::Words { .. } | ColumnData::Texts(_) => None,
        });
        self.join(Self(found.collect()));
    }

    /// Extends them by those of other rows with the same columns.
    pub fn join(&mut self, other: Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), None);
        }
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine = match (*mine, other) {
                (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
                (one, other) => one.or(other),
            };
        }
    }

    /// Those of the column at a place.
    #[must_use]
    pub fn of(&self, place: usize) -> Option<(i64, i64)> {
        self.0.get(place).copied().flatten()
    }
}

fn ends(values: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    values.fold(None, |ends, value| {
        let (least, greatest) = ends.unwrap_or((value, value));
        Some((least.min(value), greatest.max(value)))
    })
}
