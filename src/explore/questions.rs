//! What a page may ask, as it is sent. Unknown fields are refused.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::http::{Client, ClientProgress, Refusal, Request, Response};
use crate::draw::BoardSquare;
use crate::mine::{Filter, MineError, PuzzleRow, filters};
use crate::session::{SearchOptions, Session, SessionError};

const MOST_POSITIONS: usize = 1000;

pub(super) const MOST_TRIES: usize = 200;

pub(super) const MOST_PUZZLES: usize = 500;

/// The most finds of a filter that are compared by score.
const MOST_SHORTLIST: usize = 100_000;

pub(super) struct Question<'a> {
    pub session: &'a dyn Session,
    pub client: &'a dyn Client,
    pub request: &'a Request,
    pub progress: &'a ClientProgress,
}

impl<'a> Question<'a> {
    /// A question with a body of this type.
    pub(super) fn read<T: Deserialize<'a>>(&self) -> Result<T, Refusal> {
        serde_json::from_slice(&self.request.body)
            .map_err(|error| bad(format!("invalid request: {error}")))
    }
}

/// What is answered; nothing if it has been sent bit by bit.
pub(super) type Answer = Result<Option<Response>, Failure>;

pub(super) fn data(found: &impl Serialize) -> Answer {
    let found = serde_json::to_value(found).map_err(|error| bad(error.to_string()))?;
    let text = format!("{found:#}\n");
    Ok(Some(Response::new("application/json", text)))
}

/// The refusal of a question that makes no sense.
pub(super) fn bad(message: impl Into<String>) -> Refusal {
    Refusal::new(400, message)
}

#[derive(Debug, Error)]
#[error(transparent)]
pub(super) enum Failure {
    Refused(#[from] Refusal),
    Session(#[from] SessionError),
}

impl Failure {
    pub(super) fn refusal(self, progress: &ClientProgress) -> Refusal {
        match self {
            Self::Refused(refusal) => refusal,
            Self::Session(_) if progress.is_late() => {
                Refusal::new(503, "this takes too long here; ask the command line")
            }
            Self::Session(error) => bad(error.to_string()),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OnePosition {
    pub position: String,
}

/// Things on squares: column and row from the lower left, from 0, and the place in the
/// palette.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arrange {
    pub things: Vec<(u8, u8, usize)>,
    #[serde(default)]
    pub second: bool,
}

/// Things on squares, and squares that may have anything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Partial {
    pub things: Vec<(u8, u8, usize)>,
    pub open: Vec<(u8, u8)>,
}

pub(super) fn placed(things: &[(u8, u8, usize)]) -> Vec<(BoardSquare, usize)> {
    let place = |&(column, row, place)| (BoardSquare::new(column, row), place);
    things.iter().map(place).collect()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    pub position: String,
    #[serde(rename = "move")]
    pub mv: String,
}

/// One position with its whole report, or many with their moves alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Evaluate {
    pub position: Option<String>,
    pub positions: Option<Vec<String>>,
    #[serde(default)]
    pub outcome: bool,
    pub depth: Option<u8>,
    pub fouls: Option<u8>,
}

impl Evaluate {
    /// The positions, if there are many and not too many.
    pub(super) fn many(&self) -> Result<Option<&[String]>, Refusal> {
        match (&self.position, &self.positions) {
            (Some(_), None) => Ok(None),
            (None, Some(many)) if many.len() <= MOST_POSITIONS => Ok(Some(many)),
            (None, Some(_)) => Err(bad(format!(
                "ask for at most {MOST_POSITIONS} positions at once"
            ))),
            _ => Err(bad("give either position or positions")),
        }
    }
}

/// Limits of a search for problems with hidden information.
pub(super) fn search(depth: Option<u8>, fouls: Option<u8>) -> Result<SearchOptions, Refusal> {
    let in_range = depth.is_none_or(|depth| (1..=99).contains(&depth))
        && fouls.is_none_or(|fouls| fouls <= crate::solve::belief::MOST_FOULS);
    if !in_range {
        return Err(bad("depth is 1 to 99, fouls is 0 to 8"));
    }
    Ok(SearchOptions {
        depth,
        fouls,
        ..SearchOptions::default()
    })
}

/// A problem with hidden information, and the tries that were made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tried {
    pub position: String,
    #[serde(default)]
    pub tries: Vec<String>,
    /// Whether the best try is wanted too.
    #[serde(default)]
    pub hint: bool,
    pub depth: Option<u8>,
    pub fouls: Option<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Solve {
    pub position: String,
    pub nodes: Option<usize>,
    pub depth: Option<u8>,
    pub fouls: Option<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    pub position: String,
    pub stipulation: Option<String>,
}

/// A filter: a condition, the name of a shipped filter, or the text of a filter file. Never
/// a path.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seek {
    pub condition: Option<String>,
    pub filter: Option<String>,
    pub toml: Option<String>,
    /// A partial diagram, if only positions that fit it are wanted.
    pub pattern: Option<String>,
    pub limit: Option<usize>,
}

impl Seek {
    pub(super) fn filter(&self, family: &str) -> Result<Filter, Refusal> {
        let refused = |error: MineError| bad(error.to_string());
        let filter = match (&self.condition, &self.filter, &self.toml) {
            (Some(condition), None, None) => {
                Filter::of_condition("where", condition).map_err(refused)?
            }
            (None, Some(name), None) => {
                let shipped = filters(family, &[]).map_err(refused)?;
                let found = shipped.into_iter().find(|filter| filter.name() == name);
                found.ok_or_else(|| bad(format!("no filter '{name}' comes with {family}")))?
            }
            (None, None, Some(text)) => Filter::parse(text, "the filter").map_err(refused)?,
            _ => return Err(bad("give one of condition, filter and toml")),
        };
        if filter.shortlist.is_some_and(|most| most > MOST_SHORTLIST) {
            return Err(bad(format!("shortlist is at most {MOST_SHORTLIST} here")));
        }
        Ok(filter)
    }

    pub(super) fn limit(&self, otherwise: usize) -> Result<usize, Refusal> {
        match self.limit.unwrap_or(otherwise) {
            limit @ 1..=MOST_PUZZLES => Ok(limit),
            _ => Err(bad(format!("limit is 1 to {MOST_PUZZLES}"))),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Export {
    /// `csv`, `svg`, `pdf` or `html`.
    pub format: String,
    pub puzzles: Vec<PuzzleRow>,
    pub title: Option<String>,
    pub author: Option<String>,
}
