//! Columns that fulfil a condition, as lists.
//!
//! A move that is not turned keeps the order of what it does not touch. So the columns that
//! have the move, and the sets in the bucket that come from it, correspond one by one, in
//! the order of their numbers: walking two lists side by side takes the place of computing
//! each image and its number.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use crate::game::Condition;

/// Lists of the columns of a layer, made when first asked for.
pub(crate) struct ColumnLists<'g> {
    columns: &'g [u32],
    lists: RwLock<HashMap<Condition, Arc<[u32]>>>,
}

impl<'g> ColumnLists<'g> {
    pub fn new(columns: &'g [u32]) -> Self {
        Self {
            columns,
            lists: RwLock::default(),
        }
    }

    /// The numbers of the columns that fulfil a condition, in increasing order.
    pub fn fulfilling(&self, condition: Condition) -> Arc<[u32]> {
        let known = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(list) = known.get(&condition) {
            return Arc::clone(list);
        }
        drop(known);
        let numbered = (0..).zip(self.columns);
        let list: Arc<[u32]> = numbered
            .filter(|&(_, &column)| condition.holds(column))
            .map(|(number, _)| number)
            .collect();
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(lists.entry(condition).or_insert(list))
    }
}
