//! The output of commands.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde::Serialize;

use tesuji::base::text::{plural, visible};
use tesuji::base::value::Value;
use tesuji::session::Comparisons;

/// The message where standard output is full.
pub(super) const UNPRINTED: &str = "cannot write to standard output";

/// Prints to standard output. If its reader has closed it, as `head` does, the command goes
/// on, so that its exit code is that of what it found.
pub(super) fn print(text: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let printed = out.write_all(visible(text).as_bytes());
    match printed.and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context(UNPRINTED),
        _ => Ok(()),
    }
}

/// Prints what a command found, as text or as one JSON object.
pub(super) fn answer<T: Serialize>(
    as_json: bool,
    found: &T,
    as_text: impl FnOnce(&T) -> String,
) -> Result<()> {
    print(&if as_json {
        format!("{:#}\n", serde_json::to_value(found)?)
    } else {
        as_text(found)
    })
}

/// The first lines of a report on a position.
pub(super) fn heading(game: &str, position: &str) -> String {
    format!("game      {game}\nposition  {position}\n")
}

/// A value with its unit: `win in 7 plies`.
pub(crate) fn in_plies(outcome: &str, plies: Option<u16>) -> String {
    match plies {
        Some(plies) => format!("{outcome} in {}", plural(plies.into(), "ply")),
        None => outcome.to_owned(),
    }
}

pub(super) fn worth(value: Value) -> String {
    in_plies(value.outcome().name(), value.plies())
}

/// Prints what a command found with its comparisons, as text or as one JSON object. The exit code
/// is 1 if a row differs.
pub(super) fn compared<T: Serialize>(
    as_json: bool,
    found: &T,
    comparisons: &Comparisons,
    as_text: impl Fn(&T) -> String,
) -> Result<ExitCode> {
    if as_json {
        let mut object = serde_json::to_value(found)?;
        object["comparisons"] = serde_json::to_value(comparisons)?;
        print(&format!("{object:#}\n"))?;
    } else {
        print(&(as_text(found) + &comparisons.to_string()))?;
    }
    Ok(ExitCode::from(u8::from(!comparisons.agree())))
}
