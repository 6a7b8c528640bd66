//! Columns that fulfil a condition, as lists and as bit sets.
//!
//! A move that is not turned keeps the order of what it does not touch. So the columns that
//! have the move, and the sets in the bucket that come from it, correspond one by one, in
//! the order of their numbers: walking two lists side by side takes the place of computing
//! each image and its number.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::game::Condition;

/// Which columns of a layer fulfil conditions, found out when first asked for.
pub(crate) struct ColumnLists<'g> {
    columns: &'g [u32],
    lists: Known<u32>,
    sets: Known<u16>,
}

/// What is known by condition.
type Known<T> = RwLock<HashMap<Condition, Arc<[T]>>>;

impl<'g> ColumnLists<'g> {
    pub fn new(columns: &'g [u32]) -> Self {
        Self {
            columns,
            lists: Known::default(),
            sets: Known::default(),
        }
    }

    /// The numbers of the columns that fulfil a condition, in increasing order.
    pub fn fulfilling(&self, condition: Condition) -> Arc<[u32]> {
        known(&self.lists, condition, || {
            let numbered = (0..).zip(self.columns);
            numbered
                .filter(|&(_, &column)| condition.holds(column))
                .map(|(number, _)| number)
                .collect()
        })
    }

    /// The columns that fulfil a condition, sixteen to a bit set.
    pub fn set(&self, condition: Condition) -> Arc<[u16]> {
        let bit = |&column: &u32| u16::from(condition.holds(column));
        let set = |columns: &[u32]| {
            columns
                .iter()
                .rev()
                .fold(0, |set, column| set << 1 | bit(column))
        };
        known(&self.sets, condition, || {
            self.columns.chunks(16).map(set).collect()
        })
    }
}

fn known<T>(known: &Known<T>, condition: Condition, find: impl FnOnce() -> Arc<[T]>) -> Arc<[T]> {
    let held = known.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = held.get(&condition) {
        return Arc::clone(found);
    }
    drop(held);
    let found = find();
    let mut held = known.write().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(held.entry(condition).or_insert(found))
}
