//! Finds that are one and the same puzzle to a reader.
//!
//! Two positions whose solutions are the same moves, up to a symmetry of the board,
//! differ at most in pieces that take no part. The best of such a group is kept.

use std::collections::HashMap;

use rayon::prelude::*;

use super::analysis::Analysis;
use super::scan::{Minable, Scan};
use super::{Find, MineError};
use crate::table::{Table, TableOracle};

/// How many times its limit a filter keeps before similar finds are left out.
pub const SPARE: usize = 20;

impl<S: Clone + Send + Sync> Scan<S> {
    /// Keeps the first find of every group of similar ones, and at most `limit`.
    /// Only finds with two moves of the solver or more are grouped: everything that
    /// ends at once would be alike.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn distinct<G>(
        self,
        game: &G,
        table: &Table,
        limit: Option<usize>,
    ) -> Result<Self, MineError>
    where
        G: Minable<State = S>,
    {
        let oracle = TableOracle::new(table, game)?;
        let line = |find: &Find<S>| {
            let analysis = Analysis::new(game, &oracle, &find.state)?;
            let steps = analysis.line(game, &oracle)?;
            let moves: Vec<_> = steps.iter().map(|step| step.mv).collect();
            Ok((moves.len() > 2).then(|| game.canonical_line(&moves)))
        };
        let lines: Vec<_> = self
            .finds()
            .par_iter()
            .map(line)
            .collect::<Result<_, MineError>>()?;
        let mut groups = HashMap::new();
        let mut kept: Vec<(Find<S>, u64)> = Vec::new();
        for (find, line) in self.finds().iter().zip(lines) {
            let group = line.and_then(|line| match groups.entry(line) {
                std::collections::hash_map::Entry::Occupied(entry) => Some(*entry.get()),
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(kept.len());
                    None
                }
            });
            match group {
                Some(group) => kept[group].1 += 1,
                None => kept.push((find.clone(), 0)),
            }
        }
        kept.truncate(limit.unwrap_or(usize::MAX));
        Ok(self.with_groups(kept))
    }
}
