//! Counts over the states of a puzzle of one player.

use super::OnePlayerSession;
use crate::base::progress::Progress;
use crate::game::OnePlayerGame;
use crate::session::{PuzzleDepth, PuzzleStatistics, SessionError, Statistics, StatisticsReport};
use crate::table::depths;

impl<G: OnePlayerGame> Statistics for OnePlayerSession<G> {
    /// No figures of such games are compared.
    fn comparable(&self) -> Vec<String> {
        Vec::new()
    }

    fn count(&self, progress: &dyn Progress) -> Result<StatisticsReport, SessionError> {
        let game = &self.game;
        game.check_size()?;
        let table = self.table(progress)?;
        let depths = depths(&table, game, &progress)?;
        table.expect_unchanged()?;
        let unsolved: u64 = depths.values().map(|depth| depth.states).sum();
        let histogram = depths.iter().map(|(&plies, depth)| PuzzleDepth {
            plies,
            states: depth.states,
            example: game
                .unrank(depth.example)
                .map_or_else(String::new, |state| game.format_state(&state)),
        });
        Ok(StatisticsReport::Puzzle(PuzzleStatistics {
            game: game.spec(),
            states: unsolved + 1,
            longest: depths.keys().flatten().max().copied(),
            histogram: histogram.collect(),
            fingerprint: table.description().fingerprint.clone(),
        }))
    }
}
