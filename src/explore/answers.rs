//! Answers about one position.

use serde_json::{Value as Json, json};

use super::http::{Refusal, Response, in_query};
use super::questions::{
    Answer, Arrange, Check, Evaluate, Export, Failure, MOST_PUZZLES, MOST_TRIES, OnePosition,
    Partial, Play, Question, Solve, Tried, bad, data, placed, search,
};
use crate::book::{Paper, Setting, booklet, page};
use crate::draw::{BoardSquare, Glyph, Style, glyph, render, tree};
use crate::export::{fault, write_csv};
use crate::mine::{PuzzleRow, filters};
use crate::session::{
    Arranging, Asked, BoardReport, BookOptions, ColumnReport, EvaluationOptions, Played,
    PointedMove, Puzzle, Session, SessionError, SolutionOptions, book, sheet,
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
pub(super) fn board(question: &Question<'_>) -> Answer {
    let asked: OnePosition = question.read()?;
    let boards = question.session.arranging()?;
    let items = boards.palette().things.len();
    data(&board_json(&boards.board(&asked.position)?, items))
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
pub(super) fn arrange(question: &Question<'_>) -> Answer {
    let asked: Arrange = question.read()?;
    let things = placed(&asked.things);
    data(
        &match question.session.arranging()?.arrange(&things, asked.second) {
            Ok(position) => json!({ "position": position, "why": null }),
            Err(SessionError::Arrangement(why)) => json!({ "position": null, "why": why }),
            Err(error) => return Err(error.into()),
        },
    )
}

/// A partial diagram in the game's notation.
pub(super) fn pattern(question: &Question<'_>) -> Answer {
    let asked: Partial = question.read()?;
    let open = asked.open.iter();
    let open: Vec<_> = open
        .map(|&(column, row)| BoardSquare::new(column, row))
        .collect();
    let arranging = question.session.arranging()?;
    let found = arranging.pattern(&placed(&asked.things), &open)?;
    data(&json!({ "pattern": found }))
}

pub(super) fn play(question: &Question<'_>) -> Answer {
    let asked: Play = question.read()?;
    let lines = question.session.lines()?;
    data(&match lines.play(&asked.position, &asked.mv)? {
        Played::Next(position) => json!({ "position": position, "over": null }),
        Played::Over(outcome) => json!({ "position": null, "over": outcome.name() }),
    })
}

/// The value of a position and of its moves, as `probe --json` prints it, or of many, each
/// as `probe --batch` does.
pub(super) fn evaluate(question: &Question<'_>) -> Answer {
    let asked: Evaluate = question.read()?;
    let evaluating = question.session.evaluating()?;
    if let Some(many) = asked.many()? {
        let questions: Vec<_> = many.iter().map(|text| Asked::Position(text)).collect();
        let found = evaluating.evaluate_batch(&questions, question.progress)?;
        let found = found.into_iter().enumerate();
        let found = found.map(|(place, found)| found.map_err(SessionError::of_many(place)));
        return data(&found.collect::<Result<Vec<_>, _>>()?);
    }
    let options = EvaluationOptions {
        outcome_only: asked.outcome,
        search: search(asked.depth, asked.fouls)?,
        ..EvaluationOptions::default()
    };
    let position = asked.position.unwrap_or_default();
    data(&evaluating.evaluate(&position, &options, question.progress)?)
}

/// A solution, as `solution --json` prints it.
pub(super) fn solution(question: &Question<'_>) -> Answer {
    let asked: Solve = question.read()?;
    let mut options = SolutionOptions {
        search: search(asked.depth, asked.fouls)?,
        ..SolutionOptions::default()
    };
    options.nodes = asked.nodes.unwrap_or(options.nodes).min(options.nodes);
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
    let checking = question.session.checking()?;
    let stipulation = asked.stipulation.as_deref();
    data(&checking.neighbours(&asked.position, stipulation, question.progress)?)
}

/// The columns of conditions, as `features --json` prints them.
pub(super) fn columns(question: &Question<'_>) -> Answer {
    let columns = question.session.mining()?.columns();
    let columns: Vec<_> = columns.iter().map(ColumnReport::from).collect();
    data(&columns)
}

pub(super) fn diagram(question: &Question<'_>) -> Answer {
    let query = &question.request.query;
    let position = in_query(query, "position").unwrap_or_default();
    let mut diagram = question.session.diagram(&position)?;
    if let Some(moves) = in_query(query, "arrows").filter(|moves| !moves.is_empty()) {
        let moves: Vec<_> = moves.split(',').map(str::to_owned).collect();
        let lines = question.session.lines()?;
        diagram = lines.marked(diagram, &position, &moves)?;
    }
    Ok(Some(svg(render(&diagram, &style(query)?))))
}

pub(super) fn solution_tree(question: &Question<'_>) -> Answer {
    let query = &question.request.query;
    let position = in_query(query, "position").unwrap_or_default();
    let options = SolutionOptions::default();
    let solutions = question.session.solutions()?;
    let drawn = solutions.drawn(&position, &options, question.progress)?;
    let svg = svg(tree("", &drawn.words, &drawn.tree, &style(query)?));
    Ok(Some(svg))
}

fn style(query: &str) -> Result<Style, Failure> {
    let name = in_query(query, "style");
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
        return Err(bad(format!("make at most {MOST_TRIES} tries")).into());
    }
    let search = search(asked.depth, asked.fouls)?;
    let umpiring = question.session.umpiring()?;
    let mut problem = umpiring.umpire(&asked.position, search, question.progress)?;
    let (mut said, mut over) = (Vec::new(), None);
    for mv in &asked.tries {
        if over.is_some() {
            let why = format!("no try is possible before '{mv}': the game is over");
            return Err(bad(why).into());
        }
        let heard = problem.attempt(mv, question.progress)?;
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

pub(super) fn export(question: &Question<'_>) -> Answer {
    let asked: Export = question.read()?;
    let rows = &asked.puzzles;
    if rows.len() > MOST_PUZZLES {
        let message = format!("at most {MOST_PUZZLES} puzzles fit in a file");
        return Err(bad(message).into());
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
                paper: Paper::named("a4").map_err(|error| bad(error.to_string()))?,
                per_page: 6,
                style: Style::print(),
                without: Vec::new(),
            };
            let bytes = booklet(&bound()?, &setting).map_err(|error| bad(error.to_string()))?;
            Response::new("application/pdf", bytes)
        }
        other => {
            let message = format!("invalid format '{other}': csv, svg, html and pdf are known");
            return Err(bad(message).into());
        }
    }))
}

/// The most letters of what stands beside a diagram: letters are drawn, and each takes half a
/// kilobyte.
const MOST_LETTERS: usize = 200;

fn short(name: &str, text: &str) -> Result<(), Refusal> {
    if text.chars().count() > MOST_LETTERS {
        let message = format!("'{name}' has more than {MOST_LETTERS} letters");
        return Err(bad(message));
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
            return Err(bad(format!("'{column}' of a puzzle {why}")));
        }
    }
    Ok(())
}
