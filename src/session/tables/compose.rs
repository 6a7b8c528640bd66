//! Positions of a table that fit a partial diagram.

use super::TableSession;
use crate::base::watch::Watch;
use crate::game::TableGame;
use crate::mine::{Catalogue, Filter, Predicate, Solved, puzzles, scan_solved};
use crate::session::resources::most_memory;
use crate::session::{Composing, Composition, ScopeOptions, SessionError};

impl<G: TableGame> Composing for TableSession<G> {
    fn compose(
        &self,
        pattern: &str,
        filter: &Filter,
        scope: &ScopeOptions,
        limit: usize,
        watch: &dyn Watch,
    ) -> Result<Composition, SessionError> {
        let game = &self.game;
        game.check_size()?;
        let pattern = game.parse_pattern(pattern).map_err(SessionError::Pattern)?;
        let predicate = Predicate::new(filter, &Catalogue::new(game))?;
        let scope = scope.scope(game)?.memory(most_memory(None));
        let table = self.whole_table(watch)?;
        let limit = Some(limit);
        let fit = |state: &G::State| game.fit(&pattern, state);
        let source = Solved::new(&table, game)?;
        let tasks = [(&predicate, filter.scanned(limit))];
        let mut scans = scan_solved(game, &source, &tasks, &scope, &fit, &watch)?;
        let scan = scans.remove(0);
        let matched = scan.matched();
        let rows = puzzles(game, &source, filter, scan, limit, &watch)?;
        Ok(Composition {
            matched,
            rows: rows.into_iter().map(|(row, _)| row).collect(),
        })
    }
}
