//! Rules that tell the moves of many states at once, in arrays.
//!
//! `package/tesuji_puzzles/_arrays.py` stands between the rules and this, and gives arrays as bytes.

use indexmap::IndexSet;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes as Bytes;
use pyo3::types::PyBytes;
use tesuji::base::value::Outcome;
use tesuji::game::{Expanded, Expander, List, Next};

use super::ask::{Refused, Setting, line, wrong};
use super::columns::{Given, OwnColumns};
use crate::options::numbers;
use crate::progress::{text_of_rules, throw};

/// States of a position's arrays at once, when something else than moves is asked.
const TOGETHER: usize = 1 << 16;

/// Positions at most whose texts are looked at before one is shown.
const WRITTEN: usize = 64;

/// States are the numbers that the rules give them.
pub(super) struct Batch {
    pub setting: Setting,
    pub arrays: Py<PyAny>,
    /// The numbers of moves, if moves have them.
    pub labels: IndexSet<u64>,
    labelled: Option<bool>,
}

impl Batch {
    pub(super) fn new(rules: &Bound<'_, PyAny>, setting: Setting) -> PyResult<Self> {
        let module = rules.py().import("tesuji_puzzles._arrays")?;
        Ok(Self {
            setting,
            arrays: module.getattr("Arrays")?.call1((rules,))?.unbind(),
            labels: IndexSet::new(),
            labelled: None,
        })
    }

    pub(super) fn has(&self, py: Python<'_>, method: &str) -> PyResult<bool> {
        self.arrays.call_method1(py, "has", (method,))?.extract(py)
    }

    /// What a method says of states.
    fn ask<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        states: &[u64],
    ) -> PyResult<Bound<'py, PyAny>> {
        self.arrays
            .bind(py)
            .call_method1(method, (of_states(py, &[states])?,))
    }

    /// The names of moves by their labels.
    pub(super) fn names(&self, py: Python<'_>) -> PyResult<IndexSet<Box<str>>> {
        let mut names = IndexSet::with_capacity(self.labels.len());
        for &label in &self.labels {
            let name = self.arrays.bind(py).call_method1("name", (label,))?;
            if !names.insert(line(&name.str()?, "a move")?.into()) {
                return Err(wrong(&format!(
                    "name() gives two moves the name '{name}'; tell them apart"
                )));
            }
        }
        Ok(names)
    }

    /// Reads what is written of some of the positions.
    pub(super) fn check_texts(&self, py: Python<'_>, list: &List<u64>) -> PyResult<()> {
        let states = list.states();
        for &state in states.iter().step_by(states.len() / WRITTEN + 1) {
            let text = self.arrays.bind(py).call_method1("written", (state,))?;
            line(&text.str()?, "a key")?;
        }
        Ok(())
    }

    /// What a method says of many states, as the bytes of an array; none if the rules do not tell.
    pub(super) fn ask_all(
        &self,
        py: Python<'_>,
        method: &str,
        states: &[u64],
    ) -> PyResult<Vec<u8>> {
        let mut all = Vec::new();
        if self.has(py, method)? {
            for states in states.chunks(TOGETHER) {
                let found = self.ask(py, method, states)?;
                all.extend(found.cast::<PyBytes>()?.as_bytes());
            }
        }
        Ok(all)
    }

    /// Columns of one's own.
    pub(super) fn columns(&self, py: Python<'_>, list: &List<u64>) -> PyResult<OwnColumns> {
        let mut columns = OwnColumns::default();
        if self.has(py, "features")? {
            for (chunk, states) in list.states().chunks(TOGETHER).enumerate() {
                let found: Vec<(String, bool, Bytes)> =
                    self.ask(py, "features", states)?.extract()?;
                let found = found.iter().map(|(name, flags, values)| {
                    let values = numbers(values, i32::from_ne_bytes);
                    let flag = |value| Given::Flag(value != 0);
                    let given: fn(i32) -> Given = if *flags { flag } else { Given::Number };
                    (name.clone(), values.map(given))
                });
                let added = columns.extend(found.collect(), chunk == 0);
                added.map_err(|message| wrong(&format!("features(): {message}")))?;
            }
        }
        Ok(columns)
    }
}

/// Place, child, over, and maybe move.
type Arrays = (Bytes, Bytes, Bytes, Option<Bytes>);

fn of_states<'py>(py: Python<'py>, blocks: &[&[u64]]) -> PyResult<Bound<'py, PyBytes>> {
    let states: usize = blocks.iter().map(|block| block.len()).sum();
    PyBytes::new_with(py, 8 * states, |bytes| {
        let states = blocks.iter().copied().flatten();
        for (bytes, state) in bytes.chunks_exact_mut(8).zip(states) {
            bytes.copy_from_slice(&state.to_ne_bytes());
        }
        Ok(())
    })
}

fn u64s(bytes: &[u8]) -> impl Iterator<Item = u64> {
    numbers(bytes, u64::from_ne_bytes)
}

impl Expander for Batch {
    type State = u64;
    type Error = Refused;

    fn initial(&mut self) -> Result<Vec<u64>, Refused> {
        Python::attach(|py| {
            let found = self.arrays.bind(py).call_method0("initial")?;
            let bytes = found.cast::<PyBytes>().map_err(PyErr::from)?;
            Ok(u64s(bytes.as_bytes()).collect())
        })
    }

    fn expand(&mut self, blocks: &[&[u64]]) -> Result<Vec<Expanded<u64>>, Refused> {
        Python::attach(|py| {
            let states = of_states(py, blocks)?;
            let found = self.arrays.bind(py).call_method1("expand", (states,))?;
            let (places, children, over, labels): Arrays = found.extract()?;
            if *self.labelled.get_or_insert(labels.is_some()) != labels.is_some() {
                return Err(
                    wrong("expand() gives moves numbers at one time and none at another").into(),
                );
            }
            self.divide(blocks, &places, &children, &over, labels.as_deref())
        })
    }

    fn check(&mut self, positions: u64, moves: u64, expanded: u64) -> Result<(), Refused> {
        // The list with sides; solver and table, which took 14 where this was measured.
        let position = 8 + 17 + 1 + 16;
        let edge = if self.labelled == Some(true) { 13 } else { 9 };
        let needed = positions
            .saturating_mul(position)
            .saturating_add(moves * edge);
        Ok(self.setting.check(positions, expanded, needed)?)
    }

    fn order(&mut self, states: &[u64]) -> Result<Vec<(u32, u32)>, Refused> {
        Python::attach(|py| {
            let stages = self.ask_all(py, "stage", states)?;
            let mut stages = numbers(&stages, u32::from_ne_bytes);
            let order = states.iter().map(|_| (stages.next().unwrap_or(0), 0));
            Ok(order.collect())
        })
    }

    fn show(&self, state: &u64) -> String {
        shown(&self.arrays, *state)
    }

    fn show_move(&self, _state: &u64, number: usize, _label: Option<u32>) -> String {
        (number + 1).to_string()
    }
}

/// A state as `key()` writes it, or as its number.
pub(super) fn shown(arrays: &Py<PyAny>, state: u64) -> String {
    Python::attach(|py| {
        let key = text_of_rules(|| {
            let key = arrays.bind(py).call_method1("key", (state,))?;
            line(&key.str()?, "a key")
        });
        key.unwrap_or_else(|error| throw(error))
    })
}

impl Batch {
    /// The moves of each block, out of arrays of all moves.
    fn divide(
        &mut self,
        blocks: &[&[u64]],
        places: &[u8],
        children: &[u8],
        over: &[u8],
        labels: Option<&[u8]>,
    ) -> Result<Vec<Expanded<u64>>, Refused> {
        let mut rows = u64s(places).zip(u64s(children)).zip(over).peekable();
        let mut labels = labels.map(u64s);
        let (mut place, mut row) = (0, 0);
        let mut all = Vec::with_capacity(blocks.len());
        for block in blocks {
            let mut found = Expanded::default();
            for state in *block {
                while let Some(((_, child), over)) = rows.next_if(|((at, _), _)| *at == place) {
                    row += 1;
                    let next = match over.cast_signed() {
                        0 => Next::State(child),
                        1 => Next::Over(Outcome::Win),
                        -1 => Next::Over(Outcome::Loss),
                        2 => Next::Over(Outcome::Draw),
                        other => return Err(wrong(&format!("expand() gives {other} in over; 0 says that play goes on, 1, -1 and 2 that who moved wins, loses or draws")).into()),
                    };
                    let Some(labels) = &mut labels else {
                        // Without numbers, moves that lead to the same state are one move.
                        if !found.under_way().0.contains(&next) {
                            found.push(next);
                        }
                        continue;
                    };
                    let label = labels.next().unwrap_or(0);
                    let (label, _) = self.labels.insert_full(label);
                    let label = u32::try_from(label).unwrap_or(u32::MAX);
                    if found.under_way().1.contains(&label) {
                        let state = self.show(state);
                        return Err(wrong(&format!(
                            "two moves have one number in '{state}'; tell them apart"
                        ))
                        .into());
                    }
                    found.push(next);
                    found.label(label);
                }
                found.end();
                place += 1;
            }
            all.push(found);
        }
        if let Some(((place, _), _)) = rows.next() {
            return Err(wrong(&format!(
                "expand() gives {} in row {row} of place; places are those of states in their array, in ascending order",
                place.cast_signed()
            )).into());
        }
        Ok(all)
    }
}
