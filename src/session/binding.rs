//! Books of mined puzzles, and the rows that they are made of.

use std::path::PathBuf;

use rayon::prelude::*;

use crate::analysis::lures::SwindleTask;
use crate::analysis::{Grade, StipulationError, THEMES};
use crate::base::progress::{NoProgress, Progress};
use crate::base::random::SplitMix64;
use crate::base::text::words;
use crate::book::{
    Book, Credit, Front, LINES_NOTE, MATE_NOTE, MOVES_NOTE, Problem, Rule, Theme, Unit,
};
use crate::draw::Diagram;
use crate::export::{WORDS, changed};
use crate::game::{Drawable, Game, Moves, Next, RuleExample, RuleInWords};
use crate::games::registry::names_a_file;
use crate::mine::PuzzleRow;
use crate::session::{
    BookOptions, CheckReport, Distinct, Options, Problems, Result, Session, SessionError, distinct,
};

/// A book, and what it leaves out.
#[derive(Debug)]
pub struct Bound {
    /// The book.
    pub book: Book,
    /// Which rows it has: those that repeat a problem are left out.
    pub distinct: Distinct,
    /// Problems that are nearly the same as one before, by their numbers from zero, each with that
    /// one.
    pub near: Vec<(usize, usize)>,
}

/// Makes a book of puzzles, in their order, with the names of their authors; of those that are one
/// problem it has the first. They were mined, or no more than game and position is known.
///
/// # Errors
/// If there are no puzzles, they are of several games ([`SessionError::OtherGame`]), one
/// does not agree with the table ([`SessionError::Puzzle`] names it), or the work is to
/// stop.
pub fn book(
    session: &dyn Session,
    rows: &[PuzzleRow],
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Bound> {
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
    let distinct = distinct(rows.iter().map(|row| (session, row)), false)?;
    let found = all(problems, rows, &distinct.kept, options, progress)?;
    let mut notes = problems.notes();
    if problems.has_lines_only() {
        // The others are about tries and variations.
        notes.truncate(1);
        notes.push(LINES_NOTE.to_owned());
    }
    if found.iter().any(|problem| problem.grade.is_some()) {
        notes.push(Grade::LEGEND.to_owned());
    }
    if found.iter().any(|problem| problem.lured) {
        notes.push(SwindleTask::LEGEND.to_owned());
    }
    let has = |unit| found.iter().any(|problem| problem.unit == unit);
    if let Some(first) = notes.first_mut().filter(|_| has(Unit::Moves)) {
        MOVES_NOTE.clone_into(first);
    }
    if has(Unit::PliesToMate) {
        notes.push(MATE_NOTE.to_owned());
    }
    let front = front(session.spec(), rows, options);
    let mut book = Book::new(front, problems.board(), themes.collect(), found)?;
    (book.notes, book.rules) = (notes, problems.rules()?);
    if options.chapters.len() > 1 {
        let mut end = 0;
        let chapters = options.chapters.iter().map(|(title, count)| {
            let first = end;
            end += count;
            let kept = distinct.kept.iter().filter(|it| (first..end).contains(it));
            (title.clone(), kept.count())
        });
        book = book.with_chapters(chapters.collect());
    }
    let near = book.near_twins();
    if options.apart {
        book = book.without(&near);
    }
    let subtitle = options.subtitle.clone();
    book.front.subtitle = subtitle.unwrap_or_else(|| match book.problems.len() {
        1 => "1 problem with its solution".to_owned(),
        many => format!("{many} problems with their solutions"),
    });
    Ok(Bound {
        book,
        distinct,
        near,
    })
}

/// The cards of puzzles, one for each row, in their order.
///
/// # Errors
/// If one does not agree with the table ([`SessionError::Puzzle`] names it), or the work is to stop.
#[cfg(feature = "anki")]
pub fn cards(
    session: &dyn Session,
    rows: &[PuzzleRow],
    progress: &dyn Progress,
) -> Result<Vec<crate::book::Card>> {
    let kept: Vec<_> = (0..rows.len()).collect();
    let options = BookOptions::default();
    let problems = all(session.problems()?, rows, &kept, &options, progress)?;
    let cards = rows.iter().zip(problems).map(|(row, problem)| {
        let key = session.position_key(&row.position)?;
        let own = row.own.iter();
        let own = own.filter(|(name, text)| !WORDS.contains(&&**name) && !text.is_empty());
        let own = own.map(|(name, text)| (name.to_string(), text.clone()));
        let identity = format!("{}\n{key}", session.spec());
        Ok(crate::book::Card::new(&identity, problem, own.collect()))
    });
    cards.collect()
}

/// The row of a puzzle with all that can be found out, if it was not mined.
///
/// # Errors
/// If the position is not one of the game, a column says otherwise than what is found out, or the
/// table cannot be read.
pub fn completed(
    session: &dyn Session,
    row: &PuzzleRow,
    progress: &dyn Progress,
) -> Result<PuzzleRow> {
    if row.outcome.is_empty() {
        let mut found = session.problems()?.complete(row, progress)?;
        found.similar = row.similar;
        return match changed(row, &found)? {
            Some((column, given, found)) => Err(SessionError::Row(format!(
                "the column {column} is '{given}', but '{found}' was found out; leave it out, or give a column of your own another name"
            ))),
            None => Ok(found),
        };
    }
    Ok(row.clone())
}

/// Judges the puzzle of a row, against its stipulation or, if it has none, the value of its
/// position.
///
/// # Errors
/// If the position or the stipulation cannot be read
/// ([`is_unchecked`](SessionError::is_unchecked)), or the table cannot.
pub fn check_row(
    session: &dyn Session,
    row: &PuzzleRow,
    progress: &dyn Progress,
) -> Result<CheckReport> {
    let (checking, task) = (session.checking()?, row.stipulation.trim());
    if SwindleTask::parse(task).is_some() {
        return Err(StipulationError::Swindle(task.to_owned()).into());
    }
    let task = (!task.is_empty()).then_some(task);
    let mut found = checking.check(&row.position, task, progress)?;
    let faults = checking.faults(row, progress)?;
    found.sound = faults.is_empty();
    found.faults = faults.iter().map(|fault| fault.name()).collect();
    Ok(found)
}

/// What is wrong with the puzzle of a row, as [`check_row`] finds it, or why it is not checked;
/// `None` if it is sound.
///
/// # Errors
/// If the position cannot be read, or the table cannot.
pub fn faults_of_row(
    session: &dyn Session,
    row: &PuzzleRow,
    progress: &dyn Progress,
) -> Result<Option<String>> {
    match session.checking()?.faults(row, progress) {
        Ok(faults) if faults.is_empty() => Ok(None),
        Ok(faults) => {
            let names: Vec<_> = faults.iter().map(|fault| fault.name()).collect();
            Ok(Some(format!("not sound: {}", names.join(", "))))
        }
        Err(error) if error.is_unchecked() => Ok(Some(format!("not checked: {error}"))),
        Err(error) => Err(error),
    }
}

/// The problem of a row, which need not be complete.
fn problem(
    problems: &dyn Problems,
    row: &PuzzleRow,
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Problem> {
    let mut problem = if row.outcome.is_empty() {
        problems.problem(&problems.complete(row, progress)?, options, progress)?
    } else {
        problems.problem(row, options, progress)?
    };
    let [title, author, source] = WORDS.map(|name| row.own(name).trim().to_owned());
    problem.credit = Credit {
        title,
        author,
        source,
    };
    Ok(problem)
}

/// Makes the problems of the rows that are kept.
fn all(
    problems: &dyn Problems,
    rows: &[PuzzleRow],
    kept: &[usize],
    options: &BookOptions,
    progress: &dyn Progress,
) -> Result<Vec<Problem>> {
    problems.prepare_problems(rows, progress)?;
    // The first problem prepares what the others share, such as the table.
    let first = kept
        .first()
        .map(|&place| problem(problems, &rows[place], options, progress));
    progress.begin("solutions", kept.len() as u64);
    let rest = kept.par_iter().skip(1).map(|&place| {
        if progress.cancelled() {
            return Err(SessionError::Stopped);
        }
        let found = problem(problems, &rows[place], options, &NoProgress);
        progress.advance(1);
        found
    });
    let rest: Vec<_> = rest.collect();
    // The error of the first row is reported, not the first in time.
    let found = first.into_iter().chain(rest).zip(kept);
    found
        .map(|(problem, &place)| problem.map_err(SessionError::of_puzzle(place, &rows[place])))
        .collect()
}

/// A name in words, the first of which begins with a capital letter.
pub fn titled(name: &str) -> String {
    let name = words(name);
    let mut letters = name.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// The title of puzzles: the name of their filter, if they have one in common.
pub fn title(rows: &[PuzzleRow]) -> String {
    let filter = rows.first().map_or("", |row| &row.filter);
    if rows.iter().all(|row| row.filter == *filter) && !filter.trim().is_empty() {
        titled(filter)
    } else {
        "Puzzles".to_owned()
    }
}

fn front(game: String, rows: &[PuzzleRow], options: &BookOptions) -> Front {
    Front {
        title: options.title.clone().unwrap_or_else(|| title(rows)),
        subtitle: String::new(),
        author: options.author.clone().unwrap_or_default(),
        game,
    }
}

/// Games that are played at random in the search for an example, and the moves of each.
const GAMES: u64 = 200;
const LONGEST: usize = 60;

/// The rules of a game of which every example is the initial position or one that is given.
pub(super) fn plain_rules<G: Drawable>(game: &G) -> Result<Vec<Rule>> {
    let rules = game.rules_in_words().into_iter();
    rules.map(|rule| shown(game, rule, |_| None)).collect()
}

/// The rules of a game with moves that can be listed.
pub(super) fn rules_with_examples<G: Drawable + Moves>(game: &G) -> Result<Vec<Rule>> {
    let rules = game.rules_in_words().into_iter();
    let found = rules.map(|rule| {
        shown(game, rule, |kind| {
            let (state, mv) = example(game, kind)?;
            Some(game.with_move(game.diagram(&state), &state, mv))
        })
    });
    found.collect()
}

/// A rule with its diagram.
fn shown<G: Drawable>(
    game: &G,
    rule: RuleInWords,
    of_kind: impl Fn(&str) -> Option<Diagram>,
) -> Result<Rule> {
    game.check_picture()?;
    let diagram = match rule.example {
        RuleExample::None => None,
        RuleExample::Initial => Some(game.diagram(&game.initial())),
        RuleExample::Kind(kind) => of_kind(kind),
        RuleExample::Position(position, mv) => {
            let state = crate::session::lines::read(game, position)?;
            let mv = game.parse_move(mv).map_err(SessionError::Move)?;
            Some(game.with_move(game.diagram(&state), &state, mv))
        }
    };
    Ok(Rule {
        title: rule.title.to_owned(),
        text: rule.text,
        diagram,
    })
}

/// A move of a kind, as early as one comes in games played at random; always the same.
fn example<G: Moves>(game: &G, kind: &str) -> Option<(G::State, <G as Game>::Move)> {
    let place = game.kinds().iter().position(|known| known.name == kind)?;
    let mut most = LONGEST;
    let mut earliest = None;
    for number in 0..GAMES {
        let mut numbers = SplitMix64::new(number);
        let mut state = game.initial();
        for plies in 0..most {
            let moves = game.moves(&state);
            let mut of_kind = moves.iter();
            let of_kind = of_kind.find(|&&mv| game.kinds_of(&state, mv) >> place & 1 == 1);
            if let Some(&mv) = of_kind {
                earliest = Some((state, mv));
                most = plies;
                break;
            }
            let choice = numbers.next() % (moves.len() as u64).max(1);
            let Some(&mv) = moves.get(usize::try_from(choice).unwrap_or(0)) else {
                break;
            };
            match game.play(&state, mv) {
                Next::State(next) => state = next,
                Next::Over(_) => break,
            }
        }
    }
    earliest
}

/// Opens the game of a puzzle. A game that is read from a file must have been `given` by the
/// user: what is written in a table of puzzles opens no files.
///
/// # Errors
/// If there is no such game, or it is read from a file that was not given.
pub fn open_of_row(
    spec: &str,
    given: Option<&str>,
    table: Option<PathBuf>,
) -> Result<Box<dyn Session>> {
    let options = Options::new().table(table);
    let Some(given) = given else {
        if names_a_file(spec) {
            return Err(SessionError::FileOfRow(spec.to_owned()));
        }
        return options.open(spec);
    };
    let session = options.open(given)?;
    // In tables of earlier versions graphs have no digest.
    if session.spec() != spec && given != spec {
        return Err(SessionError::OtherThanGiven {
            spec: spec.to_owned(),
            given: session.spec(),
        });
    }
    Ok(session)
}
