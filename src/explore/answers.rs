//! Answers about one position.

use serde_json::{Value as Json, json};

use super::client::ClientProgress;
use super::http::{Refusal, Request, Response, in_query};
use super::questions;
use super::questions::{
    Arrange, Check, Evaluate, Export, MOST_PUZZLES, OnePosition, Partial, Play, Solve, Tried,
    placed, read, search,
};
use crate::book::{Paper, Setting, booklet, page};
use crate::draw::{BoardSquare, Glyph, Style, glyph, render, tree};
use crate::export::{fault, write_csv};
use crate::mine::{PuzzleRow, filters};
use crate::session::{
    Arranging, Asked, BoardReport, BookOptions, ColumnReport, EvaluationOptions, Played,
    PointedMove, Session, SessionError, SolutionOptions, book, sheet,
};
use crate::solve::belief::Heard;

/// What a page needs to know of the game.
pub(super) fn game(session: &dyn Session) -> Result<Json, SessionError> {
    let family = session.family();
    let shipped = filters(&family, &[]).unwrap_or_default();
    let filters = shipped.iter().map(|filter| {
        json!({
            "name": filter.name(),
            "title": filter.title,
            "text": filter.text,
            "condition": filter.predicate,
        })
    });
    let operations = session.operations();
    let operations = operations.iter().map(|operation| operation.name());
    let palette = session.arranging().map(Arranging::palette).ok();
    let (things, sides) = palette.map_or_else(Default::default, |it| (it.things, it.sides));
    Ok(json!({
        "game": session.spec(),
        "kind": session.kind().to_string(),
        "initial": session.position("")?.text,
        "operations": operations.collect::<Vec<_>>(),
        "sides": sides,
        "palette": things.iter().map(|(glyph, words)| thing(glyph, words)).collect::<Vec<_>>(),
        "filters": if session.mining().is_ok() { filters.collect() } else { Vec::new() },
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

/// A thing: what it is, and its picture on a light and on a dark page.
pub(super) fn thing(what: &Glyph, words: &str) -> Json {
    let [screen, dark] = on_page(|style| match what {
        // A square that is not there has no picture.
        Glyph::Absent => String::new(),
        what => glyph(what, style),
    });
    json!({
        "words": words,
        "absent": *what == Glyph::Absent,
        "screen": screen,
        "dark": dark,
    })
}

/// What is drawn on the page's own ground: on a light page, and on a dark one.
pub(super) fn on_page(draw: impl Fn(&Style) -> String) -> [String; 2] {
    [Style::screen(), Style::dark()].map(|style| draw(&without_ground(style)))
}

fn without_ground(style: Style) -> Style {
    Style {
        transparent: true,
        ..style
    }
}

fn pointed(mv: &PointedMove) -> Json {
    json!({
        "move": mv.name,
        "from": [mv.from.column, mv.from.row],
        "to": [mv.to.column, mv.to.row],
    })
}

/// The board of a position. What is not in the palette is drawn and numbered after it.
pub(super) fn board(session: &dyn Session, request: &Request) -> Result<Json, Failure> {
    let asked: OnePosition = read(request)?;
    let boards = session.arranging()?;
    let items = boards.palette().things.len();
    Ok(board_json(&boards.board(&asked.position)?, items))
}

fn board_json(found: &BoardReport, items: usize) -> Json {
    let mut extra: Vec<(&Glyph, &str)> = Vec::new();
    let squares = found.things.iter().map(|thing| {
        let place = thing.place.unwrap_or_else(|| {
            let key = (&thing.glyph, thing.words.as_str());
            let known = extra.iter().position(|other| *other == key);
            items
                + known.unwrap_or_else(|| {
                    extra.push(key);
                    extra.len() - 1
                })
        });
        json!([thing.cell.column, thing.cell.row, place])
    });
    let squares: Vec<Json> = squares.collect();
    json!({
        "position": found.position,
        "side": found.side,
        "size": [found.size.0, found.size.1],
        "files": found.files,
        "ranks": found.ranks,
        "graph": graph(found),
        "squares": squares,
        "extra": extra.iter().map(|(glyph, words)| thing(glyph, words)).collect::<Vec<_>>(),
        "moves": found.moves.iter().map(pointed).collect::<Vec<_>>(),
        "forbidden": found.forbidden.as_ref().map(pointed),
    })
}

/// The graph that is drawn instead of squares; null for a board.
pub(super) fn graph(found: &BoardReport) -> Json {
    let Some(graph) = &found.graph else {
        return Json::Null;
    };
    let vertices = graph.vertices();
    let vertices: Vec<_> = vertices
        .map(|(at, name)| json!([at.column, at.row, name]))
        .collect();
    let edges = graph.edges().iter();
    let edges: Vec<_> = edges
        .map(|[from, to]| [from.column, from.row, to.column, to.row])
        .collect();
    json!({ "vertices": vertices, "edges": edges })
}

/// The position of an arrangement. That it is none is an answer, not a fault.
pub(super) fn arrange(session: &dyn Session, request: &Request) -> Result<Json, Failure> {
    let asked: Arrange = read(request)?;
    let things = placed(&asked.things);
    Ok(match session.arranging()?.arrange(&things, asked.second) {
        Ok(position) => json!({ "position": position, "why": null }),
        Err(SessionError::Arrangement(why)) => json!({ "position": null, "why": why }),
        Err(error) => return Err(error.into()),
    })
}

/// A partial diagram in the game's notation.
pub(super) fn pattern(session: &dyn Session, request: &Request) -> Result<Json, Failure> {
    let asked: Partial = read(request)?;
    let open = asked.open.iter();
    let open: Vec<_> = open
        .map(|&(column, row)| BoardSquare::new(column, row))
        .collect();
    let found = session
        .arranging()?
        .pattern(&placed(&asked.things), &open)?;
    Ok(json!({ "pattern": found }))
}

/// Where a move leads.
pub(super) fn play(session: &dyn Session, request: &Request) -> Result<Json, Failure> {
    let asked: Play = read(request)?;
    Ok(match session.lines()?.play(&asked.position, &asked.mv)? {
        Played::Next(position) => json!({ "position": position, "over": null }),
        Played::Over(outcome) => json!({ "position": null, "over": outcome.name() }),
    })
}

/// The value of a position and of its moves, as `probe --json` prints it, or of many, each
/// as `probe --batch` does.
pub(super) fn evaluate(
    session: &dyn Session,
    request: &Request,
    progress: &ClientProgress,
) -> Result<Json, Failure> {
    let asked: Evaluate = read(request)?;
    let evaluating = session.evaluating()?;
    if let Some(many) = asked.many()? {
        let questions: Vec<_> = many.iter().map(|text| Asked::Position(text)).collect();
        let found = evaluating.evaluate_batch(&questions, progress)?;
        let found = (1..).zip(found).map(|(number, found)| {
            found.map_err(|source| SessionError::OneOfMany {
                number,
                source: Box::new(source),
            })
        });
        return json_of(&found.collect::<Result<Vec<_>, _>>()?);
    }
    let options = EvaluationOptions {
        outcome_only: asked.outcome,
        search: questions::search(asked.depth, asked.fouls)?,
        times: false,
        lure: None,
    };
    let position = asked.position.unwrap_or_default();
    json_of(&evaluating.evaluate(&position, &options, progress)?)
}

/// A solution, as `solution --json` prints it.
pub(super) fn solution(
    session: &dyn Session,
    request: &Request,
    progress: &ClientProgress,
) -> Result<Json, Failure> {
    let asked: Solve = read(request)?;
    let mut options = SolutionOptions {
        search: questions::search(asked.depth, asked.fouls)?,
        ..SolutionOptions::default()
    };
    options.nodes = asked.nodes.unwrap_or(options.nodes).min(options.nodes);
    json_of(
        &session
            .solutions()?
            .solution(&asked.position, &options, progress)?,
    )
}

/// A verdict, as `check --json` prints it.
pub(super) fn check(
    session: &dyn Session,
    request: &Request,
    progress: &ClientProgress,
) -> Result<Json, Failure> {
    let asked: Check = read(request)?;
    let (position, stipulation) = asked.problem();
    json_of(&session.checking()?.check(position, stipulation, progress)?)
}

/// The soundness of all positions that differ by one thing.
pub(super) fn neighbours(
    session: &dyn Session,
    request: &Request,
    progress: &ClientProgress,
) -> Result<Json, Failure> {
    let asked: Check = read(request)?;
    let (position, stipulation) = asked.problem();
    let checking = session.checking()?;
    json_of(&checking.neighbours(position, stipulation, progress)?)
}

/// The columns of conditions, as `features --json` prints them.
pub(super) fn columns(session: &dyn Session) -> Result<Json, Failure> {
    let columns = session.mining()?.columns();
    let columns: Vec<_> = columns.iter().map(ColumnReport::from).collect();
    json_of(&columns)
}

/// A diagram, perhaps with moves.
pub(super) fn diagram(session: &dyn Session, query: &str) -> Result<Response, Failure> {
    let position = in_query(query, "position").unwrap_or_default();
    let mut diagram = session.diagram(&position)?;
    if let Some(moves) = in_query(query, "arrows").filter(|moves| !moves.is_empty()) {
        let moves: Vec<_> = moves.split(',').map(str::to_owned).collect();
        diagram = session.lines()?.marked(diagram, &position, &moves)?;
    }
    Ok(svg(render(&diagram, &style(query)?)))
}

/// The solution as a picture.
pub(super) fn solution_tree(
    session: &dyn Session,
    query: &str,
    progress: &ClientProgress,
) -> Result<Response, Failure> {
    let position = in_query(query, "position").unwrap_or_default();
    let options = SolutionOptions::default();
    let drawn = session.solutions()?.drawn(&position, &options, progress)?;
    Ok(svg(tree("", &drawn.words, &drawn.tree, &style(query)?)))
}

fn style(query: &str) -> Result<Style, Failure> {
    let name = in_query(query, "style");
    let style = Style::preset(name.as_deref().unwrap_or("screen"));
    let style = style.map_err(|error| Refusal::new(400, error.to_string()))?;
    Ok(match name.as_deref() {
        Some("print") => style,
        _ => without_ground(style),
    })
}

pub(super) fn svg(text: String) -> Response {
    Response::new("image/svg+xml", text)
}

pub(super) fn json_of(found: &impl serde::Serialize) -> Result<Json, Failure> {
    serde_json::to_value(found)
        .map_err(|error| Failure::Refused(Refusal::new(400, error.to_string())))
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// The question cannot be answered.
    Refused(Refusal),
    /// The session has no answer.
    Session(SessionError),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Session(error)
    }
}

impl Failure {
    /// What the client is told.
    pub(super) fn refusal(self, progress: &ClientProgress) -> Refusal {
        match self {
            Self::Refused(refusal) => refusal,
            Self::Session(_) if progress.is_late() => {
                Refusal::new(503, "this takes too long here; ask the command line")
            }
            Self::Session(error) => Refusal::new(400, error.to_string()),
        }
    }
}

/// What the umpire says to each try, and what the attacker sees then.
pub(super) fn umpire(
    session: &dyn Session,
    request: &Request,
    progress: &ClientProgress,
) -> Result<Json, Failure> {
    let asked: Tried = read(request)?;
    asked.check()?;
    let search = search(asked.depth, asked.fouls)?;
    let mut problem = session
        .umpiring()?
        .umpire(&asked.position, search, progress)?;
    let (mut said, mut over) = (Vec::new(), None);
    for mv in &asked.tries {
        if over.is_some() {
            let why = format!("no try is possible before '{mv}': the game is over");
            return Err(Refusal::new(400, why).into());
        }
        let heard = problem.attempt(mv, progress)?;
        said.push(json!({ "try": mv, "heard": name(&heard), "text": problem.told(mv, &heard) }));
        over = heard.is_end().then_some(match heard {
            Heard::Won(_) => "won",
            _ => "lost",
        });
    }
    let (attacker, defender) = problem.sides();
    let (plies, fouls) = problem.left();
    let is_over = over.is_some();
    let hint = if asked.hint && !is_over {
        problem.hint(progress)?
    } else {
        None
    };
    let diagram = problem.diagram();
    let [screen, dark] = on_page(|style| render(&diagram, style));
    Ok(json!({
        "attacker": attacker,
        "defender": defender,
        "plies": plies,
        "fouls": fouls,
        "positions": problem.positions(),
        "picture": { "words": diagram.spoken(), "screen": screen, "dark": dark },
        "heard": said,
        "over": over,
        "tries": if is_over { Vec::new() } else { problem.tries() },
        "hint": hint.map(|(mv, plies)| json!({ "try": mv, "plies": plies })),
    }))
}

/// How what was heard is named in answers.
const fn name(heard: &Heard<String>) -> &'static str {
    match heard {
        Heard::NoTry => "no-try",
        Heard::Quiet => "no-check",
        Heard::Foul(_) | Heard::TooManyFouls => "foul",
        Heard::Reply(..) | Heard::TooLate(_) => "check",
        Heard::Won(_) => "mate",
        Heard::Escaped(_) => "escape",
    }
}

/// The file of some finds.
pub(super) fn export(
    session: &dyn Session,
    request: &Request,
    progress: &ClientProgress,
) -> Result<Response, Failure> {
    let asked: Export = read(request)?;
    let rows = &asked.puzzles;
    if rows.len() > MOST_PUZZLES {
        let message = format!("at most {MOST_PUZZLES} puzzles fit in a file");
        return Err(Refusal::new(400, message).into());
    }
    for (name, text) in [("title", &asked.title), ("author", &asked.author)] {
        short(name, text.as_deref().unwrap_or_default())?;
    }
    rows.iter().try_for_each(sound)?;
    let bound = || {
        let options = BookOptions {
            title: asked.title.clone(),
            author: asked.author.clone(),
            ..BookOptions::default()
        };
        book(session, rows, &options, progress)
    };
    let title = asked.title.as_deref().unwrap_or_default();
    Ok(match asked.format.as_str() {
        "csv" => {
            let mut bytes = Vec::new();
            write_csv(&mut bytes, rows).map_err(SessionError::from)?;
            Response::new("text/csv; charset=utf-8", bytes)
        }
        "svg" => svg(sheet(session, title, rows, &Style::print())?),
        "html" => Response::new("text/html; charset=utf-8", page(&bound()?)),
        "pdf" => {
            let setting = Setting {
                paper: Paper::named("a4").map_err(|error| Refusal::new(400, error.to_string()))?,
                per_page: 6,
                style: Style::print(),
                without: Vec::new(),
            };
            let bytes = booklet(&bound()?, &setting)
                .map_err(|error| Refusal::new(400, error.to_string()))?;
            Response::new("application/pdf", bytes)
        }
        other => {
            let message = format!("invalid format '{other}': csv, svg, html and pdf are known");
            return Err(Refusal::new(400, message).into());
        }
    })
}

/// The most letters of what stands beside a diagram: letters are drawn, and each takes half a
/// kilobyte.
const MOST_LETTERS: usize = 200;

fn short(name: &str, text: &str) -> Result<(), Refusal> {
    if text.chars().count() > MOST_LETTERS {
        let message = format!("'{name}' has more than {MOST_LETTERS} letters");
        return Err(Refusal::new(400, message));
    }
    Ok(())
}

/// Refuses what is too long for a picture or must not stand in a table.
fn sound(row: &PuzzleRow) -> Result<(), Refusal> {
    short("stipulation", &row.stipulation)?;
    short("filter", &row.filter)?;
    let columns = [
        ("puzzle_id", &row.puzzle_id),
        ("game", &row.game),
        ("position", &row.position),
        ("side", &row.side),
        ("stipulation", &row.stipulation),
        ("outcome", &row.outcome),
        ("key", &row.key),
        ("solution", &row.solution),
        ("themes", &row.themes),
        ("filter", &row.filter),
        ("table_fingerprint", &row.table_fingerprint),
    ];
    for (column, text) in columns {
        if let Some(why) = fault(column, text) {
            return Err(Refusal::new(400, format!("'{column}' of a puzzle {why}")));
        }
    }
    Ok(())
}
