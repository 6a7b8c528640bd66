//! Sessions with impartial games: nimbers where no table is given, plies where one is.

mod evaluate;

pub(super) use evaluate::judge;

use super::lines::OfGame;
use super::methods::session_methods;
use super::tables::{TableSession, tables};
use super::{
    Arranging, Checking, Composing, Evaluating, Exporting, Kind, Lines, Mining, Operation, Options,
    Playing, Position, Problems, Searching, Session, SessionError, Solutions, Solving, Statistics,
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

    session_methods! { evaluating: Evaluating, playing: Playing }

    session_methods! {
        of tables, lines: Lines, solutions: Solutions, checking: Checking, composing:
        Composing, mining: Mining, problems: Problems, statistics: Statistics,
        searching: Searching, solving: Solving, exporting: Exporting, arranging: Arranging
    }
}
