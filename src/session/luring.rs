//! Lures in drawn positions, as data.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Moves of the opponent within which a single lure is to work.
pub const LURED_MOVES: u8 = 10;

/// How lures are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LureOptions {
    /// How many plies ahead the opponents look, from 1 to 8.
    pub depths: RangeInclusive<u8>,
    /// Moves of the opponent, from 1 to 255.
    pub moves: u8,
    /// Also what lurers attain who do not know the best lure.
    pub baselines: bool,
    /// How many forced lures to list for each depth, the best problems first.
    pub swindles: usize,
    /// A folder in which what was found is kept, depth by depth, so that a run that was stopped
    /// can go on.
    pub folder: Option<PathBuf>,
    /// Find every position once more from those after its moves, and compare. What earlier runs
    /// kept is found again.
    pub verify: bool,
    /// The most bytes of memory; a game that needs more is refused.
    pub memory: Option<u64>,
}

impl Default for LureOptions {
    fn default() -> Self {
        Self {
            depths: 1..=4,
            moves: 10,
            baselines: true,
            swindles: 0,
            folder: None,
            verify: false,
            memory: None,
        }
    }
}

/// What lures in the drawn positions of a game attain. Chances are means over the positions that
/// are drawn with nothing forbidden.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LureReport {
    /// The game's spec.
    pub game: String,
    /// Fingerprint of the table.
    pub fingerprint: String,
    /// Positions that are drawn with nothing forbidden, up to symmetry.
    pub drawn_positions: u64,
    /// Moves that keep the draw, from all positions with a drawn state.
    pub drawing_moves: u64,
    /// By depth.
    pub depths: Vec<LuredDepth>,
}

/// What lures attain against a player who looks some plies ahead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LuredDepth {
    /// How many plies ahead the opponent looks.
    pub depth: u8,
    /// The share of their moves that throw a drawn position away.
    pub draws_lost: f64,
    /// The share of their moves that throw a won position away.
    pub wins_lost: f64,
    /// The number of won positions that share was found from.
    pub wins_looked_at: u64,
    /// Drawn positions in which the opponent goes wrong whatever they choose, the lurer to move:
    /// by the number of the opponent's moves within which they must, from 1 on.
    pub forced: Vec<u64>,
    /// Plies from the initial position within which they must, the lurer to move; `None` if they
    /// need not, or the initial position is no draw.
    pub initial_forced_plies: Option<u16>,
    /// The chances by the number of the opponent's moves, from 1 on.
    pub chances: Vec<LureChances>,
    /// Forced lures that make good problems.
    pub swindles: Vec<Swindle>,
}

/// A drawn position in which one move forces a mistake of an opponent who looks some plies ahead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swindle {
    /// The position.
    pub position: String,
    /// Plies within which the opponent goes wrong.
    pub plies: u16,
    /// The only move that forces it.
    pub key: String,
    /// Moves that keep the draw.
    pub drawing_moves: usize,
    /// All that the opponent may choose, as indented variations.
    pub solution: String,
}

/// Chances that the opponent goes wrong within a number of moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LureChances {
    /// Moves of the opponent.
    pub moves: u8,
    /// With the best lures.
    pub best: f64,
    /// The same with the opponent to move.
    pub opponent_first: f64,
    /// The lurer makes any move that keeps the draw; `None` if it was not asked for.
    pub uniform: Option<f64>,
    /// The lurer leaves as few replies that keep the draw as possible.
    pub fewest_replies: Option<f64>,
    /// From the initial position; `None` if it is no draw.
    pub initial: Option<f64>,
    /// The same with the opponent to move.
    pub initial_opponent_first: Option<f64>,
}

impl LuredDepth {
    /// Drawn positions in which the opponent goes wrong whatever they choose.
    #[must_use]
    pub fn all_forced(&self) -> u64 {
        self.forced.iter().sum()
    }
}

impl LureReport {
    /// The chances as CSV, a row for each depth and number of moves, with the number of positions
    /// in which the opponent must go wrong within so many moves, and the share of moves that throw
    /// a won position away.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = "depth,moves,best,opponent_first,uniform,fewest_replies,initial,initial_opponent_first,forced,wins_lost\n".to_owned();
        let number = |number: Option<f64>| number.map_or(String::new(), |it| format!("{it:.7}"));
        for depth in &self.depths {
            for row in &depth.chances {
                let cells = [
                    Some(row.best),
                    Some(row.opponent_first),
                    row.uniform,
                    row.fewest_replies,
                    row.initial,
                    row.initial_opponent_first,
                ];
                let cells = cells.map(number).join(",");
                let within = depth.forced.iter().take(row.moves.into());
                let forced: u64 = within.sum();
                let (lost, moves) = (depth.wins_lost, row.moves);
                let _ = writeln!(text, "{},{moves},{cells},{forced},{lost:.7}", depth.depth);
            }
        }
        text
    }

    /// The listed swindles as CSV.
    #[must_use]
    pub fn swindles_csv(&self) -> String {
        let mut text = "game,depth,position,plies,key,drawing_moves,solution\n".to_owned();
        for depth in &self.depths {
            for found in &depth.swindles {
                let solution = found.solution.trim_end().replace('\n', "; ");
                let _ = writeln!(
                    text,
                    "\"{}\",{},{},{},{},{},\"{solution}\"",
                    self.game,
                    depth.depth,
                    found.position,
                    found.plies,
                    found.key,
                    found.drawing_moves,
                );
            }
        }
        text
    }
}
