//! The table of a session: from its file, or solved in memory if the game is small.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::SessionError;
use crate::game::Ranked;
use crate::table::Table;

/// Games with more slots than this are not solved automatically.
pub(super) const SMALL: u64 = 60_000_000;

/// Where a session's table comes from. It is read or made when it is first needed.
#[derive(Debug, Default)]
pub(super) struct TableSource {
    file: Option<PathBuf>,
    table: Mutex<Option<Arc<Table>>>,
}

impl TableSource {
    /// A table in a file, or without one a table to be made.
    pub fn new(file: Option<&Path>) -> Self {
        Self {
            file: file.map(Path::to_owned),
            table: Mutex::new(None),
        }
    }

    /// Whether a file was given.
    pub const fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// The file that was given.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The table, made by `solve` if there is no file.
    pub fn get<G: Ranked>(
        &self,
        game: &G,
        solve: impl FnOnce() -> Result<Table, SessionError>,
    ) -> Result<Arc<Table>, SessionError> {
        // The lock is held while the table is made, so that it is made once.
        let mut held = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = held.as_ref() {
            return Ok(Arc::clone(table));
        }
        let table = if let Some(path) = &self.file {
            let table = Table::open(path)?;
            table.expect_game(game)?;
            table
        } else {
            game.check_size()?;
            if game.slots() > SMALL {
                return Err(SessionError::NotSolved {
                    spec: game.spec(),
                    positions: game.slots(),
                });
            }
            solve()?
        };
        let table = Arc::new(table);
        *held = Some(Arc::clone(&table));
        Ok(table)
    }
}

/// Opens a table file to look at what it says of itself.
///
/// # Errors
/// If the file is not a table, or damaged.
pub fn read_table(path: &Path) -> Result<Table, SessionError> {
    Ok(Table::open(path)?)
}
