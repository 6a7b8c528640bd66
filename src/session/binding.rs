//! Books of mined puzzles.

use rayon::prelude::*;

use super::{Problems, Session, SessionError};
use crate::analysis::THEMES;
use crate::base::text::words;
use crate::base::watch::{Unwatched, Watch};
use crate::book::{Book, Front, Problem, Theme};
use crate::mine::PuzzleRow;

/// What a book says of itself. What is not given is made up from its puzzles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// The title (default: the name of the filter).
    pub title: Option<String>,
    /// The line below the title (default: the number of problems).
    pub subtitle: Option<String>,
    /// The author (default: none).
    pub author: Option<String>,
}

/// Makes a book of puzzles, in their order.
///
/// # Errors
/// If there are no puzzles, they are of several games ([`SessionError::OtherGame`]), one
/// does not agree with the table ([`SessionError::Puzzle`] names it), or the watch asks to
/// stop.
pub fn book(
    session: &dyn Session,
    rows: &[PuzzleRow],
    options: &BookOptions,
    watch: &dyn Watch,
) -> Result<Book, SessionError> {
    let first = rows.first().map_or("", |row| &row.game);
    if let Some(place) = rows.iter().position(|row| row.game != first) {
        return Err(SessionError::OtherGame {
            first: first.to_owned(),
            number: place + 1,
            other: rows[place].game.clone(),
        });
    }
    let problems = session.problems()?;
    let themes = THEMES.iter().map(|theme| Theme {
        name: words(theme.name),
        meaning: theme.meaning.to_owned(),
    });
    let (board, found) = (problems.board(), all(problems, rows, watch)?);
    let front = front(session.spec(), rows, options);
    Ok(Book::new(front, board, themes.collect(), found)?)
}

/// Makes the problems of all rows.
fn all(
    problems: &dyn Problems,
    rows: &[PuzzleRow],
    watch: &dyn Watch,
) -> Result<Vec<Problem>, SessionError> {
    // The first problem prepares what the others share, such as the table.
    let first = rows.first().map(|row| problems.problem(row, watch));
    watch.begin("solutions", rows.len() as u64);
    let rest = rows.par_iter().skip(1).map(|row| {
        if watch.cancelled() {
            return Err(SessionError::Stopped);
        }
        let problem = problems.problem(row, &Unwatched);
        watch.advance(1);
        problem
    });
    let rest: Vec<_> = rest.collect();
    // The error of the first row is reported, not the first in time.
    let found = first.into_iter().chain(rest).zip(rows).enumerate();
    found
        .map(|(place, (problem, row))| {
            problem.map_err(|source| match source {
                SessionError::Stopped => SessionError::Stopped,
                source => SessionError::Puzzle {
                    number: place + 1,
                    id: row.puzzle_id.clone(),
                    source: Box::new(source),
                },
            })
        })
        .collect()
}

fn front(game: String, rows: &[PuzzleRow], options: &BookOptions) -> Front {
    let filter = rows.first().map_or("", |row| &row.filter);
    let title = options.title.clone().unwrap_or_else(|| {
        if rows.iter().all(|row| row.filter == *filter) && !filter.trim().is_empty() {
            let name = words(filter);
            let mut letters = name.chars();
            let first = letters.next().into_iter().flat_map(char::to_uppercase);
            first.chain(letters.clone()).collect()
        } else {
            "Puzzles".to_owned()
        }
    });
    let number = rows.len();
    let subtitle = options.subtitle.clone().unwrap_or_else(|| {
        let problems = if number == 1 { "problem" } else { "problems" };
        format!("{number} {problems} with their solutions")
    });
    Front {
        title,
        subtitle,
        author: options.author.clone().unwrap_or_default(),
        game,
    }
}
