//! A solved game for a command: a table file, or solved on the fly if it is small.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::common::grouped;
use super::progress::Progress;
use crate::base::value::Wide;
use crate::base::watch::Watch;
use crate::game::Retrograde;
use crate::solve::{Solver, WordWidth};
use crate::table::{Encoding, Table, TableWriter, ValueWidth};

/// Games with more slots than this are not solved in passing.
pub const SMALL: u64 = 60_000_000;

fn solve_width<W: WordWidth, G: Retrograde>(
    game: &G,
    width: ValueWidth,
    path: &Path,
    watch: &impl Watch,
) -> Result<Table> {
    let sink = Cursor::new(Vec::new());
    let mut writer = TableWriter::new(sink, path, game, width, Encoding::Raw, 0)?;
    let mut solver = Solver::<G, W>::new(game);
    while let Some(solved) = solver.solve_next(watch)? {
        let slots = solved.slots();
        writer.append(slots.end, |slot| solved.record(slot), |_| ())?;
    }
    let (sink, ..) = writer.finish()?;
    Ok(Table::from_bytes(sink.into_inner(), path)?)
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
    let name = Path::new("(solved in memory)");
    solve_width::<Wide, _>(game, ValueWidth::WIDE, name, &Progress::new())
}
