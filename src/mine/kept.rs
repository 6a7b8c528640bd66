//! The finds of a scan, in the order of their filters.

use std::cmp::Ordering;

use super::predicate::Predicate;
use super::puzzle::Find;
use crate::game::FeatureValue;

#[derive(Clone)]
pub(super) struct Sorted<S> {
    pub keys: Vec<FeatureValue>,
    pub forbidden: Option<u8>,
    pub find: Find<S>,
}

pub(super) struct Kept<S> {
    pub found: Vec<Sorted<S>>,
    /// How many states the filter admitted.
    pub matched: u64,
    /// The keys and the index of the last of as many finds as are wanted: what comes after it in
    /// the filter's order is counted, and not kept.
    pub last: Option<(Vec<FeatureValue>, u64)>,
}

impl<S> Kept<S> {
    /// No finds yet, of which those after `last` are not to be kept.
    pub(super) const fn after(last: Option<(Vec<FeatureValue>, u64)>) -> Self {
        Self {
            found: Vec::new(),
            matched: 0,
            last,
        }
    }

    /// Whether a find with these first sorting keys, or later ones, and this index comes too late
    /// to be kept.
    pub(crate) fn is_late(
        &self,
        (keys, index): (&[FeatureValue], u64),
        predicate: &Predicate,
    ) -> bool {
        self.last.as_ref().is_some_and(|(last, of_last)| {
            let by_keys = order_of_keys(keys, last, predicate);
            by_keys.is_gt() || by_keys.is_eq() && keys.len() == last.len() && index > *of_last
        })
    }

    /// Counts a find, and keeps what `find` returns unless its keys say that it comes too late.
    pub(super) fn add(
        &mut self,
        at: (&[FeatureValue], u64),
        predicate: &Predicate,
        find: impl FnOnce() -> Sorted<S>,
    ) {
        self.matched += 1;
        if !self.is_late(at, predicate) {
            self.found.push(find());
        }
    }

    /// Adds the finds of a part, of which the first `limit` are wanted.
    pub(super) fn extend(&mut self, part: Self, predicate: &Predicate, limit: Option<usize>) {
        self.matched += part.matched;
        self.found.extend(part.found);
        if let Some(limit) = limit
            && self.found.len() > limit.saturating_mul(4).max(1 << 12)
        {
            sort(&mut self.found, predicate);
            self.found.truncate(limit);
            let last = self.found.last();
            self.last = last.map(|sorted| (sorted.keys.clone(), sorted.find.index));
        }
    }
}

/// Sorts finds by a filter's order, and ties by index.
pub(super) fn sort<S>(found: &mut [Sorted<S>], predicate: &Predicate) {
    found.sort_by(|a, b| order(a, b, predicate));
}

pub(super) fn order<S>(a: &Sorted<S>, b: &Sorted<S>, predicate: &Predicate) -> Ordering {
    let by_index = || (a.find.index, a.forbidden).cmp(&(b.find.index, b.forbidden));
    order_of_keys(&a.keys, &b.keys, predicate).then_with(by_index)
}

/// The order of two lists of sorting keys, as far as both go.
fn order_of_keys(a: &[FeatureValue], b: &[FeatureValue], predicate: &Predicate) -> Ordering {
    let keys = predicate.order.iter().zip(a.iter().zip(b));
    compare(keys.map(|(&(_, descending), (&x, &y))| (x, y, descending)))
}

/// Compares two things by the values of their sorting keys, each with whether the greater comes
/// first. Missing values come last in either order. Words are in the order of their list.
pub(crate) fn compare(keys: impl Iterator<Item = (FeatureValue, FeatureValue, bool)>) -> Ordering {
    let mut orders = keys.map(|(a, b, descending)| {
        let (a, b) = (a.get(), b.get());
        let by_value = if descending { b.cmp(&a) } else { a.cmp(&b) };
        a.is_none().cmp(&b.is_none()).then(by_value)
    });
    let order = orders.find(|order| order.is_ne());
    order.unwrap_or(Ordering::Equal)
}
