//! Solutions, verdicts and compositions, as data.

use std::fmt;

use serde::Serialize;

use super::SearchOptions;
use crate::base::value::Value;
use crate::draw::SolutionTree;
use crate::mine::PuzzleRow;

/// What of a solution is wanted.
#[derive(Debug, Clone)]
pub struct SolutionOptions {
    /// Turns of the attacker in the tree at most; a longer tree is cut.
    pub nodes: usize,
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
#[derive(Debug, Clone)]
pub struct Composition {
    /// How many there are.
    pub matched: u64,
    /// The first of them, or the best, as the filter says.
    pub rows: Vec<PuzzleRow>,
}
