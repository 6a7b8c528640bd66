//! Looking for problems, and preparing them for books.

use crate::base::progress::Progress;
use crate::book::{BoardSize, Problem, Rule};
use crate::mine::{Column, Filter, PuzzleRow};
use crate::session::{BookOptions, Composition, Mined, MiningOptions, ScopeOptions, SessionError};

/// Positions that fit a partial diagram.
pub trait Composing: Send + Sync {
    /// The positions that fit a pattern and a filter, as many as `limit`.
    ///
    /// # Errors
    /// If the pattern or the filter cannot be used, or the table cannot be read.
    fn compose(
        &self,
        pattern: &str,
        filter: &Filter,
        scope: &ScopeOptions,
        limit: usize,
        progress: &dyn Progress,
    ) -> Result<Composition, SessionError>;
}

/// Positions that filters admit.
pub trait Mining: Send + Sync {
    /// The columns that a filter may name, cheap ones first.
    fn columns(&self) -> Vec<Column>;

    /// What to know about the cost of columns, in a few lines.
    fn about_columns(&self) -> &'static str;

    /// Checks that filters and options make sense for the game, before any work.
    ///
    /// # Errors
    /// Names the filter or option, and what would be right.
    fn check(&self, filters: &[Filter], options: &MiningOptions) -> Result<(), SessionError>;

    /// Whether finds can be estimated while such positions are scanned.
    fn estimates(&self, scope: &ScopeOptions) -> bool;

    /// Runs filters over the game.
    ///
    /// # Errors
    /// The errors of [`check`](Self::check), and if the table cannot be read.
    fn mine(
        &self,
        filters: &[Filter],
        options: &MiningOptions,
        progress: &dyn Progress,
    ) -> Result<Mined, SessionError>;
}

/// Problems for books.
pub trait Problems: Send + Sync {
    /// The size of the board.
    fn board(&self) -> BoardSize;

    /// How stipulations and solutions are read, a paragraph each.
    fn notes(&self) -> Vec<String> {
        crate::book::NOTES.map(str::to_owned).into()
    }

    /// Does what the problems of these rows share, so that it is done once.
    ///
    /// # Errors
    /// If it cannot be done, or the work is cancelled.
    fn prepare_problems(
        &self,
        _rows: &[PuzzleRow],
        _progress: &dyn Progress,
    ) -> Result<(), SessionError> {
        Ok(())
    }

    /// The row of a puzzle of which no more is known than its game, its position and perhaps
    /// its stipulation.
    ///
    /// # Errors
    /// If the position cannot be read or solved, or the stipulation contradicts its value.
    fn complete(&self, row: &PuzzleRow, progress: &dyn Progress)
    -> Result<PuzzleRow, SessionError>;

    /// The rules of the game, each with a diagram where one helps.
    ///
    /// # Errors
    /// If the board is too large for a picture.
    fn rules(&self) -> Result<Vec<Rule>, SessionError> {
        Ok(Vec::new())
    }

    /// Whether the game has no table and is too large to be solved on the way, so that problems
    /// have no more than the main lines of their rows, and cannot be played.
    fn has_lines_only(&self) -> bool {
        false
    }

    /// The problem of a row, after a check that the row agrees with its game.
    ///
    /// # Errors
    /// If the row does not agree, or cannot be solved.
    fn problem(
        &self,
        row: &PuzzleRow,
        options: &BookOptions,
        progress: &dyn Progress,
    ) -> Result<Problem, SessionError>;
}
