//! Grouping finds that are the same puzzle to a reader.
//!
//! Two positions with the same solution, up to a symmetry of the board, differ only in
//! pieces that take no part. The best find of each group is kept.

use rayon::prelude::*;

use super::minable::Minable;
use super::scan::Scan;
use super::solved::Solved;
use super::source::Values;
use super::{Find, MineError};
use crate::analysis::{Analysis, firsts, key_of_line};

impl<S: Clone + Send + Sync> Scan<S> {
    /// Keeps the first find of every group of similar ones, and at most `limit`. Only finds
    /// whose solution has at least two moves of the solver are grouped; shorter ones would
    /// all be alike.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn distinct<G>(
        self,
        game: &G,
        source: &Solved<'_>,
        limit: Option<usize>,
    ) -> Result<Self, MineError>
    where
        G: Minable<State = S>,
    {
        let oracle = Values(source);
        let line = |find: &Find<S>| {
            let analysis = Analysis::new(game, &oracle, &find.state)?;
            let steps = analysis.line(game, &oracle)?;
            let moves: Vec<_> = steps.iter().map(|step| step.mv).collect();
            Ok(key_of_line(game, &moves))
        };
        let lines: Vec<_> = self
            .finds()
            .par_iter()
            .map(line)
            .collect::<Result<_, MineError>>()?;
        let mut kept: Vec<_> = firsts(&lines)
            .into_iter()
            .map(|(first, more)| (self.finds()[first].clone(), more))
            .collect();
        kept.truncate(limit.unwrap_or(usize::MAX));
        Ok(self.with_groups(kept))
    }
}
