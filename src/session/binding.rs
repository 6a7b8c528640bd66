//! Books of mined puzzles.

use rayon::prelude::*;

use super::{CheckReport, Problems, Session, SessionError};
use crate::analysis::lures::SwindleTask;
use crate::analysis::{Grade, Length, Stipulation, THEMES};
use crate::base::progress::{NoProgress, Progress};
use crate::base::text::words;
use crate::book::{Book, Credit, Front, MATE_NOTE, Problem, Theme};
use crate::export::Entry;
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
    /// How much of each solution is printed (default: the first variations).
    pub solutions: Option<Length>,
    /// Whether the second hint names the piece that begins.
    pub key_piece: bool,
}

/// Makes a book of puzzles, in their order.
///
/// # Errors
/// If there are no puzzles, they are of several games ([`SessionError::OtherGame`]), one
/// does not agree with the table ([`SessionError::Puzzle`] names it), or the progress asks to
/// stop.
pub fn book(
    session: &dyn Session,
    rows: &[PuzzleRow],
    options: &BookOptions,
    progress: &dyn Progress,
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
    let (board, found) = (problems.board(), all(problems, rows, options, progress)?);
    let mut notes = problems.notes();
    if found.iter().any(|problem| problem.grade.is_some()) {
        notes.push(Grade::LEGEND.to_owned());
    }
    if found.iter().any(|problem| problem.lured) {
        notes.push(SwindleTask::LEGEND.to_owned());
    }
    if found.iter().any(|problem| problem.mate) {
        notes.push(MATE_NOTE.to_owned());
    }
    let front = front(session.spec(), rows, options);
    let book = Book::new(front, board, themes.collect(), found)?;
    Ok(book.with_notes(notes).with_rules(problems.rules()?))
}

/// Makes a book of puzzles that were mined, or of which no more than game and position is
/// known, with the names of their authors.
///
/// # Errors
/// Those of [`book()`].
pub fn book_of_entries(
    session: &dyn Session,
    entries: &[Entry],
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Book, SessionError> {
    let rows: Vec<_> = entries.iter().map(|entry| entry.row.clone()).collect();
    let credits = entries.iter().map(|entry| Credit {
        title: entry.title.clone(),
        author: entry.author.clone(),
        source: entry.source.clone(),
    });
    Ok(book(session, &rows, options, progress)?.with_credits(credits.collect()))
}

/// The row of a puzzle with all that can be found out, if it was not mined.
///
/// # Errors
/// If it cannot be solved, or contradicts itself.
pub fn completed(
    session: &dyn Session,
    row: &PuzzleRow,
    progress: &dyn Progress,
) -> Result<PuzzleRow, SessionError> {
    if row.outcome.is_empty() {
        return session.problems()?.complete(row, progress);
    }
    Ok(row.clone())
}

/// Judges the puzzle of a row, against its stipulation if that is a task and not free words, and
/// otherwise against the value of its position.
///
/// # Errors
/// Those of [`Checking::check`](super::Checking::check).
pub fn check_row(
    session: &dyn Session,
    row: &PuzzleRow,
    progress: &dyn Progress,
) -> Result<CheckReport, SessionError> {
    let stipulation = row.stipulation.trim();
    let task = Stipulation::parse(stipulation)
        .is_ok()
        .then_some(stipulation);
    session.checking()?.check(&row.position, task, progress)
}

/// The problem of a row, which need not be complete.
fn problem(
    problems: &dyn Problems,
    row: &PuzzleRow,
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Problem, SessionError> {
    if row.outcome.is_empty() {
        return problems.problem(&problems.complete(row, progress)?, options, progress);
    }
    problems.problem(row, options, progress)
}

/// Makes the problems of all rows.
fn all(
    problems: &dyn Problems,
    rows: &[PuzzleRow],
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Vec<Problem>, SessionError> {
    problems.prepare_problems(rows, progress)?;
    // The first problem prepares what the others share, such as the table.
    let first = rows
        .first()
        .map(|row| problem(problems, row, options, progress));
    progress.begin("solutions", rows.len() as u64);
    let rest = rows.par_iter().skip(1).map(|row| {
        if progress.cancelled() {
            return Err(SessionError::Stopped);
        }
        let found = problem(problems, row, options, &NoProgress);
        progress.advance(1);
        found
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
