//! Decoded pieces of a table kept in memory.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// The pieces decoded most recently, for access at random from any thread.
#[derive(Debug)]
pub(super) struct Cache<K, V: ?Sized> {
    held: Mutex<Held<K, V>>,
    room: usize,
}

#[derive(Debug)]
struct Held<K, V: ?Sized> {
    pieces: HashMap<K, Arc<V>>,
    order: VecDeque<K>,
}

impl<K: Copy + Eq + Hash, V: ?Sized> Cache<K, V> {
    /// A cache that keeps up to `room` pieces.
    pub(super) fn new(room: usize) -> Self {
        let held = Held {
            pieces: HashMap::new(),
            order: VecDeque::new(),
        };
        Self {
            held: Mutex::new(held),
            room,
        }
    }

    /// The piece of a key, decoded by `decode` unless it is kept.
    pub(super) fn get<E>(
        &self,
        key: K,
        decode: impl FnOnce() -> Result<Arc<V>, E>,
    ) -> Result<Arc<V>, E> {
        if let Some(known) = self.lock().pieces.get(&key) {
            return Ok(Arc::clone(known));
        }
        // Decoded without the lock: at worst twice.
        let piece = decode()?;
        let mut held = self.lock();
        if held.pieces.insert(key, Arc::clone(&piece)).is_none() {
            held.order.push_back(key);
        }
        if held.order.len() > self.room
            && let Some(oldest) = held.order.pop_front()
        {
            held.pieces.remove(&oldest);
        }
        Ok(piece)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Held<K, V>> {
        // A panic cannot leave the cache inconsistent.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
