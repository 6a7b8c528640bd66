//! Scanning a solved game for the states that filters admit.

use std::cmp::Ordering;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

use super::columns::{Catalogue, Tier, fill};
use super::frame::{Entrant, Frame, state_record};
use super::source::{Solved, Source};
use super::verdicts::{Key, TOGETHER, Verdicts};
use super::{Find, MineError, Predicate, Scope};
use crate::game::{Accounts, Arrivals, Backward, Cell, Features, Passing, Survey, Symmetric};
use crate::solve::Watch;
use crate::table::{Block, Table};
use crate::value::Record;

/// Games that can be mined.
pub trait Minable:
    Survey + Features + Arrivals + Passing + Accounts + Symmetric + Backward
{
}

impl<G> Minable for G where
    G: Survey + Features + Arrivals + Passing + Accounts + Symmetric + Backward
{
}

/// States whose columns are computed and tested together.
const BATCH: usize = 1 << 13;

/// Finds of one filter, in its order.
#[derive(Debug, Clone)]
pub struct Scan<S> {
    finds: Vec<Find<S>>,
    matched: u64,
    /// How many similar finds each one stands for, if they were grouped.
    similar: Vec<u64>,
}

impl<S> Scan<S> {
    /// The finds kept: all, or as many as the limit allows, the first by the
    /// filter's order; equal ones by table index, the unrestricted state first.
    #[must_use]
    pub fn finds(&self) -> &[Find<S>] {
        &self.finds
    }

    /// How many similar finds were left out for the one at `place`.
    #[must_use]
    pub fn similar(&self, place: usize) -> u64 {
        self.similar.get(place).copied().unwrap_or(0)
    }

    /// The same scan with these finds, and how many similar ones each stands for.
    pub(super) fn with_groups(mut self, groups: Vec<(Find<S>, u64)>) -> Self {
        (self.finds, self.similar) = groups.into_iter().unzip();
        self
    }

    /// How many states the filter admits, kept or not.
    #[must_use]
    pub const fn matched(&self) -> u64 {
        self.matched
    }
}

/// What to look for: a filter's predicate, and the most finds to keep.
pub type Task<'p> = (&'p Predicate, Option<usize>);

/// Scans the states of a table, as far as `scope` goes, with several filters at
/// once, so that a column is computed once for all of them. The result has one
/// entry a filter, and is the same whatever the number of threads. Memory is
/// bounded by the limits (or, without one, by the number of finds).
///
/// # Errors
/// If the table is damaged or of another game, a predicate fails, or the watch
/// asks to stop.
pub fn scan<G: Minable>(
    game: &G,
    table: &Table,
    tasks: &[Task<'_>],
    scope: &Scope,
    watch: &impl Watch,
) -> Result<Vec<Scan<G::State>>, MineError> {
    scan_fitting(
        game,
        table,
        tasks,
        scope,
        &|state| Some(state.clone()),
        watch,
    )
}

/// As [`scan`], but only over states that `fit` turns into ones that fit, such as a
/// partial diagram ([`Patterned`](crate::game::Patterned)).
///
/// # Errors
/// As [`scan`].
pub fn scan_fitting<G: Minable>(
    game: &G,
    table: &Table,
    tasks: &[Task<'_>],
    scope: &Scope,
    fit: &(impl Fn(&G::State) -> Option<G::State> + Sync),
    watch: &impl Watch,
) -> Result<Vec<Scan<G::State>>, MineError> {
    let mut source = Solved::new(table, game)?;
    let catalogue = Catalogue::new(game);
    if tasks.len() > TOGETHER {
        let mut scans = Vec::new();
        for some in tasks.chunks(TOGETHER) {
            scans.extend(scan_fitting(game, table, some, scope, fit, watch)?);
        }
        return Ok(scans);
    }
    let predicates: Vec<&Predicate> = tasks.iter().map(|&(predicate, _)| predicate).collect();
    let at_random = |column: usize| catalogue.columns()[column].tier > Tier::Board;
    if predicates
        .iter()
        .any(|predicate| predicate.needed().any(at_random))
    {
        source.load(scope.most_memory(), watch)?;
    }
    let plan = Plan::new(game, source, &predicates, &catalogue);
    let kept: Vec<Mutex<Kept<G::State>>> = tasks.iter().map(|_| Mutex::default()).collect();
    let blocks: Vec<usize> = (0..table.blocks())
        .filter(|&number| scope.has_block(&table.slots_of(number)))
        .collect();
    let slots = blocks.iter().map(|&number| table.slots_of(number));
    watch.begin("scanning", slots.map(|slots| slots.end - slots.start).sum());
    in_parallel(&blocks, |number| {
        if watch.cancelled() {
            return Err(MineError::Cancelled);
        }
        let block = table.block(number)?;
        let mut found: Vec<Vec<Sorted<G::State>>> = tasks.iter().map(|_| Vec::new()).collect();
        let mut states = Vec::new();
        for (place, admitted) in plan.admit(&block)? {
            plan.enter(&block, place, admitted, (scope, fit), &mut states);
            if states.len() >= BATCH {
                plan.run(std::mem::take(&mut states), &mut found)?;
            }
        }
        plan.run(states, &mut found)?;
        for ((kept, found), &(predicate, limit)) in kept.iter().zip(found).zip(tasks) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.matched += found.len() as u64;
            kept.found.extend(found);
            if let Some(limit) = limit
                && kept.found.len() > limit.saturating_mul(4).max(1 << 12)
            {
                sort(&mut kept.found, predicate);
                kept.found.truncate(limit);
            }
        }
        let slots = block.slots();
        watch.advance(slots.end - slots.start);
        Ok(())
    })?;
    let scans = kept
        .into_iter()
        .zip(tasks)
        .map(|(kept, &(predicate, limit))| {
            let mut kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
            sort(&mut kept.found, predicate);
            kept.found.truncate(limit.unwrap_or(usize::MAX));
            Scan {
                finds: kept.found.into_iter().map(|sorted| sorted.find).collect(),
                matched: kept.matched,
                similar: Vec::new(),
            }
        });
    Ok(scans.collect())
}

/// Does something with every number, on as many threads as the current pool has,
/// until something fails.
///
/// These are threads of their own, since the engine that tests conditions has a pool
/// too: a pool's thread that waits for another pool takes up more of its own work
/// meanwhile, and half-done blocks would pile up in memory.
fn in_parallel<E: Send>(
    numbers: &[usize],
    work: impl Fn(usize) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let run = || {
        while let Some(&number) = numbers.get(next.fetch_add(1, Relaxed)) {
            if let Err(error) = work(number) {
                next.store(numbers.len(), Relaxed);
                *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(run);
        }
        run();
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Whether a filter admits one state.
///
/// # Errors
/// If the table cannot be read or the predicate fails.
pub fn admits<G: Minable>(
    game: &G,
    table: &Table,
    predicate: &Predicate,
    state: &G::State,
) -> Result<bool, MineError> {
    let source = Solved::new(table, game)?;
    let catalogue = Catalogue::new(game);
    let predicates = [predicate];
    let plan = Plan::new(game, source, &predicates, &catalogue);
    let slot = game.rank(state);
    let stored = table.record(slot.index)?;
    let key = match slot.forbidden {
        None => Key::free(stored),
        Some(_) => Key::restricted(stored.without(slot.forbidden)),
    };
    plan.verdicts.learn([key])?;
    let entrant = Entrant {
        slot: slot.index,
        state: state.clone(),
        forbidden: slot.forbidden,
        stored,
        alive: plan.verdicts.of(key).unwrap_or(0),
    };
    let mut found = vec![Vec::new()];
    if entrant.alive != 0 {
        plan.run(vec![entrant], &mut found)?;
    }
    Ok(!found[0].is_empty())
}

/// A find with the cells it is sorted by.
struct Sorted<S> {
    keys: Vec<Cell>,
    forbidden: Option<u8>,
    find: Find<S>,
}

struct Kept<S> {
    found: Vec<Sorted<S>>,
    matched: u64,
}

impl<S> Default for Kept<S> {
    fn default() -> Self {
        Self {
            found: Vec::new(),
            matched: 0,
        }
    }
}

/// The filters that do not refuse the states of a position, from its record:
/// the unrestricted one, those with another than the only move forbidden, and the
/// one with that move forbidden.
#[derive(Debug, Clone, Copy, Default)]
struct Admitted {
    free: u64,
    other: u64,
    only: u64,
}

/// Several filters over one set of columns.
struct Plan<'a, G> {
    game: &'a G,
    source: Solved<'a>,
    predicates: &'a [&'a Predicate],
    catalogue: &'a Catalogue,
    /// Places of all columns that are needed, cheap ones first.
    needed: Vec<usize>,
    verdicts: Verdicts<'a>,
    /// Filters that scan restricted states too.
    restricted: u64,
}

impl<'a, G: Minable> Plan<'a, G> {
    fn new(
        game: &'a G,
        source: Solved<'a>,
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
        Self {
            game,
            source,
            predicates,
            catalogue,
            needed,
            verdicts: Verdicts::new(predicates, catalogue),
            restricted: restricted.fold(0, |set, (bit, _)| set | 1 << bit),
        }
    }

    /// The needed columns of a tier: where they begin among all needed ones, and
    /// their places within the tier.
    fn wanted(&self, tier: Tier) -> (usize, Vec<usize>) {
        let range = self.catalogue.of_tier(tier);
        let first = self.needed.partition_point(|&place| place < range.start);
        let here = self.needed[first..].iter();
        let here = here.take_while(|&&place| place < range.end);
        (first, here.map(|place| place - range.start).collect())
    }

    /// The positions of a block of which some filter may want a state, by their
    /// place in the block.
    fn admit(&self, block: &Block<'_>) -> Result<Vec<(usize, Admitted)>, MineError> {
        let mut admitted = Vec::new();
        let mut unknown = Vec::new();
        loop {
            match block.narrow_planes() {
                Some((best, second, only)) if self.restricted == 0 => {
                    for (place, ((&best, &second), &only)) in
                        best.iter().zip(second).zip(only).enumerate()
                    {
                        match self.verdicts.of_narrow(best, second, only) {
                            Some(0) => {}
                            Some(free) => {
                                let this = Admitted {
                                    free,
                                    ..Admitted::default()
                                };
                                admitted.push((place, this));
                            }
                            None => unknown.push(Verdicts::narrow_key(best, second, only)),
                        }
                    }
                }
                _ => {
                    for (place, record) in block.records().enumerate() {
                        self.admit_record(place, record, &mut admitted, &mut unknown);
                    }
                }
            }
            if unknown.is_empty() {
                return Ok(admitted);
            }
            self.verdicts.learn(unknown.drain(..))?;
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
        if this.free | this.other | this.only != 0 {
            admitted.push((place, this));
        }
    }

    /// Adds the states of a position that some filter may want.
    fn enter(
        &self,
        block: &Block<'_>,
        place: usize,
        admitted: Admitted,
        (scope, fit): (&Scope, &impl Fn(&G::State) -> Option<G::State>),
        states: &mut Vec<Entrant<G::State>>,
    ) {
        let slot = block.slots().start + place as u64;
        if !scope.has_slot(slot) {
            return;
        }
        let Some(state) = self.game.unrank(slot) else {
            return;
        };
        let stored = block.record(place);
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

    /// The stages: cheap columns first, dear ones for those that some filter still
    /// wants.
    fn run(
        &self,
        states: Vec<Entrant<G::State>>,
        found: &mut [Vec<Sorted<G::State>>],
    ) -> Result<(), MineError> {
        let mut frame = Frame::new(states, self.needed.len());
        for tier in Tier::ALL {
            let (first, wanted) = self.wanted(tier);
            if frame.len() == 0 {
                return Ok(());
            }
            if !wanted.is_empty() {
                let mut cells = Vec::with_capacity(frame.len() * wanted.len());
                fill(tier, &wanted, (self.game, &self.source), &frame, &mut cells)?;
                frame.store(first, wanted.len(), &cells);
            }
            // The record's part was asked already.
            if tier != Tier::Record {
                self.test(tier, &mut frame)?;
            }
        }
        for (place, row) in frame.rows().enumerate() {
            let alive = frame.states()[place].alive;
            for (bit, predicate) in self.predicates.iter().enumerate() {
                if alive >> bit & 1 == 1 {
                    found[bit].push(Sorted {
                        keys: predicate
                            .order()
                            .map(|(column, _)| self.cell(&frame, place, column))
                            .collect(),
                        forbidden: row.forbidden,
                        find: Find {
                            index: row.slot,
                            state: row.state.clone(),
                            record: state_record(row.stored, row.forbidden),
                        },
                    });
                }
            }
        }
        Ok(())
    }

    /// Lets every filter refuse states by its conditions of one tier.
    fn test(&self, tier: Tier, frame: &mut Frame<G::State>) -> Result<(), MineError> {
        for (bit, predicate) in self.predicates.iter().enumerate() {
            if !predicate.has(tier) {
                continue;
            }
            let states = frame.states().iter().enumerate();
            let rows: Vec<usize> = states
                .filter(|(_, state)| state.alive >> bit & 1 == 1)
                .map(|(place, _)| place)
                .collect();
            let cells = |column| {
                let cells = rows.iter().map(|&place| self.cell(frame, place, column));
                cells.collect()
            };
            let answers = predicate.test(tier, self.catalogue, rows.len(), cells)?;
            for (place, _) in rows.iter().zip(answers).filter(|(_, admitted)| !admitted) {
                frame.refuse(*place, bit);
            }
        }
        frame.sweep();
        Ok(())
    }

    fn cell(&self, frame: &Frame<G::State>, row: usize, column: usize) -> Cell {
        let place = self.needed.binary_search(&column).ok();
        let cells = place.map_or(&[][..], |place| frame.column(place));
        cells.get(row).copied().unwrap_or(Cell::NONE)
    }
}

/// Sorts finds by a filter's order; equal ones by index.
fn sort<S>(found: &mut [Sorted<S>], predicate: &Predicate) {
    found.sort_by(|a, b| {
        let keys = predicate.order().zip(a.keys.iter().zip(&b.keys));
        keys.map(|((_, descending), (x, y))| compare(*x, *y, descending))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| (a.find.index, a.forbidden).cmp(&(b.find.index, b.forbidden)))
    });
}

/// Orders cells; what is missing comes last either way. Words come in the order of
/// their places.
fn compare(a: Cell, b: Cell, descending: bool) -> Ordering {
    let order = match (a.get(), b.get()) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Greater,
        (Some(_), None) => return Ordering::Less,
        (Some(a), Some(b)) => a.cmp(&b),
    };
    if descending { order.reverse() } else { order }
}
