//! Values, solutions and verdicts, one position at a time.

use crate::analysis::Neighbour;
use crate::base::progress::Progress;
use crate::session::{
    Asked, CheckReport, DrawnSolution, Evaluation, EvaluationOptions, PositionValues, SessionError,
    SolutionOptions, SolutionReport,
};

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
        progress: &dyn Progress,
    ) -> Result<Evaluation, SessionError>;

    /// The main line of a position, of a game whose lines have an end.
    ///
    /// # Errors
    /// The errors of [`evaluate`](Self::evaluate).
    fn main_line(
        &self,
        position: &str,
        progress: &dyn Progress,
    ) -> Result<Vec<String>, SessionError> {
        let options = EvaluationOptions::default();
        Ok(self.evaluate(position, &options, progress)?.line().to_vec())
    }

    /// The values of many positions, each with all its moves, by the game's table: much
    /// faster than one by one, since no main line is followed. The answers are in the order
    /// of the questions.
    ///
    /// # Errors
    /// Those of a question stand in its place: the position cannot be read, or the slot is
    /// vacant or past the end of the table. The whole fails if the game has no table, or
    /// none was given and it is too large to be solved on the way.
    fn evaluate_batch(
        &self,
        questions: &[Asked<'_>],
        progress: &dyn Progress,
    ) -> Result<Vec<Result<PositionValues, SessionError>>, SessionError>;
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
        progress: &dyn Progress,
    ) -> Result<SolutionReport, SessionError>;

    /// The solution as a tree to be drawn.
    ///
    /// # Errors
    /// The errors of [`solution`](Self::solution).
    fn drawn(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<DrawnSolution, SessionError>;

    /// The best line as a file that other programs for the game read.
    ///
    /// # Errors
    /// The errors of [`solution`](Self::solution), and that there is no such format.
    fn record(
        &self,
        position: &str,
        options: &SolutionOptions,
        progress: &dyn Progress,
    ) -> Result<String, SessionError> {
        let _ = (position, options, progress);
        Err(SessionError::Inapplicable {
            option: "kif",
            why: "is for tsuitate: KIF is a format for shogi".to_owned(),
        })
    }
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
        progress: &dyn Progress,
    ) -> Result<CheckReport, SessionError>;

    /// Judges all positions in which one thing is moved to an empty square, removed, or
    /// added, against the same stipulation. Without one, that of the position's value.
    ///
    /// # Errors
    /// If a text cannot be read, or a position cannot be valued.
    fn neighbours(
        &self,
        position: &str,
        stipulation: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<Vec<Neighbour>, SessionError>;
}
