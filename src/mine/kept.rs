//! The finds of a scan, in the order of their filters.

use std::cmp::Ordering;

use super::Predicate;
use super::plan::Sorted;
use crate::game::FeatureValue;

/// The finds of a filter so far.
pub(super) struct Kept<S> {
    pub found: Vec<Sorted<S>>,
    /// How many states the filter admitted.
    pub matched: u64,
}

impl<S> Default for Kept<S> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            matched: 0,
        }
    }
}

/// Sorts finds by a filter's order, and ties by index.
pub(super) fn sort<S>(found: &mut [Sorted<S>], predicate: &Predicate) {
    found.sort_by(|a, b| order(a, b, predicate));
}

/// The order of two finds of a filter.
pub(super) fn order<S>(a: &Sorted<S>, b: &Sorted<S>, predicate: &Predicate) -> Ordering {
    let keys = predicate.order().zip(a.keys.iter().zip(&b.keys));
    keys.map(|((_, descending), (x, y))| compare(*x, *y, descending))
        .find(|order| order.is_ne())
        .unwrap_or_else(|| (a.find.index, a.forbidden).cmp(&(b.find.index, b.forbidden)))
}

/// Compares values. Missing ones come last in either order. Words are in the order of their
/// list.
fn compare(a: FeatureValue, b: FeatureValue, descending: bool) -> Ordering {
    let order = match (a.get(), b.get()) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Greater,
        (Some(_), None) => return Ordering::Less,
        (Some(a), Some(b)) => a.cmp(&b),
    };
    if descending { order.reverse() } else { order }
}
