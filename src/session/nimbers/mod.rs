//! Sessions with impartial games: nimbers where no table is given, plies where one is.

mod evaluate;

pub(super) use evaluate::judge;

use super::lines::OfGame;
use super::tables::{TableSession, tables};
use super::{Interfaces, Kind, Options, Position, Session, SessionError};
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

    fn interfaces(&self) -> Interfaces<'_> {
        Interfaces {
            evaluating: Some(self),
            playing: Some(self),
            ..self.tables.interfaces()
        }
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
}
