//! Sessions with impartial games: nimbers where no table is given, plies where one is.

mod evaluate;

pub(super) use evaluate::judge;

use super::lines::OfGame;
use super::tables::{TableSession, tables};
use super::{
    Checking, Composing, Evaluating, Exporting, Kind, Lines, Mining, Operation, Options, Playing,
    Position, Problems, Searching, Session, SessionError, Solutions, Solving, Statistics,
};
use crate::draw::Diagram;
use crate::game::NimberGame;
use crate::mine::PuzzleRow;

/// A session with an impartial game.
#[derive(Debug)]
pub struct NimberSession<G> {
    tables: TableSession<G>,
}

/// Opens an impartial game.
#[must_use]
pub fn nimbers<G: NimberGame>(game: G, options: &Options) -> NimberSession<G> {
    NimberSession {
        tables: tables(game, options),
    }
}

impl<G: NimberGame> NimberSession<G> {
    fn game(&self) -> &G {
        self.tables.game()
    }
}

impl<G: NimberGame> Session for NimberSession<G> {
    fn spec(&self) -> String {
        self.tables.spec()
    }

    fn family(&self) -> String {
        self.tables.family()
    }

    fn kind(&self) -> Kind {
        Kind::Nimbers
    }

    fn operations(&self) -> Vec<Operation> {
        self.tables.operations()
    }

    fn position(&self, text: &str) -> Result<Position, SessionError> {
        self.tables.position(text)
    }

    fn diagram(&self, position: &str) -> Result<Diagram, SessionError> {
        self.tables.diagram(position)
    }

    fn line_key(&self, row: &PuzzleRow) -> Result<Option<Vec<String>>, SessionError> {
        self.tables.line_key(row)
    }

    fn lines(&self) -> Result<&dyn Lines, SessionError> {
        self.tables.lines()
    }

    fn evaluating(&self) -> Result<&dyn Evaluating, SessionError> {
        Ok(self)
    }

    fn solutions(&self) -> Result<&dyn Solutions, SessionError> {
        self.tables.solutions()
    }

    fn checking(&self) -> Result<&dyn Checking, SessionError> {
        self.tables.checking()
    }

    fn composing(&self) -> Result<&dyn Composing, SessionError> {
        self.tables.composing()
    }

    fn mining(&self) -> Result<&dyn Mining, SessionError> {
        self.tables.mining()
    }

    fn problems(&self) -> Result<&dyn Problems, SessionError> {
        self.tables.problems()
    }

    fn statistics(&self) -> Result<&dyn Statistics, SessionError> {
        self.tables.statistics()
    }

    fn searching(&self) -> Result<&dyn Searching, SessionError> {
        self.tables.searching()
    }

    fn solving(&self) -> Result<&dyn Solving, SessionError> {
        self.tables.solving()
    }

    fn exporting(&self) -> Result<&dyn Exporting, SessionError> {
        self.tables.exporting()
    }

    fn playing(&self) -> Result<&dyn Playing, SessionError> {
        Ok(self)
    }
}
