//! What all kinds of tables have in common: they are written whole, repacked, verified.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use super::load::TableSource;
use super::{Packed, SessionError, VerifyReport, WrittenTable, WrongRecord};
use crate::base::files::{Existing, Place};
use crate::base::progress::Progress;
use crate::game::Ranked;
use crate::table::{Encoding, Table, TableWriter, ValueWidth, Verified};

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

/// A table on its way to a file.
pub(super) type FileWriter<'f> = TableWriter<BufWriter<&'f mut File>>;

/// Writes a table into a place, and if its fingerprint is accepted gives it its name.
pub(super) fn write_whole<G: Ranked>(
    game: &G,
    place: Place,
    width: ValueWidth,
    encoding: Encoding,
    level: i32,
    fill: impl FnOnce(&mut FileWriter<'_>) -> Result<(), SessionError>,
    accept: impl FnOnce(&str) -> Result<(), SessionError>,
) -> Result<WrittenTable, SessionError> {
    let path = place.path().to_owned();
    place.write(|file| {
        let sink = BufWriter::with_capacity(1 << 20, file);
        let mut writer = TableWriter::new(sink, &path, game, width, encoding, level)?;
        fill(&mut writer)?;
        let (_, fingerprint, size) = writer.finish()?;
        accept(&fingerprint)?;
        Ok(WrittenTable { fingerprint, size })
    })
}

/// Writes a table again in another encoding. Its fingerprint stays, which is checked
/// before the new file gets its name.
pub(super) fn repack<G: Ranked>(
    game: &G,
    table: &Table,
    path: &Path,
    encoding: Encoding,
    level: i32,
    force: bool,
    progress: &dyn Progress,
) -> Result<Packed, SessionError> {
    let place = Place::claim(path, Existing::refused_unless(force))?;
    let width = match table.description().value_bytes {
        1 => ValueWidth::NARROW,
        _ => ValueWidth::WIDE,
    };
    let fingerprint = &table.description().fingerprint;
    let fill = |writer: &mut FileWriter<'_>| {
        progress.begin("packing", table.description().slots());
        let done = |done| progress.advance(done);
        Ok(writer.append_blocks(game.slots(), |slots| table.records(slots), done)?)
    };
    let accept = |found: &str| {
        table.expect_unchanged()?;
        if found == fingerprint {
            return Ok(());
        }
        let why = format!(
            "says that its fingerprint is {fingerprint}, but its records have {found}; solve the game again"
        );
        Err(SessionError::unusable(table.path(), why))
    };
    let written = write_whole(game, place, width, encoding, level, fill, accept)?;
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
