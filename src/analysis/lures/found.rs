//! What is known of the drawn positions of a game against players of some depths.

use std::sync::Arc;

use super::{Against, Chances, DrawnGraph, LureError};
use crate::base::progress::Progress;
use crate::game::{Retrograde, Slot};
use crate::table::Table;

/// The drawn positions of a game, and what is known of them against one player.
#[derive(Debug)]
pub struct Lures {
    graph: Arc<DrawnGraph>,
    chances: Chances,
}

impl Lures {
    /// Finds the chances within `moves` moves against players who look some numbers of plies
    /// ahead, in rising order, and all forced mistakes.
    ///
    /// # Errors
    /// As for [`DrawnGraph::new`].
    ///
    /// # Panics
    /// If a depth is not from 1 to [`DEEPEST`](super::DEEPEST), or `moves` is 0.
    pub fn find<G: Retrograde>(
        game: &G,
        table: &Table,
        depths: &[u8],
        moves: u8,
        progress: &dyn Progress,
    ) -> Result<Vec<Self>, LureError> {
        if depths.is_empty() {
            return Ok(Vec::new());
        }
        let graph = Arc::new(DrawnGraph::new(game, table, progress)?);
        let mut found = Vec::new();
        for run in depths.chunk_by(|a, b| a + 1 == *b) {
            let range = run[0]..=run[run.len() - 1];
            Chances::each(game, &graph, range, moves, None, progress, |chances| {
                let graph = Arc::clone(&graph);
                found.push(Self { graph, chances });
                true
            })?;
        }
        Ok(found)
    }

    /// How many plies ahead the opponent looks.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.chances.depth()
    }

    /// For questions about moves.
    #[must_use]
    pub fn against(&self) -> Against<'_> {
        Against {
            graph: &self.graph,
            chances: &self.chances,
        }
    }

    /// Plies within which the opponent goes wrong whatever they choose, with the lurer to move in
    /// a state; `None` if they need not, or the state is no draw.
    #[must_use]
    pub fn forced_plies(&self, slot: Slot) -> Option<u16> {
        let number = self.graph.number(slot.index)?;
        if !self.graph.is_drawn(number, slot.forbidden) {
            return None;
        }
        let moves = self.chances.forced(number, slot.forbidden)?;
        Some(2 * u16::from(moves))
    }
}
