//! The rules by slot, and tables of values that were found elsewhere.

use std::ops::Range;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tesuji::base::value::{Outcome, Record, Value};
use tesuji::session::{MiningOptions, Relation, SessionError};

use crate::errors::exception;
use crate::frame::Frame;
use crate::game::Game;
use crate::options::{Part, Question, numbers, wanted};
use crate::progress::{ask, throw, work};

/// The value of a slot without a position.
const VACANT: i16 = i16::MIN;

/// The layers of the table: name, first slot, end, group.
#[pyfunction]
pub(crate) fn layers(py: Python<'_>, game: &Game) -> PyResult<Vec<(String, u64, u64, usize)>> {
    let layers = ask(py, || game.0.stepping()?.layers())?.into_iter();
    let layers = layers.map(|it| (it.name, it.slots.start, it.slots.end, it.group));
    Ok(layers.collect())
}

/// The slot of each position, and the position stored there.
#[pyfunction]
pub(crate) fn places(
    py: Python<'_>,
    game: &Game,
    positions: Vec<Question>,
) -> PyResult<Vec<(u64, String)>> {
    let asked: Vec<_> = positions.iter().map(Question::asked).collect();
    ask(py, || game.0.stepping()?.places(&asked))
}

/// What a relation says of slots, which come as the bytes of an array.
#[pyfunction]
pub(crate) fn relation(
    py: Python<'_>,
    game: &Game,
    relation: &str,
    slots: &[u8],
) -> PyResult<Frame> {
    let slots: Vec<_> = numbers(slots, u64::from_ne_bytes).collect();
    let relation = Relation::named(relation)
        .ok_or_else(|| exception(py, "ArgumentError", "no such relation"))?;
    let found = work(py, |progress| {
        game.0.stepping()?.relation(relation, &slots, progress)
    });
    found.map(Frame)
}

/// How many states a condition or a filter admits, and the slots of those that puzzles are made
/// of, as the bytes of an array.
#[pyfunction]
pub(crate) fn finds<'py>(
    py: Python<'py>,
    game: &Game,
    condition: Option<&str>,
    filter: Option<String>,
    limit: Option<usize>,
    part: Part,
) -> PyResult<(u64, Bound<'py, PyBytes>)> {
    let filter = wanted(py, &*game.0, condition, filter)?;
    let options = MiningOptions {
        scope: part.scope(),
        limit,
        ..MiningOptions::default()
    };
    let (matched, slots) = work(py, |progress| {
        game.0.stepping()?.finds(&filter, &options, progress)
    })?;
    let bytes: Vec<u8> = slots.into_iter().flat_map(u64::to_ne_bytes).collect();
    Ok((matched, PyBytes::new(py, &bytes)))
}

/// The best values, the values without the only best moves, and these moves, of a range of slots, as
/// the bytes of arrays.
type Arrays = (Vec<u8>, Vec<u8>, Vec<u8>);

/// Writes a table with the records that `records` gives for ranges of slots, and gives its
/// fingerprint.
#[pyfunction]
pub(crate) fn table_from(
    py: Python<'_>,
    game: &Game,
    path: PathBuf,
    records: Py<PyAny>,
    force: bool,
) -> PyResult<String> {
    let of_range = |slots: Range<u64>| {
        let given = Python::attach(|py| {
            let given = records.call1(py, (slots.start, slots.end))?;
            given.extract::<Arrays>(py)
        });
        of_arrays(&slots, &given.unwrap_or_else(|error| throw(error)))
    };
    let written = work(py, |progress| {
        let stepping = game.0.stepping()?;
        stepping.table_from(&path, force, &of_range, progress)
    })?;
    Ok(written.fingerprint)
}

fn of_arrays(
    slots: &Range<u64>,
    (best, second, only): &Arrays,
) -> Result<Vec<Record>, SessionError> {
    let plies = |bytes| numbers(bytes, i16::from_ne_bytes).collect::<Vec<_>>();
    let (best, second) = (plies(best), plies(second));
    if best.len() != only.len() || second.len() != only.len() {
        return Err(SessionError::Refused(format!(
            "the arrays for the slots from {} on differ in length: {} best values, {} second ones and {} moves",
            slots.start,
            best.len(),
            second.len(),
            only.len()
        )));
    }
    let rows = (slots.start..).zip(best).zip(second).zip(only);
    let records = rows.map(|(((slot, best), second), &only)| {
        if best == VACANT {
            return Ok(Record::VACANT);
        }
        Ok(Record::new(value(slot, best)?, value(slot, second)?, only))
    });
    records.collect()
}

fn value(slot: u64, plies: i16) -> Result<Value, SessionError> {
    let outcome = match plies {
        0 => return Ok(Value::DRAW),
        1.. => Outcome::Win,
        _ => Outcome::Loss,
    };
    Value::decided(outcome, plies.unsigned_abs()).ok_or_else(|| {
        SessionError::Refused(format!(
            "slot {slot} has the value {plies}: no table has values as long"
        ))
    })
}
