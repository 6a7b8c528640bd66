//! The verdicts of filters on records, cached.
//!
//! The columns of the record tier depend only on the two values, on whether there is an
//! only best move, and on whether a move is forbidden. A table has only a few thousand
//! combinations. The engine evaluates each of them once; after that, a record costs one
//! look-up.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};

use super::Predicate;
use super::columns::{Catalogue, Tier, record_value};
use crate::base::value::{Narrow, Record, Value};

/// The most filters that run together. A set of filters is one word, and all bits set means
/// "not known yet".
pub(super) const TOGETHER: usize = 63;

const UNKNOWN: u64 = u64::MAX;

/// The part of a record that columns depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    best: Value,
    second: Value,
    only: bool,
    restricted: bool,
}

impl Key {
    /// The key of an unrestricted state.
    pub fn free(record: Record) -> Self {
        Self {
            best: record.best(),
            second: record.second(),
            only: record.only_move().is_some(),
            restricted: false,
        }
    }

    /// The key of a restricted state of this value.
    pub const fn restricted(value: Value) -> Self {
        Self {
            best: value,
            second: value,
            only: false,
            restricted: true,
        }
    }
}

fn widened(code: u8) -> Value {
    let value = Value::<Narrow>::from_code(code.into()).resized();
    value.unwrap_or(Value::VACANT)
}

/// The verdicts of several filters.
pub(super) struct Verdicts<'a> {
    predicates: &'a [&'a Predicate],
    catalogue: &'a Catalogue,
    known: RwLock<HashMap<Key, u64>>,
    /// Known verdicts on unrestricted states with one-byte values, by best value, second
    /// value and whether there is an only move.
    narrow: Vec<AtomicU64>,
    /// Known verdicts on restricted states with one-byte values, by value.
    narrow_restricted: Vec<AtomicU64>,
}

impl<'a> Verdicts<'a> {
    pub fn new(predicates: &'a [&'a Predicate], catalogue: &'a Catalogue) -> Self {
        Self {
            predicates,
            catalogue,
            known: RwLock::default(),
            narrow: (0..1 << 17).map(|_| AtomicU64::new(UNKNOWN)).collect(),
            narrow_restricted: (0..1 << 8).map(|_| AtomicU64::new(UNKNOWN)).collect(),
        }
    }

    /// The filters that do not refuse a state with this key, one bit each; `None` if not
    /// known yet.
    pub fn of(&self, key: Key) -> Option<u64> {
        if key.best.is_vacant() {
            return Some(0);
        }
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&key).copied()
    }

    /// The verdict on an unrestricted state with one-byte codes.
    #[inline]
    pub fn of_narrow(&self, best: u8, second: u8, only: u8) -> Option<u64> {
        let at = Self::place(best, second, only);
        let known = self.narrow[at].load(Relaxed);
        if known != UNKNOWN {
            return Some(known);
        }
        let verdict = self.of(Self::narrow_key(best, second, only))?;
        self.narrow[at].store(verdict, Relaxed);
        Some(verdict)
    }

    /// The verdict on a restricted state with a one-byte code.
    #[inline]
    pub fn of_narrow_restricted(&self, code: u8) -> Option<u64> {
        let known = &self.narrow_restricted[usize::from(code)];
        match known.load(Relaxed) {
            UNKNOWN => {
                let verdict = self.of(Self::narrow_restricted_key(code))?;
                known.store(verdict, Relaxed);
                Some(verdict)
            }
            verdict => Some(verdict),
        }
    }

    /// The key of a restricted state with a one-byte code.
    pub fn narrow_restricted_key(code: u8) -> Key {
        Key::restricted(widened(code))
    }

    /// The key of an unrestricted state with one-byte codes.
    pub fn narrow_key(best: u8, second: u8, only: u8) -> Key {
        Key {
            best: widened(best),
            second: widened(second),
            only: only != Record::NO_MOVE,
            restricted: false,
        }
    }

    #[inline]
    fn place(best: u8, second: u8, only: u8) -> usize {
        let only = usize::from(only != Record::NO_MOVE);
        usize::from(best) | usize::from(second) << 8 | only << 16
    }

    /// Evaluates the filters on keys, all at once.
    pub fn learn(&self, keys: impl IntoIterator<Item = Key>) {
        let mut keys: Vec<Key> = keys.into_iter().collect();
        let mut seen = HashSet::new();
        keys.retain(|&key| seen.insert(key));
        let records: Vec<Record> = keys
            .iter()
            .map(|key| {
                let only = if key.only { 0 } else { Record::NO_MOVE };
                Record::new(key.best, key.second, only)
            })
            .collect();
        let first = self.catalogue.of_tier(Tier::Record).start;
        let mut verdicts = vec![0; keys.len()];
        for (bit, predicate) in self.predicates.iter().enumerate() {
            let values = |column| {
                let states = keys.iter().zip(&records);
                states
                    .map(|(key, &record)| record_value(column - first, record, key.restricted))
                    .collect()
            };
            let admitted = predicate.test(Predicate::RECORD, keys.len(), values);
            for (verdict, admitted) in verdicts.iter_mut().zip(admitted) {
                *verdict |= u64::from(admitted) << bit;
            }
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.extend(keys.into_iter().zip(verdicts));
    }
}
