//! Errors of the library as exceptions, which are defined in `package/tesuji_puzzles/_errors.py`.

use std::error::Error;
use std::path::Path;

use pyo3::prelude::*;
use tesuji::base::text::{bytes, grouped, with_causes};
use tesuji::game::NotationError;
use tesuji::mine::MineError;
use tesuji::session::SessionError;

/// Bytes of a message at most: an error may quote a whole file.
const MOST_BYTES: usize = 4000;

pub(crate) fn raised(py: Python<'_>, error: &SessionError) -> PyErr {
    let message = said(error);
    let class = match error {
        SessionError::Position { source, .. }
        | SessionError::Move(source)
        | SessionError::Pattern(source) => return placed(py, "NotationError", &message, source),
        SessionError::Mine(MineError::Text { source, .. }) => {
            return placed(py, "FilterError", &message, source);
        }
        SessionError::OneOfMany { source, .. } => {
            let inner = raised(py, source);
            let renamed = inner.value(py).setattr("args", (message,));
            return renamed.map_or_else(|error| error, |()| inner);
        }
        SessionError::Illegal(_) | SessionError::NoPosition { .. } => "NotationError",
        SessionError::Mine(MineError::Table(_))
        | SessionError::Table(_)
        | SessionError::GameOfFile { .. } => "TableError",
        SessionError::Size(_)
        | SessionError::NotSolved { .. }
        | SessionError::Memory { .. }
        | SessionError::TooMuch(_) => "SizeError",
        SessionError::Mine(_) | SessionError::UnknownColumn { .. } => "FilterError",
        SessionError::Unsupported(_) | SessionError::Inapplicable { .. } => "UnsupportedError",
        SessionError::Game(_) => "GameError",
        SessionError::Book(_) | SessionError::Stipulation(_) => "ArgumentError",
        SessionError::Unusable(_) | SessionError::Place(_) => "FileError",
        _ => "AnswerError",
    };
    exception(py, class, &message)
}

/// The exception for a file that cannot be read or written.
pub(crate) fn of_file(py: Python<'_>, what: &str, path: &Path, error: &dyn Error) -> PyErr {
    let message = format!("cannot {what} {}: {}", path.display(), explained(error));
    exception(py, "FileError", &message)
}

/// The exception for an argument that makes no sense.
pub(crate) fn of_argument(py: Python<'_>, name: &str, error: &dyn Error) -> PyErr {
    exception(
        py,
        "ArgumentError",
        &format!("{name}: {}", explained(error)),
    )
}

/// What an error says. Where it names options of the program, those of the package are
/// named instead.
fn said(error: &SessionError) -> String {
    match error {
        SessionError::NotSolved { spec, positions } => format!(
            "{spec} has {} positions, too many to solve automatically; write its table once with solve(\"FILE.tsj\") and open it with table=\"FILE.tsj\"",
            grouped(*positions)
        ),
        SessionError::Inapplicable {
            option: "batch",
            why,
        } => format!("evaluate() {why}"),
        SessionError::Inapplicable { option, why } => format!("{option} {why}; leave it out"),
        SessionError::UnknownColumn { spec, name, near } => {
            let near = if near.is_empty() {
                String::new()
            } else {
                format!(": perhaps {}", near.join(", "))
            };
            format!("unknown column '{name}' of {spec}{near}; columns() lists all")
        }
        SessionError::Memory {
            job,
            needed,
            bound: Some(bound),
            ..
        } => format!(
            "{job} needs {} of memory, more than the {} allowed; allow more with memory=, or choose a smaller game",
            bytes(*needed),
            bytes(*bound)
        ),
        error => explained(error),
    }
}

/// An error with its causes. Options of the program are arguments here.
fn explained(error: &dyn Error) -> String {
    let mut text = with_causes(error);
    for (option, argument) in [
        ("'tesuji solve --force'", "solve(..., force=True)"),
        ("--force", "force=True"),
        (" with --output", ""),
        ("use --output to choose", "choose"),
    ] {
        text = text.replace(option, argument);
    }
    if text.len() > MOST_BYTES {
        let end = text.floor_char_boundary(MOST_BYTES);
        text.truncate(end);
        text.push_str(" ...");
    }
    text
}

/// An exception with the place of the fault.
fn placed(py: Python<'_>, name: &str, message: &str, source: &NotationError) -> PyErr {
    let error = exception(py, name, message);
    let value = error.value(py);
    let told = value
        .setattr("text", source.input.clone())
        .and_then(|()| value.setattr("at", source.at));
    told.map_or_else(|error| error, |()| error)
}

pub(crate) fn exception(py: Python<'_>, name: &str, message: &str) -> PyErr {
    let made = py
        .import("tesuji_puzzles._errors")
        .and_then(|module| module.getattr(name))
        .and_then(|class| class.call1((message,)));
    made.map_or_else(|error| error, PyErr::from_value)
}
