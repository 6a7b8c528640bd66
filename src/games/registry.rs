//! The list of all games.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use super::ostle::Ostle;
use super::pieces::Pieces;
use super::placement::{Graph, Placement, PlacementRules};
use super::settings::{self, SetupError};
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
    /// The settings of a game are wrong, or its file is, or cannot be read.
    #[error("{what}: {source}")]
    Refused {
        /// What is refused, such as `invalid game 'kings:0x5'`.
        what: String,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A reading of rule 8 was given for another game than Ostle.
    #[error("--repetition is for rule 8 of Ostle; {0} has no such rule, so leave it out")]
    NoRepetition(String),
}

/// The error for what is refused, given in words.
fn refused<E: Into<Box<dyn Error + Send + Sync>>>(what: String) -> impl FnOnce(E) -> RegistryError {
    |source| RegistryError::Refused {
        what,
        source: source.into(),
    }
}

/// Whether a spec names a file, from which its game is read.
pub(crate) fn names_a_file(spec: &str) -> bool {
    let name = spec.split(':').next();
    matches!(name, Some("graph" | "rules"))
}

/// The spec of the chess ending that a position in FEN belongs to, by its men and whether they may
/// castle.
pub(crate) fn chess_ending(fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let castling = match fields.nth(1) {
        None | Some("-") => "",
        Some(_) => ",castling",
    };
    let side = |letters: &str| -> String {
        let men = letters.chars();
        men.flat_map(|letter| board.matches(letter)).collect()
    };
    let (first, second) = (side("KQRBNP"), side("kqrbnp").to_uppercase());
    format!("chess:{first}-{second}{castling}")
}

/// Chess with any men, for moves alone: its positions have no numbers.
pub(crate) fn any_chess() -> Result<Pieces, RegistryError> {
    Pieces::any_chess().map_err(refused("chess".to_owned()))
}

/// The families of boards of any size with nimbers.
pub(crate) const BOARDS: [&str; 2] = ["kings", "regio"];

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
        let shown = path.display().to_string();
        let text = read(&path).map_err(refused(format!("cannot read {what} {shown}")))?;
        Ok((shown, text))
    };
    let invalid = |error: SetupError| refused(format!("invalid game '{spec}'"))(error);
    let game = match name {
        "ostle" => AnyGame::Ostle(Ostle::from_settings(spec, repetition).map_err(invalid)?),
        "kings" | "regio" => AnyGame::Placement(Placement::from_spec(spec).map_err(invalid)?),
        "sliding" => AnyGame::Sliding(Sliding::from_spec(spec).map_err(invalid)?),
        "tsuitate" => {
            let game = Tsuitate::from_spec(spec);
            AnyGame::Tsuitate(game.map_err(|error| invalid(error.into()))?)
        }
        "graph" | "rules" if rest.is_empty() => {
            let message = format!("name the file, as in {name}:FILE");
            return Err(invalid(SetupError::Refused(message)));
        }
        "graph" => {
            let name = PlacementRules::file_of(rest).map_err(invalid)?;
            let (path, text) = text_of("graph", name)?;
            let graph = Graph::parse(&text).map_err(refused(format!("{path} is not a graph")))?;
            let game = Placement::on_graph(rest, graph).map_err(|error| match error {
                SetupError::Changed(_) => refused(format!("graph {path}"))(error),
                _ => invalid(error),
            });
            AnyGame::Placement(game?)
        }
        "rules" => {
            let (path, text) = text_of("rules", Pieces::path_of(rest))?;
            let game = Pieces::from_file(rest, &text);
            let game = game.map_err(refused(format!("invalid rules {path}")))?;
            AnyGame::Pieces(Box::new(game))
        }
        _ if Pieces::ships(name) => {
            let game = Pieces::shipped(spec).map_err(invalid)?;
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

    /// The impartial game, if it is one; else itself again.
    pub(crate) fn impartial(self) -> Result<impl NimberGame, Self> {
        match self {
            Self::Placement(game) => Ok(game),
            other => Err(other),
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
