//! The errors of sessions.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::analysis::StipulationError;
use crate::analysis::lures::LureError;
use crate::base::files::FileError;
use crate::base::text::{bytes, grouped};
use crate::book::BookError;
use crate::export::ExportError;
use crate::formula::PolicyError;
use crate::game::{NimberError, NotationError, SizeError};
use crate::games::registry::RegistryError;
use crate::mine::MineError;
use crate::solve::belief::SearchError;
use crate::solve::{ReachError, SolveError};
use crate::table::{InMemoryError, TableError};

/// What is answered, or why not.
pub type Result<T, E = SessionError> = std::result::Result<T, E>;

/// Why a session cannot be opened or gives no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The spec names no game.
    #[error(transparent)]
    Game(#[from] RegistryError),
    /// The game of a file is not known.
    #[error("{} is of a game that is unknown here: {source}", .path.display())]
    GameOfFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with its game.
        source: RegistryError,
    },
    /// Games of this kind cannot do this.
    #[error("{0}")]
    Unsupported(String),
    /// A format of chess for a game that is not chess.
    #[error(
        "PGN, EPD and the CSV of Lichess are formats of chess, and {0} is another game; write CSV without --format, JSON Lines or Parquet"
    )]
    NoChess(String),
    /// No move of a study or a game begins in a position of this game.
    #[error("it has no move from a position of {0}")]
    NoStudy(String),
    /// An option that says nothing about this game.
    #[error("--{option} {why}; leave it out")]
    Inapplicable {
        /// The option's name.
        option: &'static str,
        /// Why it does not apply, with the game's name.
        why: String,
    },
    /// The board is too large for what was asked.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The text is not a position of the game.
    #[error("invalid position of {spec}: {source}")]
    Position {
        /// The game.
        spec: String,
        /// What is wrong, and where.
        source: NotationError,
    },
    /// The game has no such column.
    #[error("unknown column '{name}' of {spec}{}; 'tesuji features {spec}' lists all", if near.is_empty() { String::new() } else { format!(": perhaps {}", near.join(", ")) })]
    UnknownColumn {
        /// The game.
        spec: String,
        /// The name.
        name: String,
        /// Names that are similar.
        near: Vec<String>,
    },
    /// There is no position in a slot.
    #[error(
        "slot {slot} of {spec} has no position: {}", if slot < slots { "it is vacant; ask for another".to_owned() } else { format!("slots are numbered from 0 to {}", slots.saturating_sub(1)) }
    )]
    NoPosition {
        /// The game.
        spec: String,
        /// The slot.
        slot: u64,
        /// The number of slots.
        slots: u64,
    },
    /// The text is not a move.
    #[error("invalid move: {0}")]
    Move(NotationError),
    /// The move is not legal there, or comes after one that ended the game.
    #[error("{0}")]
    Illegal(String),
    /// Things on squares that are no position.
    #[error("{0}")]
    Arrangement(String),
    /// The text is not a pattern.
    #[error("invalid pattern: {0}")]
    Pattern(NotationError),
    /// The game is too large to be solved on the way.
    #[error(
        "{spec} has {} positions, too many to solve automatically; run 'tesuji solve {spec}' once in this folder, or give its table with --table", grouped(*.positions)
    )]
    NotSolved {
        /// The game.
        spec: String,
        /// Its positions.
        positions: u64,
    },
    /// More memory is needed than there is or was allowed.
    #[error("{job} needs {} of memory at its peak ({} for its arrays), {}", bytes(*.needed), bytes(*.arrays), remedy(*.bound, *.available))]
    Memory {
        /// What was to be done.
        job: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes of its arrays.
        arrays: u64,
        /// Bytes allowed, if a bound was given.
        bound: Option<u64>,
        /// Bytes that the machine has free.
        available: u64,
    },
    /// More room on disk is needed than there is, or more was asked for than is ever answered.
    #[error("{0}")]
    TooMuch(String),
    /// A file is not what this run can use or may replace.
    #[error("{0}")]
    Unusable(String),
    /// A filter asks for what a game has not, or puzzles do not fit their game, their table or what
    /// is asked of them.
    #[error("{0}")]
    Refused(String),
    /// A puzzle, or what a filter found, cannot be used.
    #[error("{name}: {source}")]
    Puzzle {
        /// Where it stands, such as `sets.csv, row 3`.
        name: String,
        /// What is wrong with it.
        source: Box<SessionError>,
    },
    /// A book cannot be made of these problems.
    #[error(transparent)]
    Book(#[from] BookError),
    /// One of many positions cannot be used.
    #[error("position {number}: {source}")]
    OneOfMany {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        source: Box<SessionError>,
    },
    /// The work was cancelled.
    #[error("stopped on request")]
    Stopped,
    /// A file cannot be read, written or moved, or another process is writing there.
    #[error(transparent)]
    Place(#[from] FileError),
    /// A problem has no solution within the limits.
    #[error("{0}")]
    NoSolution(String),
    /// The table or a checkpoint cannot be used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The game was not solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A filter cannot be used, or a scan was not finished.
    #[error(transparent)]
    Mine(#[from] MineError),
    /// The stipulation cannot be understood.
    #[error(transparent)]
    Stipulation(#[from] StipulationError),
    /// A search for nimbers gave no answer.
    #[error(transparent)]
    Nimber(#[from] NimberError),
    /// A search of a problem gave no answer.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The reachable states cannot be counted.
    #[error(transparent)]
    Reach(#[from] ReachError),
    /// Rows cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Lures cannot be found.
    #[error(transparent)]
    Lure(LureError),
    /// A policy cannot be made.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

fn remedy(bound: Option<u64>, available: u64) -> String {
    match bound {
        Some(bound) => format!(
            "more than --memory {}; allow at least that much, or choose a smaller game",
            bytes(bound)
        ),
        None => format!(
            "but only {} are available; close other programs, use a larger machine, or choose a smaller game",
            bytes(available)
        ),
    }
}

impl From<InMemoryError> for SessionError {
    fn from(error: InMemoryError) -> Self {
        match error {
            InMemoryError::Solve(error) => Self::Solve(error),
            InMemoryError::Table(error) => Self::Table(error),
        }
    }
}

impl SessionError {
    /// What is wrong with one of many positions, by its place from 0.
    pub fn of_many(place: usize) -> impl FnOnce(Self) -> Self {
        move |source| Self::OneOfMany {
            number: place + 1,
            source: Box::new(source),
        }
    }

    /// Whether a puzzle is left unchecked, not refused: its stipulation is in free words, or is a
    /// swindle, or the default limits are not enough for a search.
    pub const fn is_unchecked(&self) -> bool {
        use StipulationError::{Malformed, Swindle};
        matches!(
            self,
            Self::Stipulation(Malformed(_) | Swindle(_)) | Self::NoSolution(_)
        )
    }

    /// An option that says nothing about a game.
    pub(crate) fn inapplicable(option: &'static str, why: impl Into<String>) -> Self {
        let why = why.into();
        Self::Inapplicable { option, why }
    }

    /// More was asked for than is ever answered.
    pub(crate) fn too_many(what: &str, asked: u64, most: u64) -> Self {
        let (asked, most) = (grouped(asked), grouped(most));
        Self::TooMuch(format!(
            "{asked} {what} are too many: at most {most}; ask for fewer"
        ))
    }

    /// A file that is not what this run can use or may replace.
    pub(crate) fn unusable(path: impl AsRef<Path>, why: impl Display) -> Self {
        Self::Unusable(format!("{} {why}", path.as_ref().display()))
    }
}
