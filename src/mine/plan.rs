//! Applies several filters to the states of a block, computing each column once. Which states of a
//! position they may admit follows from its record and its layer.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::columns::{
    Catalogue, Tier, board_values, compute, of_layers, outcome_word, play, plies,
};
use super::condition::Condition;
use super::error::MineError;
use super::filter::States;
use super::frame::{ArrivalSet, Entrant, Frame, Minable};
use super::kept::{Kept, Sorted};
use super::predicate::Predicate;
use super::puzzle::Find;
use super::rows::{Admitted, Source};
use super::scope::Scope;
use super::verdicts::{Key, Verdicts, WinTests};
use crate::base::subsets::bits;
use crate::base::value::{Outcome, Record, Value};
use crate::game::{FeatureValue, Pattern, Repetition};
use crate::table::Block;

/// Several filters and the columns they need.
pub(super) struct Plan<'a, G> {
    game: &'a G,
    predicates: Vec<&'a Predicate>,
    catalogue: &'a Catalogue,
    /// What states must fit; those that are replaced by an image that does are looked at.
    pattern: Option<Pattern>,
    /// Indices of all needed columns, cheap ones first.
    needed: Vec<usize>,
    verdicts: Verdicts<'a>,
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
    /// A plan for filters with one pattern, or without.
    pub(super) fn new(
        game: &'a G,
        predicates: Vec<&'a Predicate>,
        catalogue: &'a Catalogue,
    ) -> Result<Self, MineError> {
        let needed = predicates.iter().flat_map(|predicate| predicate.needed());
        let needed: BTreeSet<usize> = needed.collect();
        let mut asking = vec![0; catalogue.steps.len()];
        for (bit, predicate) in predicates.iter().enumerate() {
            for column in predicate.needed() {
                asking[catalogue.step_of(column)] |= 1 << bit;
            }
        }
        let pattern = predicates.first().map(|it| it.pattern(game)).transpose()?;
        let decided = predicates.iter().map(|it| Decided::new(it, catalogue));
        Ok(Self {
            game,
            catalogue,
            pattern: pattern.flatten(),
            asking,
            decided: decided.collect(),
            layers: OfLayer::all(game, &predicates, catalogue),
            needed: needed.into_iter().collect(),
            verdicts: Verdicts::new(predicates.clone(), catalogue),
            restricted: (0..).zip(&predicates).fold(0, |set, (bit, predicate)| {
                set | u64::from(predicate.filter.states == States::All) << bit
            }),
            predicates,
        })
    }

    /// The state or its image that fits the pattern; `None` if there is none.
    fn fit(&self, state: G::State) -> Option<G::State> {
        match &self.pattern {
            Some(pattern) => self.game.fit(pattern, &state),
            None => Some(state),
        }
    }

    /// Whether the unrestricted state of a slot is looked at as it is stored, and not turned.
    pub(super) fn is_as_stored(&self, slot: u64) -> bool {
        let is_fit = |state: G::State| self.fit(state.clone()) == Some(state);
        self.pattern.is_none() || self.game.unrank(slot).is_some_and(is_fit)
    }

    /// The finds of each filter, before any.
    pub(super) fn nothing(&self) -> Vec<Kept<G::State>> {
        self.predicates.iter().map(|_| Kept::after(None)).collect()
    }

    /// Computes the columns, cheap ones first, for the states that some filter still wants,
    /// and appends each filter's finds.
    pub(super) fn run(
        &self,
        source: Source<'_>,
        states: Vec<Entrant<G::State>>,
        found: &mut [Kept<G::State>],
    ) -> Result<(), MineError> {
        let (game, catalogue, needed) = (self.game, self.catalogue, &self.needed);
        let mut frame = Frame::new(states, needed.len());
        for (number, step) in catalogue.steps.iter().enumerate() {
            if frame.states.is_empty() {
                return Ok(());
            }
            let asking = self.asking[number];
            compute(game, catalogue, step, needed, source, &mut frame, asking)?;
            // The part for the record has been tested already.
            if number != Predicate::RECORD {
                self.test(number, &mut frame);
            }
            self.settle(source, number, &mut frame, found);
        }
        let mut keys = Vec::new();
        for (bit, (predicate, found)) in self.predicates.iter().zip(found).enumerate() {
            let column = |&(column, _): &_| self.values(&frame, column);
            let columns: Vec<_> = predicate.order.iter().map(column).collect();
            let states = frame.states.iter().enumerate();
            for (place, state) in states.filter(|(_, state)| state.alive >> bit & 1 == 1) {
                keys.clear();
                keys.extend(columns.iter().map(|column| value(column, place)));
                found.add((&keys, state.slot), predicate, || Sorted {
                    keys: keys.clone(),
                    forbidden: state.forbidden,
                    find: Find {
                        index: state.slot,
                        state: state.state.clone(),
                        record: state.record(),
                    },
                });
            }
        }
        Ok(())
    }

    fn test(&self, step: usize, frame: &mut Frame<G::State>) {
        for (bit, predicate) in self.predicates.iter().enumerate() {
            if predicate.stages[step].is_empty() {
                continue;
            }
            let states = frame.states.iter().enumerate();
            let rows = states.filter(|(_, state)| state.alive >> bit & 1 == 1);
            let rows: Vec<usize> = rows.map(|(place, _)| place).collect();
            let values = |column| {
                let all = self.values(frame, column);
                rows.iter().map(|&place| value(all, place)).collect()
            };
            let answers = predicate.stages[step].test(rows.len(), values);
            for (place, _) in rows.iter().zip(answers).filter(|(_, admitted)| !admitted) {
                frame.states[*place].alive &= !(1 << bit);
            }
        }
        frame.sweep();
    }

    fn values<'f>(&self, frame: &'f Frame<G::State>, column: usize) -> &'f [FeatureValue] {
        let place = self.needed.binary_search(&column).ok();
        place.map_or(&[], |place| &frame.columns[place])
    }
}

/// A value of a column; none if the column has not been computed.
fn value(values: &[FeatureValue], row: usize) -> FeatureValue {
    values.get(row).copied().unwrap_or(FeatureValue::NONE)
}

/// What filters ask of the moves of one kind of an unrestricted state, and of nothing else.
pub(in crate::mine) struct KindTest {
    /// The bit of the kind; all bits for moves of any kind.
    pub kind: u32,
    /// Filters that admit no drawn state with several drawing moves; none in a test of one kind.
    /// They are asked only about draws in which no move within the group is the only best one: then
    /// several of these draw, or moves out of the group alone.
    pub draws: u64,
    /// The first of the kind's columns.
    first: usize,
    /// The filters that ask, by number.
    conditions: Vec<(usize, Condition)>,
    /// What passes, by small counts.
    known: Vec<AtomicU64>,
}

/// Above the numbers of moves for which it is kept what passes.
const SMALL: usize = 24;

/// All bits set: not known yet. Fewer filters than bits run together.
const UNKNOWN: u64 = u64::MAX;

impl KindTest {
    fn new(kind: u32, draws: u64, first: usize, conditions: Vec<(usize, Condition)>) -> Self {
        Self {
            kind,
            draws,
            first,
            conditions,
            known: (0..SMALL.pow(3)).map(|_| AtomicU64::new(UNKNOWN)).collect(),
        }
    }

    /// The filters that do not refuse an unrestricted state with these counts, one bit each: the
    /// moves of the kind, and those of them that win, draw and lose.
    pub(crate) fn passing(&self, counts: [usize; 4]) -> u64 {
        let [all, winning, drawing, _] = counts;
        let known = (all < SMALL).then(|| &self.known[(all * SMALL + winning) * SMALL + drawing]);
        if let Some(known) = known.map(|known| known.load(Relaxed))
            && known != UNKNOWN
        {
            return known;
        }
        let refusing = self.conditions.iter().filter(|(_, condition)| {
            let value = |column: usize| vec![FeatureValue::count(counts[column - self.first])];
            !condition.test(1, value)[0]
        });
        let several = if drawing == 1 { 0 } else { self.draws };
        let filters = u64::MAX >> 1 & !several;
        let passing = refusing.fold(filters, |set, &(bit, _)| set & !(1 << bit));
        if let Some(known) = known {
            known.store(passing, Relaxed);
        }
        passing
    }
}

impl<G: Minable> Plan<'_, G> {
    /// What the filters ask of moves of these kinds alone.
    pub(crate) fn kind_tests(&self, kinds: u32) -> Vec<KindTest> {
        let steps = self.catalogue.steps.iter().enumerate();
        let tests = steps.filter(|(_, step)| step.kind & kinds != 0);
        let tests = tests.map(|(number, step)| {
            let conditions = self.predicates.iter().enumerate();
            let conditions = conditions.filter_map(|(bit, predicate)| {
                Some((bit, predicate.within(self.catalogue, number, |_| true)?))
            });
            KindTest::new(step.kind, 0, step.columns.start, conditions.collect())
        });
        let mut tests: Vec<_> = tests.filter(|test| !test.conditions.is_empty()).collect();
        let draws = self.win_tests(kinds).draws;
        if draws != 0 {
            tests.push(KindTest::new(u32::MAX, draws, 0, Vec::new()));
        }
        tests
    }

    /// What the filters ask of winning moves that are not of these kinds.
    pub(crate) fn win_tests(&self, without: u32) -> WinTests {
        WinTests::new(&self.predicates, self.catalogue, without)
    }

    /// Whether columns need values of moves other than those of these kinds.
    pub(crate) fn needs_moves_besides(&self, kinds: u32) -> bool {
        let steps = self.catalogue.steps.iter().zip(&self.asking);
        let mut needed = steps.filter(|&(_, &asking)| asking != 0);
        needed.any(|(step, _)| match step.tier {
            Tier::Record | Tier::Board | Tier::Ban | Tier::Lure | Tier::Solution => false,
            Tier::Pass | Tier::Play => true,
            Tier::Kind => step.kind & kinds == 0,
        })
    }
}

/// When it is decided whether a filter admits a state.
struct Decided {
    /// After which step.
    always: usize,
    /// After which step of an unrestricted state with an only best move whose main line is free
    /// of duals.
    without_duals: usize,
    /// Whether it matters that the main line is.
    asks_duals: bool,
    /// The outcomes of the second-best move that it may admit.
    second: Vec<Outcome>,
}

impl Decided {
    pub(crate) fn new(predicate: &Predicate, catalogue: &Catalogue) -> Self {
        let second = catalogue.of_tier(Tier::Play).start + play::SECOND_OUTCOME;
        let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let admitted = predicate.admitted(second, &outcomes.map(outcome_word));
        let second = outcomes.into_iter().zip(admitted);
        let second = second.filter_map(|(it, admitted)| admitted.then_some(it));
        Self {
            second: second.collect(),
            always: predicate.last_step(),
            without_duals: predicate.last_step_without_duals(catalogue),
            asks_duals: predicate.refuses_duals(catalogue),
        }
    }

    /// Whether one move of a state is best, and the filter may admit the outcome of the second-best
    /// one, as far as the record tells. A main line that is free of duals begins with an only best move.
    fn admits_second<S>(&self, state: &Entrant<S>) -> bool {
        if self.second.len() == 3 {
            let told = self.asks_duals || state.stored.only_move().is_some();
            return state.forbidden.is_none() && told;
        }
        second_best(state).is_some_and(|second| self.second.contains(&second.outcome()))
    }
}

/// A sorting key, as far as it is known.
enum SortingKey<'f> {
    /// Of a column that was computed.
    Computed(&'f [FeatureValue]),
    /// The number of winning moves, of which the record tells something.
    Winning { descending: bool },
    /// The plies of the second-best move, which the record may tell.
    SecondPlies,
}

impl<G: Minable> Plan<'_, G> {
    /// Counts the finds of which the columns up to a step tell that they come too late to be kept,
    /// and computes no more of them for their filters.
    fn settle(
        &self,
        source: Source<'_>,
        step: usize,
        frame: &mut Frame<G::State>,
        found: &mut [Kept<G::State>],
    ) {
        // Whether a move may be the only one of a record that has images.
        let with_images = self.game.repetition() == Repetition::AllImages;
        let mut settled = false;
        let filters = self.predicates.iter().zip(&self.decided).zip(found);
        for (bit, ((predicate, decided), found)) in filters.enumerate() {
            if found.last.is_none() || decided.without_duals > step {
                continue;
            }
            let sorting = self.known_keys(&predicate.order, step, frame);
            let mut late = Vec::new();
            let mut keys = Vec::with_capacity(sorting.len());
            for (place, state) in frame.states.iter().enumerate() {
                if state.alive >> bit & 1 == 0 {
                    continue;
                }
                keys.clear();
                known_prefix(&sorting, place, state, &mut keys);
                if !found.is_late((&keys, state.slot), predicate) {
                    continue;
                }
                let is_known = || {
                    let known = !with_images && decided.admits_second(state);
                    let verdict = || source.duals?.verdict(state.slot);
                    known && (!decided.asks_duals || verdict() == Some(true))
                };
                if decided.always <= step || is_known() {
                    late.push(place);
                }
            }
            found.matched += late.len() as u64;
            settled |= !late.is_empty();
            for place in late {
                frame.states[place].alive &= !(1 << bit);
            }
        }
        if settled {
            frame.sweep();
        }
    }

    /// The first sorting keys of an order, as far as they are known after a step.
    fn known_keys<'f>(
        &self,
        order: &[(usize, bool)],
        step: usize,
        frame: &'f Frame<G::State>,
    ) -> Vec<SortingKey<'f>> {
        let play = self.catalogue.of_tier(Tier::Play).start;
        let known = order.iter().map_while(|&(column, descending)| {
            if self.catalogue.step_of(column) <= step {
                Some(SortingKey::Computed(self.values(frame, column)))
            } else {
                let key = match column.checked_sub(play)? {
                    play::WINNING => SortingKey::Winning { descending },
                    play::SECOND_PLIES => SortingKey::SecondPlies,
                    _ => return None,
                };
                (self.game.repetition() != Repetition::AllImages).then_some(key)
            }
        });
        known.collect()
    }
}

/// The first sorting keys of a state, as far as they are known, or others that come before them.
fn known_prefix<S>(
    sorting: &[SortingKey<'_>],
    place: usize,
    state: &Entrant<S>,
    keys: &mut Vec<FeatureValue>,
) {
    for key in sorting {
        match key {
            SortingKey::Computed(column) => keys.push(value(column, place)),
            SortingKey::SecondPlies => match second_best(state) {
                Some(second) => keys.push(plies(second)),
                None => return,
            },
            SortingKey::Winning { descending } => match winning_moves(state) {
                Some((count, true)) => keys.push(FeatureValue::count(count)),
                Some((least, false)) if !descending => keys.push(FeatureValue::count(least)),
                _ => return,
            },
        }
    }
}

/// The value of the second-best move of a state, if the record tells. It does not tell whether
/// every other move loses at once, or there is none.
fn second_best<S>(state: &Entrant<S>) -> Option<Value> {
    let second = state.stored.second();
    let told = state.forbidden.is_none() && state.stored.only_move().is_some();
    (told && second != Value::SELF_MATE).then_some(second)
}

/// The least number of moves of a state that win, and whether there are no more, if the record
/// tells.
fn winning_moves<S>(state: &Entrant<S>) -> Option<(usize, bool)> {
    let record = state.stored;
    if state.forbidden.is_some() {
        return None;
    }
    let wins = |value: Value| value.outcome() == Outcome::Win;
    match (wins(record.best()), record.only_move()) {
        (false, _) => Some((0, true)),
        (true, None) => Some((1, false)),
        (true, Some(_)) if wins(record.second()) => Some((2, false)),
        (true, Some(_)) => Some((1, true)),
    }
}

/// Slots of a layer that are looked at to find one that is not vacant.
const LOOKED_AT: usize = 1 << 16;

/// The filters that may admit positions of a layer.
struct OfLayer {
    slots: Range<u64>,
    /// One bit each.
    filters: u64,
}

impl OfLayer {
    /// The layers of a game, with the filters that do not refuse all of their positions by columns
    /// that are the same in a layer.
    fn all<G: Minable>(game: &G, predicates: &[&Predicate], catalogue: &Catalogue) -> Vec<Self> {
        let board = catalogue.of_tier(Tier::Board);
        let step = catalogue.step_of(board.start);
        let known = of_layers(game, catalogue);
        let is_known = |column| known.contains(&column);
        let within = |predicate: &&Predicate| predicate.within(catalogue, step, is_known);
        let conditions: Vec<_> = predicates.iter().map(within).collect();
        let wanted: Vec<_> = known.iter().map(|column| column - board.start).collect();
        let measure = board_values(game, &wanted);
        let layers = game.layers().iter().map(|layer| {
            let mut slots = layer.slots.clone().take(LOOKED_AT);
            let values = slots.find_map(|slot| {
                let state = game.unrank(slot)?;
                let mut values = Vec::with_capacity(wanted.len());
                measure(slot, &state, &mut values);
                Some(values)
            });
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
        let slots = block.slots.clone();
        let layers = self.layers.iter();
        let layers = layers.filter(|of| of.slots.start < slots.end && slots.start < of.slots.end);
        if layers.clone().all(|of| of.filters == 0) {
            return Vec::new();
        }
        let mut admitted = match block.narrow_planes() {
            Some(planes) => self.admit_narrow(planes),
            None => self.admit_records(|| block.records()),
        };
        let all = (1 << self.predicates.len()) - 1;
        for layer in layers.filter(|of| of.filters != all) {
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

    /// [`admit`](Self::admit) for records, with codes of any width.
    fn admit_records<R: Iterator<Item = Record>>(
        &self,
        records: impl Fn() -> R,
    ) -> Vec<(usize, Admitted)> {
        let mut admitted = Vec::new();
        let mut unknown = Vec::new();
        loop {
            let mut ask = |key| {
                self.verdicts.of(key).unwrap_or_else(|| {
                    unknown.push(key);
                    0
                })
            };
            let there = records().enumerate();
            for (place, record) in there.filter(|(_, record)| !record.is_vacant()) {
                let mut this = Admitted {
                    free: ask(Key::free(record)),
                    ..Admitted::default()
                };
                if self.restricted != 0 {
                    this.other = ask(Key::restricted(record.best())) & self.restricted;
                    this.only = ask(Key::restricted(record.second())) & self.restricted;
                }
                if !this.is_empty() {
                    admitted.push((place, this));
                }
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
            for hit in bits(verdicts.hits(some, seconds)) {
                let place = first + usize::from(hit);
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
            for number in ArrivalSet::of(self.game, slot).bans.iter() {
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
