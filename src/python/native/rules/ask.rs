//! What both kinds of rules are asked alike: names, sides, a board, and their errors.

use std::collections::BTreeMap;

use pyo3::exceptions::{PyAttributeError, PyException};
use pyo3::prelude::*;
use pyo3::types::PyString;
use tesuji::base::text::{bytes, grouped};
use tesuji::game::ListError;

use super::pieces::{Pieces, lasting};
use crate::errors::exception;

/// Letters of a notation at most.
const LETTERS: usize = 1 << 12;

/// Why listing ends early.
pub(super) struct Refused(pub PyErr);

impl From<PyErr> for Refused {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<ListError> for Refused {
    fn from(error: ListError) -> Self {
        Self(wrong(&error.to_string()))
    }
}

/// The error for rules that contradict themselves.
pub(super) fn wrong(message: &str) -> PyErr {
    Python::attach(|py| exception(py, "RulesError", message))
}

/// A game's name, its sides, the one that begins first, and its board.
pub(super) struct Setting {
    pub name: String,
    pub sides: [&'static str; 2],
    pub pieces: Option<Pieces>,
    /// Bytes that the positions may take.
    memory: u64,
}

impl Setting {
    pub(super) fn new(rules: &Bound<'_, PyAny>, name: String, memory: u64) -> PyResult<Self> {
        let sides = attribute::<(String, String)>(rules, "sides")?;
        let (first, second) = sides.unwrap_or_else(|| ("First".to_owned(), "Second".to_owned()));
        let odd = |name: &String| name.trim().is_empty() || name.contains(char::is_control);
        if first.to_lowercase() == second.to_lowercase() || odd(&first) || odd(&second) {
            return Err(wrong(&format!(
                "sides are {first:?} and {second:?}; give two different names of one line"
            )));
        }
        let sides = [lasting(&first), lasting(&second)];
        let size = attribute::<(u8, u8)>(rules, "size")?;
        let words: BTreeMap<char, String> = attribute(rules, "pieces")?.unwrap_or_default();
        if let Some((columns, rows)) = size
            && !(matches!((columns, rows), (1..=26, 1..=26))
                && u16::from(columns) * u16::from(rows) < 256)
        {
            let message = format!(
                "size is ({columns}, {rows}); a board has 1 to 26 columns and rows, and at most 255 squares"
            );
            return Err(wrong(&message));
        }
        let pieces = size.map(|size| Pieces::new(size, &words, sides));
        Ok(Self {
            name,
            sides,
            pieces,
            memory,
        })
    }

    /// Refuses a list that takes more memory than it may, once it is solved.
    pub(super) fn check(&self, positions: u64, expanded: u64, needed: u64) -> PyResult<()> {
        if needed <= self.memory && positions < u64::from(u32::MAX) {
            return Ok(());
        }
        if positions == u64::MAX {
            return Err(wrong(
                "there are more positions or moves than a list can hold",
            ));
        }
        let message = format!(
            "{} has more than {} positions up to now, {} of them unexplored, which take {} with their moves, more than the {} allowed; choose a smaller game, let symmetric states be one, or allow more with memory=",
            self.name,
            grouped(positions),
            grouped(positions.saturating_sub(expanded)),
            bytes(needed),
            bytes(self.memory)
        );
        Err(Python::attach(|py| exception(py, "SizeError", &message)))
    }
}

/// A method, if the rules have it.
pub(super) fn method(rules: &Bound<'_, PyAny>, name: &str) -> Option<Py<PyAny>> {
    let found = rules.getattr(name).ok()?;
    found.is_callable().then(|| found.unbind())
}

/// Calls a method of the rules. What it raises is the cause of the error.
pub(super) fn call<'py, A>(
    py: Python<'py>,
    method: &Py<PyAny>,
    name: &str,
    arguments: A,
    place: impl FnOnce() -> String,
) -> PyResult<Bound<'py, PyAny>>
where
    A: pyo3::call::PyCallArgs<'py>,
{
    let found = method.bind(py).call1(arguments);
    found.map_err(|error| raised(py, error, &format!("{name}()"), place))
}

/// The error for what rules raise, which is its cause.
pub(super) fn raised(
    py: Python<'_>,
    error: PyErr,
    what: &str,
    place: impl FnOnce() -> String,
) -> PyErr {
    // Ctrl-C and other exits stay what they are, and so does what says more already.
    let told = error.get_type(py).name();
    if !error.is_instance_of::<PyException>(py) || told.is_ok_and(|name| name == "RulesError") {
        return error;
    }
    let shown = error.value(py).repr().map(|text| text.to_string());
    let shown = shown.unwrap_or_else(|_| "an exception".to_owned());
    let raised = wrong(&format!("{what} raised {shown:.200} {}", place()));
    raised.set_cause(py, Some(error));
    raised
}

/// A text of one line.
pub(super) fn line(text: &Bound<'_, PyString>, what: &str) -> PyResult<String> {
    let text: String = text.extract().map_err(|error| {
        let place = || "when it was read as a text".to_owned();
        raised(text.py(), error, what, place)
    })?;
    let odd = text.is_empty() || text.chars().any(char::is_control) || text.trim() != text;
    if odd || text.len() > LETTERS {
        return Err(wrong(&format!(
            "{what} is written {:?}; use one line of 1 to {LETTERS} letters without blanks at its ends",
            text.chars().take(60).collect::<String>()
        )));
    }
    Ok(text)
}

/// An attribute, if the rules have it.
fn attribute<'py, T>(rules: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let found = match rules.getattr(name) {
        Ok(found) if found.is_none() => return Ok(None),
        Ok(found) => found,
        Err(error) if error.is_instance_of::<PyAttributeError>(rules.py()) => return Ok(None),
        Err(error) => return Err(error),
    };
    found.extract().map(Some).map_err(|_: T::Error| {
        wrong(&format!(
            "'{name}' of the rules is not what it must be: sides are two names, size is (columns, rows), pieces are a dict of letters with words"
        ))
    })
}
