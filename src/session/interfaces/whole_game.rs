//! What concerns all positions of a game: tables, counts, data sets, programs.

use std::ops::ControlFlow;
use std::path::Path;

use crate::base::progress::Progress;
use crate::export::Batch;
use crate::formula::AnswerKind;
use crate::session::{
    Asked, Difference, ExportOptions, Exported, LureOptions, LureReport, Packed, PathReport,
    Questions, ReachOptions, ReachReport, RowOptions, SessionError, SolveOptions, StatisticsReport,
    VerifyReport, WrittenTable,
};
use crate::table::Encoding;

/// Counts over all positions.
pub trait Statistics: Send + Sync {
    /// Headers of files with published counts that [`StatisticsReport::counts`] can be
    /// compared with, in the order of its argument.
    fn comparable(&self) -> Vec<String>;

    /// Counts positions and states by layer, class, and distance.
    ///
    /// # Errors
    /// If there is no table and the game is too large to be solved on the way.
    fn count(&self, progress: &dyn Progress) -> Result<StatisticsReport, SessionError>;
}

/// Reachable states, paths, differences.
pub trait Searching: Send + Sync {
    /// Counts the states that can be reached from the initial one, by distance.
    ///
    /// # Errors
    /// If memory is short.
    fn reach(
        &self,
        options: ReachOptions,
        progress: &dyn Progress,
    ) -> Result<ReachReport, SessionError>;

    /// A shortest sequence of legal moves from one position to another.
    ///
    /// # Errors
    /// If a position cannot be read, or there is no path of at most `most` plies.
    fn path(
        &self,
        from: &str,
        to: &str,
        most: u16,
        progress: &dyn Progress,
    ) -> Result<PathReport, SessionError>;

    /// Finds out what lures in drawn positions attain against players who look some plies ahead.
    ///
    /// # Errors
    /// If there is no table and the game is too large to be solved on the way, an option is out
    /// of range, the folder holds another search, memory is short, or the work is cancelled.
    fn lures(
        &self,
        options: &LureOptions,
        progress: &dyn Progress,
    ) -> Result<LureReport, SessionError>;

    /// Compares the game's values with those of a table of the same game under the other
    /// reading of its repetition rule.
    ///
    /// # Errors
    /// If the game has no such rule, or the table is of another game.
    fn difference(&self, other: &Path, progress: &dyn Progress)
    -> Result<Difference, SessionError>;
}

/// Table files.
pub trait Solving: Send + Sync {
    /// The number of slots of the game's table.
    fn slots(&self) -> u64;

    /// Solves the game into a file, or goes on where an earlier run was stopped. The place
    /// is checked and claimed before the work begins.
    ///
    /// # Errors
    /// If the place may not be written to, memory or disk are short, a checkpoint is of
    /// another run, or the work is cancelled.
    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<WrittenTable, SessionError>;

    /// Checks every record of the session's table against its children's.
    ///
    /// # Errors
    /// If no table was given, it is damaged, or memory is short.
    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, SessionError>;

    /// Writes the session's table again in another encoding.
    ///
    /// # Errors
    /// If no table was given, it is damaged, or the place may not be written to.
    fn repack(
        &self,
        path: &Path,
        encoding: Encoding,
        level: i32,
        force: bool,
        progress: &dyn Progress,
    ) -> Result<Packed, SessionError>;
}

/// Data sets of all states.
pub trait Exporting: Send + Sync {
    /// Writes the states of the game as a data set in a folder.
    ///
    /// # Errors
    /// If the folder may not be written to, or the table cannot be read.
    fn export(
        &self,
        folder: &Path,
        options: &ExportOptions,
        progress: &dyn Progress,
    ) -> Result<Exported, SessionError>;

    /// Hands the same rows to `visit` instead, in the order of slots, some tens of
    /// thousands at a time, always with the columns of layer and class. The first batch has
    /// the columns and no rows. Ends early, without an error, when `visit` says so.
    ///
    /// # Errors
    /// If a column or a part of the table does not exist, the table cannot be read, or the
    /// progress asks to stop.
    fn batches(
        &self,
        options: &RowOptions,
        progress: &dyn Progress,
        visit: &mut dyn FnMut(Batch) -> ControlFlow<()>,
    ) -> Result<(), SessionError>;

    /// The moves of some positions as rows, with the columns that the moves of all
    /// positions have. The rows are in the order of the positions and of the game's moves.
    ///
    /// # Errors
    /// If a position cannot be read ([`SessionError::OneOfMany`] has its number), or there is
    /// no table and the game is too large to be solved on the way.
    fn moves_of(
        &self,
        positions: &[Asked<'_>],
        progress: &dyn Progress,
    ) -> Result<Batch, SessionError>;
}

/// States as numbers, for programs that play.
pub trait Programming: Send + Sync {
    /// The questions that a program is asked, with their answers of a kind. With `shortest`,
    /// only the quickest win and the slowest loss are right.
    ///
    /// # Errors
    /// If the game has no such numbers, is too large, or `shortest` says nothing about it.
    fn questions(
        &self,
        shortest: bool,
        kind: AnswerKind,
        progress: &dyn Progress,
    ) -> Result<Questions, SessionError>;
}
