//! Generating positions, solving them, and keeping those that filters admit.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::{HiddenFind, Supply, values};
use crate::base::progress::{NoProgress, Progress};
use crate::game::{FeatureValue, Features, Generator, Hidden};
use crate::mine::error::MineError;
use crate::mine::kept;
use crate::mine::predicate::Predicate;
use crate::solve::belief::{Limits, Mode, SearchError, solve};

/// Positions that are processed together.
const BATCH: u64 = 1024;

/// The steps of the catalogue: columns of the board, and columns of the solution.
const BOARD: usize = 0;
const SOLUTION: usize = 1;

/// What to mine.
#[derive(Debug, Clone)]
pub struct HiddenScan<'a, S> {
    /// The source of positions.
    pub supply: &'a Supply<S>,
    /// The seed of the positions.
    pub seed: u64,
    /// The numbers of the positions.
    pub numbers: Range<u64>,
    /// The limits of each search.
    pub limits: Limits,
    /// The filters.
    pub filters: &'a [Selection<'a>],
}

/// A filter and which finds to keep.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// The filter's condition and order.
    pub predicate: &'a Predicate,
    /// The maximum number of finds.
    pub limit: Option<usize>,
    /// Whether only the best of several finds with the same best line, up to symmetry, is
    /// kept.
    pub distinct: bool,
}

/// The result of mining.
#[derive(Debug)]
pub struct Yield<G: Hidden> {
    /// The number of different positions generated.
    pub positions: u64,
    /// The number of positions solved.
    pub solved: u64,
    /// The number of positions given up because of effort or memory.
    pub given_up: u64,
    /// For each filter, its finds, best first, and how many it admitted in all.
    pub finds: Vec<(Vec<HiddenFind<G>>, u64)>,
}

/// Mines. Repeated positions are skipped.
///
/// # Errors
/// If the work is cancelled.
pub fn mine<G: Generator + Features>(
    game: &G,
    scan: &HiddenScan<'_, G::State>,
    progress: &dyn Progress,
) -> Result<Yield<G>, MineError> {
    let mut found = Yield {
        positions: 0,
        solved: 0,
        given_up: 0,
        finds: scan.filters.iter().map(|_| (Vec::new(), 0)).collect(),
    };
    let mut seen: HashSet<u64, FixedState> = HashSet::default();
    let mut lines = vec![HashMap::new(); scan.filters.len()];
    let Range { start, end } = scan.numbers;
    progress.begin("solving positions", end - start);
    let mut next = start;
    while next < end {
        let batch = next..end.min(next.saturating_add(BATCH));
        let made = batch.clone().into_par_iter().filter_map(|number| {
            let state = scan.supply.position(game, scan.seed, number)?;
            Some((number, state))
        });
        let mut new: Vec<_> = made.collect();
        new.retain(|(_, state)| seen.insert(game.key(state)));
        found.positions += new.len() as u64;
        take(game, scan, new, &mut found, &mut lines)?;
        progress.advance(batch.end - batch.start);
        if progress.cancelled() {
            return Err(MineError::Cancelled);
        }
        next = batch.end;
    }
    for ((finds, _), lines) in found.finds.iter_mut().zip(&lines) {
        for find in finds {
            let all = find.line_key(game).and_then(|line| lines.get(&line));
            find.similar = all.map_or(0, |all| all - 1);
        }
    }
    Ok(found)
}

/// Processes a batch. `lines` counts the finds with each best line, for filters that ask
/// for distinct finds.
fn take<G: Hidden + Features>(
    game: &G,
    scan: &HiddenScan<'_, G::State>,
    new: Vec<(u64, G::State)>,
    found: &mut Yield<G>,
    lines: &mut [HashMap<String, u64>],
) -> Result<(), MineError> {
    // First, the board decides whether any filter may admit a position.
    let mut wanted = vec![false; new.len()];
    for selection in scan.filters {
        let test = selection.predicate.test(BOARD, new.len(), |column| {
            let measure = |(_, state): &(u64, G::State)| {
                let mut values = Vec::new();
                game.measure(state, &[column], &mut values);
                values.pop().unwrap_or(FeatureValue::NONE)
            };
            new.iter().map(measure).collect()
        });
        for (wanted, passes) in wanted.iter_mut().zip(test) {
            *wanted |= passes;
        }
    }
    let answers: Vec<_> = new
        .into_par_iter()
        .zip(wanted)
        .with_max_len(1)
        .filter(|(_, wanted)| *wanted)
        .map(|((number, state), _)| {
            let solved = solve(game, &state, &scan.limits, Mode::Fast, &NoProgress);
            (number, state, solved)
        })
        .collect();
    let mut finds = Vec::new();
    for (number, state, solved) in answers {
        match solved {
            Ok(Some(solved)) => {
                let values = values(game, &state, &solved);
                finds.push(HiddenFind {
                    number,
                    state,
                    solved,
                    values,
                    similar: 0,
                });
            }
            Ok(None) => {}
            Err(SearchError::Cancelled) => return Err(MineError::Cancelled),
            Err(SearchError::Memory { .. } | SearchError::Effort { .. }) => found.given_up += 1,
        }
    }
    found.solved += finds.len() as u64;
    let outcomes = found.finds.iter_mut().zip(lines);
    for (selection, ((kept, admitted), lines)) in scan.filters.iter().zip(outcomes) {
        let passes = passing(selection.predicate, &finds);
        for (find, passes) in finds.iter().zip(passes) {
            if passes {
                *admitted += 1;
                if let Some(line) = find.line_key(game).filter(|_| selection.distinct) {
                    *lines.entry(line).or_insert(0) += 1;
                }
                kept.push(find.clone());
            }
        }
        kept.sort_by(|a, b| compare(selection.predicate, a, b));
        if selection.distinct {
            let mut met = HashSet::new();
            kept.retain(|find| find.line_key(game).is_none_or(|line| met.insert(line)));
        }
        kept.truncate(selection.limit.unwrap_or(usize::MAX));
    }
    Ok(())
}

fn passing<G: Hidden>(predicate: &Predicate, finds: &[HiddenFind<G>]) -> Vec<bool> {
    let mut passes = vec![true; finds.len()];
    for step in [BOARD, SOLUTION] {
        let test = predicate.test(step, finds.len(), |column| {
            finds.iter().map(|find| find.values[column]).collect()
        });
        for (passes, this) in passes.iter_mut().zip(test) {
            *passes &= this;
        }
    }
    passes
}

/// Compares finds by a filter's order, and ties by number.
fn compare<G: Hidden>(predicate: &Predicate, a: &HiddenFind<G>, b: &HiddenFind<G>) -> Ordering {
    let mut columns = predicate
        .order()
        .map(|(column, descending)| kept::compare(a.values[column], b.values[column], descending));
    let order = columns.find(|order| order.is_ne());
    order.unwrap_or_else(|| a.number.cmp(&b.number))
}

/// Whether a filter admits a position; `false` if it has no solution within the limits.
///
/// # Errors
/// If the search gives up.
pub fn admits<G: Hidden + Features>(
    game: &G,
    predicate: &Predicate,
    state: &G::State,
    limits: &Limits,
) -> Result<bool, MineError> {
    let Some(solved) = solve(game, state, limits, Mode::Fast, &NoProgress)? else {
        return Ok(false);
    };
    let find = HiddenFind::<G> {
        number: 0,
        state: state.clone(),
        values: values(game, state, &solved),
        solved,
        similar: 0,
    };
    Ok(passing(predicate, &[find]) == [true])
}
