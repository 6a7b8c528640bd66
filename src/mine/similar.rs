//! Finds that are one and the same puzzle to a reader.
//!
//! Two positions whose solutions are the same moves, up to a symmetry of the board,
//! differ at most in pieces that take no part. The best of such a group is kept.

use rayon::prelude::*;

use super::minable::Minable;
use super::scan::Scan;
use super::solved::Solved;
use super::source::Values;
use super::{Find, MineError};
use crate::analysis::{Analysis, firsts, key_of_line};

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
