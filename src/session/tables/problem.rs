//! From a row of a CSV to a problem of a book.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::play_tree::{grow, grow_swindle, variations};
use super::{TableSession, row_problem};
use crate::analysis::lures::{Lures, SwindleTask};
use crate::analysis::{
    Grade, Length, Looker, Solution, Stipulation, StipulationError, TextLine, profile_of_line,
    write_solution,
};
use crate::base::progress::{NoProgress, Progress};
use crate::base::text::words;
use crate::base::value::{Outcome, Record, Value};
use crate::book::{BoardSize, Credit, NamedPly, Play, Problem, Rule};
use crate::game::{Oracle, Playable, TableGame};
use crate::mine::{Find, PuzzleRow, mate_row, puzzle_row, swindle_row};
use crate::session::lines::read;
use crate::session::{BookOptions, Problems, SessionError, rule_pages};
use crate::table::{Table, TableOracle};

/// Turns of the attacker in a printed solution at most.
const PRINTED: usize = 200;

/// Letters of a variation that is set beside its neighbours.
const SHORT: usize = 24;

impl<G: TableGame> Problems for TableSession<G> {
    fn board(&self) -> BoardSize {
        let (columns, rows) = self.game.size();
        BoardSize { columns, rows }
    }

    fn complete(
        &self,
        row: &PuzzleRow,
        progress: &dyn Progress,
    ) -> Result<PuzzleRow, SessionError> {
        let table = self.table(progress)?;
        let lures = self.lures_of_row(row, progress)?;
        let state = self.read(&row.position)?;
        let index = self.game.slot(&state).index;
        let find = Find {
            index,
            state,
            // The row does not depend on it.
            record: Record::new(Value::DRAW, Value::DRAW, 0),
        };
        let (game, filter) = (&self.game, &row.filter);
        let asked = mate_of(game, row)?;
        let (found, solution) = match (lures, asked) {
            (Some(lures), _) => {
                let found = swindle_row(game, &table, filter, &find, &lures)?;
                found.ok_or_else(no_swindle)?
            }
            (None, Some(asked)) => {
                let found = mate_row(game, &table, filter, &find)?;
                let met = |(_, it): &(_, Solution<G>)| asked.met_in(game, &it.state, it.value);
                found.filter(met).ok_or_else(|| no_mate(asked))?
            }
            (None, None) => puzzle_row(game, &table, filter, &find, 0)?,
        };
        check_task(row, &solution)?;
        let value = solution.value;
        worded(row, found, value, |asked| {
            asked.met_in(game, &solution.state, value)
        })
    }

    fn prepare_problems(
        &self,
        rows: &[PuzzleRow],
        progress: &dyn Progress,
    ) -> Result<(), SessionError> {
        let tasks = rows
            .iter()
            .filter_map(|row| SwindleTask::parse(&row.stipulation));
        let depths: BTreeSet<u8> = tasks.map(|task| task.depth).collect();
        if !depths.is_empty() {
            self.lures_for(&depths.into_iter().collect::<Vec<_>>(), progress)?;
        }
        Ok(())
    }

    fn problem(
        &self,
        row: &PuzzleRow,
        options: &BookOptions,
        progress: &dyn Progress,
    ) -> Result<Problem, SessionError> {
        self.game.check_picture()?;
        let table = match self.table(progress) {
            Err(SessionError::NotSolved { .. }) if !row.solution.trim().is_empty() => {
                return row_problem::problem(&self.game, row);
            }
            table => table?,
        };
        let lures = self.lures_of_row(row, progress)?;
        problem(&self.game, &table, lures.as_deref(), row, options)
    }

    fn rules(&self) -> Result<Vec<Rule>, SessionError> {
        rule_pages::with_examples(&self.game)
    }

    fn has_lines_only(&self) -> bool {
        matches!(self.table(&NoProgress), Err(SessionError::NotSolved { .. }))
    }
}

impl<G: TableGame> TableSession<G> {
    /// What is known about lures, if the row is a swindle.
    fn lures_of_row(
        &self,
        row: &PuzzleRow,
        progress: &dyn Progress,
    ) -> Result<Option<Arc<Lures>>, SessionError> {
        let task = SwindleTask::parse(&row.stipulation);
        task.map(|task| self.lures_at(task.depth, progress))
            .transpose()
    }
}

/// Refuses a swindle that takes other plies than its stipulation says.
fn check_task<G: TableGame>(row: &PuzzleRow, solution: &Solution<G>) -> Result<(), SessionError> {
    let plies = solution.tree.nodes().first().map_or(0, |root| root.plies);
    match SwindleTask::parse(&row.stipulation) {
        Some(task) if task.plies != plies => Err(SessionError::Row(format!(
            "the stipulation is to {task}, but it takes {plies}; correct it, or leave it out"
        ))),
        _ => Ok(()),
    }
}

/// The mate that a row asks for, if it asks for one.
fn mate_of<G: TableGame>(
    game: &G,
    row: &PuzzleRow,
) -> Result<Option<Stipulation>, StipulationError> {
    // Words that are no task ask for nothing that can be checked.
    let asked = Stipulation::parse(&row.stipulation).ok();
    let asked = asked.filter(|asked| asked.mate().is_some());
    asked.map_or(Ok(()), |asked| asked.expect_of(game))?;
    Ok(asked)
}

fn no_mate(asked: Stipulation) -> SessionError {
    SessionError::Row(format!(
        "the stipulation is to {asked}, but the shortest win is no such mate; correct it, or leave it out"
    ))
}

fn no_swindle() -> SessionError {
    SessionError::Row(
        "the stipulation is to force a mistake, and no move does; correct it, or leave it out"
            .to_owned(),
    )
}

/// A row that was found out, with the words of the one that was given: its stipulation, unless
/// the position does not meet it, and its position as it was written.
pub(in crate::session) fn worded(
    given: &PuzzleRow,
    mut found: PuzzleRow,
    value: Value,
    is_met: impl Fn(Stipulation) -> bool,
) -> Result<PuzzleRow, SessionError> {
    let stipulation = given.stipulation.trim();
    // Free words may say anything; a task that can be read must be right.
    if Stipulation::parse(stipulation).is_ok_and(|asked| !is_met(asked)) {
        return Err(SessionError::Row(format!(
            "the stipulation is '{stipulation}', but the position is a {value}; correct it, or leave it out"
        )));
    }
    if !stipulation.is_empty() {
        stipulation.clone_into(&mut found.stipulation);
    }
    if !matches!(given.position.trim(), "" | "initial") {
        given.position.trim().clone_into(&mut found.position);
    }
    found.puzzle_id = PuzzleRow::id(&found.game, &found.position, &found.stipulation);
    Ok(found)
}

/// The problem of a row, after a check that row and table agree.
fn problem<G: TableGame>(
    game: &G,
    table: &Table,
    lures: Option<&Lures>,
    row: &PuzzleRow,
    options: &BookOptions,
) -> Result<Problem, SessionError> {
    let fingerprint = &table.description().fingerprint;
    if row.table_fingerprint != *fingerprint {
        return Err(SessionError::Row(format!(
            "it was mined from a table with the fingerprint {}, but this one has {fingerprint}; give the table it came from with --table",
            row.table_fingerprint
        )));
    }
    let state = read(game, &row.position)?;
    let oracle = TableOracle::new(table, game)?;
    let mate = mate_of(game, row)?;
    let solution = match lures {
        None => match mate {
            None => Solution::new(game, &oracle, &state, PRINTED)?,
            Some(asked) => Solution::of(game, &oracle, &state, asked, PRINTED)?,
        },
        Some(lures) => {
            let mut looker = Looker::new(game);
            let found = lures
                .against()
                .solution(game, &oracle, &mut looker, &state)?;
            found.ok_or_else(no_swindle)?
        }
    };
    let value = solution.value;
    if row.outcome != value.outcome().name() || row.plies != value.plies() {
        let plies = row
            .plies
            .map_or_else(String::new, |plies| format!(" in {plies}"));
        return Err(SessionError::Row(format!(
            "the row says {}{plies}, the table says {value}; was the row edited? mine it again",
            row.outcome
        )));
    }
    if let Some(asked) = mate.filter(|asked| !asked.met_in(game, &state, value)) {
        return Err(no_mate(asked));
    }
    check_task(row, &solution)?;
    let (side, other) = sides(game, &state);
    let text = write_solution(game, &solution, options.solutions.unwrap_or(Length::Short));
    let (lines, named) = printed(text.lines());
    Ok(Problem {
        id: row.puzzle_id.clone(),
        credit: Credit::default(),
        task: row.stipulation.clone(),
        side,
        other,
        plies: match (lures, solution.tree.nodes()) {
            (Some(_), [root, ..]) => root.plies,
            _ => mate
                .and_then(Stipulation::mate)
                .or_else(|| value.plies())
                .unwrap_or(0),
        },
        themes: row.themes.split_whitespace().map(words).collect(),
        grade: match lures {
            None => grade(game, &oracle, row, &solution)?,
            Some(_) => None,
        },
        lured: lures.is_some(),
        mate: mate.is_some(),
        difficulty: row.difficulty,
        position: game.format_state(&state),
        diagram: game.diagram(&state),
        hints: hints(game, &solution, lures.is_some(), options.key_piece),
        play: Play {
            variations: variations(game, &state, text.plies()),
            named,
            ..match lures {
                None => grow(game, &oracle, &state, &solution.steps)?,
                Some(lures) => grow_swindle(game, &oracle, lures, &state, &solution.steps)?,
            }
        },
        solution: lines,
    })
}

/// How far one must look ahead, which rows of earlier versions do not say.
fn grade<G: TableGame, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    row: &PuzzleRow,
    solution: &Solution<G>,
) -> Result<Option<Grade>, O::Error> {
    if row.look_ahead.is_some() {
        return Ok(Some(Grade::of(row.solved_at)));
    }
    let profile = profile_of_line(&mut Looker::new(game), oracle, &solution.steps)?;
    Ok(profile.map(|profile| profile.grade()))
}

/// The names of the solver and of the other side.
pub(super) fn sides<G: Playable>(game: &G, state: &G::State) -> (String, String) {
    let side = game.side_to_move(state);
    // Where the sides have the same moves, they have one name.
    let passed = game.passed(state);
    let other = passed.map(|passed| game.side_to_move(&passed));
    let other = other.filter(|other| *other != side);
    let other = other.unwrap_or("The other player");
    (side.to_owned(), other.to_owned())
}

/// How many moves solve a problem, of all moves. A draw that is lured forces a mistake.
pub(super) fn first_hint(
    (outcome, lured): (Outcome, bool),
    keys: usize,
    slower: usize,
    all: usize,
) -> String {
    let one = |count: usize, one: &str, many: &str| {
        let verb = if count == 1 { one } else { many };
        format!("{count} of {all} moves {verb}")
    };
    match outcome {
        Outcome::Win if slower == 0 => format!("{}.", one(keys, "wins", "win")),
        Outcome::Win => format!("{}; {keys} in time.", one(keys + slower, "wins", "win")),
        Outcome::Draw if lured => {
            format!("{}.", one(keys, "forces a mistake", "force a mistake"))
        }
        Outcome::Draw => format!("{}.", one(keys, "holds the draw", "hold the draw")),
        Outcome::Loss => format!("{}.", one(keys, "holds out longest", "hold out longest")),
    }
}

/// How many moves solve the problem, then which piece begins, if wanted.
fn hints<G: Playable>(
    game: &G,
    solution: &Solution<G>,
    lured: bool,
    key_piece: bool,
) -> Vec<String> {
    let state = &solution.state;
    let (keys, all) = (solution.keys.len(), game.moves(state).len());
    let goal = (solution.value.outcome(), lured);
    let first = first_hint(goal, keys, solution.slower.len(), all);
    let from = solution.keys.first().map(|&mv| game.aim(state, mv).0);
    let mover = game
        .standing(state)
        .into_iter()
        .find(|thing| Some(thing.cell) == from);
    let second = mover.map(|thing| format!("The {} begins.", game.placed_words(&thing)));
    let second = second.filter(|_| key_piece);
    [first].into_iter().chain(second).collect()
}

/// The lines of a solution without the first, which says what is asked, and the plies that they
/// name. Short variations of one depth stand side by side; what is indented below them belongs to
/// the last.
fn printed(told: &[TextLine]) -> (Vec<String>, Vec<NamedPly>) {
    let mut lines: Vec<TextLine> = Vec::new();
    // Whether the line before is a short variation.
    let mut short = false;
    for line in told.iter().skip(1) {
        let brief = line.text().trim().len() <= SHORT && line.indent() > 0;
        match lines.last_mut() {
            Some(last) if short && brief && last.indent() == line.indent() => {
                last.append("; ", line);
            }
            _ => lines.push(line.clone()),
        }
        short = brief;
    }
    let named = lines.iter().enumerate().flat_map(|(number, line)| {
        line.moves().iter().map(move |named| NamedPly {
            line: number,
            place: named.place.clone(),
            ply: named.ply,
        })
    });
    let named = named.collect();
    let words = lines.iter().map(|line| line.text().to_owned());
    (words.collect(), named)
}
