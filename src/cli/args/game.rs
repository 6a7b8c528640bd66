//! The arguments for a game.

use std::path::PathBuf;

use anyhow::Result;

use crate::game::Repetition;
use crate::session::{Options, Session, open_of_row};

/// The arguments for a game.
#[derive(Debug, clap::Args)]
pub struct GameArgs {
    /// The game: ostle, ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4, graph:FILE,
    /// neutreeko, rules:FILE, dobutsu, tsuitate, ...
    #[arg(value_name = "GAME")]
    pub spec: String,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    pub repetition: Option<Repetition>,
}

impl GameArgs {
    /// Opens the game, with its table if one was given.
    pub fn open(&self, table: Option<&PathBuf>) -> Result<Box<dyn Session>> {
        open(&self.spec, self.repetition, table)
    }
}

/// The game of puzzles from a CSV file.
#[derive(Debug, clap::Args)]
pub struct RowGameArgs {
    /// The game of the puzzles, if it is read from a file: graph:FILE or rules:FILE.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

impl RowGameArgs {
    /// Opens the game of a puzzle, with its table if one was given.
    pub fn open(&self, spec: &str, table: Option<&PathBuf>) -> Result<Box<dyn Session>> {
        Ok(open_of_row(spec, self.game.as_deref(), table.cloned())?)
    }

    /// Whether a game was given.
    pub const fn given(&self) -> bool {
        self.game.is_some()
    }
}

/// Opens a game by its spec.
pub fn open(
    spec: &str,
    repetition: Option<Repetition>,
    table: Option<&PathBuf>,
) -> Result<Box<dyn Session>> {
    let options = Options::new().repetition(repetition).table(table.cloned());
    Ok(options.open(spec)?)
}
