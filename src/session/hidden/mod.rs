//! Sessions with games with hidden information, whose problems are solved one by one.

mod drawn_tree;
mod evaluate;
mod mine;
mod play;
mod problem;
mod solution;
mod written_tree;

use super::lines::read;
use super::methods::session_methods;
use super::{Interfaces, Kind, Options, Position, SearchOptions, Session, SessionError};
use crate::base::progress::Progress;
use crate::draw::Diagram;
use crate::game::HiddenGame;
use crate::mine::PuzzleRow;
use crate::solve::belief::{BeliefSolution, solve};

/// A session with a game with hidden information.
#[derive(Debug)]
pub struct HiddenSession<G> {
    game: G,
}

/// Opens a game with hidden information.
///
/// # Errors
/// If a table was given: such games have none.
pub fn hidden<G: HiddenGame>(game: G, options: &Options) -> Result<HiddenSession<G>, SessionError> {
    if options.table_file().is_some() {
        return Err(SessionError::Inapplicable {
            option: "table",
            why: format!(
                "is for games with tables, and {} has none: its problems are solved one by one",
                game.spec()
            ),
        });
    }
    Ok(HiddenSession { game })
}

/// A position and its solution.
type Solution<G> = (
    <G as crate::game::Game>::State,
    BeliefSolution<<G as crate::game::Game>::Move, <G as crate::game::Hidden>::Clue>,
);

impl<G: HiddenGame> HiddenSession<G> {
    /// Solves a problem; that it has no solution within the limits is an error.
    fn solved(
        &self,
        position: &str,
        options: SearchOptions,
        progress: &dyn Progress,
    ) -> Result<Solution<G>, SessionError> {
        options.check()?;
        let state = read(&self.game, position)?;
        progress.begin("looking at positions", 0);
        let limits = options.limits();
        let solved = solve(&self.game, &state, &limits, options.mode(), &progress)?;
        let (depth, fouls) = options.most();
        let solved = solved.ok_or_else(|| SessionError::NoSolution {
            position: self.game.format_state(&state),
            depth,
            fouls,
        })?;
        Ok((state, solved))
    }
}

impl<G: HiddenGame> Session for HiddenSession<G> {
    session_methods! {}

    fn kind(&self) -> Kind {
        Kind::Hidden
    }

    fn interfaces(&self) -> Interfaces<'_> {
        Interfaces {
            evaluating: Some(self),
            solutions: Some(self),
            mining: Some(self),
            problems: Some(self),
            umpiring: Some(self),
            ..Interfaces::default()
        }
    }

    /// What is heard is not a move, so the words of solutions are compared.
    fn line_key(&self, row: &PuzzleRow) -> Result<Option<Vec<String>>, SessionError> {
        let long = row.plies.is_some_and(|plies| plies > 2);
        Ok(long.then(|| vec![self.game.canonical_words(&row.solution)]))
    }
}
