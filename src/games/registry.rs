//! The list of all games.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use super::ostle::Ostle;
use super::pieces::{self, Pieces};
use super::placement::{self, Graph, Placement, PlacementRules};
use super::settings;
use super::sliding::Sliding;
use super::tsuitate::Tsuitate;
use crate::game::{
    Game, HiddenGame, NimberGame, NotationError, OnePlayerGame, Repetition, TableGame,
};

/// Any game. To add a game, add a variant; the compiler then points out what is missing.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyGame {
    /// Ostle and its variants.
    Ostle(Ostle),
    /// Placement games: kings, Regio, graphs.
    Placement(Placement),
    /// Sliding-block puzzles.
    Sliding(Sliding),
    /// Shogi mate problems with hidden information.
    Tsuitate(Tsuitate),
    /// Games of pieces: those that ship, and any file of rules.
    Pieces(Box<Pieces>),
}

/// An operation on a game, written once for each kind of game.
pub trait Visitor {
    /// The result.
    type Output;

    /// Games of two players who see everything.
    fn table_game<G: TableGame>(self, game: G) -> Self::Output;

    /// Impartial games.
    fn nimber_game<G: NimberGame>(self, game: G) -> Self::Output;

    /// Puzzles of one player.
    fn one_player_game<G: OnePlayerGame>(self, game: G) -> Self::Output;

    /// Problems with hidden information.
    fn hidden_game<G: HiddenGame>(self, game: G) -> Self::Output;
}

/// An invalid spec.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The name of the game is unknown.
    #[error("{0}")]
    Unknown(NotationError),
    /// The settings of a game are wrong.
    #[error("invalid game '{spec}': {source}")]
    Settings {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A file cannot be read.
    #[error("cannot read {what} {}: {source}", .path.display())]
    File {
        /// What it holds: `graph` or `rules`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file is not a graph.
    #[error("{} is not a graph: {source}", .path.display())]
    Graph {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NotationError,
    },
    /// The graph is not the one whose digest stands in the spec.
    #[error("graph {}: {source}", .path.display())]
    OtherGraph {
        /// The file.
        path: PathBuf,
        /// The digests.
        source: placement::GraphChanged,
    },
    /// The rules of a game of pieces are wrong, or its men.
    #[error("invalid rules {}: {source}", .path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: pieces::SetupError,
    },
    /// A reading of rule 8 was given for another game than Ostle.
    #[error("--repetition is for rule 8 of Ostle; {0} has no such rule, so leave it out")]
    NoRepetition(String),
}

/// The error for settings that a game refuses.
fn wrong<E: Into<Box<dyn Error + Send + Sync>>>(spec: &str) -> impl FnOnce(E) -> RegistryError {
    let spec = spec.to_owned();
    move |source| RegistryError::Settings {
        spec,
        source: source.into(),
    }
}

/// Whether a spec names a file, from which its game is read.
pub(crate) fn names_a_file(spec: &str) -> bool {
    let name = spec.split(':').next();
    matches!(name, Some("graph" | "rules"))
}

/// The spec of the chess ending that a position in FEN belongs to, by its men.
pub(crate) fn chess_ending(fen: &str) -> String {
    let board = fen.split_whitespace().next().unwrap_or_default();
    let side = |letters: &str| -> String {
        let men = letters.chars();
        men.flat_map(|letter| board.matches(letter)).collect()
    };
    let (first, second) = (side("KQRBNP"), side("kqrbnp").to_uppercase());
    format!("chess:{first}-{second}")
}

/// Reads the spec of a game, such as `ostle`, `ostle:4x4,pieces=3,losses=2` or `kings:5x6`.
/// `repetition`, if given, overrides the spec. `read` returns the text of a file, for specs
/// such as `graph:FILE`.
///
/// # Errors
/// If the game is unknown or its settings are wrong.
pub fn parse(
    spec: &str,
    repetition: Option<Repetition>,
    read: impl Fn(&Path) -> io::Result<String>,
) -> Result<AnyGame, RegistryError> {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let text_of = |what, name| {
        let path = PathBuf::from(settings::split_digest(name).0);
        match read(&path) {
            Ok(text) => Ok((path, text)),
            Err(source) => Err(RegistryError::File { what, path, source }),
        }
    };
    let game = match name {
        "ostle" => AnyGame::Ostle(Ostle::from_settings(spec, repetition).map_err(wrong(spec))?),
        "kings" | "regio" => AnyGame::Placement(Placement::from_spec(spec).map_err(wrong(spec))?),
        "sliding" => AnyGame::Sliding(Sliding::from_spec(spec).map_err(wrong(spec))?),
        "tsuitate" => AnyGame::Tsuitate(Tsuitate::from_spec(spec).map_err(wrong(spec))?),
        "graph" if !rest.is_empty() => {
            let name = PlacementRules::file_of(rest).map_err(wrong(spec))?;
            let (path, text) = text_of("graph", name)?;
            let graph = match Graph::parse(&text) {
                Ok(graph) => graph,
                Err(source) => return Err(RegistryError::Graph { path, source }),
            };
            match Placement::on_graph(rest, graph) {
                Ok(game) => AnyGame::Placement(game),
                Err(placement::SetupError::Changed(source)) => {
                    return Err(RegistryError::OtherGraph { path, source });
                }
                Err(source) => return Err(wrong(spec)(source)),
            }
        }
        "rules" if !rest.is_empty() => {
            let file = Pieces::path_of(rest).to_string_lossy().into_owned();
            let (path, text) = text_of("rules", &file)?;
            let game = Pieces::from_file(rest, &text);
            let game = game.map_err(|source| RegistryError::Rules { path, source })?;
            AnyGame::Pieces(Box::new(game))
        }
        _ if Pieces::ships(name) => {
            let game = Pieces::shipped(spec).map_err(wrong(spec))?;
            AnyGame::Pieces(Box::new(game))
        }
        _ => {
            return Err(RegistryError::Unknown(NotationError::new(
                spec,
                0,
                format!(
                    "unknown game '{name}'; try ostle, ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4, graph:FILE, tictactoe, sliding:3x3, tsuitate, dobutsu, neutreeko, chess:KQ-KR, hexapawn or rules:FILE"
                ),
            )));
        }
    };
    if repetition.is_some() && !matches!(game, AnyGame::Ostle(_)) {
        return Err(RegistryError::NoRepetition(game.spec()));
    }
    Ok(game)
}

impl AnyGame {
    /// Runs an operation on the game.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Ostle(game) => visitor.table_game(game),
            Self::Placement(game) => visitor.nimber_game(game),
            Self::Sliding(game) => visitor.one_player_game(game),
            Self::Tsuitate(game) => visitor.hidden_game(game),
            Self::Pieces(game) => visitor.table_game(*game),
        }
    }

    /// The canonical spec.
    pub fn spec(&self) -> String {
        match self {
            Self::Ostle(game) => game.spec(),
            Self::Placement(game) => game.spec(),
            Self::Sliding(game) => game.spec(),
            Self::Tsuitate(game) => game.spec(),
            Self::Pieces(game) => game.spec(),
        }
    }
}
