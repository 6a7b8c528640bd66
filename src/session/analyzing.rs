//! Solutions, verdicts and compositions, as data.

use serde::Serialize;

use super::{PlyMove, SearchOptions};
use crate::analysis::{
    Length, Mending, Profile, Purpose, Quality, Rated, SetPlay, Soundness, Tree, Try,
};
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
    pub value: Value,
    /// How sound it is.
    pub soundness: Soundness,
    /// No other move has the outcome of the key at all.
    pub only_key: bool,
    /// The best move; of several, the first in the game's move order.
    pub key: Option<String>,
    /// The other best moves.
    pub cooks: Vec<String>,
    /// Moves with the outcome of the key that take longer.
    pub slower: Vec<Rated<String>>,
    /// How many moves have a worse outcome.
    pub failing: usize,
    /// Moves with a worse outcome that fail to one reply alone.
    pub tries: Vec<Try<String>>,
    /// What would happen if the other side were to move; `None` if it cannot.
    pub set_play: Option<SetPlay<String, String>>,
    /// The main line.
    pub line: Vec<String>,
    /// All defences that hold out longest.
    pub tree: Tree<String>,
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
    pub solving: Vec<PlyMove>,
    /// The themes and points.
    #[serde(flatten)]
    pub merits: Merits,
    /// What each piece is for.
    pub purposes: Vec<Purpose>,
    /// Sound positions that differ by one thing moved; only looked for if this one is not
    /// sound.
    pub mendings: Vec<Mending>,
    /// The solution.
    pub solution: TableSolution,
}

/// What a problem has beside soundness.
#[derive(Debug, Clone, Serialize)]
pub struct Merits {
    /// Themes, by name.
    pub themes: Vec<&'static str>,
    /// Points for quality.
    pub score: Quality,
    /// How hard the main line is to find, in bits.
    pub difficulty: u32,
    /// How far a player must look ahead to find the main line; `None` if the position is lost.
    pub depth_profile: Option<Profile>,
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
