//! Counts over a table.

use serde_json::{Map, Value as Json};

use super::TableSession;
use crate::base::progress::Progress;
use crate::game::{Ranked, TableGame};
use crate::session::{
    DepthCount, LayerStatistics, SessionError, Statistics, StatisticsReport, TableStatistics,
};
use crate::table::statistics;

/// A state by slot and forbidden move, in the game's notation; empty if there is none.
pub(super) fn state_at<G: Ranked>(game: &G, slot: u64, forbidden: Option<u8>) -> String {
    let state = game.unrank(slot);
    let state = match forbidden {
        Some(number) => state.and_then(|state| game.forbid(&state, number)),
        None => state,
    };
    state.map_or_else(String::new, |state| game.format_state(&state))
}

impl<G: TableGame> Statistics for TableSession<G> {
    fn comparable(&self) -> Vec<String> {
        let criterion = self.game.criterion();
        vec![
            "plies_to_checkmate,states".to_owned(),
            format!("{criterion},player_pieces,opponent_pieces,positions"),
        ]
    }

    fn count(&self, progress: &dyn Progress) -> Result<StatisticsReport, SessionError> {
        let game = &self.game;
        let table = self.table(progress)?;
        let counted = statistics(&table, game, &progress)?;
        table.expect_unchanged()?;
        let (criterion, classes) = (game.criterion(), game.classes());
        let layers = counted.layers().iter().map(|layer| {
            let counts = layer.classes.iter().map(|&count| Json::from(count));
            let by_name: Map<_, _> = classes.iter().cloned().zip(counts).collect();
            LayerStatistics {
                layer: layer.name.clone(),
                positions: layer.positions,
                checkmate_positions: layer.checkmates,
                classes: Map::from_iter([(criterion.to_owned(), Json::Object(by_name))]),
                by_class: layer.classes.clone(),
            }
        });
        let histogram = counted.histogram().map(|row| DepthCount {
            plies_to_checkmate: row.plies_to_checkmate,
            outcome: row.outcome.name(),
            states: row.states,
            example: state_at(game, row.example, row.example_forbidden),
        });
        Ok(StatisticsReport::Table(TableStatistics {
            game: game.spec(),
            positions: counted.positions(),
            checkmate_positions: counted.checkmate_positions(),
            states: counted.states(),
            layers: layers.collect(),
            histogram: histogram.collect(),
            fingerprint: table.description().fingerprint.clone(),
            criterion: criterion.to_owned(),
            classes,
        }))
    }
}
