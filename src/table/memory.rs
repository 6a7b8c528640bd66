//! Small games solved into tables in memory.

use std::io::Cursor;
use std::path::Path;

use thiserror::Error;

use super::error::TableError;
use super::format::{Encoding, ValueWidth};
use super::read::Table;
use super::write::TableWriter;
use crate::base::progress::Progress;
use crate::base::value::Wide;
use crate::game::{Ranked, Retrograde, Solitaire};
use crate::solve::{Distances, SolveError, Solver};

/// The name of a table that has no file.
const NAME: &str = "(solved in memory)";

/// Why a game cannot be solved into a table in memory.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InMemoryError {
    /// It cannot be solved: memory is short, or a win takes too long.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// What was solved is no table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Solves a game of two players into a table in memory, of 5 bytes a slot; the solver takes
/// more meanwhile, see [`working_set`](crate::solve::working_set).
///
/// # Errors
/// If memory is short, or the work is cancelled.
pub fn solve_in_memory<G: Retrograde>(
    game: &G,
    progress: &dyn Progress,
) -> Result<Table, InMemoryError> {
    written(game, |writer| {
        let mut solver = Solver::<_, Wide>::new(game);
        while let Some(solved) = solver.solve_next(progress)? {
            let slots = solved.slots();
            let records = |slots| Ok::<_, TableError>(solved.records(slots));
            writer.append(slots.end, records, |_| ())?;
        }
        Ok(())
    })
}

/// Solves a puzzle of one player into a table in memory, of 5 bytes a slot.
pub(crate) fn solve_puzzle_in_memory<G: Solitaire>(
    game: &G,
    progress: &dyn Progress,
) -> Result<Table, InMemoryError> {
    written(game, |writer| {
        let distances = Distances::of(game, progress)?;
        progress.begin("writing", game.slots());
        let records = |slots| Ok(distances.records(game, slots));
        writer.append(game.slots(), records, |done| progress.advance(done))
    })
}

fn written<G: Ranked>(
    game: &G,
    fill: impl FnOnce(&mut TableWriter<Cursor<Vec<u8>>>) -> Result<(), InMemoryError>,
) -> Result<Table, InMemoryError> {
    let (sink, name) = (Cursor::new(Vec::new()), Path::new(NAME));
    let mut writer = TableWriter::new(sink, name, game, ValueWidth::WIDE, Encoding::Raw, 0)?;
    fill(&mut writer)?;
    let (sink, ..) = writer.finish()?;
    Ok(Table::from_bytes(sink.into_inner(), name)?)
}
