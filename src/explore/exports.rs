//! Finds as files, which the page hands to the browser.

use super::answers::{Failure, svg};
use super::http::{Refusal, Request, Response};
use super::questions::{Export, MOST_PUZZLES, read};
use super::watch::ClientWatch;
use crate::book::{Paper, Setting, booklet, page};
use crate::draw::Style;
use crate::export::write_csv;
use crate::session::{BookOptions, Session, SessionError, book, sheet};

/// The file of some finds.
pub(super) fn export(
    session: &dyn Session,
    request: &Request,
    watch: &ClientWatch,
) -> Result<Response, Failure> {
    let asked: Export = read(request)?;
    let rows = &asked.puzzles;
    if rows.len() > MOST_PUZZLES {
        let message = format!("at most {MOST_PUZZLES} puzzles fit in a file");
        return Err(Refusal::new(400, message).into());
    }
    let bound = || {
        let options = BookOptions {
            title: asked.title.clone(),
            author: asked.author.clone(),
            ..BookOptions::default()
        };
        book(session, rows, &options, watch)
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
