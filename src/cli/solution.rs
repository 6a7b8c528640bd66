//! A solved game for a command: a table file, or solved on the fly if it is small.

use std::io::{Cursor, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::common::grouped;
use super::progress::Progress;
use crate::game::Retrograde;
use crate::solve::{Cell, SolveError, Solver, Watch};
use crate::table::{Encoding, Table, TableWriter, WidthOf};
use crate::value::{Narrow, Wide};

/// Games with more slots than this are not solved in passing.
const SMALL: u64 = 60_000_000;

/// Solves `game` and writes its table to `sink`; returns the sink and the
/// fingerprint. `sink` is asked for twice if distances turn out to be long.
pub fn solve_into<G: Retrograde, S: Write + Seek>(
    game: &G,
    path: &Path,
    encoding: Encoding,
    level: i32,
    watch: &impl Watch,
    sink: impl Fn() -> Result<S>,
) -> Result<(S, String)> {
    if game.slots() <= SMALL {
        // Little boards often have wins too long for one byte.
        return solve_width::<Wide, _, _>(
            game,
            path,
            (encoding, level, WidthOf::WIDE),
            watch,
            sink()?,
        );
    }
    match solve_width::<Narrow, _, _>(
        game,
        path,
        (encoding, level, WidthOf::NARROW),
        watch,
        sink()?,
    ) {
        Err(error) if matches!(error.downcast_ref(), Some(SolveError::TooLong { .. })) => {
            solve_width::<Wide, _, _>(game, path, (encoding, level, WidthOf::WIDE), watch, sink()?)
        }
        result => result,
    }
}

fn solve_width<W: Cell, G: Retrograde, S: Write + Seek>(
    game: &G,
    path: &Path,
    (encoding, level, width): (Encoding, i32, WidthOf),
    watch: &impl Watch,
    sink: S,
) -> Result<(S, String)> {
    let mut writer = TableWriter::new(sink, path, game, width, encoding, level)?;
    let mut solver = Solver::<G, W>::new(game);
    while let Some(solved) = solver.solve_next(watch)? {
        let slots = solved.slots();
        watch.begin("writing", slots.end - slots.start);
        writer.append(
            slots.end,
            |slot| solved.record(slot),
            |done| watch.advance(done),
        )?;
    }
    Ok(writer.finish()?)
}

/// The table at `path`, or without one a small game solved in memory.
pub fn load<G: Retrograde>(game: &G, path: Option<&PathBuf>) -> Result<Table> {
    if let Some(path) = path {
        let table = Table::open(path)?;
        table.expect_game(game)?;
        return Ok(table);
    }
    if game.slots() > SMALL {
        bail!(
            "{} has {} positions, too many to solve in passing; run 'tesuji solve {}' once and give its file with --table",
            game.spec(),
            grouped(game.slots()),
            game.spec(),
        );
    }
    let progress = Progress::new();
    let name = Path::new("(solved in memory)");
    let (sink, _) = solve_into(game, name, Encoding::Raw, 0, &progress, || {
        Ok(Cursor::new(Vec::new()))
    })?;
    Ok(Table::from_bytes(sink.into_inner(), name)?)
}
