//! Applies several filters to the states of a block, computing each column once.

mod admission;
mod late;
mod row_tests;

pub(super) use admission::Admitted;
pub(super) use row_tests::KindTest;

use super::columns::{Catalogue, Step, fill};
use super::frame::{Entrant, Frame, state_record};
use super::kept::Kept;
use super::minable::Minable;
use super::solved::Solved;
use super::source::Source;
use super::verdicts::Verdicts;
use super::{Find, MineError, Predicate};
use crate::game::FeatureValue;
use admission::OfLayer;
use late::Decided;

/// A find with its sorting keys.
#[derive(Clone)]
pub(super) struct Sorted<S> {
    pub keys: Vec<FeatureValue>,
    pub forbidden: Option<u8>,
    pub find: Find<S>,
}

/// Several filters and the columns they need.
pub(super) struct Plan<'a, G> {
    game: &'a G,
    source: &'a Solved<'a>,
    predicates: &'a [&'a Predicate],
    catalogue: &'a Catalogue,
    /// Indices of all needed columns, cheap ones first.
    needed: Vec<usize>,
    pub verdicts: Verdicts<'a>,
    /// Filters that also scan restricted states.
    restricted: u64,
    /// For each step of the catalogue, the filters that need a column of it.
    asking: Vec<u64>,
    /// By filter.
    decided: Vec<Decided>,
    /// The filters that may admit positions of each layer.
    layers: Vec<OfLayer>,
}

impl<'a, G: Minable> Plan<'a, G> {
    pub fn new(
        game: &'a G,
        source: &'a Solved<'a>,
        predicates: &'a [&'a Predicate],
        catalogue: &'a Catalogue,
    ) -> Self {
        let mut needed: Vec<usize> = predicates
            .iter()
            .flat_map(|predicate| predicate.needed())
            .collect();
        needed.sort_unstable();
        needed.dedup();
        let restricted = predicates
            .iter()
            .enumerate()
            .filter(|(_, predicate)| predicate.scans_restricted());
        let mut asking = vec![0; catalogue.steps().len()];
        for (bit, predicate) in predicates.iter().enumerate() {
            for column in predicate.needed() {
                asking[catalogue.step_of(column)] |= 1 << bit;
            }
        }
        Self {
            game,
            source,
            predicates,
            catalogue,
            asking,
            decided: (predicates.iter())
                .map(|predicate| Decided::new(predicate, catalogue))
                .collect(),
            layers: OfLayer::all(game, predicates, catalogue),
            needed,
            verdicts: Verdicts::new(predicates, catalogue),
            restricted: restricted.fold(0, |set, (bit, _)| set | 1 << bit),
        }
    }

    /// The unrestricted state of a slot as it is stored; `None` if it is vacant.
    pub fn stored(&self, slot: u64) -> Option<G::State> {
        self.game.unrank(slot)
    }

    /// The finds of each filter, before any.
    pub fn nothing(&self) -> Vec<Kept<G::State>> {
        self.predicates.iter().map(|_| Kept::default()).collect()
    }

    /// The needed columns of a step: the place of the first among all needed columns, and
    /// the index of each within the tier.
    fn wanted(&self, step: &Step) -> (usize, Vec<usize>) {
        let (range, tier) = (&step.columns, self.catalogue.of_tier(step.tier));
        let first = self.needed.partition_point(|&place| place < range.start);
        let here = self.needed[first..].iter();
        let here = here.take_while(|&&place| place < range.end);
        (first, here.map(|place| place - tier.start).collect())
    }

    /// Computes the columns, cheap ones first, for the states that some filter still wants,
    /// and appends each filter's finds.
    pub fn run(
        &self,
        source: &impl Source<G>,
        states: Vec<Entrant<G::State>>,
        found: &mut [Kept<G::State>],
    ) -> Result<(), MineError> {
        let mut frame = Frame::new(states, self.needed.len());
        for (number, step) in self.catalogue.steps().iter().enumerate() {
            let (first, wanted) = self.wanted(step);
            if frame.len() == 0 {
                return Ok(());
            }
            if !wanted.is_empty() {
                let mut values = Vec::with_capacity(frame.len() * wanted.len());
                fill(
                    step.tier,
                    &wanted,
                    self.game,
                    source,
                    &frame,
                    self.asking[number],
                    &mut values,
                )?;
                frame.store(first, wanted.len(), &values);
            }
            // The part for the record has been tested already.
            if number != Predicate::RECORD {
                self.test(number, &mut frame);
            }
            self.settle(source, number, &mut frame, found)?;
        }
        let mut keys = Vec::new();
        for (bit, (predicate, found)) in self.predicates.iter().zip(found).enumerate() {
            let columns = predicate.order();
            let columns: Vec<_> = columns
                .map(|(column, _)| self.values(&frame, column))
                .collect();
            let rows = frame.rows().enumerate().zip(frame.states());
            for ((place, row), _) in rows.filter(|(_, state)| state.alive >> bit & 1 == 1) {
                keys.clear();
                keys.extend(columns.iter().map(|column| value(column, place)));
                found.add(&keys, predicate, || Sorted {
                    keys: keys.clone(),
                    forbidden: row.forbidden,
                    find: Find {
                        index: row.slot,
                        state: row.state.clone(),
                        record: state_record(row.stored, row.forbidden),
                    },
                });
            }
        }
        Ok(())
    }

    /// Tests the conditions of every filter that belong to one step.
    fn test(&self, step: usize, frame: &mut Frame<G::State>) {
        for (bit, predicate) in self.predicates.iter().enumerate() {
            if !predicate.has(step) {
                continue;
            }
            let states = frame.states().iter().enumerate();
            let rows: Vec<usize> = states
                .filter(|(_, state)| state.alive >> bit & 1 == 1)
                .map(|(place, _)| place)
                .collect();
            let values = |column| {
                let all = self.values(frame, column);
                rows.iter().map(|&place| value(all, place)).collect()
            };
            let answers = predicate.test(step, rows.len(), values);
            for (place, _) in rows.iter().zip(answers).filter(|(_, admitted)| !admitted) {
                frame.refuse(*place, bit);
            }
        }
        frame.sweep();
    }

    /// The values of a needed column.
    fn values<'f>(&self, frame: &'f Frame<G::State>, column: usize) -> &'f [FeatureValue] {
        let place = self.needed.binary_search(&column).ok();
        place.map_or(&[], |place| frame.column(place))
    }
}

/// A value of a column; none if the column has not been computed.
fn value(values: &[FeatureValue], row: usize) -> FeatureValue {
    values.get(row).copied().unwrap_or(FeatureValue::NONE)
}
