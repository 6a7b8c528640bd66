//! What a page may ask, as it is sent, and answers about one position. Unknown fields are refused.

use std::net::TcpStream;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::http::{ClientProgress, Request, Response, in_query};
use crate::book::{Paper, Setting, booklet, page};
use crate::draw::{BoardSquare, Diagram, Glyph, Style, glyph, render, tree};
use crate::export::{fault, write_csv};
use crate::game::Next;
use crate::mine::{Filter, MineError, PuzzleRow, States, filters};
use crate::session::{
    Asked, BookOptions, ColumnReport, EvaluationOptions, PointedMove, Puzzle, SearchOptions,
    Session, SessionError, SolutionOptions, TableSession, book, sheet,
};
use crate::solve::belief::Heard;

const MOST_POSITIONS: usize = 1000;

pub(super) const MOST_TRIES: usize = 200;

pub(super) const MOST_PUZZLES: usize = 500;

/// The most finds of a filter that are compared by score.
const MOST_SHORTLIST: usize = 100_000;

pub(super) struct Question<'a> {
    pub session: &'a dyn Session,
    pub client: &'a TcpStream,
    pub request: &'a Request,
    pub progress: &'a ClientProgress,
}

impl<'a> Question<'a> {
    /// A question with a body of this type.
    pub(super) fn read<T: Deserialize<'a>>(&self) -> Result<T, Response> {
        // Structures could also be read from arrays, by the order of their fields.
        if self.request.body.trim_ascii_start().starts_with(b"[") {
            return Err(bad("invalid request: an array; write an object"));
        }
        let body = &self.request.body;
        let read = serde_json::from_slice(body).or_else(|error| {
            if let Ok(mut json) = serde_json::from_slice(body)
                && with_integers(&mut json)
            {
                return T::deserialize(json);
            }
            Err(error)
        });
        read.map_err(|error| bad(format!("invalid request: {error}")))
    }
}

/// Writes numbers such as `2.0`, which are integers to a JSON Schema, as `2`. Tells whether there
/// are any.
fn with_integers(json: &mut Json) -> bool {
    let either = |any, one: &mut Json| with_integers(one) | any;
    match json {
        Json::Array(all) => all.iter_mut().fold(false, either),
        Json::Object(all) => all.values_mut().fold(false, either),
        Json::Number(number) => {
            let whole = number.to_string().strip_suffix(".0").map(str::parse::<u64>);
            let Some(Ok(whole)) = whole else {
                return false;
            };
            *json = whole.into();
            true
        }
        _ => false,
    }
}

/// What is answered, or why nothing is; no response if one has been sent bit by bit.
pub(super) type Answer = Result<Option<Response>, Response>;

pub(super) fn data(found: &impl Serialize) -> Answer {
    let found = serde_json::to_value(found).map_err(|error| bad(error.to_string()))?;
    let text = format!("{found:#}\n");
    Ok(Some(Response::new("application/json", text)))
}

/// The refusal of a question that makes no sense.
pub(super) fn bad(why: impl AsRef<str>) -> Response {
    Response::refused(400, why)
}

impl From<SessionError> for Response {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Inapplicable { option, why } => {
                bad(format!("'{option}' {why}; leave it out"))
            }
            error => bad(error.to_string()),
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
    pub things: Vec<(u8, u8, u8)>,
    #[serde(default)]
    pub second: bool,
}

/// Things on squares, and squares that may have anything.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Partial {
    pub things: Vec<(u8, u8, u8)>,
    pub open: Vec<(u8, u8)>,
}

pub(super) fn placed(things: &[(u8, u8, u8)]) -> Vec<(BoardSquare, usize)> {
    let place = |&(column, row, place)| (BoardSquare::new(column, row), usize::from(place));
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

/// Limits of a search for problems with hidden information.
pub(super) fn search(depth: Option<u8>, fouls: Option<u8>) -> Result<SearchOptions, Response> {
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
    pub nodes: Option<u32>,
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
    pub(super) fn filter(&self, family: &str) -> Result<Filter, Response> {
        let refused = |error: MineError| bad(error.to_string());
        let filter = match (&self.condition, &self.filter, &self.toml) {
            (Some(condition), None, None) => {
                Filter::of_condition("where", condition).map_err(refused)?
            }
            (None, Some(name), None) => {
                let shipped = filters(family, &[]).map_err(refused)?;
                let found = shipped.into_iter().find(|filter| filter.name == *name);
                found.ok_or_else(|| bad(format!("no filter '{name}' comes with {family}")))?
            }
            (None, None, Some(text)) => Filter::parse(text, "'toml'").map_err(refused)?,
            _ => return Err(bad("give one of condition, filter and toml")),
        };
        if filter.shortlist.is_some_and(|most| most > MOST_SHORTLIST) {
            return Err(bad(format!("shortlist is at most {MOST_SHORTLIST} here")));
        }
        Ok(filter)
    }

    pub(super) fn limit(&self, otherwise: usize) -> Result<usize, Response> {
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

/// What a page needs to know of the game.
pub(super) fn game(session: &dyn Session) -> Result<Json, SessionError> {
    let shipped = filters(&session.family(), &[]).unwrap_or_default();
    let filters = shipped.iter().map(|filter| {
        json!({
            "name": filter.name,
            "title": filter.title,
            "text": filter.text,
            "condition": filter.predicate,
            "order": filter.order,
            "shortlist": filter.shortlist,
            "distinct": filter.distinct,
            "stipulation": filter.asks_mates().then_some("mate"),
            "states": (filter.states == States::All).then_some("all"),
            "pattern": filter.pattern,
        })
    });
    let operations = session.interfaces().operations();
    let operations = operations.iter().map(|operation| operation.name());
    let palette = session.arranging().map(TableSession::palette).ok();
    let (things, sides) = palette.map_or_else(Default::default, |it| (it.things, it.sides));
    Ok(json!({
        "game": session.spec(),
        "kind": session.kind().name(),
        "initial": session.position("")?.text,
        "operations": operations.collect::<Vec<_>>(),
        "sides": sides,
        "palette": things.iter().map(|item| thing(&item.glyph, &item.words)).collect::<Vec<_>>(),
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
pub(super) fn board(question: &Question<'_>) -> Answer {
    let asked: OnePosition = question.read()?;
    let boards = question.session.arranging()?;
    let palette = boards.palette();
    let found = boards.board(&asked.position)?;
    let mut extra: IndexSet<(&Glyph, &str)> = IndexSet::new();
    let squares = found.things.iter().map(|thing| {
        let place = palette.place(thing).unwrap_or_else(|| {
            let (place, _) = extra.insert_full((&thing.glyph, &*thing.words));
            palette.things.len() + place
        });
        json!([thing.cell.column, thing.cell.row, place])
    });
    let squares: Vec<Json> = squares.collect();
    let (files, ranks) = found.diagram.labels();
    data(&json!({
        "position": found.position,
        "side": found.side,
        "size": [found.size.0, found.size.1],
        "files": files,
        "ranks": ranks,
        "graph": graph(&found.diagram),
        "squares": squares,
        "extra": extra.iter().map(|(glyph, words)| thing(glyph, words)).collect::<Vec<_>>(),
        "moves": found.moves.iter().map(pointed).collect::<Vec<_>>(),
        "forbidden": found.forbidden.as_ref().map(pointed),
        "shaded": shaded(&found.diagram),
    }))
}

/// The dark squares of a chessboard; none on other boards.
pub(super) fn shaded(diagram: &Diagram) -> Vec<[u8; 2]> {
    let dark = diagram.shaded();
    dark.map(|square| [square.column, square.row]).collect()
}

/// The graph that is drawn instead of squares.
pub(super) fn graph(diagram: &Diagram) -> Option<Json> {
    let graph = diagram.drawn_graph()?;
    let vertices = graph.vertices();
    let vertices: Vec<_> = vertices
        .map(|(at, name)| json!([at.column, at.row, name]))
        .collect();
    let edges = graph.edges().iter();
    let edges: Vec<_> = edges
        .map(|[from, to]| [from.column, from.row, to.column, to.row])
        .collect();
    Some(json!({ "vertices": vertices, "edges": edges }))
}

/// The position of an arrangement. That it is none is an answer, not a fault.
pub(super) fn arrange(question: &Question<'_>) -> Answer {
    let asked: Arrange = question.read()?;
    let (arranging, things) = (question.session.arranging()?, placed(&asked.things));
    data(&match arranging.arrange(&things, asked.second) {
        Ok(position) => json!({ "position": position, "why": null }),
        Err(SessionError::Arrangement(why)) => json!({ "position": null, "why": why }),
        Err(error) => return Err(error.into()),
    })
}

/// A partial diagram in the game's notation.
pub(super) fn pattern(question: &Question<'_>) -> Answer {
    let asked: Partial = question.read()?;
    let square = |&(column, row): &_| BoardSquare::new(column, row);
    let open: Vec<_> = asked.open.iter().map(square).collect();
    let arranging = question.session.arranging()?;
    data(&json!({ "pattern": arranging.pattern(&placed(&asked.things), &open)? }))
}

pub(super) fn play(question: &Question<'_>) -> Answer {
    let asked: Play = question.read()?;
    let lines = question.session.lines()?;
    data(&match lines.play(&asked.position, &asked.mv)? {
        Next::State(position) => json!({ "position": position, "over": null }),
        Next::Over(outcome) => json!({ "position": null, "over": outcome.name() }),
    })
}

/// The value of a position and of its moves, as `probe --json` prints it, or of many, each
/// as `probe --batch` does.
pub(super) fn evaluate(question: &Question<'_>) -> Answer {
    let asked: Evaluate = question.read()?;
    let search = search(asked.depth, asked.fouls)?;
    let evaluating = question.session.evaluating()?;
    let options = EvaluationOptions {
        outcome_only: asked.outcome,
        search,
        ..EvaluationOptions::default()
    };
    match (asked.position, asked.positions) {
        (Some(position), None) => {
            data(&evaluating.evaluate(&position, &options, question.progress)?)
        }
        (None, Some(many)) if many.len() <= MOST_POSITIONS => {
            let questions: Vec<_> = many.iter().map(|text| Asked::Position(text)).collect();
            let found = evaluating.evaluate_batch(&questions, question.progress)?;
            let found = found.into_iter().enumerate();
            let found = found.map(|(place, found)| found.map_err(SessionError::of_many(place)));
            data(&found.collect::<Result<Vec<_>, _>>()?)
        }
        (None, Some(_)) => Err(bad(format!(
            "ask for at most {MOST_POSITIONS} positions at once"
        ))),
        _ => Err(bad("give either position or positions")),
    }
}

/// A solution, as `solution --json` prints it.
pub(super) fn solution(question: &Question<'_>) -> Answer {
    let asked: Solve = question.read()?;
    let mut options = SolutionOptions {
        search: search(asked.depth, asked.fouls)?,
        ..SolutionOptions::default()
    };
    if let Some(nodes) = asked.nodes {
        options.nodes = options.nodes.min(nodes as usize);
    }
    let solutions = question.session.solutions()?;
    data(&solutions.solution(&asked.position, &options, question.progress)?)
}

/// A verdict, as `check --json` prints it.
pub(super) fn check(question: &Question<'_>) -> Answer {
    let asked: Check = question.read()?;
    let checking = question.session.checking()?;
    let stipulation = asked.stipulation.as_deref();
    data(&checking.check(&asked.position, stipulation, question.progress)?)
}

/// The soundness of all positions that differ by one thing.
pub(super) fn neighbours(question: &Question<'_>) -> Answer {
    let asked: Check = question.read()?;
    let composing = question.session.composing()?;
    let stipulation = asked.stipulation.as_deref();
    data(&composing.neighbours(&asked.position, stipulation, question.progress)?)
}

/// The columns of conditions, as `features --json` prints them.
pub(super) fn columns(question: &Question<'_>) -> Answer {
    let columns = question.session.mining()?.columns().into_iter();
    data(&columns.map(ColumnReport::from).collect::<Vec<_>>())
}

pub(super) fn diagram(question: &Question<'_>) -> Answer {
    let query = &question.request.query;
    let position = in_query(query, "position")?.unwrap_or_default();
    let mut diagram = question.session.diagram(&position)?;
    if let Some(moves) = in_query(query, "arrows")?.filter(|moves| !moves.is_empty()) {
        let moves: Vec<_> = moves.split(',').map(str::to_owned).collect();
        let lines = question.session.lines()?;
        diagram = lines.marked(diagram, &position, &moves)?;
    }
    Ok(Some(svg(render(&diagram, &style(query)?))))
}

pub(super) fn solution_tree(question: &Question<'_>) -> Answer {
    let query = &question.request.query;
    let position = in_query(query, "position")?.unwrap_or_default();
    let number = |name| {
        let number = in_query(query, name)?.map(|text| text.parse());
        number
            .transpose()
            .map_err(|_| bad(format!("{name} is no number")))
    };
    let options = SolutionOptions {
        search: search(number("depth")?, number("fouls")?)?,
        ..SolutionOptions::default()
    };
    let solutions = question.session.solutions()?;
    let drawn = solutions.drawn(&position, &options, question.progress)?;
    let svg = svg(tree("", &drawn.words, &drawn.tree, &style(query)?));
    Ok(Some(svg))
}

fn style(query: &str) -> Result<Style, Response> {
    let name = in_query(query, "style")?;
    let style = Style::preset(name.as_deref().unwrap_or("screen"));
    let style = style.map_err(|error| bad(error.to_string()))?;
    Ok(match name.as_deref() {
        Some("print") => style,
        _ => without_ground(style),
    })
}

fn svg(text: String) -> Response {
    Response::new("image/svg+xml", text)
}

/// What the umpire says to each try, and what the attacker sees then.
pub(super) fn umpire(question: &Question<'_>) -> Answer {
    let asked: Tried = question.read()?;
    if asked.tries.len() > MOST_TRIES {
        return Err(bad(format!("make at most {MOST_TRIES} tries")));
    }
    let search = search(asked.depth, asked.fouls)?;
    let umpiring = question.session.umpiring()?;
    let mut problem = umpiring.umpire(&asked.position, search, question.progress)?;
    let (mut said, mut over) = (Vec::new(), None);
    for mv in &asked.tries {
        if over.is_some() {
            let why = format!("no try is possible before '{mv}': the game is over");
            return Err(bad(why));
        }
        let heard = problem.attempt(mv, question.progress)?;
        let (name, text) = (heard_name(&heard), problem.told(mv, &heard));
        said.push(json!({ "try": mv, "heard": name, "text": text }));
        over = problem.is_over(&heard).then_some(match heard {
            Heard::Won(_) => "won",
            _ => "lost",
        });
    }
    let (attacker, defender) = problem.sides();
    let (plies, fouls) = problem.left();
    let is_over = over.is_some();
    let hint = if asked.hint && !is_over {
        problem.hint(question.progress)?
    } else {
        None
    };
    let diagram = problem.diagram();
    let [screen, dark] = on_page(|style| render(&diagram, style));
    data(&json!({
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
const fn heard_name(heard: &Heard<String>) -> &'static str {
    match heard {
        Heard::NoTry => "no-try",
        Heard::Quiet => "no-check",
        Heard::Foul(_) | Heard::TooManyFouls => "foul",
        Heard::Reply(..) | Heard::TooLate(_) => "check",
        Heard::Won(_) => "mate",
        Heard::Escaped(_) => "escape",
    }
}

pub(super) fn export(question: &Question<'_>) -> Answer {
    let asked: Export = question.read()?;
    let rows = &asked.puzzles;
    if rows.len() > MOST_PUZZLES {
        return Err(bad(format!("at most {MOST_PUZZLES} puzzles fit in a file")));
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
        let entries = Puzzle::of_rows(question.session, rows);
        let bound = book(&entries, &options, question.progress);
        bound.map(|bound| bound.book)
    };
    let title = asked.title.as_deref().unwrap_or_default();
    Ok(Some(match asked.format.as_str() {
        "csv" => {
            let mut bytes = Vec::new();
            write_csv(&mut bytes, rows).map_err(SessionError::from)?;
            Response::new("text/csv; charset=utf-8", bytes)
        }
        "svg" => svg(sheet(question.session, title, rows, &Style::print())?),
        "html" => Response::new("text/html; charset=utf-8", page(&bound()?)),
        "pdf" => {
            let setting = Setting {
                paper: Paper::A4,
                per_page: 6,
                style: Style::print(),
                without: Vec::new(),
            };
            let bytes = booklet(&bound()?, &setting).map_err(|error| bad(error.to_string()))?;
            Response::new("application/pdf", bytes)
        }
        other => {
            let message = format!("invalid format '{other}': csv, svg, html and pdf are known");
            return Err(bad(message));
        }
    }))
}

/// The most letters of what stands beside a diagram: letters are drawn, and each takes half a
/// kilobyte.
const MOST_LETTERS: usize = 200;

fn short(name: &str, text: &str) -> Result<(), Response> {
    if text.chars().count() > MOST_LETTERS {
        let message = format!("'{name}' has more than {MOST_LETTERS} letters");
        return Err(bad(message));
    }
    Ok(())
}

/// Refuses what is too long for a picture or must not stand in a table.
fn sound(row: &PuzzleRow) -> Result<(), Response> {
    short("stipulation", &row.stipulation)?;
    short("filter", &row.filter)?;
    let row = serde_json::to_value(row).map_err(|error| bad(error.to_string()))?;
    for (column, field) in row.as_object().into_iter().flatten() {
        // Numbers are right as they are.
        if let Some(why) = fault(column, field.as_str().unwrap_or_default()) {
            return Err(bad(format!("'{column}' of a puzzle {why}")));
        }
    }
    Ok(())
}
