//! Rules that tell the moves of one state at a time.

use indexmap::IndexSet;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyString, PyTuple};
use tesuji::base::value::Outcome;
use tesuji::game::{Expanded, Expander, Next};

use super::ask::{Refused, Setting, call, line, method, raised, wrong};
use super::columns::{Given, OwnColumns};
use super::key_of;

/// States that are remembered by themselves, so that their keys are not asked for again.
const REMEMBERED: usize = 1 << 17;

/// Moves of a position at most.
const MOST_MOVES: usize = 254;

/// Positions are numbered in the order in which they are found.
pub(super) struct Single {
    pub setting: Setting,
    initial: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    key: Py<PyAny>,
    name: Option<Py<PyAny>>,
    side: Option<Py<PyAny>>,
    stage: Option<Py<PyAny>>,
    features: Option<Py<PyAny>>,
    /// The members of `Outcome` in Python.
    outcomes: Vec<(Py<PyAny>, Outcome)>,
    /// The numbers of states, if states are values that Python compares quickly.
    known: Option<Py<PyDict>>,
    /// The numbers of names, by moves.
    written: Py<PyDict>,
    /// States that wait to be expanded.
    waiting: Vec<Option<Py<PyAny>>>,
    stages: Vec<u32>,
    /// Letters of all keys and names.
    letters: u64,
    /// The keys of the positions, by their numbers, and the names of moves.
    pub keys: IndexSet<Box<str>>,
    pub names: IndexSet<Box<str>>,
    /// The side to move in each position; empty if the rules do not tell.
    pub sides: Vec<u8>,
    pub columns: OwnColumns,
}

impl Single {
    pub(super) fn new(rules: &Bound<'_, PyAny>, setting: Setting) -> PyResult<Self> {
        let py = rules.py();
        let needed = |name: &str| {
            method(rules, name).ok_or_else(|| {
                wrong(&format!(
                    "the rules have no method {name}(); needed are initial(), moves(state), play(state, move) and key(state), or initial() and expand(states)"
                ))
            })
        };
        let members = py.import("tesuji_puzzles._values")?.getattr("Outcome")?;
        let member = |it: Outcome| Ok((members.call1((it.name(),))?.unbind(), it));
        Ok(Self {
            setting,
            initial: needed("initial")?,
            moves: needed("moves")?,
            play: needed("play")?,
            key: needed("key")?,
            name: method(rules, "name"),
            side: method(rules, "side"),
            stage: method(rules, "stage"),
            features: method(rules, "features"),
            outcomes: (Outcome::ALL.into_iter().map(member)).collect::<PyResult<_>>()?,
            known: None,
            written: PyDict::new(py).unbind(),
            waiting: Vec::new(),
            stages: Vec::new(),
            letters: 0,
            keys: IndexSet::new(),
            names: IndexSet::new(),
            sides: Vec::new(),
            columns: OwnColumns::default(),
        })
    }

    fn outcome(&self, next: &Bound<'_, PyAny>) -> Option<Outcome> {
        let mut members = self.outcomes.iter();
        let found = members.find(|(member, _)| next.is(member));
        found.map(|(_, outcome)| *outcome)
    }

    fn here(&self, number: u64) -> String {
        format!("in '{}'", self.show(&number))
    }

    /// A move of a position, or the start.
    fn place(&self, at: Option<(u64, u32)>) -> String {
        let Some((number, name)) = at else {
            return "at the start".to_owned();
        };
        let name = self.names.get_index(name as usize);
        let name = name.map_or("", |name| name);
        format!("{}, move '{name}'", self.here(number))
    }

    fn expand_one(
        &mut self,
        py: Python<'_>,
        number: u64,
        found: &mut Expanded<u64>,
    ) -> PyResult<()> {
        let waiting = self.waiting.get_mut(super::at(number));
        let Some(state) = waiting.and_then(Option::take) else {
            return Err(wrong("a position was expanded twice"));
        };
        let state = state.bind(py);
        let moves = call(py, &self.moves, "moves", (state,), || self.here(number))?;
        let moves = moves.try_iter();
        let moves = moves.map_err(|error| raised(py, error, "moves()", || self.here(number)))?;
        for mv in moves {
            let mv = mv.map_err(|error| raised(py, error, "moves()", || self.here(number)))?;
            let name = self.name_of(number, state, &mv)?;
            let at = Some((number, name));
            let (moves, names) = found.under_way();
            if names.contains(&name) {
                return Err(wrong(&format!(
                    "two moves have one name {}; tell them apart with name(state, move)",
                    self.place(at)
                )));
            }
            if moves.len() == MOST_MOVES {
                return Err(wrong(&format!(
                    "there are more than {MOST_MOVES} moves {}, too many to be solved",
                    self.here(number)
                )));
            }
            let next = call(py, &self.play, "play", (state, &mv), || self.place(at))?;
            found.push(match self.outcome(&next) {
                Some(outcome) => Next::Over(outcome),
                None if next.is_none() || next.is_instance_of::<PyBool>() => {
                    return Err(wrong(&format!(
                        "play() gives {next} {}; give the next state, or Outcome.WIN, DRAW or LOSS for the side that moved",
                        self.place(at)
                    )));
                }
                None => Next::State(self.add(&next, at)?),
            });
            found.label(name);
        }
        found.end();
        Ok(())
    }

    /// The number of a move's name.
    fn name_of(
        &mut self,
        number: u64,
        state: &Bound<'_, PyAny>,
        mv: &Bound<'_, PyAny>,
    ) -> PyResult<u32> {
        let py = state.py();
        let plain = self.name.is_none() && is_value(mv);
        if plain && let Ok(Some(name)) = self.written.bind(py).get_item(mv) {
            return name.extract();
        }
        let text = match &self.name {
            Some(name) => call(py, name, "name", (state, mv), || self.here(number))?,
            None => mv.clone(),
        };
        let text = text.str();
        let text = text.map_err(|error| raised(py, error, "str(move)", || self.here(number)))?;
        let text = line(&text, "a move")?;
        self.letters += text.len() as u64;
        let (name, _) = self.names.insert_full(text.into());
        let name = u32::try_from(name).unwrap_or(u32::MAX);
        if plain {
            let written = self.written.bind(py);
            if written.len() >= REMEMBERED {
                written.clear();
            }
            let _ = written.set_item(mv, name);
        }
        Ok(name)
    }

    /// The number of a position, which is new or known.
    fn add(&mut self, state: &Bound<'_, PyAny>, at: Option<(u64, u32)>) -> PyResult<u64> {
        let py = state.py();
        if let Some(known) = &self.known
            && let Ok(Some(number)) = known.bind(py).get_item(state)
        {
            return number.extract();
        }
        let key = call(py, &self.key, "key", (state,), || self.place(at))?;
        let Ok(key) = key.cast::<PyString>() else {
            let place = self.place(at);
            return Err(wrong(&format!("key() gives {key}, no str {place}")));
        };
        let key = line(key, "a key")?;
        if key == "initial" {
            return Err(wrong(&format!(
                "key() gives 'initial' {}, which stands for the first position; write it otherwise",
                self.place(at)
            )));
        }
        let here = || format!("in '{key}'");
        let side: Option<u8> = match &self.side {
            None => None,
            Some(side) => {
                let found: Option<u8> = call(py, side, "side", (state,), here)?.extract().ok();
                if found.is_none_or(|side| side > 1) {
                    return Err(wrong(&format!("side() is neither 0 nor 1 {}", here())));
                }
                found
            }
        };
        let found = self.keys.get_index_of(key.as_str());
        let number = found.unwrap_or(self.keys.len());
        if found.is_some() {
            if side.is_some() && self.sides.get(number).copied() != side {
                return Err(wrong(&format!(
                    "side() does not go with key(): two states with the key '{key}' have different sides to move"
                )));
            }
        } else {
            if let Some(pieces) = &self.setting.pieces {
                let checked = pieces.check(&key);
                checked.map_err(|error| wrong(&error.to_string()))?;
            }
            if let Some(stage) = &self.stage {
                let stage = call(py, stage, "stage", (state,), here)?.extract();
                let stage =
                    stage.map_err(|_| wrong(&format!("stage() is no number from 0 {}", here())))?;
                self.stages.push(stage);
            }
            if let Some(features) = &self.features {
                let found = call(py, features, "features", (state,), here)?;
                self.columns
                    .extend(given(&found, &here())?, number == 0)
                    .map_err(|message| wrong(&format!("features() {}: {message}", here())))?;
            }
            self.letters += key.len() as u64;
            self.keys.insert(key.into());
            self.sides.extend(side);
            self.waiting.push(Some(state.clone().unbind()));
        }
        let number = number as u64;
        if let Some(known) = &self.known {
            let known = known.bind(py);
            if known.len() >= REMEMBERED {
                known.clear();
            }
            // A state without a hash is known by its key.
            let _ = known.set_item(state, number);
        }
        Ok(number)
    }
}

/// Whether an object is compared by value, quickly, and cannot change, unless a tuple holds one that
/// can, which then has no hash.
fn is_value(object: &Bound<'_, PyAny>) -> bool {
    object.is_exact_instance_of::<PyTuple>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyBytes>()
}

/// Columns of a state.
fn given(found: &Bound<'_, PyAny>, here: &str) -> PyResult<Vec<(String, [Given; 1])>> {
    let Ok(found) = found.cast::<PyDict>() else {
        return Err(wrong(&format!("features() gives no dict {here}")));
    };
    let mut given = Vec::with_capacity(found.len());
    for (name, value) in found {
        let value = if value.is_none() {
            Given::Nothing
        } else if let Ok(flag) = value.cast::<PyBool>() {
            Given::Flag(flag.is_true())
        } else if let Ok(word) = value.cast::<PyString>() {
            Given::Word(line(word, "a word")?)
        } else if let (true, Ok(number)) = (value.is_instance_of::<PyInt>(), value.extract::<i32>())
            && number != i32::MIN
        {
            Given::Number(number)
        } else {
            let shown = value.get_type().name()?;
            return Err(wrong(&format!(
                "features()['{name}'] is of type {shown} {here}; give bool, str, None, or an int of 32 bits above -2**31"
            )));
        };
        given.push((name.str()?.to_string(), [value]));
    }
    Ok(given)
}

impl Expander for Single {
    type State = u64;
    type Error = Refused;

    fn initial(&mut self) -> Result<Vec<u64>, Refused> {
        Python::attach(|py| {
            let state = call(py, &self.initial, "initial", (), || self.place(None))?;
            if self.outcome(&state).is_some() {
                return Err(wrong("initial() is an outcome; it must be a state").into());
            }
            if is_value(&state) {
                self.known = Some(PyDict::new(py).unbind());
            }
            Ok(vec![self.add(&state, None)?])
        })
    }

    fn expand(&mut self, blocks: &[&[u64]]) -> Result<Vec<Expanded<u64>>, Refused> {
        // States that were found together have much in common, and lie together in memory.
        let places = blocks.iter().copied().flatten().copied().zip(0_usize..);
        let mut order: Vec<(u64, usize)> = places.collect();
        order.sort_unstable();
        let (mut all, mut ranks) = (Expanded::default(), vec![0; order.len()]);
        Python::attach(|py| {
            for (rank, (number, place)) in order.into_iter().enumerate() {
                if rank % 256 == 255 {
                    py.check_signals()?;
                    self.check(0, 0, 0)?;
                }
                self.expand_one(py, number, &mut all)?;
                ranks[place] = rank;
            }
            Ok::<(), Refused>(())
        })?;
        let mut ranks = ranks.into_iter();
        let blocks = blocks.iter().map(|block| {
            let mut found = Expanded::default();
            for rank in ranks.by_ref().take(block.len()) {
                let (moves, names) = all.moves(rank);
                for (&next, &name) in moves.iter().zip(names) {
                    found.push(next);
                    found.label(name);
                }
                found.end();
            }
            found
        });
        Ok(blocks.collect())
    }

    fn check(&mut self, positions: u64, moves: u64, expanded: u64) -> Result<(), Refused> {
        let known = (self.keys.len() as u64).max(positions);
        // The key with its place in the set, and the state while it waits; the list; solver and
        // table.
        let position = 16 + 8 + 12 + 8 + 1 + 25 + 24 + 4 * self.columns.len() as u64;
        let needed = self.letters + known.saturating_mul(position) + moves * 13;
        Ok(self.setting.check(known, expanded, needed)?)
    }

    fn order(&mut self, states: &[u64]) -> Result<Vec<(u32, u32)>, Refused> {
        let stage = |&state: &u64| {
            let stage = self.stages.get(super::at(state));
            (stage.copied().unwrap_or(0), 0)
        };
        Ok(states.iter().map(stage).collect())
    }

    fn show(&self, state: &u64) -> String {
        key_of(&self.keys, *state)
    }

    fn show_move(&self, _state: &u64, number: usize, label: Option<u32>) -> String {
        let name = label.and_then(|label| self.names.get_index(label as usize));
        name.map_or_else(|| number.to_string(), ToString::to_string)
    }
}
