//! Solutions, verdicts and compositions, as data.

use std::fmt;

use serde::Serialize;

use super::SearchOptions;
use crate::analysis::{Length, Profile};
use crate::base::value::Value;
use crate::draw::SolutionTree;
use crate::mine::PuzzleRow;

/// What of a solution is wanted.
#[derive(Debug, Clone)]
pub struct SolutionOptions {
    /// Turns of the attacker in the tree at most; a longer tree is cut.
    pub nodes: usize,
    /// How much of the tree is drawn.
    pub length: Length,
    /// Draw a small board where a variation ends.
    pub boards: bool,
    /// Of games with hidden information: how problems are searched.
    pub search: SearchOptions,
}

impl SolutionOptions {
    /// Options with which the solution of a puzzle is found again: no deeper than the row
    /// says.
    #[must_use]
    pub fn of_row(row: &PuzzleRow) -> Self {
        let depth = row.plies.and_then(|plies| u8::try_from(plies).ok());
        Self {
            search: SearchOptions {
                depth,
                fouls: Some(crate::solve::belief::MOST_FOULS),
                ..SearchOptions::default()
            },
            ..Self::default()
        }
    }
}

impl Default for SolutionOptions {
    fn default() -> Self {
        Self {
            nodes: crate::analysis::MOST_NODES,
            length: Length::Full,
            boards: false,
            search: SearchOptions::default(),
        }
    }
}

/// A value in plain terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Worth {
    /// `win`, `draw` or `loss` for the side that the value is of.
    pub outcome: &'static str,
    /// Plies to the end of the game; `None` for a draw.
    pub plies: Option<u16>,
}

impl From<Value> for Worth {
    fn from(value: Value) -> Self {
        Self {
            outcome: value.outcome().name(),
            plies: value.plies(),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies {
            Some(plies) => write!(f, "{} in {plies}", self.outcome),
            None => f.write_str(self.outcome),
        }
    }
}

/// A solution. Serialized, it is the object of the variant.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum SolutionReport {
    /// Of a position with a table.
    Table(Box<TableSolution>),
    /// Of a problem with hidden information.
    Hidden(HiddenSolution),
}

/// The solution of a position with a table.
#[derive(Debug, Clone, Serialize)]
pub struct TableSolution {
    /// The game's spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// What the position is worth.
    pub value: Worth,
    /// `cooked`, `uniqueShortestKey`, `dualFreeLine` or `dualFreeTree`.
    pub soundness: &'static str,
    /// No other move has the outcome of the key at all.
    pub only_key: bool,
    /// The best move; of several, the first in the game's move order.
    pub key: Option<String>,
    /// The other best moves.
    pub cooks: Vec<String>,
    /// Moves with the outcome of the key that take longer.
    pub slower: Vec<MoveValue>,
    /// How many moves have a worse outcome.
    pub failing: usize,
    /// Moves with a worse outcome that fail to one reply alone.
    pub tries: Vec<TryData>,
    /// What would happen if the other side were to move; `None` if it cannot.
    pub set_play: Option<SetLine>,
    /// The main line.
    pub line: Vec<String>,
    /// All defences that hold out longest.
    pub tree: TreeData,
    /// The solution as composers write it, several lines.
    #[serde(skip)]
    pub text: String,
    /// The same with the first variations only.
    #[serde(skip)]
    pub short: String,
    /// The same with no more than the main line.
    #[serde(skip)]
    pub main: String,
}

impl TableSolution {
    /// The solution as composers write it, at this length.
    #[must_use]
    pub fn written(&self, length: Length) -> &str {
        match length {
            Length::Main => &self.main,
            Length::Short => &self.short,
            Length::Full => &self.text,
        }
    }
}

/// A move and what it is worth.
#[derive(Debug, Clone, Serialize)]
pub struct MoveValue {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Its value for the side that moves.
    pub value: Worth,
}

/// A try.
#[derive(Debug, Clone, Serialize)]
pub struct TryData {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Its value for the side that moves.
    pub value: Worth,
    /// The one reply that refutes it.
    pub refutation: String,
}

/// Set play.
#[derive(Debug, Clone, Serialize)]
pub struct SetLine {
    /// The value for the other side.
    pub value: Worth,
    /// Its main line.
    pub line: Vec<String>,
}

/// A solution tree.
#[derive(Debug, Clone, Serialize)]
pub struct TreeData {
    /// Nothing was cut.
    pub complete: bool,
    /// No turn has a dual.
    pub dual_free: bool,
    /// Lines that the tree tells apart.
    pub variations: u64,
    /// Turns of the attacker; the first is the root.
    pub nodes: Vec<TreeNodeData>,
}

/// A turn of the attacker.
#[derive(Debug, Clone, Serialize)]
pub struct TreeNodeData {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Other moves that are as good.
    pub duals: Vec<String>,
    /// Plies to the end of the game.
    pub plies: u16,
    /// The replies that hold out longest.
    pub replies: Vec<ReplyData>,
}

/// A reply of the defender.
#[derive(Debug, Clone, Serialize)]
pub struct ReplyData {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// The next turn's place among the nodes; `None` if the tree ends there.
    pub node: Option<usize>,
}

/// The solution of a problem with hidden information.
#[derive(Debug, Clone, Serialize)]
pub struct HiddenSolution {
    /// The game's spec.
    pub game: String,
    /// The position.
    pub position: String,
    /// The side to move.
    pub side: String,
    /// Plies, replies counted.
    pub plies: u16,
    /// Fouls that must be allowed.
    pub fouls_allowed: u8,
    /// Fouls on the best line.
    pub fouls_in_line: u16,
    /// The turns of the tree, each once; the first is the root.
    pub nodes: Vec<serde_json::Value>,
    /// The tree as text.
    #[serde(skip)]
    pub text: String,
}

/// A solution to be drawn.
#[derive(Debug, Clone)]
pub struct DrawnSolution {
    /// The tree.
    pub tree: SolutionTree,
    /// The same in words.
    pub words: String,
}

/// The verdict on a problem.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// What the solver is asked to do.
    pub stipulation: String,
    /// Nothing is wrong.
    pub sound: bool,
    /// What is wrong: `other outcome`, `distance mismatch`, `cooked`.
    pub faults: Vec<&'static str>,
    /// The moves that do what is asked, the key first.
    pub solving: Vec<SolvingMove>,
    /// The themes and points.
    #[serde(flatten)]
    pub merits: Merits,
    /// What each piece is for.
    pub purposes: Vec<Needed>,
    /// Sound positions that differ by one thing moved; only looked for if this one is not
    /// sound.
    pub mendings: Vec<Mended>,
    /// The solution.
    pub solution: TableSolution,
}

/// A move that does what is asked.
#[derive(Debug, Clone, Serialize)]
pub struct SolvingMove {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// Its value.
    #[serde(flatten)]
    pub value: Worth,
}

/// What a problem has beside soundness.
#[derive(Debug, Clone, Serialize)]
pub struct Merits {
    /// Themes, by name.
    pub themes: Vec<&'static str>,
    /// Points for quality.
    pub score: Score,
    /// How hard the main line is to find, in bits.
    pub difficulty: u32,
    /// How far a player must look ahead to find the main line; `None` if the position is lost.
    pub depth_profile: Option<DepthProfile>,
}

/// How players who look 1, 2, ... plies ahead fare with the solver's moves of a main line: of each
/// number, the worst of these moves.
#[derive(Debug, Clone, Serialize)]
pub struct DepthProfile {
    /// By plies, from 1 on: the share of the moves that the player likes that keep the outcome.
    pub shares: Vec<f64>,
    /// Plies of search that are wasted before the choice is safe: the sum of the other shares of
    /// a move.
    pub look_ahead: f64,
    /// Depths at which every move that the player likes is wrong.
    pub lure_run: u32,
    /// The least depth from which on every such move keeps the outcome; `None` if that is deeper
    /// than the profile goes.
    pub solved_at: Option<u32>,
    /// One to five: solved at one ply is one star, and so on; five if not at four.
    pub stars: u8,
    /// The same in a word: `very easy`, `easy`, `medium`, `hard` or `very hard`.
    pub words: &'static str,
}

impl From<Profile> for DepthProfile {
    fn from(profile: Profile) -> Self {
        let places = |share: f64| (share * 1e4).round() / 1e4;
        let share =
            |&(holding, liked): &(u32, u32)| places(f64::from(holding) / f64::from(liked.max(1)));
        let grade = profile.grade();
        Self {
            shares: profile.shares().iter().map(share).collect(),
            look_ahead: places(profile.look_ahead()),
            lure_run: profile.lure_run(),
            solved_at: profile.solved_at(),
            stars: grade.stars(),
            words: grade.words(),
        }
    }
}

/// Points for quality.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Score {
    /// The sum, 0 to 100.
    pub total: u8,
    /// 0 to 35.
    pub soundness: u8,
    /// 0 to 25.
    pub paradox: u8,
    /// 0 to 15.
    pub temptation: u8,
    /// 0 to 10.
    pub length: u8,
    /// 0 to 10.
    pub variety: u8,
    /// 0 to 5.
    pub economy: u8,
}

/// What a piece is for.
#[derive(Debug, Clone, Serialize)]
pub struct Needed {
    /// The piece in words.
    pub thing: String,
    /// The problem is the same without it.
    pub idle: bool,
    /// The outcome without it; `None` if it cannot be taken away.
    pub outcome: Option<&'static str>,
    /// Plies without it.
    pub plies: Option<u16>,
}

/// A sound position near one that is not.
#[derive(Debug, Clone, Serialize)]
pub struct Mended {
    /// The square that something left.
    pub from: String,
    /// The square that it came to.
    pub to: String,
    /// The position.
    pub position: String,
    /// How sound it is.
    pub soundness: &'static str,
}

/// Positions that fit a pattern and a filter.
#[derive(Debug, Clone, Serialize)]
pub struct Composition {
    /// How many there are.
    pub matched: u64,
    /// The first of them, or the best, as the filter says.
    #[serde(rename = "puzzles")]
    pub rows: Vec<PuzzleRow>,
}
