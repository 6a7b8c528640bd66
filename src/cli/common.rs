//! Arguments and output that several commands share.

use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::ValueEnum;

pub use crate::base::text::grouped;
use crate::game::{Classified, Game, Repetition};
use crate::games::registry::{self, AnyGame};
use crate::mine::Scope;

/// How rule 8 ("no position may equal the one two plies before") is read.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum RepetitionArg {
    /// The very same position.
    Exact,
    /// The same up to rotation and reflection, as the program behind the paper has it.
    UpToSymmetry,
}

/// The game, named by its spec.
#[derive(Debug, clap::Args)]
pub struct GameArgs {
    /// The game: ostle, or e.g. ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4,
    /// graph:FILE, tsuitate.
    #[arg(value_name = "GAME")]
    pub spec: String,
    /// How rule 8 is read; overrides the game's spec [default: exact].
    #[arg(long, value_enum)]
    pub repetition: Option<RepetitionArg>,
}

impl GameArgs {
    /// The game that these arguments name.
    pub fn game(&self) -> Result<AnyGame> {
        parse_game(&self.spec, self.repetition)
    }
}

/// The part of a table that is looked at.
#[derive(Debug, clap::Args)]
pub struct ScopeArgs {
    /// Only this layer (own pieces - opponent's pieces, e.g. 5-4). May be given several
    /// times.
    #[arg(long, value_name = "LAYER")]
    layer: Vec<String>,
    /// Only positions with the hole on this square, turned so that it is the least of
    /// its symmetric ones (a1 a2 a3 b2 b3 c3 on 5x5). May be given several times.
    #[arg(long, value_name = "SQUARE")]
    hole: Vec<String>,
    /// Only one position in so many, spread evenly, the same ones every time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: u64,
}

impl ScopeArgs {
    /// Whether anything but the whole table is named.
    pub fn is_given(&self) -> bool {
        !self.layer.is_empty() || !self.hole.is_empty() || self.sample > 1
    }

    /// The part of the game's positions that these arguments name.
    pub fn scope<G: Classified>(&self, game: &G) -> Result<Scope> {
        let mut scope = Scope::all().sample(self.sample);
        for name in &self.layer {
            scope = scope.layer(game, name)?;
        }
        for name in &self.hole {
            scope = scope.class(game, name)?;
        }
        Ok(scope)
    }
}

/// The game of a spec.
pub fn parse_game(spec: &str, repetition: Option<RepetitionArg>) -> Result<AnyGame> {
    let repetition = repetition.map(|repetition| match repetition {
        RepetitionArg::Exact => Repetition::Exact,
        RepetitionArg::UpToSymmetry => Repetition::UpToSymmetry,
    });
    Ok(registry::parse(spec, repetition, read_text)?)
}

/// The text of a small file, such as that of a graph.
fn read_text(path: &Path) -> std::io::Result<String> {
    const MOST_BYTES: u64 = 1 << 24;
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    if file.take(MOST_BYTES + 1).read_to_string(&mut text)? as u64 > MOST_BYTES {
        let message = format!("it has more than {MOST_BYTES} bytes");
        return Err(std::io::Error::other(message));
    }
    Ok(text)
}

/// A position from the command line; `initial` (or nothing) is the initial one.
pub fn position<G: Game>(game: &G, text: &str) -> Result<G::State> {
    match text.trim() {
        "" | "initial" => Ok(game.initial()),
        text => game
            .parse_state(text)
            .with_context(|| format!("the position is no position of {}", game.spec())),
    }
}

/// The first lines of what is told of a position.
pub fn heading<G: Game>(game: &G, state: &G::State) -> String {
    let (spec, position) = (game.spec(), game.format_state(state));
    format!("game      {spec}\nposition  {position}\n")
}

/// Prints to standard output; a closed pipe is an error that ends the program
/// quietly.
pub fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// A file name made from a spec: `ostle:4x4,pieces=3` becomes `ostle-4x4-pieces-3`.
pub fn file_stem(spec: &str) -> String {
    spec.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}
