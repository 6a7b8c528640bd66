//! The puzzles of a scan: the best ones, without similar ones.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::minable::Minable;
use super::puzzle::row_from;
use super::puzzle_row::PuzzleRow;
use super::scan::Scan;
use super::solved::Solved;
use super::source::Values;
use super::{Filter, MineError};
use crate::analysis::{firsts, key_of_line};
use crate::base::watch::Watch;

/// The rows of a scan's finds with their states, at most `limit`. They are in the filter's
/// order or, if it has a shortlist, by descending score, with equal ones in the filter's
/// order. If the filter asks for distinct finds, only the first of similar ones is kept.
///
/// The scan should have kept as many finds as [`Filter::scanned`] says. Solving many finds
/// is much faster if the table is [loaded](Solved::load).
///
/// # Errors
/// If the table cannot be read, or the watch asks to stop.
pub fn puzzles<G: Minable>(
    game: &G,
    source: &Solved<'_>,
    filter: &Filter,
    scan: Scan<G::State>,
    limit: Option<usize>,
    watch: &impl Watch,
) -> Result<Vec<(PuzzleRow, G::State)>, MineError> {
    let ranked = filter.shortlist().is_some();
    let scan = if filter.distinct() && !ranked {
        scan.distinct(game, source, limit)?
    } else {
        scan
    };
    let oracle = Values(source);
    let fingerprint = &source.table().description().fingerprint;
    watch.begin("solving puzzles", scan.finds().len() as u64);
    let found = scan
        .finds()
        .par_iter()
        .enumerate()
        .map(|(place, find)| {
            if watch.cancelled() {
                return Err(MineError::Cancelled);
            }
            let similar = scan.similar(place);
            let (row, solution) =
                row_from(game, &oracle, fingerprint, filter.name(), find, similar)?;
            watch.advance(1);
            Ok(((row, find.state.clone()), key_of_line(game, &solution.line)))
        })
        .collect::<Result<Vec<_>, MineError>>()?;
    let mut rows = if ranked {
        best_first(found, filter.distinct())
    } else {
        found.into_iter().map(|(row, _)| row).collect()
    };
    rows.truncate(limit.unwrap_or(usize::MAX));
    Ok(rows)
}

/// A row and its state, with the key that similar ones share.
type Keyed<S, K> = ((PuzzleRow, S), Option<K>);

/// Sorts by score and, with `distinct`, keeps the first of similar rows.
fn best_first<S: Clone, K: Eq + std::hash::Hash>(
    mut found: Vec<Keyed<S, K>>,
    distinct: bool,
) -> Vec<(PuzzleRow, S)> {
    found.sort_by_key(|((row, _), _)| Reverse(row.score));
    let (mut rows, keys): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    if !distinct {
        return rows;
    }
    let kept = firsts(&keys).into_iter().map(|(first, more)| {
        let (row, state) = &mut rows[first];
        row.similar = more;
        (row.clone(), state.clone())
    });
    kept.collect()
}
