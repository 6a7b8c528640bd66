//! What can be asked of a game, in small interfaces that take text and give data.
//!
//! All of them are object-safe. Positions and moves are texts in the game's notation; an
//! empty position, or `initial`, is the initial one.

use std::path::Path;

use super::{
    CheckReport, Composition, Difference, DrawnSolution, Evaluation, EvaluationOptions,
    ExportOptions, Exported, Kind, Mined, MiningOptions, Operation, Packed, PathReport, Questions,
    ReachOptions, ReachReport, ScopeOptions, SessionError, SolutionOptions, SolutionReport,
    SolveOptions, Solved, StatisticsReport, VerifyReport,
};
use crate::base::value::Outcome;
use crate::base::watch::Watch;
use crate::book::{Board, Problem};
use crate::draw::{Diagram, Frame};
use crate::mine::{Column, Filter, PuzzleRow};
use crate::table::Encoding;

/// A position that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// In the game's one-line notation.
    pub text: String,
    /// The name of the side to move.
    pub side: String,
}

/// A game that was opened.
///
/// Every session reads positions and draws them. The other interfaces are there or not,
/// depending on the kind of game: a method that gives none says so by
/// [`SessionError::Unsupported`].
pub trait Session: Send + Sync {
    /// The canonical spec of the game.
    fn spec(&self) -> String;

    /// The name of the game's family, by which shipped filters are found: the spec up to
    /// its colon, unless the game says otherwise.
    fn family(&self) -> String;

    /// How the game is solved.
    fn kind(&self) -> Kind;

    /// The operations that the session has.
    fn operations(&self) -> Vec<Operation>;

    /// Reads a position.
    ///
    /// # Errors
    /// If the text is not one, with the place of the fault.
    fn position(&self, position: &str) -> Result<Position, SessionError>;

    /// The position as a picture, without a stipulation.
    ///
    /// # Errors
    /// If the text is not a position, or the board is too large for a picture.
    fn diagram(&self, position: &str) -> Result<Diagram, SessionError>;

    /// What a solution has in common with all solutions symmetric to it; `None` if it is
    /// too short (one or two plies) to tell puzzles apart.
    ///
    /// # Errors
    /// If the text is not a line of play.
    fn line_key(&self, row: &PuzzleRow) -> Result<Option<Vec<String>>, SessionError>;

    /// The error for an operation that the session does not have.
    fn unsupported(&self, operation: Operation) -> SessionError {
        SessionError::Unsupported {
            spec: self.spec(),
            kind: self.kind(),
            operation,
            possible: self.operations(),
        }
    }

    /// Moves and lines of play.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`], as for all methods that follow.
    fn lines(&self) -> Result<&dyn Lines, SessionError> {
        Err(self.unsupported(Operation::Lines))
    }

    /// Values of positions and moves.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn evaluating(&self) -> Result<&dyn Evaluating, SessionError> {
        Err(self.unsupported(Operation::Evaluating))
    }

    /// Solutions of problems.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn solutions(&self) -> Result<&dyn Solutions, SessionError> {
        Err(self.unsupported(Operation::Solutions))
    }

    /// Verdicts on problems.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn checking(&self) -> Result<&dyn Checking, SessionError> {
        Err(self.unsupported(Operation::Checking))
    }

    /// Positions that fit a partial diagram.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn composing(&self) -> Result<&dyn Composing, SessionError> {
        Err(self.unsupported(Operation::Composing))
    }

    /// Positions that filters admit.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn mining(&self) -> Result<&dyn Mining, SessionError> {
        Err(self.unsupported(Operation::Mining))
    }

    /// Problems for books.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn problems(&self) -> Result<&dyn Problems, SessionError> {
        Err(self.unsupported(Operation::Problems))
    }

    /// Counts over all positions.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn statistics(&self) -> Result<&dyn Statistics, SessionError> {
        Err(self.unsupported(Operation::Statistics))
    }

    /// Reachable states, paths, differences.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn searching(&self) -> Result<&dyn Searching, SessionError> {
        Err(self.unsupported(Operation::Searching))
    }

    /// Table files.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn solving(&self) -> Result<&dyn Solving, SessionError> {
        Err(self.unsupported(Operation::Solving))
    }

    /// Data sets of all states.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn exporting(&self) -> Result<&dyn Exporting, SessionError> {
        Err(self.unsupported(Operation::Exporting))
    }

    /// Play against the best moves.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn playing(&self) -> Result<&dyn Playing, SessionError> {
        Err(self.unsupported(Operation::Playing))
    }

    /// States as numbers.
    ///
    /// # Errors
    /// [`SessionError::Unsupported`].
    fn programming(&self) -> Result<&dyn Programming, SessionError> {
        Err(self.unsupported(Operation::Programming))
    }
}

/// Where a move leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Played {
    /// To this position, with the next side to move.
    Next(String),
    /// The game is over, with this result for the side that moved.
    Over(Outcome),
}

/// Moves and lines of play.
pub trait Lines: Send + Sync {
    /// The legal moves, in the game's order.
    ///
    /// # Errors
    /// If the position cannot be read.
    fn moves(&self, position: &str) -> Result<Vec<String>, SessionError>;

    /// Makes a move.
    ///
    /// # Errors
    /// If the position or the move cannot be read, or the move is not legal.
    fn play(&self, position: &str, mv: &str) -> Result<Played, SessionError>;

    /// A numbered picture for each of the first `limit` moves of a line, the move marked,
    /// and one of the position after them if the game is not over. If moves are left out,
    /// the last caption says how many.
    ///
    /// # Errors
    /// If a text cannot be read, or a move is not legal.
    fn boards(
        &self,
        position: &str,
        moves: &[String],
        limit: usize,
    ) -> Result<Vec<Diagram>, SessionError>;

    /// The frames of an animation of a line.
    ///
    /// # Errors
    /// If a text cannot be read, or a move is not legal.
    fn frames(&self, position: &str, moves: &[String]) -> Result<Vec<Frame>, SessionError>;

    /// A picture of the position with these legal moves marked on it.
    ///
    /// # Errors
    /// If a text cannot be read, or a move is not legal.
    fn marked(
        &self,
        diagram: Diagram,
        position: &str,
        moves: &[String],
    ) -> Result<Diagram, SessionError>;

    /// The number of sequences of exactly `depth` moves.
    ///
    /// # Errors
    /// If the position cannot be read.
    fn perft(&self, position: &str, depth: u32) -> Result<u64, SessionError>;
}

/// Values of positions and moves.
pub trait Evaluating: Send + Sync {
    /// The value of a position and of all its moves, with the main line. A small game is
    /// solved in memory first if no table was given.
    ///
    /// # Errors
    /// If the position cannot be read, an option does not apply to the game, or there is
    /// no table and the game is too large to be solved on the way.
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        watch: &dyn Watch,
    ) -> Result<Evaluation, SessionError>;

    /// The main line of a position, of a game whose lines have an end.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    fn main_line(&self, position: &str, watch: &dyn Watch) -> Result<Vec<String>, SessionError> {
        let options = EvaluationOptions::default();
        Ok(self.evaluate(position, &options, watch)?.line().to_vec())
    }

    /// The values of several positions, in their order.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate); the first fault in order is reported.
    fn evaluate_many(
        &self,
        positions: &[String],
        options: &EvaluationOptions,
        watch: &dyn Watch,
    ) -> Result<Vec<Evaluation>, SessionError> {
        positions
            .iter()
            .map(|position| self.evaluate(position, options, watch))
            .collect()
    }
}

/// Solutions of problems.
pub trait Solutions: Send + Sync {
    /// The solution in a composer's terms.
    ///
    /// # Errors
    /// If the position cannot be read or valued, or an option does not apply.
    fn solution(
        &self,
        position: &str,
        options: &SolutionOptions,
        watch: &dyn Watch,
    ) -> Result<SolutionReport, SessionError>;

    /// The solution as a tree to be drawn.
    ///
    /// # Errors
    /// As [`solution`](Self::solution).
    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        watch: &dyn Watch,
    ) -> Result<DrawnSolution, SessionError>;
}

/// Verdicts on problems.
pub trait Checking: Send + Sync {
    /// Judges a problem: is it sound, what are its cooks, duals and tries, what is each
    /// piece for, and what would mend it. Without a stipulation, that of its value.
    ///
    /// # Errors
    /// If a text cannot be read, or the position cannot be valued.
    fn check(
        &self,
        position: &str,
        stipulation: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<CheckReport, SessionError>;
}

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
        watch: &dyn Watch,
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

    /// Runs filters over the game.
    ///
    /// # Errors
    /// As [`check`](Self::check), or if the table cannot be read.
    fn mine(
        &self,
        filters: &[Filter],
        options: &MiningOptions,
        watch: &dyn Watch,
    ) -> Result<Mined, SessionError>;
}

/// Problems for books.
pub trait Problems: Send + Sync {
    /// The size of the board.
    fn board(&self) -> Board;

    /// The problem of a row, after a check that the row agrees with its game.
    ///
    /// # Errors
    /// If the row does not agree, or cannot be solved.
    fn problem(&self, row: &PuzzleRow, watch: &dyn Watch) -> Result<Problem, SessionError>;
}

/// Counts over all positions.
pub trait Statistics: Send + Sync {
    /// Headers of files with published counts that [`StatisticsReport::counts`] can be
    /// compared with, in the order of its argument.
    fn comparable(&self) -> Vec<String>;

    /// Counts positions and states by layer, class, and distance.
    ///
    /// # Errors
    /// If there is no table and the game is too large to be solved on the way.
    fn count(&self, watch: &dyn Watch) -> Result<StatisticsReport, SessionError>;
}

/// Reachable states, paths, differences.
pub trait Searching: Send + Sync {
    /// Counts the states that can be reached from the initial one, by distance.
    ///
    /// # Errors
    /// If memory is short.
    fn reach(&self, options: ReachOptions, watch: &dyn Watch) -> Result<ReachReport, SessionError>;

    /// A shortest sequence of legal moves from one position to another.
    ///
    /// # Errors
    /// If a position cannot be read, or there is no path of at most `most` plies.
    fn path(
        &self,
        from: &str,
        to: &str,
        most: u16,
        watch: &dyn Watch,
    ) -> Result<PathReport, SessionError>;

    /// Compares the game's values with those of a table of the same game under the other
    /// reading of its repetition rule.
    ///
    /// # Errors
    /// If the game has no such rule, or the table is of another game.
    fn difference(&self, other: &Path, watch: &dyn Watch) -> Result<Difference, SessionError>;
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
    /// another run, or the watch asks to stop.
    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        watch: &dyn Watch,
    ) -> Result<Solved, SessionError>;

    /// Checks every record of the session's table against its children's.
    ///
    /// # Errors
    /// If no table was given, it is damaged, or memory is short.
    fn verify(&self, watch: &dyn Watch) -> Result<VerifyReport, SessionError>;

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
        watch: &dyn Watch,
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
        watch: &dyn Watch,
    ) -> Result<Exported, SessionError>;
}

/// Play against the best moves.
pub trait Playing: Send + Sync {
    /// Does what must be done once before moves can be chosen quickly, such as reading or
    /// making the table.
    ///
    /// # Errors
    /// If there is no table and the game is too large to be solved on the way.
    fn prepare(&self, watch: &dyn Watch) -> Result<(), SessionError>;

    /// A best move; `None` if there is no move.
    ///
    /// # Errors
    /// If the position cannot be read or valued.
    fn best(&self, position: &str, watch: &dyn Watch) -> Result<Option<String>, SessionError>;

    /// The board in letters, rank by rank from the top, with coordinates.
    ///
    /// # Errors
    /// If the position cannot be read.
    fn letters(&self, position: &str) -> Result<String, SessionError>;
}

/// States as numbers, for programs that play.
pub trait Programming: Send + Sync {
    /// The questions that a program is asked, with their answers. With `shortest`, only
    /// the quickest win and the slowest loss are right.
    ///
    /// # Errors
    /// If the game has no such numbers, is too large, or `shortest` says nothing about it.
    fn questions(&self, shortest: bool, watch: &dyn Watch) -> Result<Questions, SessionError>;
}
