//! The list of all games.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::digest;
use super::dobutsu::{self, Dobutsu};
use super::lineup::{self, LineUp};
use super::ostle::{self, Ostle};
use super::placement::{self, Graph, Placement, PlacementRules};
use super::sliding::{self, Sliding};
use super::tictactoe::{self, TicTacToe};
use super::tsuitate::{self, Tsuitate};
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
    /// Tic-tac-toe.
    TicTacToe(TicTacToe),
    /// Sliding-block puzzles.
    Sliding(Sliding),
    /// Shogi mate problems with hidden information.
    Tsuitate(Tsuitate),
    /// Line-up games: those that ship, and any file of rules.
    LineUp(Box<LineUp>),
    /// Dobutsu shogi and its variants.
    Dobutsu(Dobutsu),
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
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The name of the game is unknown.
    #[error("{0}")]
    Unknown(NotationError),
    /// The settings of Ostle are wrong.
    #[error("invalid game '{spec}': {source}")]
    Ostle {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: ostle::SetupError,
    },
    /// The board is wrong.
    #[error("invalid game '{spec}': {source}")]
    Placement {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: placement::SetupError,
    },
    /// A rule setting is wrong.
    #[error("invalid game '{spec}': {source}")]
    Tsuitate {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: tsuitate::SetupError,
    },
    /// The settings of Dobutsu shogi are wrong.
    #[error("invalid game '{spec}': {source}")]
    Dobutsu {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: dobutsu::SetupError,
    },
    /// The file of a graph cannot be read.
    #[error("cannot read graph {}: {source}", .path.display())]
    File {
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
    /// A file of rules cannot be read.
    #[error("cannot read rules {}: {source}", .path.display())]
    NoRules {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The rules of a line-up game are wrong.
    #[error("invalid rules {}: {source}", .path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: lineup::file::RulesError,
    },
    /// The board is too small or too large.
    #[error("invalid game '{spec}': {source}")]
    Sliding {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: sliding::SetupError,
    },
    /// Unknown settings of tic-tac-toe.
    #[error("invalid game '{0}': the only setting of tictactoe is tictactoe:diagonals=none")]
    TicTacToe(String),
    /// Settings were given to a game that has none.
    #[error("invalid game '{0}': this game has no settings")]
    Settings(String),
    /// A reading of rule 8 was given for another game than Ostle.
    #[error("--repetition is for rule 8 of Ostle; {0} has no such rule, so leave it out")]
    NoRepetition(String),
}

/// Whether a spec names a file, from which its game is read.
#[must_use]
pub fn names_a_file(spec: &str) -> bool {
    let name = spec.split(':').next();
    matches!(name, Some("graph" | "rules"))
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
    let spec = spec.to_owned();
    let game = match name {
        "ostle" => Ostle::from_settings(&spec, repetition)
            .map(AnyGame::Ostle)
            .map_err(|source| RegistryError::Ostle { spec, source }),
        "kings" | "regio" => Placement::from_spec(&spec)
            .map(AnyGame::Placement)
            .map_err(|source| RegistryError::Placement { spec, source }),
        "tictactoe" => tictactoe::Rules::from_spec(&spec)
            .map(|rules| AnyGame::TicTacToe(TicTacToe::of(rules)))
            .ok_or(RegistryError::TicTacToe(spec)),
        "sliding" => Sliding::from_spec(&spec)
            .map(AnyGame::Sliding)
            .map_err(|source| RegistryError::Sliding { spec, source }),
        "tsuitate" => Tsuitate::from_spec(&spec)
            .map(AnyGame::Tsuitate)
            .map_err(|source| RegistryError::Tsuitate { spec, source }),
        "dobutsu" => Dobutsu::from_spec(&spec)
            .map(AnyGame::Dobutsu)
            .map_err(|source| RegistryError::Dobutsu { spec, source }),
        "graph" if !rest.is_empty() => {
            let wrong = |source| RegistryError::Placement {
                spec: spec.clone(),
                source,
            };
            let name = PlacementRules::file_of(rest).map_err(wrong)?;
            let path = PathBuf::from(digest::split(name).0);
            match read(&path) {
                Ok(text) => match Graph::parse(&text) {
                    Ok(graph) => match Placement::on_graph(rest, graph) {
                        Ok(game) => Ok(AnyGame::Placement(game)),
                        Err(placement::SetupError::Changed(source)) => {
                            Err(RegistryError::OtherGraph { path, source })
                        }
                        Err(source) => Err(wrong(source)),
                    },
                    Err(source) => Err(RegistryError::Graph { path, source }),
                },
                Err(source) => Err(RegistryError::File { path, source }),
            }
        }
        "rules" if !rest.is_empty() => {
            let path = PathBuf::from(digest::split(rest).0);
            match read(&path) {
                Ok(text) => LineUp::from_file(rest, &text)
                    .map(|game| AnyGame::LineUp(Box::new(game)))
                    .map_err(|source| RegistryError::Rules { path, source }),
                Err(source) => Err(RegistryError::NoRules { path, source }),
            }
        }
        _ if lineup::shipped::names().any(|shipped| shipped == name) => {
            let game = lineup::shipped::game(name).filter(|_| rest.is_empty());
            game.map(|game| AnyGame::LineUp(Box::new(game)))
                .ok_or(RegistryError::Settings(spec))
        }
        _ => Err(RegistryError::Unknown(NotationError::new(
            &spec,
            0,
            format!(
                "unknown game '{name}'; try ostle, ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4, graph:FILE, tictactoe, sliding:3x3, tsuitate, dobutsu, neutreeko, teeko or rules:FILE"
            ),
        ))),
    }?;
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
            Self::TicTacToe(game) => visitor.table_game(game),
            Self::Sliding(game) => visitor.one_player_game(game),
            Self::Tsuitate(game) => visitor.hidden_game(game),
            Self::LineUp(game) => visitor.table_game(*game),
            Self::Dobutsu(game) => visitor.table_game(game),
        }
    }

    /// The canonical spec.
    #[must_use]
    pub fn spec(&self) -> String {
        match self {
            Self::Ostle(game) => game.spec(),
            Self::Placement(game) => game.spec(),
            Self::TicTacToe(game) => game.spec(),
            Self::Sliding(game) => game.spec(),
            Self::Tsuitate(game) => game.spec(),
            Self::LineUp(game) => game.spec(),
            Self::Dobutsu(game) => game.spec(),
        }
    }
}
