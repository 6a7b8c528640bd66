//! Sessions with puzzles of one player.

mod solve;
mod statistics;

use std::sync::Arc;

use super::batch::no_batch;
use super::lines::{OfGame, line_key, read};
use super::load::TableSource;
use super::methods::session_methods;
use super::questions::of_one_player;
use super::{
    Asked, Evaluating, Evaluation, EvaluationOptions, Interfaces, Kind, Operation, Options,
    Position, PositionValues, Programming, Questions, Session, SessionError,
};
use crate::base::progress::Progress;
use crate::draw::Diagram;
use crate::formula::AnswerKind;
use crate::game::OnePlayerGame;
use crate::mine::PuzzleRow;
use crate::table::{Table, solve_puzzle_in_memory};

/// A session with a puzzle of one player.
#[derive(Debug)]
pub struct OnePlayerSession<G> {
    game: G,
    source: TableSource,
}

/// Opens a puzzle of one player.
#[must_use]
pub fn one_player<G: OnePlayerGame>(game: G, options: &Options) -> OnePlayerSession<G> {
    OnePlayerSession {
        source: TableSource::new(options.table_file()),
        game,
    }
}

impl<G: OnePlayerGame> OnePlayerSession<G> {
    /// The table, solved in memory if no file was given.
    fn table(&self, progress: &dyn Progress) -> Result<Arc<Table>, SessionError> {
        self.source.get(&self.game, || {
            Ok(solve_puzzle_in_memory(&self.game, &progress)?)
        })
    }
}

impl<G: OnePlayerGame> OfGame for OnePlayerSession<G> {
    type Game = G;

    fn game(&self) -> &G {
        &self.game
    }
}

impl<G: OnePlayerGame> Session for OnePlayerSession<G> {
    session_methods! {}

    fn kind(&self) -> Kind {
        Kind::OnePlayer
    }

    fn interfaces(&self) -> Interfaces<'_> {
        let programs = self.game.encoded().is_some();
        Interfaces {
            lines: Some(self),
            evaluating: Some(self),
            statistics: Some(self),
            solving: Some(self),
            programming: programs.then_some(self as &dyn Programming),
            ..Interfaces::default()
        }
    }

    fn line_key(&self, row: &PuzzleRow) -> Result<Option<Vec<String>>, SessionError> {
        line_key(&self.game, &row.solution)
    }
}

impl<G: OnePlayerGame> Evaluating for OnePlayerSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation, SessionError> {
        let spec = self.game.spec();
        options.refuse_nimbers(&spec)?;
        options.refuse_hidden(&spec)?;
        options.refuse_lures(&spec)?;
        self.game.check_size()?;
        let state = read(&self.game, position)?;
        let table = self.table(progress)?;
        let found = super::tables::evaluate(&self.game, &table, &state)?;
        Ok(Evaluation::Plies(found))
    }

    fn evaluate_batch(
        &self,
        _questions: &[Asked<'_>],
        _progress: &dyn Progress,
    ) -> Result<Vec<Result<PositionValues, SessionError>>, SessionError> {
        Err(no_batch(&self.game.spec()))
    }
}

impl<G: OnePlayerGame> Programming for OnePlayerSession<G> {
    fn questions(
        &self,
        shortest: bool,
        kind: AnswerKind,
        progress: &dyn Progress,
    ) -> Result<Questions, SessionError> {
        let Some(encoded) = self.game.encoded() else {
            return Err(self.unsupported(Operation::Programming));
        };
        if shortest {
            return Err(SessionError::Inapplicable {
                option: "shortest",
                why: "is for games of two players; in puzzles only the shortest way is right"
                    .to_owned(),
            });
        }
        of_one_player(&self.game, encoded, &*self.table(progress)?, kind)
    }
}
