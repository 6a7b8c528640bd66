//! Games: the session as a Python object; and values of positions as rows.

use std::path::PathBuf;
use std::slice::from_ref;
use std::sync::Arc;

use pyo3::prelude::*;
use rayon::prelude::*;
use tesuji::analysis::Length;
use tesuji::base::files::{Existing, Place};
use tesuji::base::value::Outcome;
use tesuji::book::{booklet, page};
use tesuji::draw::{Animation, BoardSquare, Mark, animate, render, strip, tree};
use tesuji::export::{Batch, ColumnData, DataColumn, ExportError};
use tesuji::formula::{AnswerKind, Entry};
use tesuji::game::{FeatureKind, Next, Repetition};
use tesuji::session::{
    BookOptions, EvaluationOptions, ExportColumns, ExportRows, MiningOptions, Operation, Options,
    PositionValues, Puzzle, ReachOptions, RowOptions, Session, SessionError, SolutionReport,
    SolveOptions, book, open_table,
};

use crate::errors::{exception, of_argument};
use crate::frame::{Frame, Rows};
use crate::options::{Answer, Look, Part, Question, json, solution_options, wanted};
use crate::progress::{ask, work};
use crate::puzzles::{BookWords, Puzzles, setting};

/// A game, with its table if it has one.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Game(pub(crate) Arc<dyn Session>);

/// A column: name, type, meaning, cost, and whether values may be missing.
type ColumnRow = (String, &'static str, String, &'static str, bool);

#[pymethods]
impl Game {
    /// The canonical spec.
    fn spec(&self, py: Python<'_>) -> PyResult<String> {
        ask(py, || Ok(self.0.spec()))
    }

    /// How the game is solved.
    fn kind(&self) -> &'static str {
        self.0.kind().name()
    }

    /// What can be asked of it.
    fn operations(&self) -> Vec<&'static str> {
        let operations = self.0.interfaces().operations().into_iter();
        operations.map(Operation::name).collect()
    }

    /// A position in one line, and the side to move.
    fn position(&self, py: Python<'_>, text: &str) -> PyResult<(String, String)> {
        let found = ask(py, || self.0.position(text))?;
        Ok((found.text, found.side))
    }

    /// The legal moves in the game's order.
    fn legal_moves(&self, py: Python<'_>, position: &str) -> PyResult<Vec<String>> {
        ask(py, || self.0.lines()?.moves(position))
    }

    /// The position after a move, or the result for the side that moved.
    fn play(
        &self,
        py: Python<'_>,
        position: &str,
        mv: &str,
    ) -> PyResult<(Option<String>, Option<&'static str>)> {
        Ok(match ask(py, || self.0.lines()?.play(position, mv))? {
            Next::State(next) => (Some(next), None),
            Next::Over(outcome) => (None, Some(outcome.name())),
        })
    }

    /// The board in letters.
    fn letters(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        ask(py, || self.0.playing()?.letters(position))
    }

    /// The value of a position and its moves.
    fn evaluate(&self, py: Python<'_>, position: &str) -> Answer {
        let options = EvaluationOptions::default();
        let found = work(py, |progress| {
            self.0.evaluating()?.evaluate(position, &options, progress)
        })?;
        json(py, &found)
    }

    /// The solution, and as composers write it.
    fn solution(
        &self,
        py: Python<'_>,
        position: &str,
        nodes: Option<usize>,
    ) -> PyResult<(Py<PyAny>, String)> {
        let options = solution_options(nodes, false);
        let found = work(py, |progress| {
            self.0.solutions()?.solution(position, &options, progress)
        })?;
        let text = match &found {
            SolutionReport::Table(found) => found.written(Length::Full).to_owned(),
            SolutionReport::Hidden(found) => found.text.clone(),
        };
        Ok((json(py, &found)?, text))
    }

    /// The verdict on a problem.
    fn check(&self, py: Python<'_>, position: &str, stipulation: Option<&str>) -> Answer {
        let found = work(py, |progress| {
            self.0.checking()?.check(position, stipulation, progress)
        })?;
        json(py, &found)
    }

    /// A picture of a position.
    fn board_svg(
        &self,
        py: Python<'_>,
        position: &str,
        arrows: Vec<String>,
        highlight: Vec<String>,
        look: Look,
    ) -> PyResult<String> {
        let style = look.style(py)?;
        let mut diagram = ask(py, || {
            let diagram = self.0.diagram(position)?;
            if arrows.is_empty() {
                return Ok(diagram);
            }
            self.0.lines()?.marked(diagram, position, &arrows)
        })?;
        for name in highlight {
            let cell = BoardSquare::named(name.trim()).ok_or_else(|| {
                let message = format!(
                    "highlight: '{name:.40}' is no square; write a letter and a number, such as c3"
                );
                exception(py, "ArgumentError", &message)
            })?;
            let marked = diagram.mark(Mark::Highlight(cell));
            diagram = marked.map_err(|error| of_argument(py, "highlight", &error))?;
        }
        Ok(render(&look.on(diagram), &style))
    }

    /// A picture of a line of play.
    fn line_svg(
        &self,
        py: Python<'_>,
        position: &str,
        moves: Vec<String>,
        columns: u8,
        animated: bool,
        look: Look,
    ) -> PyResult<String> {
        let (style, headline) = (look.style(py)?, look.headline());
        if animated {
            let frames = ask(py, || self.0.lines()?.frames(position, &moves))?;
            let film = Animation::new(frames).map_err(|error| of_argument(py, "moves", &error))?;
            return Ok(animate(&headline, &film, &style));
        }
        let boards = ask(py, || self.0.lines()?.boards(position, &moves, usize::MAX))?;
        Ok(strip(&headline, &boards, columns.max(1).into(), &style))
    }

    /// A picture of a solution.
    fn solution_svg(
        &self,
        py: Python<'_>,
        position: &str,
        boards: bool,
        look: Look,
        nodes: Option<usize>,
    ) -> PyResult<String> {
        let options = solution_options(nodes, boards);
        let style = look.style(py)?;
        let drawn = work(py, |progress| {
            self.0.solutions()?.drawn(position, &options, progress)
        })?;
        Ok(tree(&look.headline(), &drawn.words, &drawn.tree, &style))
    }

    /// The columns of conditions.
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<ColumnRow>> {
        let columns = ask(py, || Ok(self.0.mining()?.columns()))?;
        let columns = columns.into_iter().map(|column| {
            let of = match column.feature.kind {
                FeatureKind::Flag => "BOOLEAN",
                FeatureKind::Number => "INTEGER",
                FeatureKind::Word(_) => "VARCHAR",
            };
            let feature = column.feature;
            let cost = column.tier.name();
            (feature.name, of, feature.meaning, cost, feature.nullable)
        });
        Ok(columns.collect())
    }

    /// Runs a filter. What was looked at, the title of the filter, the number of states that it
    /// admits, and the puzzles kept.
    fn mine(
        &self,
        py: Python<'_>,
        condition: Option<&str>,
        filter: Option<String>,
        limit: Option<usize>,
        part: Part,
        memory: Option<u64>,
    ) -> PyResult<(String, String, u64, Puzzles)> {
        let filter = wanted(py, &*self.0, condition, filter)?;
        let options = MiningOptions {
            scope: part.scope(),
            memory,
            limit,
            ..MiningOptions::default()
        };
        let mut mined = work(py, |progress| {
            self.0.mining()?.mine(from_ref(&filter), &options, progress)
        })?;
        let set = mined.sets.remove(0);
        Ok((mined.about, set.title, set.matched, Puzzles(set.rows)))
    }

    /// Positions that fit a partial diagram and a condition: how many, and the first.
    fn compose(
        &self,
        py: Python<'_>,
        pattern: &str,
        condition: &str,
        part: Part,
        limit: usize,
    ) -> PyResult<(u64, Puzzles)> {
        let filter = wanted(py, &*self.0, Some(condition), None)?;
        let scope = part.scope();
        let found = work(py, |progress| {
            let composing = self.0.composing()?;
            composing.compose(Some(pattern), &filter, &scope, limit, progress)
        })?;
        Ok((found.matched, Puzzles(found.rows)))
    }

    /// All states, or all moves, as rows that are made while they are read.
    fn rows(
        &self,
        py: Python<'_>,
        columns: Option<Vec<String>>,
        moves: bool,
        restricted: bool,
        position: bool,
        part: Part,
    ) -> PyResult<Rows> {
        let rows = if moves {
            ExportRows::Moves
        } else {
            ExportRows::States {
                columns: columns.map_or(ExportColumns::Record, ExportColumns::Named),
                restricted,
            }
        };
        let options = RowOptions {
            scope: part.scope(),
            rows,
            position,
        };
        Rows::new(py, Arc::clone(&self.0), options)
    }

    /// The values of many positions, one row each.
    fn values(&self, py: Python<'_>, positions: Vec<Question>) -> PyResult<Frame> {
        let found = work(py, |progress| {
            let asked: Vec<_> = positions.iter().map(Question::asked).collect();
            let found = self.0.evaluating()?.evaluate_batch(&asked, progress)?;
            let rows = found.into_iter().enumerate();
            let rows = rows.map(|(place, found)| found.map_err(SessionError::of_many(place)));
            Ok(of_values(rows.collect::<Result<_, _>>()?)?)
        });
        found.map(Frame)
    }

    /// The moves of many positions, one row each.
    fn moves(&self, py: Python<'_>, positions: Vec<Question>) -> PyResult<Frame> {
        let found = work(py, |progress| {
            let asked: Vec<_> = positions.iter().map(Question::asked).collect();
            self.0.exporting()?.moves_of(&asked, progress)
        });
        found.map(Frame)
    }

    /// Solves the game or reads its table, so that what follows is quick.
    fn prepare(&self, py: Python<'_>) -> PyResult<()> {
        work(py, |progress| self.0.playing()?.prepare(progress))
    }

    /// Solves the game into a file, and gives its fingerprint.
    fn solve(
        &self,
        py: Python<'_>,
        path: PathBuf,
        memory: Option<u64>,
        force: bool,
    ) -> PyResult<String> {
        let options = SolveOptions {
            memory,
            force,
            ..SolveOptions::default()
        };
        let written = work(py, |progress| {
            self.0.solving()?.solve(&path, &options, progress)
        })?;
        Ok(written.fingerprint)
    }

    /// Counts over all positions.
    fn statistics(&self, py: Python<'_>) -> Answer {
        let found = work(py, |progress| self.0.statistics()?.count(progress))?;
        json(py, &found)
    }

    /// Counts the states that can be reached, by distance from the start.
    fn reach(&self, py: Python<'_>, take_backs: bool, memory: Option<u64>) -> Answer {
        let options = ReachOptions { take_backs, memory };
        let found = work(py, |progress| self.0.searching()?.reach(options, progress))?;
        json(py, &found)
    }

    /// Writes a book: a booklet if the paper is given, otherwise a web page.
    fn book(
        &self,
        py: Python<'_>,
        puzzles: &Puzzles,
        path: PathBuf,
        words: BookWords,
        paper: Option<(String, u8, String)>,
        force: bool,
    ) -> PyResult<()> {
        let setting = paper.map(|paper| setting(py, &paper)).transpose()?;
        let (title, subtitle, author) = words;
        let options = BookOptions {
            title,
            subtitle,
            author,
            ..BookOptions::default()
        };
        let made = work(py, |progress| {
            let place = Place::claim(&path, Existing::refused_unless(force))?;
            let book = book(&Puzzle::of_rows(&*self.0, &puzzles.0), &options, progress)?.book;
            let bytes = match &setting {
                None => page(&book).into_bytes(),
                Some(setting) => match booklet(&book, setting) {
                    Ok(bytes) => bytes,
                    Err(error) => return Ok(Err(error)),
                },
            };
            Ok(Ok(place.put(&bytes)?))
        })?;
        made.map_err(|error| of_argument(py, "book", &error))
    }
}

/// Opens the game of a spec, or the one that its table names.
#[pyfunction]
pub(crate) fn open(
    py: Python<'_>,
    spec: Option<&str>,
    table: Option<PathBuf>,
    reading: Option<&str>,
) -> PyResult<Game> {
    let repetition = reading.map(|name| {
        Repetition::named(name).ok_or_else(|| {
            let message = format!(
                "repetition: '{name:.40}' is none of 'exact', 'up-to-symmetry' and 'all-images'"
            );
            exception(py, "ArgumentError", &message)
        })
    });
    let repetition = repetition.transpose()?;
    let session = ask(py, || match spec {
        Some(spec) => Options::new()
            .repetition(repetition)
            .table(table)
            .open(spec),
        None => open_table(&table.unwrap_or_default()),
    })?;
    Ok(Game(session.into()))
}

/// One row a position, with its value and its best moves.
fn of_values(found: Vec<PositionValues>) -> Result<Batch, ExportError> {
    let numbers = |of: fn(&PositionValues) -> Option<i32>| found.par_iter().map(of).collect();
    let slots = found.iter().map(|row| i64::try_from(row.slot?).ok());
    let slots = ColumnData::Indices(slots.collect());
    let sides = found.iter().map(|row| Some(row.side.to_owned())).collect();
    let outcomes = ColumnData::Words {
        words: Outcome::ALL.map(|outcome| outcome.to_string()).into(),
        places: numbers(|row| Some(row.value.outcome() as i32)),
    };
    let plies = ColumnData::Numbers(numbers(|row| row.value.plies().map(i32::from)));
    let moves = ColumnData::Numbers(numbers(|row| row.moves.len().try_into().ok()));
    // Moves stand best first.
    let best_moves = ColumnData::Numbers(numbers(|row| {
        let best = row.moves.iter().take_while(|mv| mv.value == row.value);
        best.count().try_into().ok()
    }));
    // Moves are let go by all threads.
    let texts = found.into_par_iter().map(|row| {
        let best = row.moves.into_iter().next();
        (Some(row.position), best.map(|mv| mv.name))
    });
    let (positions, best) = texts.unzip();
    Batch::new(vec![
        DataColumn::required("slot", slots),
        DataColumn::required("position", ColumnData::Texts(positions)),
        DataColumn::required("side", ColumnData::Texts(sides)),
        DataColumn::required("outcome", outcomes),
        DataColumn::nullable("plies", plies),
        DataColumn::required("n_moves", moves),
        DataColumn::required("n_best", best_moves),
        DataColumn::nullable("best", ColumnData::Texts(best)),
    ])
}

/// The number of a state, its position, the numbers of its legal moves, and the right answers.
type Asked = (u64, String, Vec<u8>, Vec<u8>);

/// What a program that plays the game is asked in each state, in the order of their numbers.
#[pyfunction]
pub(crate) fn questions(py: Python<'_>, game: &Game, shortest: bool) -> PyResult<Vec<Asked>> {
    let asked = work(py, |progress| {
        game.0
            .programming()?
            .questions(shortest, AnswerKind::Move, progress)
    })?;
    let numbers = |set: u16| (0..16).filter(|bit| set >> bit & 1 == 1).collect();
    let every = u16::MAX >> (16 - asked.policy.moves.clamp(1, 16));
    let of = |entry: &Entry| {
        let position = asked.state(entry.code).to_owned();
        let best = entry.best & if entry.is_free() { every } else { entry.legal };
        (entry.code, position, numbers(entry.legal), numbers(best))
    };
    Ok(asked.policy.entries.iter().map(of).collect())
}
