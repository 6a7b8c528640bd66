//! Scanning a solved game for the states that filters admit.

use std::sync::PoisonError;

use super::columns::{Catalogue, Tier};
use super::error::MineError;
use super::estimates::{Coverage, Estimates};
use super::frame::Minable;
use super::kept::{Kept, sort};
use super::predicate::{Predicate, Task};
use super::puzzle::Find;
use super::run::{Numbered, Run, Runs, Scanning};
use super::scope::Scope;
use super::solved::Solved;
use super::verdicts::TOGETHER;
use crate::base::progress::Progress;
use crate::game::Repetition;
use crate::solve::has_rows;

/// The finds of one filter, in its order.
#[derive(Debug, Clone)]
pub struct Scan<S> {
    /// The finds: all, or the first ones in the filter's order up to its limit. Ties are in
    /// the order of table indices, the unrestricted state first.
    pub finds: Vec<Find<S>>,
    /// How many states the filter admits, including those beyond its limit. If the scan was
    /// stopped, those that were found.
    pub matched: u64,
    /// How far the scan got, if it was stopped before its end.
    pub coverage: Option<Coverage>,
}

impl<S> Scan<S> {
    /// The same scan, with other forms of its states.
    pub fn map<T>(self, mut form: impl FnMut(S) -> T) -> Scan<T> {
        let finds = self.finds.into_iter().map(|find| Find {
            index: find.index,
            state: form(find.state),
            record: find.record,
        });
        Scan {
            finds: finds.collect(),
            matched: self.matched,
            coverage: self.coverage,
        }
    }
}

/// How a scan goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// To the end.
    Whole,
    /// With word ([`Progress::interim`]) from the first second on of how many finds there will
    /// be. If the work is cancelled, the scan ends with what it has found, and each
    /// [`Scan::coverage`] says so.
    Progressive,
}

/// Scans the states of a table within `scope` with several filters at once, so that each
/// column is computed only once. The result has one entry for each filter and does not
/// depend on the number of threads. Memory is bounded by the limits, or without a limit by
/// the number of finds. The table is loaded into memory if columns need it, and stays there.
///
/// # Errors
/// If the table is damaged or of another game, a pattern is none of the game, or the work is
/// cancelled.
pub fn scan<G: Minable>(
    game: &G,
    source: &Solved<'_>,
    tasks: &[Task<'_>],
    scope: &Scope,
    way: Way,
    progress: &dyn Progress,
) -> Result<Vec<Scan<G::State>>, MineError> {
    let columns = tasks.iter().flat_map(|(predicate, _)| predicate.needed());
    source.find_lures(game, &Catalogue::new(game).depths_of(columns), progress)?;
    let estimates = || Estimates::new(game, source, tasks, scope, progress);
    let estimates = (way == Way::Progressive).then(estimates).transpose()?;
    let scanning = Scanning {
        game,
        source,
        scope,
        progress,
        estimates: estimates.as_ref(),
    };
    let mut numbered: Vec<_> = (0..).zip(tasks.iter().copied()).collect();
    let pattern = |task: &Numbered<Task<'_>>| task.1.0.filter.pattern.clone();
    numbered.sort_by_cached_key(pattern);
    let mut scans = Vec::new();
    for alike in numbered.chunk_by(|a, b| pattern(a) == pattern(b)) {
        for some in alike.chunks(TOGETHER) {
            scans.extend(scanning.some(some)?);
        }
    }
    scans.sort_unstable_by_key(|&(number, _)| number);
    Ok(scans.into_iter().map(|(_, scan)| scan).collect())
}

impl<G: Minable> Scanning<'_, G> {
    /// Scans with at most [`TOGETHER`] tasks, in any order.
    fn some(
        &self,
        tasks: &[Numbered<Task<'_>>],
    ) -> Result<Vec<Numbered<Scan<G::State>>>, MineError> {
        let catalogue = Catalogue::new(self.game);
        // Values of two bytes are not read row by row.
        let narrow = self.source.table.description.value_bytes == 1;
        let by_rows = self.scope.has_rows() && narrow && has_rows(self.game);
        // Row by row, values of moves are read at random only if few are needed, which shows
        // later.
        let finds_duals =
            by_rows && self.source.is_mapped() && self.game.repetition() == Repetition::Exact;
        let reads_at_random = |predicate: &Predicate| {
            let of_rows = |tier| {
                tier != Tier::Solution || (finds_duals && predicate.asks_of_duals_alone(&catalogue))
            };
            predicate.needed().any(|column| {
                let tier = catalogue.columns[column].tier;
                tier.reads_at_random() && !(by_rows && of_rows(tier))
            })
        };
        let (at_random, others): (Vec<_>, Vec<_>) =
            tasks.iter().partition(|(_, (one, _))| reads_at_random(one));
        let loads = !at_random.is_empty();
        if by_rows && loads && !others.is_empty() {
            // Those that read at random come last: for the others the table is not loaded into
            // memory.
            let mut scans = self.some(&others)?;
            scans.extend(self.some(&at_random)?);
            return Ok(scans);
        }
        // Main lines are followed before the filters that refuse wins with duals scan.
        let refuses = |predicate: &Predicate| finds_duals && predicate.refuses_duals(&catalogue);
        let (refusing, others) = tasks.iter().partition(|(_, (one, _))| refuses(one));
        let without_duals = Run::new(self, refusing, &catalogue)?;
        let others = Run::new(self, others, &catalogue)?;
        let stopped = if self.estimates.is_some() && self.progress.cancelled() {
            true
        } else {
            if loads && !(by_rows && self.source.is_mapped()) {
                self.source.load(self.scope.most_memory(), self.progress)?;
            }
            let runs = Runs {
                without_duals: &without_duals,
                others: &others,
            };
            match runs.all(self.game, by_rows) {
                Err(MineError::Cancelled) if self.estimates.is_some() => true,
                done => done.map(|()| false)?,
            }
        };
        let mut scans = Vec::with_capacity(tasks.len());
        for run in [without_duals, others] {
            for ((number, task), kept) in run.tasks.into_iter().zip(run.kept) {
                let kept = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
                scans.push((number, self.scan(task, number, kept, stopped)));
            }
        }
        Ok(scans)
    }

    /// What a task of a number has found, at its end or when it was stopped.
    fn scan(
        &self,
        (predicate, limit): Task<'_>,
        number: usize,
        mut kept: Kept<G::State>,
        stopped: bool,
    ) -> Scan<G::State> {
        let estimates = self.estimates.filter(|_| stopped);
        let coverage = estimates.map(|estimates| estimates.complete(number, &mut kept));
        sort(&mut kept.found, predicate);
        kept.found.truncate(limit.unwrap_or(usize::MAX));
        Scan {
            finds: kept.found.into_iter().map(|sorted| sorted.find).collect(),
            matched: kept.matched,
            coverage,
        }
    }
}
