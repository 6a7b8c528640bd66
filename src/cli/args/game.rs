//! The arguments for a game.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;

use crate::game::Repetition;
use crate::session::{Options, Session};

/// A reading of rule 8 ("no position may equal the one two plies before").
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum RepetitionArg {
    /// The exact position.
    Exact,
    /// That position, or a rotation or reflection of it: one move is forbidden, the first that leads to any, as in the program behind the paper.
    UpToSymmetry,
}

/// The arguments for a game.
#[derive(Debug, clap::Args)]
pub struct GameArgs {
    /// The game: ostle, ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4, graph:FILE,
    /// neutreeko, rules:FILE, dobutsu, tsuitate, ...
    #[arg(value_name = "GAME")]
    pub spec: String,
    /// The reading of rule 8; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    pub repetition: Option<RepetitionArg>,
}

impl GameArgs {
    /// Opens the game, with its table if one was given.
    pub fn open(&self, table: Option<&PathBuf>) -> Result<Box<dyn Session>> {
        open(&self.spec, self.repetition, table)
    }
}

/// Opens a game by its spec.
pub fn open(
    spec: &str,
    repetition: Option<RepetitionArg>,
    table: Option<&PathBuf>,
) -> Result<Box<dyn Session>> {
    let repetition = repetition.map(|repetition| match repetition {
        RepetitionArg::Exact => Repetition::Exact,
        RepetitionArg::UpToSymmetry => Repetition::UpToSymmetry,
    });
    let options = Options::new().repetition(repetition).table(table.cloned());
    Ok(options.open(spec)?)
}
