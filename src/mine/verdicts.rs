//! The verdicts of filters on records, cached.
//!
//! The columns of the record tier depend only on the two values, on whether there is an
//! only best move, and on whether a move is forbidden. A table has only a few thousand
//! combinations. Conditions are tested once on each of them; after that, a record costs one
//! look-up.

use std::collections::{HashMap, HashSet};
use std::sync::{OnceLock, PoisonError, RwLock};

use super::Predicate;
use super::columns::{Catalogue, Tier, play, record_value};
use super::win_tests::MOST_MOVES;
use crate::base::value::{Narrow, Outcome, Record, Value};
use crate::game::FeatureValue;

/// The most filters that run together. A set of filters is one word, and all bits set means
/// "not known yet".
pub(super) const TOGETHER: usize = 63;

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

/// Whether a filter may admit no winning or drawing move, or several.
struct MoveCounts {
    no_winning: bool,
    several_winning: bool,
    no_drawing: bool,
}

impl MoveCounts {
    fn new(predicate: &Predicate, catalogue: &Catalogue) -> Self {
        let first = catalogue.of_tier(Tier::Play).start;
        let counts: Vec<_> = (0..=MOST_MOVES).map(FeatureValue::count).collect();
        let winning = predicate.admitted(first + play::WINNING, &counts);
        let drawing = predicate.admitted(first + play::DRAWING, &counts);
        Self {
            no_winning: winning[0],
            several_winning: winning[2..].contains(&true),
            no_drawing: drawing[0],
        }
    }

    /// Whether the filter may admit what the values of a state say about its moves. They say
    /// nothing of a state that is won without a move.
    fn may_be_of(&self, key: Key) -> bool {
        match key.best.outcome() {
            // The second-best move wins too.
            Outcome::Win if key.only && key.second.outcome() == Outcome::Win => {
                self.several_winning
            }
            Outcome::Win => true,
            Outcome::Draw => self.no_winning,
            Outcome::Loss => self.no_winning && self.no_drawing,
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
    narrow: OnceLock<NarrowVerdicts>,
}

/// The verdicts on all states with one-byte values, which are few.
pub(super) struct NarrowVerdicts {
    /// Those on unrestricted states, by best value, second value, and whether there is an only
    /// move.
    free: Vec<u64>,
    /// Those on restricted states, by value.
    restricted: Vec<u64>,
    /// Whether any filter may admit a state of a position with this best value.
    of_best: [bool; 256],
    /// Whether any filter may admit a state of a position because of this second value.
    of_second: Option<[bool; 256]>,
}

impl NarrowVerdicts {
    /// The positions, of at most 64, that any filter may admit a state of, as a bit set.
    #[inline]
    pub fn hits(&self, best: &[u8], second: &[u8]) -> u64 {
        let of = |codes: &[u8], wanted: &[bool; 256]| {
            let codes = codes.iter().enumerate();
            codes.fold(0, |hits, (place, &code)| {
                hits | u64::from(wanted[usize::from(code)]) << place
            })
        };
        let hits = of(best, &self.of_best);
        match &self.of_second {
            Some(wanted) => hits | of(second, wanted),
            None => hits,
        }
    }

    /// The filters that do not refuse an unrestricted state with these codes.
    #[inline]
    pub fn free(&self, best: u8, second: u8, only: u8) -> u64 {
        self.free[Self::place(best, second, only != Record::NO_MOVE)]
    }

    /// The filters that do not refuse a restricted state with this code.
    #[inline]
    pub fn restricted(&self, code: u8) -> u64 {
        self.restricted[usize::from(code)]
    }

    #[inline]
    fn place(best: u8, second: u8, only: bool) -> usize {
        usize::from(best) | usize::from(second) << 8 | usize::from(only) << 16
    }
}

impl<'a> Verdicts<'a> {
    pub fn new(predicates: &'a [&'a Predicate], catalogue: &'a Catalogue) -> Self {
        Self {
            predicates,
            catalogue,
            known: RwLock::default(),
            narrow: OnceLock::new(),
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

    /// The verdicts on all states with one-byte values; `restricted` are the filters that
    /// scan restricted states.
    pub fn narrow(&self, restricted: u64) -> &NarrowVerdicts {
        self.narrow.get_or_init(|| {
            let codes = || 0..=u8::MAX;
            let mut keys = Vec::with_capacity(1 << 17);
            for only in [false, true] {
                for second in codes().map(widened) {
                    keys.extend(codes().map(widened).map(|best| Key {
                        best,
                        second,
                        only,
                        restricted: false,
                    }));
                }
            }
            let mut free = self.evaluate(&keys);
            for (verdict, key) in free.iter_mut().zip(&keys) {
                if key.best.is_vacant() {
                    *verdict = 0;
                }
            }
            let keys: Vec<_> = codes().map(widened).map(Key::restricted).collect();
            let mut of_restricted = self.evaluate(&keys);
            for (verdict, key) in of_restricted.iter_mut().zip(&keys) {
                *verdict &= if key.best.is_vacant() { 0 } else { restricted };
            }
            let mut of_best = [false; 256];
            for (place, &verdict) in free.iter().enumerate() {
                of_best[place & 255] |= verdict != 0;
            }
            for (wanted, &verdict) in of_best.iter_mut().zip(&of_restricted) {
                *wanted |= verdict != 0;
            }
            let of_second = std::array::from_fn(|code| of_restricted[code] != 0);
            NarrowVerdicts {
                free,
                restricted: of_restricted,
                of_best,
                of_second: (restricted != 0).then_some(of_second),
            }
        })
    }

    /// Evaluates the filters on keys, all at once, and remembers the verdicts.
    pub fn learn(&self, keys: impl IntoIterator<Item = Key>) {
        let mut keys: Vec<Key> = keys.into_iter().collect();
        let mut seen = HashSet::new();
        keys.retain(|&key| seen.insert(key));
        let verdicts = self.evaluate(&keys);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.extend(keys.into_iter().zip(verdicts));
    }

    /// The verdicts of the filters on keys.
    fn evaluate(&self, keys: &[Key]) -> Vec<u64> {
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
            let counts = MoveCounts::new(predicate, self.catalogue);
            for ((verdict, admitted), &key) in verdicts.iter_mut().zip(admitted).zip(keys) {
                *verdict |= u64::from(admitted && counts.may_be_of(key)) << bit;
            }
        }
        verdicts
    }
}
