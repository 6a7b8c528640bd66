//! The verdicts of filters on records, cached.
//!
//! The columns of the record tier depend only on the two values, on whether there is an
//! only best move, and on whether a move is forbidden. A table has only a few thousand
//! combinations. Conditions are tested once on each of them; after that, a record costs one
//! look-up.

use std::collections::{HashMap, HashSet};
use std::sync::{OnceLock, PoisonError, RwLock};

use foldhash::fast::FixedState;

use super::columns::{Catalogue, Tier, outcome_word, play, record_value};
use super::predicate::Predicate;
use crate::base::value::{Narrow, Outcome, Record, Value};
use crate::game::FeatureValue;

/// The most filters that run together. A set of filters is one word, and all bits set means
/// "not known yet".
pub(super) const TOGETHER: usize = 63;

/// The part of a record that columns depend on: the number of the only best move is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    record: Record,
    restricted: bool,
}

impl Key {
    fn new(best: Value, second: Value, only: bool) -> Self {
        let only = if only { 0 } else { Record::NO_MOVE };
        Self {
            record: Record::new(best, second, only),
            restricted: false,
        }
    }

    pub(super) fn free(record: Record) -> Self {
        Self::new(record.best(), record.second(), record.only_move().is_some())
    }

    pub(super) fn restricted(value: Value) -> Self {
        Self {
            restricted: true,
            ..Self::new(value, value, false)
        }
    }
}

/// Whether a filter may admit what the values of a state say about its moves. They say nothing of
/// a state that is won without a move.
fn may_admit(predicate: &Predicate, catalogue: &Catalogue) -> impl Fn(Record) -> bool {
    let play = catalogue.of_tier(Tier::Play).start;
    let winning = counts(predicate, play + play::WINNING);
    let drawing = counts(predicate, play + play::DRAWING);
    let several_win = winning[2..].contains(&true);
    move |record| match record.best().outcome() {
        Outcome::Win => {
            let wins_too = record.second().outcome() == Outcome::Win;
            record.only_move().is_none() || !wins_too || several_win
        }
        Outcome::Draw => winning[0],
        Outcome::Loss => winning[0] && drawing[0],
    }
}

fn widened(code: u8) -> Value {
    let value = Value::<Narrow>::from_code(code.into()).resized();
    value.unwrap_or(Value::VACANT)
}

pub(super) struct Verdicts<'a> {
    predicates: Vec<&'a Predicate>,
    catalogue: &'a Catalogue,
    known: RwLock<HashMap<Key, u64, FixedState>>,
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
    pub(super) fn hits(&self, best: &[u8], second: &[u8]) -> u64 {
        let of = |codes: &[u8], wanted: &[bool; 256]| {
            codes.iter().enumerate().fold(0, |hits, (place, &code)| {
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
    pub(super) fn free(&self, best: u8, second: u8, only: u8) -> u64 {
        self.free[Self::place(best, second, only != Record::NO_MOVE)]
    }

    /// The filters that do not refuse a restricted state with this code.
    #[inline]
    pub(super) fn restricted(&self, code: u8) -> u64 {
        self.restricted[usize::from(code)]
    }

    #[inline]
    fn place(best: u8, second: u8, only: bool) -> usize {
        usize::from(best) | usize::from(second) << 8 | usize::from(only) << 16
    }
}

impl<'a> Verdicts<'a> {
    pub(super) fn new(predicates: Vec<&'a Predicate>, catalogue: &'a Catalogue) -> Self {
        Self {
            predicates,
            catalogue,
            known: RwLock::default(),
            narrow: OnceLock::new(),
        }
    }

    /// The filters that do not refuse a state with this key, one bit each; `None` if not
    /// known yet.
    pub(super) fn of(&self, key: Key) -> Option<u64> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&key).copied()
    }

    /// The verdicts on all states with one-byte values; `restricted` are the filters that
    /// scan restricted states.
    pub(super) fn narrow(&self, restricted: u64) -> &NarrowVerdicts {
        self.narrow.get_or_init(|| {
            let keys = (0..1u32 << 17).map(|place| {
                let [best, second, only, _] = place.to_le_bytes();
                Key::new(widened(best), widened(second), only != 0)
            });
            let free = self.evaluate(&keys.collect::<Vec<_>>());
            let keys = (0..=u8::MAX).map(widened).map(Key::restricted);
            let mut of_restricted = self.evaluate(&keys.collect::<Vec<_>>());
            for verdict in &mut of_restricted {
                *verdict &= restricted;
            }
            let of_second: [bool; 256] = std::array::from_fn(|code| of_restricted[code] != 0);
            // Best values are the lowest bytes of places.
            let of_best = std::array::from_fn(|code| {
                let mut free = free[code..].iter().step_by(256);
                of_second[code] || free.any(|&verdict| verdict != 0)
            });
            NarrowVerdicts {
                free,
                restricted: of_restricted,
                of_best,
                of_second: (restricted != 0).then_some(of_second),
            }
        })
    }

    /// Evaluates the filters on keys, all at once, and remembers the verdicts.
    pub(crate) fn learn(&self, keys: impl IntoIterator<Item = Key>) {
        let keys: HashSet<Key> = keys.into_iter().collect();
        let keys: Vec<_> = keys.into_iter().collect();
        let verdicts = self.evaluate(&keys);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.extend(keys.into_iter().zip(verdicts));
    }

    fn evaluate(&self, keys: &[Key]) -> Vec<u64> {
        let first = self.catalogue.of_tier(Tier::Record).start;
        let mut verdicts = vec![0; keys.len()];
        for (bit, predicate) in self.predicates.iter().enumerate() {
            let values = |column| {
                let value = |key: &Key| record_value(column - first, key.record, key.restricted);
                keys.iter().map(value).collect()
            };
            let admitted = predicate.stages[Predicate::RECORD].test(keys.len(), values);
            let may_admit = may_admit(predicate, self.catalogue);
            for ((verdict, admitted), key) in verdicts.iter_mut().zip(admitted).zip(keys) {
                let record = key.record;
                let admitted = admitted && !record.is_vacant() && may_admit(record);
                *verdict |= u64::from(admitted) << bit;
            }
        }
        verdicts
    }
}

/// The most limits that are tested.
pub(super) const MOST_LIMITS: usize = 8;

/// The most moves of a position, whose numbers have eight bits.
pub(super) const MOST_MOVES: usize = 255;

/// Filters that admit no unrestricted state with more winning moves of some kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WinLimit {
    /// The kinds, one bit each; `u32::MAX` for all moves.
    pub kinds: u32,
    /// The most winning moves to positions that are lost whatever is forbidden there.
    pub most: u8,
    /// Whether it holds for all winning moves, also for those to positions that are lost only
    /// because the reply that takes the move back is forbidden.
    pub for_all: bool,
    /// The filters, one bit each.
    pub filters: u64,
}

/// What several filters ask of winning moves.
#[derive(Debug, Clone, Default)]
pub(super) struct WinTests {
    /// At most [`MOST_LIMITS`].
    pub limits: Vec<WinLimit>,
    /// The filters that admit only states in which the side to move would win if it passed.
    pub passes: u64,
    /// The filters that admit no drawn state with several drawing moves.
    pub draws: u64,
}

impl WinTests {
    /// The tests of filters, without those of some kinds of moves.
    pub(super) fn new(predicates: &[&Predicate], catalogue: &Catalogue, without: u32) -> Self {
        let mut tests = Self::default();
        for (bit, predicate) in predicates.iter().enumerate() {
            let steps = catalogue.steps.iter();
            for step in steps.filter(|step| step.kind & !without != 0) {
                let bounds = bounds(predicate, step.columns.start + play::WINNING_OF_KIND);
                tests.limit(step.kind, bounds.map(|(_, most)| most), true, bit);
            }
            let play = catalogue.of_tier(Tier::Play).start;
            let winning = bounds(predicate, play + play::WINNING);
            // What wins by a ban leads to a position that is not lost.
            let by_ban = bounds(predicate, play + play::WINNING_BY_BAN);
            let least = by_ban.map_or(0, |(least, _)| least);
            let most = winning.map(|(_, most)| most.saturating_sub(least));
            tests.limit(u32::MAX, most, least == 0, bit);
            let passed = catalogue.of_tier(Tier::Pass).start;
            let [win, draw, loss] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(outcome_word);
            if predicate.admitted(passed, &[win, draw, loss, FeatureValue::NONE])
                == [true, false, false, false]
            {
                tests.passes |= 1 << bit;
            }
            let best = [play::BEST, play::DRAWING].map(|place| bounds(predicate, play + place));
            let flags = [true, false].map(FeatureValue::flag);
            let only = predicate.admitted(play + play::ONLY, &flags) == [true, false];
            if only || best.iter().flatten().any(|&(_, most)| most < 2) {
                tests.draws |= 1 << bit;
            }
        }
        tests
    }

    fn limit(&mut self, kinds: u32, most: Option<usize>, for_all: bool, bit: usize) {
        let most = most.filter(|&most| most < MOST_MOVES).map(u8::try_from);
        let Some(Ok(most)) = most else {
            return;
        };
        let known = |of: &WinLimit| (of.kinds, of.most, of.for_all) == (kinds, most, for_all);
        if let Some(place) = self.limits.iter().position(known) {
            self.limits[place].filters |= 1 << bit;
        } else if self.limits.len() < MOST_LIMITS {
            self.limits.push(WinLimit {
                kinds,
                most,
                for_all,
                filters: 1 << bit,
            });
        }
    }

    /// The filters whose limits may refuse a position; `once` says that at most one of its moves
    /// wins.
    #[inline]
    pub(super) fn limited(&self, once: bool) -> u64 {
        let limits = self.limits.iter().filter(|limit| !once || limit.most == 0);
        limits.fold(0, |set, limit| set | limit.filters)
    }

    #[inline]
    pub(super) fn asking(&self) -> u64 {
        self.passes | self.draws | self.limited(false)
    }

    /// The kinds of moves that limits are on, one bit each; `u32::MAX` for all moves.
    pub(super) fn kinds(&self) -> u32 {
        let all = if self.draws == 0 { 0 } else { u32::MAX };
        self.limits.iter().fold(all, |set, limit| set | limit.kinds)
    }
}

/// Which numbers, from 0 on, the parts of a filter's condition on this column alone admit.
fn counts(predicate: &Predicate, column: usize) -> Vec<bool> {
    let counts: Vec<_> = (0..=MOST_MOVES).map(FeatureValue::count).collect();
    predicate.admitted(column, &counts)
}

/// The least and the greatest count that the parts of a filter's condition on this column alone
/// admit; `None` if they admit none.
fn bounds(predicate: &Predicate, column: usize) -> Option<(usize, usize)> {
    let admitted = counts(predicate, column);
    let least = admitted.iter().position(|&admitted| admitted)?;
    let most = admitted.iter().rposition(|&admitted| admitted)?;
    Some((least, most))
}
