//! Which question is answered by what.

use std::time::Duration;

use serde_json::Value as Json;

use super::answers::{self, Failure};
use super::client::Client;
use super::http::{Refusal, Request, Response};
use super::progress::ClientProgress;
use super::server::Shared;
use super::{exports, mining, page, umpire};

/// The longest time that one position takes.
const QUESTION: Duration = Duration::from_mins(2);

/// The longest time that a scan takes.
const SCAN: Duration = Duration::from_hours(1);

/// An answer.
pub(super) enum Answer {
    /// One that is to be sent.
    Whole(Response),
    /// One that has been sent bit by bit.
    Streamed,
}

/// Answers a request that was admitted. `path` is what follows the token.
pub(super) fn answer(
    shared: &Shared,
    client: &dyn Client,
    request: &Request,
    path: &str,
) -> Result<Answer, Refusal> {
    if let Some(question) = path.strip_prefix("api/") {
        return ask(shared, client, request, question);
    }
    match page::file(path) {
        Some(_) if request.is_post => Err(Refusal::new(405, "ask for pages with GET")),
        Some((kind, text)) => Ok(Answer::Whole(Response::new(kind, text))),
        None => Err(Refusal::new(404, "not found")),
    }
}

fn ask(
    shared: &Shared,
    client: &dyn Client,
    request: &Request,
    question: &str,
) -> Result<Answer, Refusal> {
    let session = &*shared.session;
    let is_get = matches!(
        question,
        "game" | "columns" | "diagram.svg" | "tree.svg" | "openapi.json"
    );
    let is_post = matches!(
        question,
        "board"
            | "arrange"
            | "pattern"
            | "play"
            | "evaluate"
            | "solution"
            | "check"
            | "neighbours"
            | "umpire"
            | "compose"
            | "mine"
            | "export"
    );
    match (is_get, is_post) {
        (false, false) => {
            return Err(Refusal::new(
                404,
                format!("no question '{}' is known", shortened(question)),
            ));
        }
        (true, _) if request.is_post => return Err(Refusal::new(405, "ask this with GET")),
        (_, true) if !request.is_post => return Err(Refusal::new(405, "ask this with POST")),
        _ => {}
    }
    let is_scan = matches!(question, "mine" | "compose");
    let _place = is_scan.then(|| shared.scan()).transpose()?;
    let time = if is_scan { SCAN } else { QUESTION };
    let progress = ClientProgress::new(client, &shared.stopping, time);
    let query = &request.query;
    let found = match question {
        "openapi.json" => {
            return Ok(Answer::Whole(Response::new(
                "application/json",
                page::OPENAPI,
            )));
        }
        "diagram.svg" => answers::diagram(session, query).map(Answer::Whole),
        "tree.svg" => answers::solution_tree(session, query, &progress).map(Answer::Whole),
        "export" => exports::export(session, request, &progress).map(Answer::Whole),
        "mine" => mining::mine(session, client, request, &progress).map(|()| Answer::Streamed),
        _ => data(session, request, question, &progress)
            .map(|data| Answer::Whole(Response::new("application/json", format!("{data:#}\n")))),
    };
    found.map_err(|failure| failure.refusal(&progress))
}

/// The questions whose answers are data.
fn data(
    session: &dyn crate::session::Session,
    request: &Request,
    question: &str,
    progress: &ClientProgress,
) -> Result<Json, Failure> {
    match question {
        "game" => Ok(answers::game(session)?),
        "columns" => answers::columns(session),
        "board" => answers::board(session, request),
        "arrange" => answers::arrange(session, request),
        "pattern" => answers::pattern(session, request),
        "play" => answers::play(session, request),
        "evaluate" => answers::evaluate(session, request, progress),
        "solution" => answers::solution(session, request, progress),
        "check" => answers::check(session, request, progress),
        "umpire" => umpire::umpire(session, request, progress),
        "neighbours" => answers::neighbours(session, request, progress),
        _ => mining::compose(session, request, progress),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
