//! Scanning a solved game for the states that filters admit.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};

use rayon::prelude::*;

use super::columns::{Catalogue, Maybe, Tier, extend, record_row};
use super::{Find, MineError, Predicate};
use crate::game::{Cell, Features, Moves, Oracle, Ranked};
use crate::solve::Watch;
use crate::table::{Table, TableError, TableOracle};
use crate::value::Record;

/// States whose columns are computed and tested together.
const BATCH: usize = 1 << 13;

/// Filters run together at most: a set of them is one word.
const TOGETHER: usize = 64;

/// Finds of one filter, in its order.
#[derive(Debug, Clone)]
pub struct Scan<S> {
    finds: Vec<Find<S>>,
    matched: u64,
}

impl<S> Scan<S> {
    /// The finds kept: all, or as many as the limit allows, the first by the
    /// filter's order; equal ones by table index.
    #[must_use]
    pub fn finds(&self) -> &[Find<S>] {
        &self.finds
    }

    /// How many states the filter admits, kept or not.
    #[must_use]
    pub const fn matched(&self) -> u64 {
        self.matched
    }
}

/// Scans every unrestricted position of a table with several filters at once, so
/// that a column is computed once for all of them. Each filter comes with the most
/// finds to keep; the result has one entry a filter.
///
/// The result is the same whatever the number of threads. Memory is bounded by the
/// limits (or, without one, by the number of finds).
///
/// # Errors
/// If the table is damaged or of another game, a predicate fails, or the watch
/// asks to stop.
pub fn scan<G>(
    game: &G,
    table: &Table,
    filters: &[(&Predicate, Option<usize>)],
    watch: &impl Watch,
) -> Result<Vec<Scan<G::State>>, MineError>
where
    G: Moves + Ranked + Features,
{
    let oracle = TableOracle::new(table, game)?;
    let catalogue = Catalogue::new(game);
    if filters.len() > TOGETHER {
        let mut scans = Vec::new();
        for some in filters.chunks(TOGETHER) {
            scans.extend(scan(game, table, some, watch)?);
        }
        return Ok(scans);
    }
    let predicates: Vec<&Predicate> = filters.iter().map(|&(predicate, _)| predicate).collect();
    let plan = Plan::new(&predicates, &catalogue);
    let kept: Vec<Mutex<Kept<G::State>>> = filters.iter().map(|_| Mutex::default()).collect();
    watch.begin("scanning", table.description().slots());
    (0..table.blocks()).into_par_iter().try_for_each(|number| {
        if watch.cancelled() {
            return Err(MineError::Cancelled);
        }
        let block = table.block(number)?;
        let slots = block.slots();
        let mut found: Vec<Vec<Sorted<G::State>>> = predicates.iter().map(|_| Vec::new()).collect();
        let mut entrants = Vec::new();
        for (slot, record) in slots.clone().zip(block.records()) {
            if record.is_vacant() {
                continue;
            }
            let Some((alive, row)) = plan.admit(record)? else {
                continue;
            };
            if let Some(state) = game.unrank(slot) {
                let find = Find {
                    index: slot,
                    state,
                    record,
                };
                entrants.push(Entrant { find, row, alive });
            }
            if entrants.len() == BATCH {
                plan.run(game, &oracle, std::mem::take(&mut entrants), &mut found)?;
            }
        }
        plan.run(game, &oracle, entrants, &mut found)?;
        for ((kept, found), &(predicate, limit)) in kept.iter().zip(found).zip(filters) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.matched += found.len() as u64;
            kept.found.extend(found);
            if let Some(limit) = limit
                && kept.found.len() > limit.saturating_mul(4).max(1 << 12)
            {
                Plan::sort(&mut kept.found, predicate);
                kept.found.truncate(limit);
            }
        }
        watch.advance(slots.end - slots.start);
        Ok(())
    })?;
    let scans = kept
        .into_iter()
        .zip(filters)
        .map(|(kept, &(predicate, limit))| {
            let mut kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
            Plan::sort(&mut kept.found, predicate);
            kept.found.truncate(limit.unwrap_or(usize::MAX));
            Scan {
                finds: kept.found.into_iter().map(|sorted| sorted.find).collect(),
                matched: kept.matched,
            }
        });
    Ok(scans.collect())
}

/// Whether a filter admits one state.
///
/// # Errors
/// If the table cannot be read or the predicate fails.
pub fn admits<G>(
    game: &G,
    table: &Table,
    predicate: &Predicate,
    state: &G::State,
) -> Result<bool, MineError>
where
    G: Moves + Ranked + Features,
{
    let oracle = TableOracle::new(table, game)?;
    let catalogue = Catalogue::new(game);
    let predicates = [predicate];
    let plan = Plan::new(&predicates, &catalogue);
    let slot = game.rank(state);
    let value = table.record(slot.index)?.without(slot.forbidden);
    // A restricted state has no record of its own; what it is worth is all that
    // the record tier may say of it.
    let record = match slot.forbidden {
        None => table.record(slot.index)?,
        Some(_) => Record::new(value, value, Record::NO_MOVE),
    };
    let Some((alive, row)) = plan.admit(record)? else {
        return Ok(false);
    };
    let find = Find {
        index: slot.index,
        state: state.clone(),
        record,
    };
    let mut found = vec![Vec::new()];
    plan.run(
        game,
        &oracle,
        vec![Entrant { find, row, alive }],
        &mut found,
    )?;
    Ok(!found[0].is_empty())
}

/// A find with the cells it is sorted by.
struct Sorted<S> {
    keys: Vec<Maybe>,
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

/// A state on its way through the stages.
struct Entrant<S> {
    find: Find<S>,
    /// Cells of the plan's columns, as far as computed.
    row: Vec<Maybe>,
    /// The filters that have not refused it yet.
    alive: u64,
}

/// What one record is worth to the filters: who admits it, and its cells.
type Verdict = Option<(u64, Vec<Maybe>)>;

/// Several filters over one set of columns.
struct Plan<'a> {
    predicates: &'a [&'a Predicate],
    catalogue: &'a Catalogue,
    /// Places of all columns that are needed, cheap ones first.
    needed: Vec<usize>,
    /// The record stage's answers so far. The columns of that tier depend only on
    /// the two values and on whether there is an only best move, of which a whole
    /// table has a few thousand combinations; the engine sees each of them once.
    verdicts: RwLock<HashMap<(u16, u16, bool), Verdict>>,
}

impl<'a> Plan<'a> {
    fn new(predicates: &'a [&'a Predicate], catalogue: &'a Catalogue) -> Self {
        let mut needed: Vec<usize> = predicates
            .iter()
            .flat_map(|predicate| predicate.needed())
            .collect();
        needed.sort_unstable();
        needed.dedup();
        Self {
            predicates,
            catalogue,
            needed,
            verdicts: RwLock::default(),
        }
    }

    /// The needed columns of a tier, as places within it.
    fn wanted(&self, tier: Tier) -> Vec<usize> {
        let range = self.catalogue.of_tier(tier);
        let here = self.needed.iter().filter(|place| range.contains(place));
        here.map(|place| place - range.start).collect()
    }

    /// The filters that do not refuse a record, and its cells.
    fn admit(&self, record: Record) -> Result<Verdict, MineError> {
        let key = (
            record.best().code(),
            record.second().code(),
            record.only_move().is_some(),
        );
        let known = self
            .verdicts
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .cloned();
        if let Some(verdict) = known {
            return Ok(verdict);
        }
        let row = record_row(record, &self.wanted(Tier::Record));
        let mut alive = 0;
        for (place, predicate) in self.predicates.iter().enumerate() {
            let admitted = predicate.test(Tier::Record, self.catalogue, &self.needed, &[&row])?[0];
            alive |= u64::from(admitted) << place;
        }
        let verdict = (alive != 0).then_some((alive, row));
        let mut verdicts = self
            .verdicts
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        verdicts.insert(key, verdict.clone());
        Ok(verdict)
    }

    /// The stages after the record's: cheap columns first, dear ones for those
    /// that some filter still wants.
    fn run<G, O>(
        &self,
        game: &G,
        oracle: &O,
        mut entrants: Vec<Entrant<G::State>>,
        found: &mut [Vec<Sorted<G::State>>],
    ) -> Result<(), MineError>
    where
        G: Moves + Features,
        O: Oracle<G, Error = TableError>,
    {
        for tier in [Tier::Board, Tier::Play, Tier::Solution] {
            let wanted = self.wanted(tier);
            if wanted.is_empty() {
                continue;
            }
            let range = self.catalogue.of_tier(tier);
            let mut users = 0;
            for (place, predicate) in self.predicates.iter().enumerate() {
                let uses = predicate.needed().any(|column| range.contains(&column));
                users |= u64::from(uses) << place;
            }
            for Entrant { find, row, alive } in &mut entrants {
                if *alive & users == 0 {
                    row.resize(row.len() + wanted.len(), None);
                    continue;
                }
                extend(row, &wanted, game, oracle, (&find.state, find.record), tier)?;
            }
            for (place, predicate) in self.predicates.iter().enumerate() {
                let bit = 1 << place;
                let tested: Vec<usize> = (0..entrants.len())
                    .filter(|&at| entrants[at].alive & bit != 0)
                    .collect();
                let rows: Vec<&[Maybe]> = tested
                    .iter()
                    .map(|&at| entrants[at].row.as_slice())
                    .collect();
                let answers = predicate.test(tier, self.catalogue, &self.needed, &rows)?;
                for (at, admitted) in tested.into_iter().zip(answers) {
                    if !admitted {
                        entrants[at].alive &= !bit;
                    }
                }
            }
            entrants.retain(|entrant| entrant.alive != 0);
        }
        for Entrant { find, row, alive } in entrants {
            for (place, predicate) in self.predicates.iter().enumerate() {
                if alive >> place & 1 == 1 {
                    found[place].push(Sorted {
                        keys: predicate
                            .order()
                            .map(|(column, _)| self.cell(&row, column))
                            .collect(),
                        find: find.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    fn cell(&self, row: &[Maybe], column: usize) -> Maybe {
        let place = self.needed.binary_search(&column).ok()?;
        row.get(place)?.clone()
    }

    fn sort<S>(found: &mut [Sorted<S>], predicate: &Predicate) {
        found.sort_by(|a, b| {
            let keys = predicate.order().zip(a.keys.iter().zip(&b.keys));
            keys.map(|((_, descending), (x, y))| compare(x.as_ref(), y.as_ref(), descending))
                .find(|order| order.is_ne())
                .unwrap_or_else(|| a.find.index.cmp(&b.find.index))
        });
    }
}

/// Orders cells; what is missing comes last either way.
fn compare(a: Option<&Cell>, b: Option<&Cell>, descending: bool) -> Ordering {
    let order = match (a, b) {
        (None, None) => return Ordering::Equal,
        (None, Some(_)) => return Ordering::Greater,
        (Some(_), None) => return Ordering::Less,
        (Some(Cell::Number(a)), Some(Cell::Number(b))) => a.cmp(b),
        (Some(Cell::Flag(a)), Some(Cell::Flag(b))) => a.cmp(b),
        (Some(Cell::Word(a)), Some(Cell::Word(b))) => a.cmp(b),
        _ => Ordering::Equal,
    };
    if descending { order.reverse() } else { order }
}
