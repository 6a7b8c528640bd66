//! Questions for programs that play, by a table.

use super::TableSession;
use crate::base::progress::Progress;
use crate::formula::AnswerKind;
use crate::game::TableGame;
use crate::session::questions::of_two_players;
use crate::session::{Operation, Programming, Questions, Session, SessionError};

impl<G: TableGame> Programming for TableSession<G> {
    fn questions(
        &self,
        shortest: bool,
        kind: AnswerKind,
        progress: &dyn Progress,
    ) -> Result<Questions, SessionError> {
        let Some(encoded) = self.game.encoded() else {
            return Err(self.unsupported(Operation::Programming));
        };
        let table = &*self.table(progress)?;
        of_two_players(&self.game, encoded, table, shortest, kind)
    }
}
