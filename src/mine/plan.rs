//! Applies several filters to the states of a block, computing each column once.

use super::columns::{Catalogue, Step, Tier, fill, fill_kinds};
use super::condition::Condition;
use super::frame::{Entrant, Frame, state_record};
use super::kept::Kept;
use super::minable::Minable;
use super::solved::Solved;
use super::source::Source;
use super::verdicts::{Key, Verdicts};
use super::win_tests::WinTests;
use super::{Find, MineError, Predicate, Scope};
use crate::base::value::Record;
use crate::game::FeatureValue;
use crate::table::Block;

/// A find with its sorting keys.
#[derive(Clone)]
pub(super) struct Sorted<S> {
    pub keys: Vec<FeatureValue>,
    pub forbidden: Option<u8>,
    pub find: Find<S>,
}

/// The filters that do not refuse a position by its record, one bit each: for the
/// unrestricted state, for the states in which a move other than the only best move is
/// forbidden, and for the state in which that move is forbidden.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Admitted {
    pub free: u64,
    other: u64,
    only: u64,
}

impl Admitted {
    /// Whether every filter refuses all states of the position.
    pub const fn is_empty(self) -> bool {
        self.free | self.other | self.only == 0
    }
}

/// What filters ask of the moves of one kind of an unrestricted state, and of nothing else.
pub(super) struct KindTest {
    /// The bit of the kind.
    pub kind: u32,
    /// The first of the kind's columns.
    first: usize,
    /// The filters that ask, by number.
    conditions: Vec<(usize, Condition)>,
}

impl KindTest {
    /// The filters that do not refuse an unrestricted state in which so many moves are of the
    /// kind, and so many of them win, draw and lose; one bit each.
    pub fn passing(&self, counts: [usize; 4]) -> u64 {
        let refusing = self.conditions.iter().filter(|(_, condition)| {
            let value = |column: usize| vec![FeatureValue::count(counts[column - self.first])];
            !condition.test(1, value)[0]
        });
        refusing.fold(u64::MAX >> 1, |set, &(bit, _)| set & !(1 << bit))
    }
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

    /// What the filters ask of moves of these kinds alone.
    pub fn kind_tests(&self, kinds: u32) -> Vec<KindTest> {
        let steps = self.catalogue.steps().iter().enumerate();
        let kind_steps = steps.filter(|(_, step)| step.tier == Tier::Kind);
        let tests = kind_steps
            .enumerate()
            .filter(|(kind, _)| kinds >> kind & 1 == 1);
        let tests = tests.map(|(kind, (number, step))| KindTest {
            kind: 1 << kind,
            first: step.columns.start,
            conditions: (self.predicates.iter().enumerate())
                .filter_map(|(bit, predicate)| {
                    Some((bit, predicate.within(self.catalogue, number)?))
                })
                .collect(),
        });
        tests.filter(|test| !test.conditions.is_empty()).collect()
    }

    /// What the filters ask of winning moves that are not of these kinds.
    pub fn win_tests(&self, without: u32) -> WinTests {
        WinTests::new(self.predicates, self.catalogue, without)
    }

    /// The filters that admit no unrestricted win whose main line has a dual, and ask nothing else
    /// of solutions; one bit each.
    pub fn dual_tests(&self) -> u64 {
        let column = self.catalogue.dual_free();
        let flags = [true, false].map(FeatureValue::flag);
        let asking = self.predicates.iter().enumerate().filter(|(_, predicate)| {
            predicate.asks_of_duals_alone(self.catalogue)
                && predicate.admitted(column, &flags) == [true, false]
        });
        asking.fold(0, |set, (bit, _)| set | 1 << bit)
    }

    /// Plies to checkmate of the longest wins that some of these filters may admit by their
    /// records, in a table with one-byte values; `None` if they admit none.
    pub fn longest_win(&self, filters: u64) -> Option<u8> {
        self.verdicts.narrow(self.restricted).longest_win(filters)
    }

    /// Whether columns need values of moves.
    pub fn needs_moves(&self) -> bool {
        self.needs_moves_besides(0)
    }

    /// Whether columns need values of moves other than those of these kinds.
    pub fn needs_moves_besides(&self, kinds: u32) -> bool {
        let kind_steps = || self.catalogue.steps().iter();
        let first_kind = kind_steps().position(|step| step.tier == Tier::Kind);
        self.needed.iter().any(|&column| {
            let step = self.catalogue.step_of(column);
            match self.catalogue.steps()[step].tier {
                Tier::Record | Tier::Board | Tier::Ban | Tier::Lure | Tier::Solution => false,
                Tier::Pass | Tier::Play => true,
                Tier::Kind => first_kind.is_none_or(|first| kinds >> (step - first) & 1 == 0),
            }
        })
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

    /// The positions of a block that some filter may admit a state of, by their place in
    /// the block.
    pub fn admit(&self, block: &Block<'_>) -> Vec<(usize, Admitted)> {
        if let Some(planes) = block.narrow_planes() {
            return self.admit_narrow(planes);
        }
        let mut admitted = Vec::new();
        let mut unknown = Vec::new();
        loop {
            for (place, record) in block.records().enumerate() {
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
    pub fn admit_one(&self, record: Record) -> Admitted {
        let (mut admitted, mut unknown) = (Vec::new(), Vec::new());
        loop {
            self.admit_record(0, record, &mut admitted, &mut unknown);
            if unknown.is_empty() {
                return admitted.pop().map(|(_, this)| this).unwrap_or_default();
            }
            self.verdicts.learn(unknown.drain(..));
            admitted.clear();
        }
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
    pub fn enter(
        &self,
        (slot, stored): (u64, Record),
        admitted: Admitted,
        scope: &Scope,
        fit: &impl Fn(&G::State) -> Option<G::State>,
        states: &mut Vec<Entrant<G::State>>,
    ) {
        if !scope.has_slot(slot) {
            return;
        }
        let Some(state) = self.game.unrank(slot) else {
            return;
        };
        if admitted.other | admitted.only != 0 {
            for number in self.source.arrivals(self.game, slot).numbers() {
                let alive = if stored.only_move() == Some(number) {
                    admitted.only
                } else {
                    admitted.other
                };
                if alive != 0
                    && let Some(state) = self.game.forbid(&state, number)
                    && let Some(state) = fit(&state)
                {
                    states.push(Entrant {
                        slot,
                        state,
                        forbidden: Some(number),
                        stored,
                        alive,
                    });
                }
            }
        }
        if admitted.free != 0
            && let Some(state) = fit(&state)
        {
            states.push(Entrant {
                slot,
                state,
                forbidden: None,
                stored,
                alive: admitted.free,
            });
        }
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
                if step.tier == Tier::Kind {
                    fill_kinds(
                        &wanted,
                        self.game,
                        source,
                        &frame,
                        self.asking[number],
                        &mut values,
                    )?;
                } else {
                    fill(step.tier, &wanted, self.game, source, &frame, &mut values)?;
                }
                frame.store(first, wanted.len(), &values);
            }
            // The part for the record has been tested already.
            if number != Predicate::RECORD {
                self.test(number, &mut frame);
            }
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
