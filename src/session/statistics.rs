//! What is counted and found over all positions of a game, and its table files, as data.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::session::Counts;
#[cfg(feature = "cli")]
use crate::session::parse_bytes;
use crate::table::{Encoding, LayerStatistics, Verified};

/// Counts over all positions. Serialized, it is the object of the variant.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum StatisticsReport {
    /// Of a game of two players.
    Table(TableStatistics),
    /// Of a puzzle of one player.
    Puzzle(PuzzleStatistics),
}

impl StatisticsReport {
    /// The counts in the terms of a file with the header of this number among
    /// [`Statistics::comparable`](crate::session::Statistics::comparable), to be compared with
    /// these.
    pub fn counts(&self, header: usize, published: &Counts) -> Counts {
        let Self::Table(found) = self else {
            return Counts::new();
        };
        let mut counts = Counts::new();
        match header {
            0 => {
                for row in &found.histogram {
                    let plies = row.plies_to_checkmate;
                    let name = plies.map_or("draw".to_owned(), |plies| plies.to_string());
                    *counts.entry(vec![name]).or_default() += row.states;
                }
            }
            1 => {
                for layer in &found.layers {
                    let (own, opponent) = layer.layer.split_once('-').unwrap_or((&layer.layer, ""));
                    let classes = found.classes.iter().zip(&layer.by_class);
                    for (class, &count) in classes.filter(|(_, count)| **count > 0) {
                        let name = [class, own, opponent].map(str::to_owned);
                        counts.insert(name.to_vec(), count);
                    }
                }
            }
            _ => {
                for layer in &found.layers {
                    let ended = layer.ended.unwrap_or_default();
                    for (what, count) in [
                        ("win", layer.win + ended.win),
                        ("draw", layer.draw + ended.draw),
                        ("loss", layer.loss + ended.loss),
                        ("longest win", layer.longest_win.map_or(0, u64::from)),
                    ] {
                        counts.insert(vec![layer.layer.clone(), what.to_owned()], count);
                    }
                }
                // Figures are published for some layers only.
                counts.retain(|name, _| published.contains_key(name));
            }
        }
        counts
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
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct ReachOptions {
    /// Also make the moves that rule 8 forbids, as in the published Table 3.
    #[cfg_attr(feature = "cli", arg(long))]
    pub take_backs: bool,
    /// The most memory to use, such as 9GiB; a game that needs more is refused.
    #[cfg_attr(feature = "cli", arg(long, value_name = "BYTES", value_parser = parse_bytes))]
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

/// How a game is solved into a file.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct SolveOptions {
    /// Overwrite an existing table.
    #[cfg_attr(feature = "cli", arg(long))]
    pub force: bool,
    /// Do not compress: larger, but faster to scan.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "level"))]
    pub raw: bool,
    /// The compression level, 1 (fast) to 19 (small).
    #[cfg_attr(feature = "cli", arg(long, default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=19)))]
    pub level: i32,
    /// Seconds between checkpoints within a layer.
    #[cfg_attr(
        feature = "cli",
        arg(long, value_name = "SECONDS", default_value_t = 240)
    )]
    pub checkpoint_every: u64,
    /// Discard the checkpoints of an earlier run and start over.
    #[cfg_attr(feature = "cli", arg(long))]
    pub restart: bool,
    /// The most memory to use, such as 6GiB. Ostle is solved with packed records in three
    /// quarters of the memory, a third slower; a game that needs more than that is refused.
    #[cfg_attr(feature = "cli", arg(long, value_name = "BYTES", value_parser = parse_bytes))]
    pub memory: Option<u64>,
}

impl SolveOptions {
    pub(super) const fn encoding(&self) -> Encoding {
        if self.raw {
            Encoding::Raw
        } else {
            Encoding::Packed
        }
    }
}

impl Default for SolveOptions {
    fn default() -> Self {
        Self {
            force: false,
            raw: false,
            level: 3,
            checkpoint_every: 240,
            restart: false,
            memory: None,
        }
    }
}

/// A table that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTable {
    /// Its fingerprint.
    pub fingerprint: String,
    /// Its size in bytes.
    pub size: u64,
}

/// What verifying a table found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    /// The game's spec.
    pub game: String,
    /// The table's fingerprint.
    pub fingerprint: String,
    /// What was found.
    pub found: Verified,
    /// The positions of its flaws; `None` if the slot has none.
    pub positions: Vec<Option<String>>,
}

impl VerifyReport {
    /// Whether nothing is wrong.
    pub const fn sound(&self) -> bool {
        self.found.flawed == 0 && self.found.fingerprint_holds
    }
}

/// Moves of the opponent within which a single lure is to work.
pub(crate) const LURED_MOVES: u8 = 10;

/// How lures are searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct LureOptions {
    /// How many plies the opponent searches: a number from 1 to 8, or two such as 1-4.
    #[cfg_attr(feature = "cli", arg(long = "depth", value_name = "PLIES", default_value = "1-4", value_parser = parse_depths))]
    pub depths: RangeInclusive<u8>,
    /// Moves of the opponent within which they are to go wrong.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NUMBER", default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..)))]
    pub moves: u8,
    /// Leave out the other lurers, which take most of the time.
    #[cfg_attr(feature = "cli", arg(long))]
    pub no_baselines: bool,
    /// Keep what is found in this folder, depth by depth: if the run is stopped, the same command
    /// continues.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FOLDER"))]
    pub keep: Option<PathBuf>,
    /// Find every position once more from the positions after its moves, and compare; with
    /// --keep, find what was kept again, and compare that too.
    #[cfg_attr(feature = "cli", arg(long))]
    pub verify: bool,
    /// The most memory to use, such as 12GiB; a game that needs more is refused.
    #[cfg_attr(feature = "cli", arg(long, value_name = "BYTES", value_parser = parse_bytes))]
    pub memory: Option<u64>,
}

/// Reads `4` or `1-4`.
#[cfg(feature = "cli")]
fn parse_depths(text: &str) -> Result<RangeInclusive<u8>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|it| (1..=8).contains(it));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err("give a number from 1 to 8, or two such as 1-4, the smaller one first".to_owned()),
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

impl LureReport {
    /// The chances as CSV, a row for each depth and number of moves, with the number of positions
    /// in which the opponent must go wrong within that number, and the share of moves that throw
    /// a won position away.
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
                let forced: u64 = depth.forced.iter().take(row.moves.into()).sum();
                let (lost, moves) = (depth.wins_lost, row.moves);
                let _ = writeln!(text, "{},{moves},{cells},{forced},{lost:.7}", depth.depth);
            }
        }
        text
    }
}
