//! Which states of a position filters may admit, by its record and its layer.

use std::ops::Range;

use super::Plan;
use crate::base::value::Record;
use crate::mine::columns::{Catalogue, Tier, of_board, of_layers};
use crate::mine::condition::Condition;
use crate::mine::frame::{ArrivalSet, Entrant, Minable};
use crate::mine::predicate::Predicate;
use crate::mine::scope::Scope;
use crate::mine::verdicts::Key;
use crate::table::Block;

/// Slots of a layer that are looked at to find one that is not vacant.
const LOOKED_AT: usize = 1 << 16;

/// The filters that do not refuse a position by its record, one bit each: for the
/// unrestricted state, for the states in which a move other than the only best move is
/// forbidden, and for the state in which that move is forbidden.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::mine) struct Admitted {
    pub free: u64,
    other: u64,
    only: u64,
}

impl Admitted {
    /// Whether every filter refuses all states of the position.
    pub(crate) const fn is_empty(self) -> bool {
        self.free | self.other | self.only == 0
    }

    /// Refuses all states for other filters than these.
    const fn keep(&mut self, filters: u64) {
        self.free &= filters;
        self.other &= filters;
        self.only &= filters;
    }
}

/// The filters that may admit positions of a layer.
pub(super) struct OfLayer {
    slots: Range<u64>,
    /// One bit each.
    filters: u64,
}

impl OfLayer {
    /// The layers of a game, with the filters that do not refuse all of their positions by columns
    /// that are the same in a layer.
    pub(super) fn all<G: Minable>(
        game: &G,
        predicates: &[&Predicate],
        catalogue: &Catalogue,
    ) -> Vec<Self> {
        let board = catalogue.of_tier(Tier::Board);
        let step = catalogue.step_of(board.start);
        let known = of_layers(game, catalogue);
        let conditions: Vec<_> = predicates
            .iter()
            .map(|predicate| predicate.within(catalogue, step, |column| known.contains(&column)))
            .collect();
        let wanted: Vec<_> = known.iter().map(|column| column - board.start).collect();
        let layers = game.layers().iter().map(|layer| {
            let mut states = layer.slots.clone().take(LOOKED_AT);
            let first = states.find_map(|slot| Some((slot, game.unrank(slot)?)));
            let values = first.map(|(slot, state)| of_board(&wanted, game, (slot, &state)));
            let admits = |condition: &Condition| {
                values.as_ref().is_none_or(|values| {
                    let place = |column| known.binary_search(&column).unwrap_or_default();
                    condition.test(1, |column| vec![values[place(column)]])[0]
                })
            };
            let conditions = conditions.iter().enumerate();
            let filters = conditions.fold(0, |set, (bit, condition)| {
                set | u64::from(condition.as_ref().is_none_or(admits)) << bit
            });
            Self {
                slots: layer.slots.clone(),
                filters,
            }
        });
        layers.collect()
    }
}

impl<G: Minable> Plan<'_, G> {
    /// The positions of a block that some filter may admit a state of, by their place in
    /// the block.
    pub(crate) fn admit(&self, block: &Block<'_>) -> Vec<(usize, Admitted)> {
        let slots = block.slots();
        let layers = self.layers.iter();
        let layers = layers.filter(|of| of.slots.start < slots.end && slots.start < of.slots.end);
        if layers.clone().all(|of| of.filters == 0) {
            return Vec::new();
        }
        let mut admitted = match block.narrow_planes() {
            Some(planes) => self.admit_narrow(planes),
            None => self.admit_records(|| block.records()),
        };
        for layer in layers.filter(|of| of.filters != self.all()) {
            let place_of = |slot: u64| {
                admitted.partition_point(|&(place, _)| slots.start + (place as u64) < slot)
            };
            let here = place_of(layer.slots.start)..place_of(layer.slots.end);
            for (_, this) in &mut admitted[here] {
                this.keep(layer.filters);
            }
        }
        admitted.retain(|(_, this)| !this.is_empty());
        admitted
    }

    /// All filters, one bit each.
    fn all(&self) -> u64 {
        (1 << self.predicates.len()) - 1
    }

    /// [`admit`](Self::admit) for records, with codes of any width.
    fn admit_records<R: Iterator<Item = Record>>(
        &self,
        records: impl Fn() -> R,
    ) -> Vec<(usize, Admitted)> {
        let mut admitted = Vec::new();
        let mut unknown = Vec::new();
        loop {
            for (place, record) in records().enumerate() {
                self.admit_record(place, record, &mut admitted, &mut unknown);
            }
            if unknown.is_empty() {
                return admitted;
            }
            self.verdicts.learn(unknown.drain(..));
            admitted.clear();
        }
    }

    /// [`admit`](Self::admit) for one-byte codes: the best and the second values, and the only
    /// moves.
    fn admit_narrow(&self, (best, second, only): (&[u8], &[u8], &[u8])) -> Vec<(usize, Admitted)> {
        const TOGETHER: usize = 64;
        let verdicts = self.verdicts.narrow(self.restricted);
        let mut admitted = Vec::new();
        let planes = best.chunks(TOGETHER).zip(second.chunks(TOGETHER));
        for (first, (some, seconds)) in (0..).step_by(TOGETHER).zip(planes) {
            let mut hits = verdicts.hits(some, seconds);
            while hits != 0 {
                let place = first + hits.trailing_zeros() as usize;
                hits &= hits - 1;
                let (best, second) = (best[place], second[place]);
                let this = Admitted {
                    free: verdicts.free(best, second, only[place]),
                    other: verdicts.restricted(best),
                    only: verdicts.restricted(second),
                };
                if !this.is_empty() {
                    admitted.push((place, this));
                }
            }
        }
        admitted
    }

    /// [`admit`](Self::admit) for one record.
    pub(crate) fn admit_one(&self, record: Record) -> Admitted {
        let mut admitted = self.admit_records(|| std::iter::once(record));
        admitted.pop().map(|(_, this)| this).unwrap_or_default()
    }

    fn admit_record(
        &self,
        place: usize,
        record: Record,
        admitted: &mut Vec<(usize, Admitted)>,
        unknown: &mut Vec<Key>,
    ) {
        let mut ask = |key| {
            self.verdicts.of(key).unwrap_or_else(|| {
                unknown.push(key);
                0
            })
        };
        let mut this = Admitted {
            free: ask(Key::free(record)),
            ..Admitted::default()
        };
        if self.restricted != 0 && !record.is_vacant() {
            this.other = ask(Key::restricted(record.best())) & self.restricted;
            this.only = ask(Key::restricted(record.second())) & self.restricted;
        }
        if !this.is_empty() {
            admitted.push((place, this));
        }
    }

    /// Appends the states of a position that some filter may admit, given its slot and its
    /// record.
    pub(crate) fn enter(
        &self,
        (slot, stored): (u64, Record),
        admitted: Admitted,
        scope: &Scope,
        states: &mut Vec<Entrant<G::State>>,
    ) {
        if !scope.has_slot(slot) {
            return;
        }
        let Some(state) = self.game.unrank(slot) else {
            return;
        };
        let mut enter = |state, forbidden, alive| {
            states.push(Entrant {
                slot,
                state,
                forbidden,
                stored,
                alive,
            });
        };
        if admitted.other | admitted.only != 0 {
            for number in ArrivalSet::of(self.game, slot).numbers() {
                let alive = if stored.only_move() == Some(number) {
                    admitted.only
                } else {
                    admitted.other
                };
                if alive != 0
                    && let Some(state) = self.game.forbid(&state, number)
                    && let Some(state) = self.fit(state)
                {
                    enter(state, Some(number), alive);
                }
            }
        }
        if admitted.free != 0
            && let Some(state) = self.fit(state)
        {
            enter(state, None, admitted.free);
        }
    }
}
