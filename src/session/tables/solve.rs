//! Table files of games of two players.

use std::path::Path;

use super::TableSession;
use crate::base::files::Existing;
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Wide};
use crate::game::TableGame;
use crate::session::repack::{given, repack, verified};
use crate::session::resources::check_memory;
use crate::session::resume::{Claimed, ResumableSolve};
use crate::session::{Packed, SessionError, SolveOptions, Solving, VerifyReport, WrittenTable};
use crate::solve::working_set;
use crate::table::{Encoding, verify};

impl<G: TableGame> Solving for TableSession<G> {
    fn slots(&self) -> u64 {
        self.game.slots()
    }

    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<WrittenTable, SessionError> {
        self.game.check_size()?;
        let claimed = Claimed::new(path, Existing::refused_unless(options.force))?;
        let run = ResumableSolve {
            path: path.to_owned(),
            options: options.clone(),
        };
        run.run(&self.game, &claimed, progress)
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, SessionError> {
        let game = &self.game;
        given(game, &self.source)?;
        let table = self.table(progress)?;
        // What verifying holds in memory is what solving does.
        let needed = match table.description().value_bytes {
            1 => working_set::<_, Narrow>(game),
            _ => working_set::<_, Wide>(game),
        };
        check_memory(&format!("verifying {}", game.spec()), needed, None)?;
        let found = verify(&table, game, &progress)?;
        table.expect_unchanged()?;
        Ok(verified(game, &table, &found))
    }

    fn repack(
        &self,
        path: &Path,
        encoding: Encoding,
        level: i32,
        force: bool,
        progress: &dyn Progress,
    ) -> Result<Packed, SessionError> {
        let table = given(&self.game, &self.source)?;
        repack(&self.game, &table, path, encoding, level, force, progress)
    }
}
