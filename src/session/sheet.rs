//! Mined puzzles side by side.

use super::{Session, SessionError};
use crate::draw::{Style, strip};
use crate::mine::PuzzleRow;

/// The number of puzzles on a contact sheet, and in each row.
const SHEET: usize = 24;
const COLUMNS: usize = 6;

/// The first 24 puzzles side by side, numbered, as a picture.
///
/// # Errors
/// If a row has no position of the game, or the board is too large for a picture.
pub fn sheet(
    session: &dyn Session,
    title: &str,
    rows: &[PuzzleRow],
    style: &Style,
) -> Result<String, SessionError> {
    let boards = (1..).zip(rows.iter().take(SHEET)).map(|(number, row)| {
        let diagram = session.diagram(&row.position)?.number(number);
        Ok(diagram.caption(format!("{}, score {}", row.stipulation, row.score)))
    });
    let boards = boards.collect::<Result<Vec<_>, SessionError>>()?;
    Ok(strip(title, &boards, COLUMNS, style))
}
