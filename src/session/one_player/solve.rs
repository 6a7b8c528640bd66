//! Table files of puzzles of one player.

use std::path::Path;

use super::OnePlayerSession;
use crate::base::files::{Existing, Place, folder_of};
use crate::base::progress::Progress;
use crate::game::OnePlayerGame;
use crate::session::repack::{FileWriter, given, repack, verified, write_whole};
use crate::session::resources::{check_disk, check_memory};
use crate::session::{Packed, SessionError, SolveOptions, Solving, VerifyReport, WrittenTable};
use crate::solve::Distances;
use crate::table::{Encoding, ValueWidth, verify_solitaire};

/// Bytes a slot that a solve takes: one, and eight for each slot of the two widest
/// distances.
const BYTES_A_SLOT: u64 = 3;

impl<G: OnePlayerGame> Solving for OnePlayerSession<G> {
    fn slots(&self) -> u64 {
        self.game.slots()
    }

    /// Nothing is kept for a later run: the largest board that is solved takes minutes.
    fn solve(
        &self,
        path: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<WrittenTable, SessionError> {
        let game = &self.game;
        game.check_size()?;
        let place = Place::claim(path, Existing::refused_unless(options.force))?;
        let job = format!("solving {}", game.spec());
        let bytes = game.slots() * BYTES_A_SLOT;
        check_memory(&job, bytes, options.memory)?;
        check_disk(&job, bytes, folder_of(path))?;
        let fill = |writer: &mut FileWriter<'_>| {
            let distances = Distances::of(game, &progress)?;
            progress.begin("writing", game.slots());
            let record = |slot| distances.record(game, slot);
            Ok(writer.append(game.slots(), record, |done| progress.advance(done))?)
        };
        let SolveOptions {
            encoding, level, ..
        } = *options;
        write_whole(game, place, ValueWidth::WIDE, encoding, level, fill, |_| {
            Ok(())
        })
    }

    fn verify(&self, progress: &dyn Progress) -> Result<VerifyReport, SessionError> {
        let table = given(&self.game, &self.source)?;
        let found = verify_solitaire(&table, &self.game, &progress)?;
        table.expect_unchanged()?;
        Ok(verified(&self.game, &table, &found))
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
