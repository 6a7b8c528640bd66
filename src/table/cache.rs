//! Decoded blocks kept in memory.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Number of decoded blocks kept for random access to a compressed table.
const CACHED: usize = 256;

/// The blocks decoded most recently.
#[derive(Debug, Default)]
pub(super) struct Cache {
    blocks: HashMap<usize, Arc<Vec<u8>>>,
    order: VecDeque<usize>,
}

impl Cache {
    pub(super) fn get(&self, number: usize) -> Option<Arc<Vec<u8>>> {
        self.blocks.get(&number).cloned()
    }

    pub(super) fn insert(&mut self, number: usize, planes: Arc<Vec<u8>>) {
        if self.blocks.insert(number, planes).is_none() {
            self.order.push_back(number);
        }
        if self.order.len() > CACHED
            && let Some(oldest) = self.order.pop_front()
        {
            self.blocks.remove(&oldest);
        }
    }
}
