//! Counts over all positions of a game, as data.

use serde::Serialize;
use serde_json::Map;

use super::Counts;

/// Counts over all positions. Serialized, it is the object of the variant.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum StatisticsReport {
    /// Of a game of two players.
    Table(TableStatistics),
    /// Of a puzzle of one player.
    Puzzle(PuzzleStatistics),
}

impl StatisticsReport {
    /// The counts in the terms of a file with the header of this number among
    /// [`Statistics::comparable`](super::Statistics::comparable).
    #[must_use]
    pub fn counts(&self, header: usize) -> Counts {
        match self {
            Self::Table(found) => found.counts(header),
            Self::Puzzle(_) => Counts::new(),
        }
    }
}

/// Counts over all positions of a game of two players.
#[derive(Debug, Clone, Serialize)]
pub struct TableStatistics {
    /// The game's spec.
    pub game: String,
    /// Positions, up to symmetry.
    pub positions: u64,
    /// Of these, positions in which the side to move wins at once.
    pub checkmate_positions: u64,
    /// States that some move leads to, of positions that are not checkmate.
    pub states: u64,
    /// Counts by layer.
    pub layers: Vec<LayerStatistics>,
    /// States by distance.
    pub histogram: Vec<DepthCount>,
    /// Fingerprint of the table.
    pub fingerprint: String,
    /// What positions are classed by, e.g. `hole`.
    #[serde(skip)]
    pub criterion: String,
    /// The names of the classes.
    #[serde(skip)]
    pub classes: Vec<String>,
}

/// Counts of a layer.
#[derive(Debug, Clone, Serialize)]
pub struct LayerStatistics {
    /// Its name, e.g. `5-4`.
    pub layer: String,
    /// Positions.
    pub positions: u64,
    /// Of these, checkmate positions.
    pub checkmate_positions: u64,
    /// Positions by class, under the name of the criterion.
    #[serde(flatten)]
    pub classes: Map<String, serde_json::Value>,
    /// Positions by class, in the order of the classes.
    #[serde(skip)]
    pub by_class: Vec<u64>,
}

/// States of a distance.
#[derive(Debug, Clone, Serialize)]
pub struct DepthCount {
    /// Plies to the checkmate position; `None` for draws.
    pub plies_to_checkmate: Option<u16>,
    /// `win`, `draw` or `loss` for the side to move.
    pub outcome: &'static str,
    /// How many.
    pub states: u64,
    /// One of them.
    pub example: String,
}

impl TableStatistics {
    fn counts(&self, header: usize) -> Counts {
        if header == 0 {
            let mut counts = Counts::new();
            for row in &self.histogram {
                let plies = row.plies_to_checkmate;
                let name = plies.map_or("draw".to_owned(), |plies| plies.to_string());
                *counts.entry(vec![name]).or_default() += row.states;
            }
            return counts;
        }
        let layers = self.layers.iter().flat_map(|layer| {
            let (own, opponent) = layer.layer.split_once('-').unwrap_or((&layer.layer, ""));
            let names = self
                .classes
                .iter()
                .map(move |class| vec![class.clone(), own.to_owned(), opponent.to_owned()]);
            names.zip(layer.by_class.iter().copied())
        });
        layers.filter(|&(_, count)| count > 0).collect()
    }
}

/// Counts over all states of a puzzle of one player.
#[derive(Debug, Clone, Serialize)]
pub struct PuzzleStatistics {
    /// The game's spec.
    pub game: String,
    /// States, the solved one included.
    pub states: u64,
    /// The greatest distance in plies.
    pub longest: Option<u16>,
    /// States by distance; the solved one, at distance 0, is left out.
    pub histogram: Vec<PuzzleDepth>,
    /// Fingerprint of the table.
    pub fingerprint: String,
}

/// States of a distance.
#[derive(Debug, Clone, Serialize)]
pub struct PuzzleDepth {
    /// Plies to the solved state; `None` if it cannot be reached.
    pub plies: Option<u16>,
    /// How many.
    pub states: u64,
    /// One of them.
    pub example: String,
}

/// How reachable states are counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReachOptions {
    /// Also make the moves that the repetition rule forbids.
    pub take_backs: bool,
    /// The most bytes of memory; a game that needs more is refused.
    pub memory: Option<u64>,
}

/// Reachable states by distance.
#[derive(Debug, Clone, Serialize)]
pub struct ReachReport {
    /// The game's spec.
    pub game: String,
    /// States that can be reached.
    pub states: u64,
    /// States that some move leads to, but no game.
    pub not_reached: u64,
    /// States by distance from the initial one.
    pub distances: Vec<ReachDistance>,
}

/// States of a distance from the initial one.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ReachDistance {
    /// Plies from the start.
    pub plies_from_start: u64,
    /// How many.
    pub states: u64,
}

impl ReachReport {
    /// The counts in the terms of a file with the header `plies_from_start,states`.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let rows = self.distances.iter();
        rows.map(|row| (vec![row.plies_from_start.to_string()], row.states))
            .collect()
    }
}

/// A shortest path.
#[derive(Debug, Clone, Serialize)]
pub struct PathReport {
    /// The game's spec.
    pub game: String,
    /// The first position.
    pub from: String,
    /// The last position.
    pub to: String,
    /// The number of moves.
    pub plies: usize,
    /// The moves.
    pub moves: Vec<String>,
    /// The positions, the first and the last included.
    pub positions: Vec<String>,
}

/// How two readings of a repetition rule differ.
#[derive(Debug, Clone, Serialize)]
pub struct Difference {
    /// The game's spec.
    pub game: String,
    /// The spec of the other reading.
    pub other: String,
    /// Positions that have some state, reachable or not, of another value.
    pub positions_with_other_records: u64,
    /// Positions of another value when nothing is forbidden.
    pub positions_with_other_values: u64,
    /// States that some move leads to, of another value.
    pub states_with_other_values: u64,
    /// Of these, states of another outcome.
    pub states_with_other_outcomes: u64,
    /// Some of them.
    pub examples: Vec<Example>,
}

/// A state that is worth something else under the other reading.
#[derive(Debug, Clone, Serialize)]
pub struct Example {
    /// The state.
    pub state: String,
    /// Its value here.
    pub value: String,
    /// Its value there.
    pub other_value: String,
}
