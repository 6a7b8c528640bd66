//! The columns of an exported puzzle.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// One puzzle, in the order of the columns. Positions are the ones to solve.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRow {
    /// Stable name: 16 hexadecimal digits, a hash of game, position and stipulation.
    pub puzzle_id: String,
    /// Spec of the game.
    pub game: String,
    /// The position in the game's one-line notation, its forbidden move included.
    pub position: String,
    /// The forbidden move, `-` if there is none.
    pub forbidden: String,
    /// The side to move.
    pub side: String,
    /// What to do, e.g. `Black to move and win in 7` (plies, the last move counted).
    pub stipulation: String,
    /// `win`, `loss` or `draw` for the side to move.
    pub outcome: String,
    /// Plies to the end of the game; empty for a draw.
    pub plies: Option<u16>,
    /// Plies to a checkmate position, one less (the Ostle paper's count).
    pub plies_to_checkmate: Option<u16>,
    /// The best move (of several, the first in the game's move order).
    pub key: String,
    /// The main line, moves separated by spaces.
    pub solution: String,
    /// Legal moves.
    pub n_moves: u32,
    /// Moves that win.
    pub n_winning: u32,
    /// Moves with the best value: shortest wins, else draws, else longest losses.
    pub n_shortest: u32,
    /// `onlyWin`, `onlyShortest`, `onlyDraw`, `onlyLongest` or `multiple`.
    pub uniqueness: String,
    /// `cooked`, `uniqueShortestKey`, `dualFreeLine` or `dualFreeTree`.
    pub soundness: String,
    /// Moves that fail to exactly one reply.
    pub n_tries: u32,
    /// Lines that the solution tree distinguishes; 0 unless the position is won.
    pub variations: u64,
    /// Themes, separated by spaces.
    pub themes: String,
    /// Points for quality, 0 to 100.
    pub score: u32,
    /// How hard the main line is to find, in bits.
    pub difficulty: u32,
    /// Further finds of the filter with the same solution, up to symmetry, that were
    /// left out for this one.
    pub similar: u64,
    /// The filter that admitted the position.
    pub filter: String,
    /// Index of the position's record in the table.
    pub table_index: u64,
    /// Fingerprint of the table.
    pub table_fingerprint: String,
}

impl PuzzleRow {
    /// The name of a puzzle: depends on what is asked of whom, not on the table,
    /// the filter or the order of finds.
    #[must_use]
    pub fn id(game: &str, position: &str, stipulation: &str) -> String {
        format!(
            "{:016x}",
            xxh3_64(format!("{game}\n{position}\n{stipulation}").as_bytes())
        )
    }
}
