//! Values of many positions, as data.

use serde::Serialize;

use super::SessionError;

/// A position that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked<'a> {
    /// In the game's notation.
    Position(&'a str),
    /// The unrestricted state of a slot of the table.
    Slot(u64),
}

/// A position with its value and those of all its moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PositionValues {
    /// The slot of the position in the table.
    pub slot: u64,
    /// The position in the game's one-line notation.
    pub position: String,
    /// The side to move.
    pub side: &'static str,
    /// `win`, `draw` or `loss` for the side to move.
    pub outcome: &'static str,
    /// Plies to the end of the game; `None` for a draw.
    pub plies: Option<u16>,
    /// All legal moves, best first, equal ones in the game's order of moves.
    pub moves: Vec<MoveValues>,
}

/// A move of such a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MoveValues {
    /// The move.
    #[serde(rename = "move")]
    pub name: String,
    /// `win`, `draw` or `loss` for the side that moves.
    pub outcome: &'static str,
    /// Plies to the end of the game, the move included; `None` for a draw.
    pub plies: Option<u16>,
    /// The slot of the position after the move; `None` if it ends the game.
    pub child: Option<u64>,
}

/// The error for a game that is not answered in batches.
pub(super) fn no_batch(spec: &str) -> SessionError {
    SessionError::Inapplicable {
        option: "batch",
        why: format!("is for games of two players with tables; {spec} is not one of them"),
    }
}
