//! Play by a table.

use std::fmt::Write;

use super::TableSession;
use crate::analysis::rate_moves;
use crate::base::watch::Watch;
use crate::draw::{Glyph, Tone};
use crate::game::{Playable, TableGame};
use crate::session::{Playing, SessionError};
use crate::table::TableOracle;

impl<G: TableGame> Playing for TableSession<G> {
    fn prepare(&self, watch: &dyn Watch) -> Result<(), SessionError> {
        self.table(watch).map(|_| ())
    }

    fn best(&self, position: &str, watch: &dyn Watch) -> Result<Option<String>, SessionError> {
        let state = self.read(position)?;
        let table = self.table(watch)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let rated = rate_moves(&self.game, &oracle, &state)?;
        Ok(rated.first().map(|rated| self.game.format_move(rated.mv)))
    }

    fn letters(&self, position: &str) -> Result<String, SessionError> {
        Ok(letters(&self.game, &self.read(position)?))
    }
}

/// The board in letters, or the position in one line if it is too wide.
pub(in crate::session) fn letters<G: Playable>(game: &G, state: &G::State) -> String {
    const WIDEST: u8 = 26;
    let (columns, rows) = game.size();
    if columns >= WIDEST || rows >= WIDEST {
        return format!("\n{}\n", game.format_state(state));
    }
    let mut letters = vec![vec![".".to_owned(); columns.into()]; rows.into()];
    for thing in game.standing(state) {
        let letter = match &thing.glyph {
            Glyph::Piece(Tone::Dark) => "b",
            Glyph::Piece(Tone::Light) => "w",
            Glyph::Hole => "o",
            Glyph::Filled => "#",
            Glyph::Absent => " ",
            Glyph::Text(text) => text,
            Glyph::Symbol(_) => "?",
        };
        let row = letters.get_mut(usize::from(thing.cell.row));
        if let Some(cell) = row.and_then(|row| row.get_mut(usize::from(thing.cell.column))) {
            letter.clone_into(cell);
        }
    }
    let mut text = "\n".to_owned();
    for (number, row) in letters.iter().enumerate().rev() {
        let _ = writeln!(text, "{:>3} {}", number + 1, row.join(" "));
    }
    let files: Vec<String> = ('a'..='z').take(columns.into()).map(String::from).collect();
    let _ = writeln!(text, "    {}", files.join(" "));
    text
}
