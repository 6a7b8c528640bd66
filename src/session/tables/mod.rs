//! Sessions with games of two players that are solved into a table.
#![expect(
    clippy::missing_errors_doc,
    reason = "said for all of them where the interfaces are"
)]

mod arrange;
mod evaluate;
mod export;
mod lure;
mod mine;
mod problem;
mod solution;
mod steps;
mod table_session;
mod whole_game;

pub(super) use evaluate::evaluate;
pub(super) use problem::{add_claims, expect_outcome, expect_side, worded};
pub use table_session::{TableSession, tables};

use std::sync::Arc;

use super::erased::AnyState;
use super::lines::{read, session_methods};
use super::{Asked, Interfaces, Position, Programming, Result, Session, SessionError};
use crate::base::progress::Progress;
use crate::draw::Diagram;
use crate::game::{Drawable, Game, Ranked};
use crate::table::Table;

impl TableSession {
    /// The table, solved in memory if there is no file.
    fn table(&self, progress: &dyn Progress) -> Result<Arc<Table>> {
        self.source.get(&self.game, progress, || {
            Ok(self.game.engine.solve_in_memory(progress)?)
        })
    }

    fn read(&self, position: &str) -> Result<AnyState> {
        read(&self.game, position)
    }

    fn asked(&self, question: &Asked<'_>) -> Result<AnyState> {
        match *question {
            Asked::Position(position) => self.read(position),
            Asked::Slot(slot) => self.game.unrank(slot).ok_or_else(|| self.no_position(slot)),
        }
    }

    fn no_position(&self, slot: u64) -> SessionError {
        SessionError::NoPosition {
            spec: self.game.spec(),
            slot,
            slots: self.game.slots(),
        }
    }
}

impl Session for TableSession {
    session_methods! { Table }

    fn interfaces(&self) -> Interfaces<'_> {
        let programs = self.game.engine.has_programs();
        Interfaces {
            lines: Some(&self.game),
            evaluating: Some(self),
            solutions: Some(self),
            checking: Some(self),
            composing: Some(self),
            mining: Some(self),
            problems: Some(self),
            statistics: Some(self),
            searching: Some(self),
            solving: Some(self),
            stepping: Some(self),
            exporting: Some(self),
            playing: Some(self),
            // Nothing is hidden from a player.
            umpiring: None,
            programming: programs.then_some(self as &dyn Programming),
            arranging: Some(self),
        }
    }
}
