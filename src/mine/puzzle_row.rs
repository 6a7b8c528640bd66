//! A mined puzzle as a row of a table.

use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::xxh3_64;

/// One puzzle. The fields are the columns of its row, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleRow {
    /// Stable name: 16 hexadecimal digits, a hash of game, position and stipulation.
    pub puzzle_id: String,
    /// The game, e.g. `ostle:4x4,pieces=3,losses=2`.
    pub game: String,
    /// The position to solve in the game's one-line notation, with its forbidden move.
    pub position: String,
    /// The forbidden move, if there is one. Tables of earlier versions have `-` for none.
    #[serde(deserialize_with = "move_or_none")]
    pub forbidden: Option<String>,
    /// The side to move.
    pub side: String,
    /// What is asked, e.g. `Black to move and win in 7` (plies, the last move included)
    /// or `Sente to move and mate in 5` (up to the mating move).
    pub stipulation: String,
    /// The outcome for the side to move: `win`, `loss` or `draw`.
    pub outcome: String,
    /// Plies to the end of the game; empty for a draw.
    pub plies: Option<u16>,
    /// Plies to a checkmate position: one less than `plies`, as the Ostle paper counts.
    pub plies_to_checkmate: Option<u16>,
    /// The best move; of several, the first in the game's order of moves.
    pub key: String,
    /// The main line, moves separated by spaces.
    pub solution: String,
    /// The number of legal moves.
    pub n_moves: u32,
    /// The number of moves that win.
    pub n_winning: u32,
    /// The number of best moves: shortest wins, otherwise draws, otherwise longest losses.
    /// Tables of earlier versions call it `n_shortest`.
    #[serde(alias = "n_shortest")]
    pub n_best: u32,
    /// `onlyWin`, `onlyShortest`, `onlyDraw`, `onlyLongest` or `multiple`.
    pub uniqueness: String,
    /// `cooked`, `uniqueShortestKey`, `dualFreeLine` or `dualFreeTree`.
    pub soundness: String,
    /// The number of tries: moves that fail to exactly one reply.
    pub n_tries: u32,
    /// The number of lines in the solution tree; 0 unless the position is won.
    pub variations: u64,
    /// Themes, such as `quiet-key`, separated by spaces.
    pub themes: String,
    /// Points for quality, 0 to 100.
    pub score: u32,
    /// The difficulty of finding the main line, in bits.
    pub difficulty: u32,
    /// The greatest number of plies of search, in hundredths, that are wasted at a move of the
    /// solver in the main line before the choice is safe; see
    /// [`Profile`](crate::analysis::Profile). Nothing for lost positions, games with hidden
    /// information and swindles, and in tables of earlier versions, like the next two.
    #[serde(default)]
    pub look_ahead: Option<u32>,
    /// The greatest number of depths at which every move that a player who looks so far ahead
    /// likes is wrong.
    #[serde(default)]
    pub lure_run: Option<u32>,
    /// The least depth from which on every move that such a player likes keeps the outcome, at
    /// each move of the solver in the main line; nothing if that is so at none of the depths.
    #[serde(default)]
    pub solved_at: Option<u32>,
    /// The number of other finds of the filter with the same solution, up to symmetry,
    /// that were left out in favour of this one.
    pub similar: u64,
    /// The name of the filter that found the position.
    pub filter: String,
    /// The slot of the position in the table; of a game with hidden information, its number
    /// in the run. Tables of earlier versions call it `table_index`.
    #[serde(alias = "table_index")]
    pub slot: u64,
    /// The fingerprint of the table.
    pub table_fingerprint: String,
}

impl PuzzleRow {
    /// The name of a puzzle: 16 hexadecimal digits that depend on game, position and
    /// stipulation only, not on table, filter or order of finds.
    #[must_use]
    pub fn id(game: &str, position: &str, stipulation: &str) -> String {
        format!(
            "{:016x}",
            xxh3_64(format!("{game}\n{position}\n{stipulation}").as_bytes())
        )
    }
}

/// Reads a move or nothing, which is also written `-`.
fn move_or_none<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(reader)?;
    Ok(text.filter(|text| text != "-"))
}
