//! Positions of a table that fit a partial diagram.

use std::cmp::Reverse;

use super::TableSession;
use crate::base::progress::Progress;
use crate::game::TableGame;
use crate::mine::{Catalogue, Filter, Predicate, Solved, Way, puzzles, scan};
use crate::session::mining::expect_mates;
use crate::session::resources::most_memory;
use crate::session::{Composing, Composition, ScopeOptions, SessionError};

/// How many positions are compared by score for each one that is shown.
const COMPARED: usize = 10;

impl<G: TableGame> Composing for TableSession<G> {
    fn compose(
        &self,
        pattern: &str,
        filter: &Filter,
        scope: &ScopeOptions,
        limit: usize,
        progress: &dyn Progress,
    ) -> Result<Composition, SessionError> {
        let game = &self.game;
        game.check_size()?;
        expect_mates(
            std::slice::from_ref(filter),
            &game.spec(),
            game.plies_after_mate(),
        )?;
        let mut filter = filter.clone();
        if filter.shortlist().is_none() {
            filter = filter.with_shortlist(limit.saturating_mul(COMPARED));
        }
        let filter = &filter;
        let pattern = game.parse_pattern(pattern).map_err(SessionError::Pattern)?;
        let predicate = Predicate::new(filter, &Catalogue::new(game))?;
        if !Catalogue::new(game)
            .depths_of(predicate.needed())
            .is_empty()
            || filter.against().is_some()
        {
            self.check_lures(None)?;
        }
        let scope = scope.scope(game)?.memory(most_memory(None));
        let table = self.table(progress)?;
        let limit = Some(limit);
        let fit = |state: &G::State| game.fit(&pattern, state);
        let source = Solved::new(&table, game)?;
        let tasks = [(&predicate, filter.scanned(limit))];
        let way = Way::Fitting(&fit);
        let mut scans = scan(game, &source, &tasks, &scope, &way, progress)?;
        let scan = scans.remove(0);
        let matched = scan.matched();
        let rows = puzzles(game, &source, filter, scan, limit, &progress)?;
        table.expect_unchanged()?;
        let mut rows: Vec<_> = rows.into_iter().map(|(row, _)| row).collect();
        // The best first; of equally good ones, as they were found.
        rows.sort_by_key(|row| Reverse(row.score));
        Ok(Composition { matched, rows })
    }
}
