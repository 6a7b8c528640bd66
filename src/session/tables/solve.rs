//! Table files of games of two players.

use std::path::Path;

use super::TableSession;
use crate::base::files::Existing;
use crate::base::value::{Narrow, Wide};
use crate::base::watch::Watch;
use crate::game::TableGame;
use crate::session::repack::{given, repack, verified};
use crate::session::resources::check_memory;
use crate::session::resume::{Claimed, ResumableSolve};
use crate::session::{Packed, SessionError, SolveOptions, Solving, VerifyReport, WrittenTable};
use crate::solve::working_set;
use crate::table::{Encoding, Field, fields, verify};

impl<G: TableGame> Solving for TableSession<G> {
    fn slots(&self) -> u64 {
        self.game.slots()
    }

    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        watch: &dyn Watch,
    ) -> Result<WrittenTable, SessionError> {
        self.game.check_size()?;
        if options.encoding == Encoding::Dense {
            return Err(SessionError::Inapplicable {
                option: "dense",
                why: "needs a finished table; solve first, then repack".to_owned(),
            });
        }
        let claimed = Claimed::new(path, Existing::refused_unless(options.force))?;
        let run = ResumableSolve {
            path: path.to_owned(),
            options: options.clone(),
        };
        run.run(&self.game, &claimed, watch)
    }

    fn verify(&self, watch: &dyn Watch) -> Result<VerifyReport, SessionError> {
        let game = &self.game;
        given(game, &self.source)?;
        let table = self.whole_table(watch)?;
        // What verifying holds in memory is what solving does.
        let needed = match table.description().value_bytes {
            1 => working_set::<_, Narrow>(game),
            _ => working_set::<_, Wide>(game),
        };
        check_memory(&format!("verifying {}", game.spec()), needed, None)?;
        let found = verify(&table, game, &watch)?;
        table.expect_unchanged()?;
        Ok(verified(game, &table, &found))
    }

    fn repack(
        &self,
        path: &Path,
        encoding: Encoding,
        level: i32,
        force: bool,
        watch: &dyn Watch,
    ) -> Result<Packed, SessionError> {
        let table = given(&self.game, &self.source)?;
        if table.is_dense() || encoding == Encoding::Dense {
            let game = &self.game;
            let needed = match table.description().value_bytes {
                1 => working_set::<_, Narrow>(game),
                _ => working_set::<_, Wide>(game),
            };
            check_memory(&format!("repacking {}", game.spec()), needed, None)?;
        }
        repack(&self.game, &table, path, encoding, level, force, watch)
    }

    fn fields(
        &self,
        level: i32,
        step: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Field>, SessionError> {
        let table = given(&self.game, &self.source)?;
        Ok(fields(&table, &self.game, level, step, &watch)?)
    }
}
