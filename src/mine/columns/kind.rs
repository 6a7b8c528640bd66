//! Columns that count the moves of a kind by outcome. Only these moves are rated.

use super::moves;
use crate::base::value::Outcome;
use crate::game::{Feature, FeatureValue, MoveKind};
use crate::mine::rating::Rate;

/// The number of columns of each kind.
pub(super) const WIDTH: usize = 4;

/// The place of the number of winning moves among them.
pub(in crate::mine) const WINNING: usize = 1;

pub(super) fn features(kinds: &[MoveKind]) -> Vec<Feature> {
    let mut features = Vec::new();
    for kind in kinds {
        let name = kind.name;
        let all = format!("moves of kind '{name}'");
        let meaning = format!("{all}: {}", kind.meaning);
        features.push(moves(format!("n_{name}"), meaning));
        for (outcome, verb) in [("winning", "win"), ("drawing", "draw"), ("losing", "lose")] {
            let meaning = format!("{all} that {verb}");
            features.push(moves(format!("{outcome}_{name}"), meaning));
        }
    }
    features
}

/// The kinds of moves that the wanted columns need, one bit each.
pub(super) fn needed(wanted: &[usize]) -> u32 {
    let kinds = wanted.iter().map(|place| 1 << (place / WIDTH));
    kinds.fold(0, |set, kind: u32| set | kind)
}

pub(super) fn values(wanted: &[usize], rates: &[Rate], values: &mut Vec<FeatureValue>) {
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
        values.push(FeatureValue::count(counted.count()));
    }
}
