//! Play by a table.

use std::fmt::Write;

use super::TableSession;
use super::lured::check_depth;
use crate::analysis::{Looker, rate_moves};
use crate::base::progress::Progress;
use crate::draw::{Glyph, Symbol, Tone};
use crate::game::TableGame;
use crate::session::{Playing, SessionError};
use crate::table::TableOracle;

impl<G: TableGame> Playing for TableSession<G> {
    fn prepare(&self, progress: &dyn Progress) -> Result<(), SessionError> {
        self.table(progress).map(|_| ())
    }

    fn best(
        &self,
        position: &str,
        progress: &dyn Progress,
    ) -> Result<Option<String>, SessionError> {
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let oracle = TableOracle::new(&table, &self.game)?;
        let rated = rate_moves(&self.game, &oracle, &state)?;
        Ok(rated.first().map(|rated| self.game.format_move(rated.mv)))
    }

    fn looking(
        &self,
        position: &str,
        depth: u8,
        choice: u64,
    ) -> Result<Option<String>, SessionError> {
        check_depth("level", depth)?;
        let state = self.read(position)?;
        let liked = Looker::new(&self.game).liked(&state, depth);
        let place = choice.checked_rem(liked.len() as u64).unwrap_or(0);
        let place = usize::try_from(place).unwrap_or(0);
        Ok(liked.get(place).map(|&mv| self.game.format_move(mv)))
    }

    fn luring(
        &self,
        position: &str,
        depth: u8,
        progress: &dyn Progress,
    ) -> Result<Option<String>, SessionError> {
        check_depth("lure", depth)?;
        let state = self.read(position)?;
        let lures = self.lures_of(&state, depth, progress)?;
        match lures.first() {
            Some(&(mv, _)) => Ok(Some(self.game.format_move(mv))),
            None => self.best(position, progress),
        }
    }

    fn letters(&self, position: &str) -> Result<String, SessionError> {
        Ok(letters(&self.game, &self.read(position)?))
    }
}

/// The board in letters, or the position in one line if it is too wide.
pub(in crate::session) fn letters<G: TableGame>(game: &G, state: &G::State) -> String {
    const WIDEST: u8 = 26;
    let (columns, rows) = game.size();
    if columns >= WIDEST || rows >= WIDEST {
        return format!("\n{}\n", game.format_state(state));
    }
    let mut letters = vec![vec![".".to_owned(); columns.into()]; rows.into()];
    for thing in game.standing(state) {
        let of_symbol;
        let letter = match &thing.glyph {
            Glyph::Piece(Tone::Dark) => "b",
            Glyph::Piece(Tone::Light) => "w",
            Glyph::Hole => "o",
            Glyph::Filled | Glyph::Blocked => "#",
            Glyph::Absent => " ",
            Glyph::Text(text) => text,
            Glyph::Symbol(symbol) => {
                of_symbol = initial(symbol);
                &of_symbol
            }
        };
        let row = letters.get_mut(usize::from(thing.cell.row));
        if let Some(cell) = row.and_then(|row| row.get_mut(usize::from(thing.cell.column))) {
            letter.clone_into(cell);
        }
    }
    let mut text = "\n".to_owned();
    // A diagram knows how the game names its files and ranks, unless it is too small.
    let diagram = game.diagram(state);
    let (mut files, mut ranks) = (vec![" "; columns.into()], vec![""; rows.into()]);
    let (known_files, known_ranks) = diagram.labels();
    for (label, known) in files.iter_mut().zip(known_files) {
        if !known.is_empty() {
            *label = known;
        }
    }
    for (label, known) in ranks.iter_mut().zip(known_ranks) {
        *label = known;
    }
    for (label, row) in ranks.iter().zip(&letters).rev() {
        let _ = writeln!(text, "{label:>3} {}", row.join(" "));
    }
    let _ = writeln!(text, "    {}", files.join(" "));
    text
}

/// The first letter of a symbol's name, small if the symbol stands upside down.
fn initial(symbol: &Symbol) -> String {
    let letter = symbol.name().chars().take(1);
    if symbol.quarters() == 2 {
        letter.flat_map(char::to_lowercase).collect()
    } else {
        letter.flat_map(char::to_uppercase).collect()
    }
}
