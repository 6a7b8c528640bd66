//! The one list of games.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::ostle::{self, Ostle};
use super::placement::{self, Graph, Placement};
use super::sliding::{self, Sliding};
use super::tictactoe::TicTacToe;
use super::tsuitate::{self, Tsuitate};
use crate::game::{Game, NotationError, Repetition};

/// Any game, by its spec. To add one: a variant here, and the compiler asks for
/// the rest.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnyGame {
    /// Ostle and its smaller relatives.
    Ostle(Ostle),
    /// The kings placement game and its relatives.
    Placement(Placement),
    /// Tic-tac-toe.
    TicTacToe(TicTacToe),
    /// Sliding-block puzzles, which have one player.
    Sliding(Sliding),
    /// Mate problems of shogi with hidden information.
    Tsuitate(Tsuitate),
}

/// Does something with a game in which both sides see everything. That one of them does
/// not is an error of the function around it.
macro_rules! with_game {
    ($any:expr, $game:ident => $work:expr) => {
        match $any {
            $crate::games::registry::AnyGame::Ostle($game) => $work,
            $crate::games::registry::AnyGame::Placement($game) => $work,
            $crate::games::registry::AnyGame::TicTacToe($game) => $work,
            $crate::games::registry::AnyGame::Sliding($game) => $work,
            $crate::games::registry::AnyGame::Tsuitate($game) => Err(
                $crate::games::registry::RegistryError::hidden($game.rules()),
            )?,
        }
    };
}

/// Does something with a game of two players whose positions are numbered, as tables
/// need. The work gives a result; that the board is too large, or that there is one
/// player, is another error of its.
macro_rules! with_table_game {
    ($any:expr, $game:ident => $work:expr) => {
        match $any {
            $crate::games::registry::AnyGame::Ostle($game) => $work,
            $crate::games::registry::AnyGame::TicTacToe($game) => $work,
            $crate::games::registry::AnyGame::Placement($game) => {
                $game.numbered()?;
                $work
            }
            $crate::games::registry::AnyGame::Sliding(game) => {
                use $crate::game::Game as _;
                Err($crate::games::registry::RegistryError::OnePlayer(
                    game.spec(),
                ))?
            }
            $crate::games::registry::AnyGame::Tsuitate($game) => Err(
                $crate::games::registry::RegistryError::hidden($game.rules()),
            )?,
        }
    };
}

pub(crate) use {with_game, with_table_game};

/// A spec that names no game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// No game begins like this.
    #[error("{0}")]
    Unknown(NotationError),
    /// The game's settings are wrong.
    #[error("the game '{spec}' cannot be had: {source}")]
    Ostle {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: ostle::SetupError,
    },
    /// The board is wrong.
    #[error("the game '{spec}' cannot be had: {source}")]
    Placement {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: placement::SetupError,
    },
    /// A rule setting is wrong.
    #[error("the game '{spec}' cannot be had: {source}")]
    Tsuitate {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: tsuitate::SetupError,
    },
    /// The file of a graph cannot be read.
    #[error("the graph {} cannot be read: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file of a graph has no graph.
    #[error("{} is no graph: {source}", .path.display())]
    Graph {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NotationError,
    },
    /// The board is too small or too large.
    #[error("the game '{spec}' cannot be had: {source}")]
    Sliding {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: sliding::SetupError,
    },
    /// Settings were given to a game that has none.
    #[error("the game '{0}' cannot be had: tictactoe has no settings")]
    Settings(String),
    /// The command is for games of two players.
    #[error(
        "{0} is a puzzle with one player, and this is for games of two; puzzles go with solve, verify, stats, probe, draw, perft, repack and formula"
    )]
    OnePlayer(String),
    /// Rule 8 of Ostle was asked for.
    #[error("--repetition is for rule 8 of Ostle; {0} has no such rule, so leave it out")]
    NoRepetition(String),
    /// What was asked needs a game in which both sides see everything.
    #[error(
        "in {0} Black does not see White's moves, so there is no table and no list of moves for this command; probe, solution, mine, features, draw and book take such games"
    )]
    Hidden(String),
}

impl RegistryError {
    /// What was asked needs a game in which both sides see everything, which this is not.
    pub(crate) fn hidden(rules: tsuitate::Rules) -> Self {
        Self::Hidden(rules.spec())
    }
}

/// Reads a game's spec, such as `ostle`, `ostle:4x4,pieces=3,losses=2` or `kings:5x6`.
/// `repetition`, if given, overrides the spec's; `read` gets the text of the file that
/// a spec such as `graph:FILE` names.
///
/// # Errors
/// If the spec names no game or its settings are wrong.
pub fn parse(
    spec: &str,
    repetition: Option<Repetition>,
    read: impl Fn(&Path) -> io::Result<String>,
) -> Result<AnyGame, RegistryError> {
    let (name, rest) = spec.split_once(':').unwrap_or((spec, ""));
    let others = [
        "kings",
        "regio",
        "graph",
        "tictactoe",
        "sliding",
        "tsuitate",
    ];
    if repetition.is_some() && others.contains(&name) {
        return Err(RegistryError::NoRepetition(spec.to_owned()));
    }
    let spec = spec.to_owned();
    match name {
        "ostle" => Ostle::from_settings(&spec, repetition)
            .map(AnyGame::Ostle)
            .map_err(|source| RegistryError::Ostle { spec, source }),
        "kings" | "regio" => Placement::from_spec(&spec)
            .map(AnyGame::Placement)
            .map_err(|source| RegistryError::Placement { spec, source }),
        "tictactoe" if rest.is_empty() => Ok(AnyGame::TicTacToe(TicTacToe::default())),
        "tictactoe" => Err(RegistryError::Settings(spec)),
        "sliding" => Sliding::from_spec(&spec)
            .map(AnyGame::Sliding)
            .map_err(|source| RegistryError::Sliding { spec, source }),
        "tsuitate" => Tsuitate::from_spec(&spec)
            .map(AnyGame::Tsuitate)
            .map_err(|source| RegistryError::Tsuitate { spec, source }),
        "graph" if !rest.is_empty() => {
            let path = PathBuf::from(rest);
            match read(&path) {
                Ok(text) => Graph::parse(&text)
                    .map(|graph| AnyGame::Placement(Placement::on_graph(&spec, graph)))
                    .map_err(|source| RegistryError::Graph { path, source }),
                Err(source) => Err(RegistryError::File { path, source }),
            }
        }
        _ => Err(RegistryError::Unknown(NotationError::new(
            &spec,
            0,
            format!(
                "'{name}' is no game known here; try ostle, ostle:4x4,pieces=3,losses=2, kings:5x6, regio:4x4, graph:FILE, tictactoe, sliding:3x3 or tsuitate"
            ),
        ))),
    }
}

impl AnyGame {
    /// The name of the game's family, such as `ostle`: filters are kept by it.
    #[must_use]
    pub const fn family(&self) -> &'static str {
        match self {
            Self::Ostle(_) => "ostle",
            Self::Placement(_) => Placement::family(),
            Self::TicTacToe(_) => "tictactoe",
            Self::Sliding(_) => "sliding",
            Self::Tsuitate(_) => "tsuitate",
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
        }
    }
}
