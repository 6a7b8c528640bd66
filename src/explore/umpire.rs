//! Play of a problem with hidden information against the umpire.
//!
//! The server keeps nothing: a question has all the tries that were made.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::answers::Failure;
use super::http::{Refusal, Request};
use super::questions::{read, search};
use super::watch::ClientWatch;
use crate::draw::{Diagram, Style, render};
use crate::session::Session;
use crate::solve::belief::Heard;

/// The most tries of one question.
const MOST_TRIES: usize = 200;

/// A problem, and the tries that were made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tried {
    position: String,
    #[serde(default)]
    tries: Vec<String>,
    /// Whether the best try is wanted too.
    #[serde(default)]
    hint: bool,
    depth: Option<u8>,
    fouls: Option<u8>,
}

/// What the umpire says to each try, and what the attacker sees then.
pub(super) fn umpire(
    session: &dyn Session,
    request: &Request,
    watch: &ClientWatch,
) -> Result<Json, Failure> {
    let asked: Tried = read(request)?;
    if asked.tries.len() > MOST_TRIES {
        let why = format!("make at most {MOST_TRIES} tries");
        return Err(Refusal::new(400, why).into());
    }
    let search = search(asked.depth, asked.fouls)?;
    let mut problem = session.umpiring()?.umpire(&asked.position, search, watch)?;
    let (mut said, mut over) = (Vec::new(), None);
    for mv in &asked.tries {
        if over.is_some() {
            let why = format!("no try is possible before '{mv}': the game is over");
            return Err(Refusal::new(400, why).into());
        }
        let heard = problem.attempt(mv, watch)?;
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
        problem.hint(watch)?
    } else {
        None
    };
    Ok(json!({
        "attacker": attacker,
        "defender": defender,
        "plies": plies,
        "fouls": fouls,
        "positions": problem.positions(),
        "picture": picture(&problem.diagram()),
        "heard": said,
        "over": over,
        "tries": if is_over { Vec::new() } else { problem.tries() },
        "hint": hint.map(|(mv, plies)| json!({ "try": mv, "plies": plies })),
    }))
}

/// A diagram for a light and for a dark page.
fn picture(diagram: &Diagram) -> Json {
    let drawn = |style: Style| {
        let style = Style {
            transparent: true,
            ..style
        };
        render(diagram, &style)
    };
    json!({
        "words": diagram.spoken(),
        "screen": drawn(Style::screen()),
        "dark": drawn(Style::dark()),
    })
}

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
