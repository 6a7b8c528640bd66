//! States of a game as numbers, with the answers that a program may give.

use std::sync::Arc;

use pyo3::prelude::*;
use tesuji::formula::{AnswerKind, Entry};

use crate::game::Game;
use crate::progress::work;

/// The number of a state, its position, the numbers of its legal moves, and the right answers.
type Question = (u64, String, Vec<u8>, Vec<u8>);

/// What a program that plays the game is asked in each state, in the order of their numbers.
#[pyfunction]
#[pyo3(signature = (game, shortest=false, progress=None))]
pub fn questions(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    shortest: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Question>> {
    let session = Arc::clone(&game.get().0);
    let asked = work(py, progress.as_ref(), |progress| {
        session
            .programming()?
            .questions(shortest, AnswerKind::Move, progress)
    })?;
    let numbers = |set: u16| (0..16).filter(|bit| set >> bit & 1 == 1).collect();
    let every = u16::MAX >> (16 - asked.policy.moves().clamp(1, 16));
    let of = |entry: &Entry| {
        let position = asked.state(entry.code).to_owned();
        let best = entry.best & if entry.is_free() { every } else { entry.legal };
        (entry.code, position, numbers(entry.legal), numbers(best))
    };
    Ok(asked.policy.entries().iter().map(of).collect())
}
