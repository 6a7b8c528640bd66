//! Finds as files, which the page hands to the browser.

use super::answers::{Failure, svg};
use super::http::{Refusal, Request, Response};
use super::progress::ClientProgress;
use super::questions::{Export, MOST_PUZZLES, read};
use crate::book::{Paper, Setting, booklet, page};
use crate::draw::Style;
use crate::export::{fault, write_csv};
use crate::mine::PuzzleRow;
use crate::session::{BookOptions, Session, SessionError, book, sheet};

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
