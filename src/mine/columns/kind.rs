//! Columns that count moves of one kind by outcome: only these moves are looked at.

use crate::game::{Cell, Feature, MoveKind};
use crate::mine::rating::Rate;
use crate::value::Outcome;

/// Columns a kind.
const WIDTH: usize = 4;

pub(super) fn features(kinds: &[MoveKind]) -> Vec<Feature> {
    let mut features = Vec::new();
    for kind in kinds {
        let name = kind.name;
        features.push(Feature::number(
            format!("n_{name}"),
            format!("moves of kind '{name}': {}", kind.meaning),
        ));
        for outcome in ["winning", "drawing", "losing"] {
            features.push(Feature::number(
                format!("{outcome}_{name}"),
                format!("those of them that are {outcome}"),
            ));
        }
    }
    features
}

/// The kinds that the wanted columns need, one bit each.
pub(in super::super) fn needed(wanted: impl IntoIterator<Item = usize>) -> u32 {
    let wanted = wanted.into_iter();
    wanted.fold(0, |set, place| set | 1 << (place / WIDTH))
}

/// Appends the wanted cells of one state with these moves of the needed kinds.
pub(super) fn cells(wanted: &[usize], rates: &[Rate], cells: &mut Vec<Cell>) {
    for &place in wanted {
        let kind = 1 << (place / WIDTH);
        let outcome = match place % WIDTH {
            0 => None,
            1 => Some(Outcome::Win),
            2 => Some(Outcome::Draw),
            _ => Some(Outcome::Loss),
        };
        let counted = rates.iter().filter(|rate| {
            rate.kinds & kind != 0 && outcome.is_none_or(|outcome| rate.value.outcome() == outcome)
        });
        cells.push(Cell::count(counted.count()));
    }
}
