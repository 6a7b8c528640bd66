//! Scanning a solved game for the states that a filter admits.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::{Mutex, RwLock};

use rayon::prelude::*;

use super::columns::{Catalogue, Maybe, Tier, cells, record_cells};
use super::{MineError, Predicate};
use crate::game::{Cell, Features, Moves, Oracle, Ranked};
use crate::solve::Watch;
use crate::table::{Table, TableError, TableOracle};
use crate::value::Record;

/// Finds of a scan, in the filter's order.
#[derive(Debug, Clone)]
pub struct Scan<S> {
    finds: Vec<super::Find<S>>,
    matched: u64,
}

impl<S> Scan<S> {
    /// The finds kept: all, or as many as the limit allows, the first by the
    /// filter's order; equal ones by table index.
    #[must_use]
    pub fn finds(&self) -> &[super::Find<S>] {
        &self.finds
    }

    /// How many states the filter admits, kept or not.
    #[must_use]
    pub const fn matched(&self) -> u64 {
        self.matched
    }
}

/// A find with the cells it is sorted by.
struct Sorted<S> {
    keys: Vec<Maybe>,
    find: super::Find<S>,
}

/// A state on its way through the stages.
struct Entrant<S> {
    find: super::Find<S>,
    row: Vec<Maybe>,
}

/// Scans every unrestricted position of a table.
///
/// The result is the same whatever the number of threads. Memory is bounded by
/// the limit (or, without one, by the number of finds).
///
/// # Errors
/// If the table is damaged or of another game, the predicate fails, or the watch
/// asks to stop.
pub fn scan<G>(
    game: &G,
    table: &Table,
    predicate: &Predicate,
    limit: Option<usize>,
    watch: &impl Watch,
) -> Result<Scan<G::State>, MineError>
where
    G: Moves + Ranked + Features,
{
    let oracle = TableOracle::new(table, game)?;
    let catalogue = Catalogue::new(game);
    let verdicts = Verdicts::default();
    watch.begin("scanning", table.description().slots());
    let kept: Mutex<(Vec<Sorted<G::State>>, u64)> = Mutex::new((Vec::new(), 0));
    (0..table.blocks()).into_par_iter().try_for_each(|number| {
        if watch.cancelled() {
            return Err(MineError::Cancelled);
        }
        let block = table.block(number)?;
        let slots = block.slots();
        let mut entrants = Vec::new();
        for (slot, record) in slots.clone().zip(block.records()) {
            if record.is_vacant() || !verdicts.admits(record, predicate, &catalogue)? {
                continue;
            }
            if let Some(state) = game.unrank(slot) {
                entrants.push(Entrant {
                    row: record_cells(record),
                    find: super::Find { index: slot, state, record },
                });
            }
        }
        let found = run_stages(game, &oracle, predicate, &catalogue, entrants)?;
        watch.advance(slots.end - slots.start);
        if found.is_empty() {
            return Ok(());
        }
        let mut kept = kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        kept.1 += found.len() as u64;
        kept.0.extend(found);
        if let Some(limit) = limit
            && kept.0.len() > limit.saturating_mul(4).max(1 << 12)
        {
            sort(&mut kept.0, predicate);
            kept.0.truncate(limit);
        }
        Ok(())
    })?;
    let (mut found, matched) = kept.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    sort(&mut found, predicate);
    found.truncate(limit.unwrap_or(usize::MAX));
    Ok(Scan {
        finds: found.into_iter().map(|sorted| sorted.find).collect(),
        matched,
    })
}

/// Whether a filter admits one state, given the record of its position.
///
/// # Errors
/// If the table cannot be read or the predicate fails.
pub fn admits<G>(game: &G, table: &Table, predicate: &Predicate, state: &G::State) -> Result<bool, MineError>
where
    G: Moves + Ranked + Features,
{
    let oracle = TableOracle::new(table, game)?;
    let catalogue = Catalogue::new(game);
    let slot = game.rank(state);
    let record = table.record(slot.index)?;
    let row = record_cells(record);
    if !predicate.test(Tier::Record, &catalogue, &[&row])?[0] {
        return Ok(false);
    }
    let find = super::Find {
        index: slot.index,
        state: state.clone(),
        record,
    };
    Ok(!run_stages(game, &oracle, predicate, &catalogue, vec![Entrant { find, row }])?.is_empty())
}

/// The stages after the record's: cheap columns first, dear ones for survivors.
fn run_stages<G, O>(
    game: &G,
    oracle: &O,
    predicate: &Predicate,
    catalogue: &Catalogue,
    mut entrants: Vec<Entrant<G::State>>,
) -> Result<Vec<Sorted<G::State>>, MineError>
where
    G: Moves + Features,
    O: Oracle<G, Error = TableError>,
{
    let ordered = predicate.order().iter().map(|&(place, _)| catalogue.columns()[place].tier);
    let dearest = predicate.tiers().chain(ordered).max().unwrap_or(Tier::Record);
    for tier in [Tier::Board, Tier::Play, Tier::Solution] {
        if tier > dearest || entrants.is_empty() {
            break;
        }
        for entrant in &mut entrants {
            debug_assert_eq!(entrant.row.len(), catalogue.of_tier(tier).start);
            let find = &entrant.find;
            entrant.row.extend(cells(game, oracle, &find.state, find.record, tier)?);
        }
        let rows: Vec<&[Maybe]> = entrants.iter().map(|entrant| entrant.row.as_slice()).collect();
        let mut answers = predicate.test(tier, catalogue, &rows)?.into_iter();
        entrants.retain(|_| answers.next() == Some(true));
    }
    Ok(entrants
        .into_iter()
        .map(|entrant| Sorted {
            keys: predicate.order().iter().map(|&(place, _)| entrant.row[place].clone()).collect(),
            find: entrant.find,
        })
        .collect())
}

fn sort<S>(found: &mut [Sorted<S>], predicate: &Predicate) {
    found.sort_by(|a, b| {
        let keys = predicate.order().iter().zip(a.keys.iter().zip(&b.keys));
        keys.map(|(&(_, descending), (x, y))| compare(x.as_ref(), y.as_ref(), descending))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| a.find.index.cmp(&b.find.index))
    });
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

/// The record stage's answers so far. The columns of that tier depend only on the
/// two values and on whether there is an only best move, of which a whole table
/// has a few thousand combinations; the engine sees each of them once.
#[derive(Default)]
struct Verdicts(RwLock<HashMap<(u16, u16, bool), bool>>);

impl Verdicts {
    fn admits(&self, record: Record, predicate: &Predicate, catalogue: &Catalogue) -> Result<bool, MineError> {
        let key = (record.best().code(), record.second().code(), record.only_move().is_some());
        let known = self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner).get(&key).copied();
        if let Some(verdict) = known {
            return Ok(verdict);
        }
        let row = record_cells(record);
        let verdict = predicate.test(Tier::Record, catalogue, &[&row])?[0];
        self.0
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .insert(key, verdict);
        Ok(verdict)
    }
}
