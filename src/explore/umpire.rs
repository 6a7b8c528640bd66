//! Play of a problem with hidden information against the umpire.
//!
//! The server keeps nothing: a question has all the tries that were made.

use serde_json::{Value as Json, json};

use super::answers::{Failure, on_page};
use super::http::{Refusal, Request};
use super::progress::ClientProgress;
use super::questions::{Tried, read, search};
use crate::draw::render;
use crate::session::Session;
use crate::solve::belief::Heard;

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
