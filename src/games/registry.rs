//! The one list of games.

use thiserror::Error;

use super::ostle::{Ostle, SetupError};
use crate::game::{Game, NotationError, Repetition};

/// Any game, by its spec. To add one: a variant here, and the compiler asks for
/// the rest.
#[derive(Debug)]
pub enum AnyGame {
    /// Ostle and its smaller relatives.
    Ostle(Ostle),
}

/// A spec that names no game.
#[derive(Debug, Error)]
pub enum RegistryError {
    /// No game begins like this.
    #[error("{0}")]
    Unknown(NotationError),
    /// The game's settings are wrong.
    #[error("the game '{spec}' cannot be had: {source}")]
    Settings {
        /// The spec.
        spec: String,
        /// What is wrong with it.
        source: SetupError,
    },
}

/// Reads a game's spec, such as `ostle` or `ostle:4x4,pieces=3,losses=2`.
/// `repetition`, if given, overrides the spec's.
///
/// # Errors
/// If the spec names no game or its settings are wrong.
pub fn parse(spec: &str, repetition: Option<Repetition>) -> Result<AnyGame, RegistryError> {
    let name = spec.split(':').next().unwrap_or_default();
    match name {
        "ostle" => Ostle::from_settings(spec, repetition)
            .map(AnyGame::Ostle)
            .map_err(|source| RegistryError::Settings {
                spec: spec.to_owned(),
                source,
            }),
        _ => Err(RegistryError::Unknown(NotationError::new(
            spec,
            0,
            format!("'{name}' is no game known here; try ostle, or ostle:4x4,pieces=3,losses=2"),
        ))),
    }
}

impl AnyGame {
    /// The name of the game's family, such as `ostle`: filters are kept by it.
    #[must_use]
    pub const fn family(&self) -> &'static str {
        match self {
            Self::Ostle(_) => "ostle",
        }
    }

    /// The canonical spec.
    #[must_use]
    pub fn spec(&self) -> String {
        match self {
            Self::Ostle(game) => game.spec(),
        }
    }
}
