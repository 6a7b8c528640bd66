//! What all kinds of tables have in common: they are written whole, repacked, verified.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use super::load::TableSource;
use super::{Packed, SessionError, Solved, VerifyReport, WrongRecord};
use crate::base::claim::Claim;
use crate::base::watch::Watch;
use crate::game::Ranked;
use crate::table::{Encoding, Table, TableWriter, Verified, WidthOf};

/// The table file of a session, which must have been given.
pub(super) fn given<G: Ranked>(game: &G, source: &TableSource) -> Result<Arc<Table>, SessionError> {
    if source.file().is_none() {
        return Err(SessionError::unusable(
            game.spec(),
            "was opened without a table; open its table file",
        ));
    }
    source.get(game, || unreachable!("the table has a file"))
}

/// Refuses a path that is a folder or, without `force`, a file.
pub(super) fn may_replace(path: &Path, force: bool) -> Result<(), SessionError> {
    if path.is_dir() {
        let why = "is a folder; give the name of a file with --output";
        return Err(SessionError::unusable(path, why));
    }
    if path.exists() && !force {
        let why = "exists; give --force to overwrite it, or another name with --output";
        return Err(SessionError::unusable(path, why));
    }
    Ok(())
}

/// Writes a table under a temporary name, and if its fingerprint is accepted gives it its
/// own. Nothing half-written stays behind.
pub(super) fn write_whole<G: Ranked>(
    game: &G,
    path: &Path,
    force: bool,
    form: (WidthOf, Encoding, i32),
    fill: impl FnOnce(&mut TableWriter<BufWriter<File>>) -> Result<(), SessionError>,
    accept: impl FnOnce(&str) -> Result<(), SessionError>,
) -> Result<Solved, SessionError> {
    let partial = super::resume::beside(path, ".partial");
    let claim = Claim::file(&partial)?;
    let write = || {
        may_replace(path, force)?;
        let file = claim.handle().and_then(|file| {
            file.set_len(0)?;
            Ok(file)
        });
        let file = file.map_err(SessionError::file("write", &partial))?;
        let sink = BufWriter::with_capacity(1 << 20, file);
        let (width, encoding, level) = form;
        let mut writer = TableWriter::new(sink, &partial, game, width, encoding, level)?;
        fill(&mut writer)?;
        let (sink, fingerprint, size) = writer.finish()?;
        accept(&fingerprint)?;
        let file = sink
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&partial, path))
            .map_err(SessionError::file("write", path))?;
        Ok(Solved { fingerprint, size })
    };
    let written = write();
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// Writes a table again in another encoding. Its fingerprint stays, which is checked
/// before the new file gets its name.
pub(super) fn repack<G: Ranked>(
    game: &G,
    table: &Table,
    path: &Path,
    (encoding, level): (Encoding, i32),
    force: bool,
    watch: &dyn Watch,
) -> Result<Packed, SessionError> {
    let width = match table.description().value_bytes {
        1 => WidthOf::NARROW,
        _ => WidthOf::WIDE,
    };
    let fingerprint = &table.description().fingerprint;
    let fill = |writer: &mut TableWriter<_>| {
        watch.begin("packing", table.description().slots());
        let done = |done| watch.advance(done);
        Ok(writer.append_blocks(game.slots(), |slots| table.records(slots), done)?)
    };
    let accept = |found: &str| {
        if found == fingerprint {
            return Ok(());
        }
        let why = format!(
            "says that its fingerprint is {fingerprint}, but its records have {found}; solve the game again"
        );
        Err(SessionError::unusable(table.path(), why))
    };
    let form = (width, encoding, level);
    let written = write_whole(game, path, force, form, fill, accept)?;
    Ok(Packed {
        fingerprint: written.fingerprint,
        size: written.size,
        size_before: table.file_size(),
    })
}

/// What verifying found, as data.
pub(super) fn verified<G: Ranked>(game: &G, table: &Table, found: &Verified) -> VerifyReport {
    let examples = found.flaws.iter().map(|flaw| WrongRecord {
        fault: flaw.to_string(),
        position: game
            .unrank(flaw.slot)
            .map(|state| game.format_state(&state)),
    });
    VerifyReport {
        game: game.spec(),
        records: found.records,
        fingerprint: table.description().fingerprint.clone(),
        fingerprint_holds: found.fingerprint_holds,
        wrong: found.flawed,
        examples: examples.collect(),
    }
}
