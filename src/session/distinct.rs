//! Puzzles with the sessions of their games, and which of them are one problem.

use std::collections::HashSet;
use std::collections::hash_map::{self, HashMap};

use super::{Result, Session, SessionError};
use crate::analysis::Stipulation;
use crate::analysis::lures::SwindleTask;
use crate::base::text::{grouped, plural};
use crate::mine::PuzzleRow;

/// A puzzle with the session of its game.
#[derive(Clone)]
pub struct Puzzle<'a> {
    /// Where it stands, for messages, such as `sets.csv, row 3`.
    pub name: String,
    /// The session of its game.
    pub session: &'a dyn Session,
    /// Its row.
    pub row: &'a PuzzleRow,
}

impl<'a> Puzzle<'a> {
    /// Puzzles of one game, named by their numbers and names.
    pub fn of_rows(session: &'a dyn Session, rows: &'a [PuzzleRow]) -> Vec<Self> {
        let numbered = (1..).zip(rows);
        let entries = numbered.map(|(number, row): (usize, _)| Self {
            name: format!("puzzle {number} ({})", row.puzzle_id),
            session,
            row,
        });
        entries.collect()
    }

    /// What is wrong with it.
    pub(super) fn error(&self, source: SessionError) -> SessionError {
        of_puzzle(&self.name, source)
    }
}

pub(super) fn of_puzzle(name: &str, source: SessionError) -> SessionError {
    match source {
        SessionError::Stopped => SessionError::Stopped,
        source => SessionError::Puzzle {
            name: name.to_owned(),
            source: Box::new(source),
        },
    }
}

/// Which rows are the first of their problem, and why others are left out.
#[derive(Debug, Default)]
pub struct Distinct {
    /// The rows that stay, by their places.
    pub kept: Vec<usize>,
    /// Rows that have the position of one that stays.
    pub exact: u64,
    /// Rows that have an image of such a position.
    pub images: u64,
    /// Rows that have the solution of one that stays, up to symmetry.
    pub similar: u64,
}

/// Finds rows that are one problem: of one game, they ask for the same, a win, a mate or a
/// forced mistake, in one position up to the symmetries of the game. With `solutions` those with
/// the same solution up to symmetry are one, too.
///
/// # Errors
/// If a position or a solution cannot be read.
pub fn distinct(entries: &[Puzzle<'_>], solutions: bool) -> Result<Distinct> {
    let mut positions = HashMap::new();
    let mut lines = HashSet::new();
    let mut found = Distinct::default();
    for (place, entry) in entries.iter().enumerate() {
        let (session, row) = (entry.session, entry.row);
        let mut sort = || -> Result<()> {
            let text = session.position(&row.position)?.text;
            let mate = Stipulation::parse(&row.stipulation).is_ok_and(|it| it.mate().is_some());
            let depth = SwindleTask::parse(&row.stipulation).map(|task| task.depth);
            let spec = session.spec();
            let image = session.position_key(&row.position)?;
            let key = (spec.clone(), mate, depth, image);
            match positions.entry(key) {
                hash_map::Entry::Occupied(first) if *first.get() == text => found.exact += 1,
                hash_map::Entry::Occupied(_) => found.images += 1,
                hash_map::Entry::Vacant(first) => {
                    first.insert(text);
                    let line = solutions.then(|| session.line_key(row)).transpose()?;
                    if line
                        .flatten()
                        .is_some_and(|line| !lines.insert((spec, line)))
                    {
                        found.similar += 1;
                    } else {
                        found.kept.push(place);
                    }
                }
            }
            Ok(())
        };
        sort().map_err(|error| entry.error(error))?;
    }
    Ok(found)
}

impl Distinct {
    /// How many rows are left out and why, a line for each reason.
    pub fn left_out(&self) -> Vec<String> {
        let told = |count, one: &str, many: &str, what: &str| {
            let verb = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{} {verb} {what}", plural(count, "row")))
        };
        let how = [
            (self.exact, "exactly"),
            (self.images, "mirrored, turned or with colours swapped"),
        ];
        let how = how.into_iter().filter(|(count, _)| *count > 0);
        let how: Vec<_> = how
            .map(|(count, how)| format!("{} {how}", grouped(count)))
            .collect();
        let how = format!("a problem: {}", how.join(", "));
        let repeats = told(self.exact + self.images, "repeats", "repeat", &how);
        let solution = "the solution of an earlier one, up to symmetry";
        let similar = told(self.similar, "has", "have", solution);
        repeats.into_iter().chain(similar).collect()
    }
}
