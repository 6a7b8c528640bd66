//! Asking rules in Python for all positions, breadth first.

use std::collections::{BTreeMap, VecDeque};

use pyo3::exceptions::{PyAttributeError, PyException};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use tesuji::base::text::{bytes, grouped};
use tesuji::base::value::Outcome;

use super::columns::Given;
use super::listing::{Listing, MOST, Pieces, code_of, lasting};
use crate::errors::exception;

/// Positions between two looks at memory, and between two reports.
const EVERY: u32 = 1 << 10;

/// Letters of a notation at most.
const LETTERS: usize = 1 << 12;

/// What the side to move is called if the key does not tell who it is.
const ANYONE: &str = "Next player";

pub(super) struct Lister<'py> {
    rules: Bound<'py, PyAny>,
    outcome: Bound<'py, PyAny>,
    memory: u64,
    methods: Optional,
    listing: Listing,
    /// Letters of all keys and names.
    letters: usize,
    /// Some position was found with either side to move.
    either_side: bool,
    waiting: VecDeque<Bound<'py, PyAny>>,
}

/// The optional methods that the rules have.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a method that is there or not"
)]
struct Optional {
    name: bool,
    side: bool,
    stage: bool,
    features: bool,
}

impl<'py> Lister<'py> {
    pub(super) fn new(rules: &Bound<'py, PyAny>, name: String, memory: u64) -> PyResult<Self> {
        let py = rules.py();
        let has = |method: &str| rules.getattr(method).is_ok_and(|found| found.is_callable());
        for method in ["initial", "moves", "play", "key"] {
            if !has(method) {
                let message = format!(
                    "the rules have no method {method}(); needed are initial(), moves(state), play(state, move) and key(state)"
                );
                return Err(exception(py, "RulesError", &message));
            }
        }
        let sides = attribute::<(String, String)>(rules, "sides")?;
        let (first, second) = sides.unwrap_or_else(|| ("First".to_owned(), "Second".to_owned()));
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
            return Err(exception(py, "RulesError", &message));
        }
        let pieces = size.map(|size| Pieces::new(size, &words, sides));
        Ok(Self {
            outcome: py.import("tesuji_puzzles._values")?.getattr("Outcome")?,
            memory,
            methods: Optional {
                name: has("name"),
                side: has("side"),
                stage: has("stage"),
                features: has("features"),
            },
            listing: Listing {
                name,
                sides,
                pieces,
                first: vec![0],
                ..Listing::default()
            },
            letters: 0,
            either_side: false,
            waiting: VecDeque::new(),
            rules: rules.clone(),
        })
    }

    /// Lists all positions that play can reach.
    pub(super) fn list(mut self, progress: Option<&Py<PyAny>>) -> PyResult<Listing> {
        let py = self.rules.py();
        let state = self.call("initial", (), "at the start")?;
        if state.is_instance(&self.outcome)? {
            return Err(self.wrong("initial() is an outcome; it must be a state"));
        }
        let key = self.key(&state, "at the start")?;
        self.add(key, &state, (0, 0), 0)?;
        let mut done: u32 = 0;
        while let Some(state) = self.waiting.pop_front() {
            self.moves(done, &state)?;
            done += 1;
            if done.is_multiple_of(EVERY) {
                py.check_signals()?;
                self.check_memory()?;
                if let Some(progress) = progress {
                    progress.call1(py, ("listing positions", done, 0))?;
                }
            }
        }
        self.check_memory()?;
        if self.either_side {
            if self.methods.side {
                return Err(self.wrong("side() does not go with key(): two states with one key have different sides to move"));
            }
            self.listing.sides = [lasting(ANYONE); 2];
            self.listing.mover.fill(0);
        }
        self.listing.columns.finish();
        Ok(self.listing)
    }

    fn moves(&mut self, place: u32, state: &Bound<'py, PyAny>) -> PyResult<()> {
        let here = format!("in '{}'", self.listing.key(place));
        let moves = self.call("moves", (state,), &here)?;
        let start = self.listing.moves.len();
        for (number, mv) in (0..).zip(moves.try_iter()?) {
            let mv = mv?;
            let name = if self.methods.name {
                self.call("name", (state, &mv), &here)?
            } else {
                mv.clone()
            };
            let name = self.text(&name.str()?, "a move")?;
            let there = format!("{here}, move '{name}'");
            let (name, _) = self.listing.names.insert_full(name.into());
            let name = u32::try_from(name).unwrap_or(u32::MAX);
            if self.listing.moves[start..].contains(&name) {
                return Err(self.wrong(&format!(
                    "two moves have one name {there}; tell them apart with name(state, move)"
                )));
            }
            let next = self.call("play", (state, &mv), &there)?;
            let target = if next.is_instance(&self.outcome)? {
                code_of(outcome(&next)?)
            } else if next.is_none() {
                return Err(self.wrong(&format!(
                    "play() gives None {there}; give the next state, or Outcome.WIN, DRAW or LOSS for the side that moved"
                )));
            } else {
                let key = self.key(&next, &there)?;
                let mover = 1 - self.listing.mover[place as usize];
                self.add(key, &next, (place, number), mover)?
            };
            self.listing.moves.push(name);
            self.listing.targets.push(target);
        }
        if self.listing.moves.len() == start {
            return Err(self.wrong(&format!(
                "there are no moves {here}; let the move that leads there end the game, or add a move that passes"
            )));
        }
        let end = u32::try_from(self.listing.moves.len());
        let end = end.map_err(|_| self.wrong("there are more than 4,294,967,295 moves"))?;
        self.listing.first.push(end);
        Ok(())
    }

    /// The number of a position, which is new or known.
    fn add(
        &mut self,
        key: String,
        state: &Bound<'py, PyAny>,
        parent: (u32, u32),
        mover: u8,
    ) -> PyResult<u32> {
        let mover = if self.methods.side {
            let here = format!("in '{key}'");
            let found: Option<u8> = self.call("side", (state,), &here)?.extract().ok();
            let Some(found) = found.filter(|side| *side < 2) else {
                return Err(self.wrong(&format!("side() is neither 0 nor 1 {here}")));
            };
            let first = self.listing.keys.is_empty();
            if found != mover && !first {
                return Err(self.wrong(&format!(
                    "the same side is to move again {here}; let the other side pass in between"
                )));
            }
            found
        } else {
            mover
        };
        if let Some(place) = self.listing.keys.get_index_of(key.as_str()) {
            self.either_side |= self.listing.mover[place] != mover;
            return Ok(u32::try_from(place).unwrap_or(u32::MAX));
        }
        let place = u32::try_from(self.listing.keys.len()).unwrap_or(u32::MAX);
        if place >= MOST {
            return Err(self.wrong("there are more positions than a list can hold"));
        }
        if let Some(pieces) = &self.listing.pieces {
            let checked = pieces.check(&key);
            checked.map_err(|error| self.wrong(&error.to_string()))?;
        }
        if self.methods.stage {
            let here = format!("in '{key}'");
            let stage = self.call("stage", (state,), &here)?.extract();
            let stage =
                stage.map_err(|_| self.wrong(&format!("stage() is no number from 0 {here}")))?;
            self.listing.stages.push(stage);
        }
        if self.methods.features {
            self.features(state, &key)?;
        }
        self.letters += key.len();
        self.listing.keys.insert(key.into());
        self.listing.mover.push(mover);
        self.listing.parents.push(parent);
        self.waiting.push_back(state.clone());
        Ok(place)
    }

    fn features(&mut self, state: &Bound<'py, PyAny>, key: &str) -> PyResult<()> {
        let here = format!("in '{key}'");
        let found = self.call("features", (state,), &here)?;
        let Ok(found) = found.cast_into::<PyDict>() else {
            return Err(self.wrong(&format!("features() gives no dict {here}")));
        };
        let mut given = Vec::with_capacity(found.len());
        for (name, value) in found {
            let value = if value.is_none() {
                Given::Nothing
            } else if let Ok(flag) = value.cast::<PyBool>() {
                Given::Flag(flag.is_true())
            } else if let Ok(word) = value.cast::<PyString>() {
                Given::Word(self.text(word, "a word")?)
            } else if let (true, Ok(number)) =
                (value.is_instance_of::<PyInt>(), value.extract::<i32>())
            {
                Given::Number(number)
            } else {
                let shown = value.get_type().name()?;
                return Err(self.wrong(&format!(
                    "features()['{name}'] is of type {shown} {here}; give bool, str, None, or an int of 32 bits"
                )));
            };
            given.push((name.str()?.to_string(), value));
        }
        let first = self.listing.keys.is_empty();
        let pushed = self.listing.columns.push(given, first);
        pushed.map_err(|message| self.wrong(&format!("features() {here}: {message}")))
    }

    fn key(&self, state: &Bound<'py, PyAny>, place: &str) -> PyResult<String> {
        let key = self.call("key", (state,), place)?;
        match key.cast::<PyString>() {
            Ok(key) => self.text(key, "a key"),
            Err(_) => Err(self.wrong(&format!("key() gives no str {place}"))),
        }
    }

    /// A text of one line.
    fn text(&self, text: &Bound<'py, PyString>, what: &str) -> PyResult<String> {
        let text: String = text.extract()?;
        let odd = text.is_empty() || text.chars().any(char::is_control) || text.trim() != text;
        if odd || text.len() > LETTERS {
            return Err(self.wrong(&format!(
                "{what} is written {:?}; use one line of 1 to {LETTERS} letters without blanks at its ends",
                text.chars().take(60).collect::<String>()
            )));
        }
        Ok(text)
    }

    /// Calls a method of the rules. What it raises is the cause of the error.
    fn call<A>(&self, method: &str, arguments: A, place: &str) -> PyResult<Bound<'py, PyAny>>
    where
        A: pyo3::call::PyCallArgs<'py>,
    {
        let py = self.rules.py();
        self.rules.call_method1(method, arguments).map_err(|error| {
            // Ctrl-C and the like stay what they are.
            if !error.is_instance_of::<PyException>(py) {
                return error;
            }
            let message = format!("{method}() raised {} {place}", shown(&error, py));
            let raised = self.wrong(&message);
            raised.set_cause(py, Some(error));
            raised
        })
    }

    fn check_memory(&self) -> PyResult<()> {
        let needed = self.listing.bytes(self.letters);
        if needed <= self.memory {
            return Ok(());
        }
        let message = format!(
            "{} has more than {} positions up to now, {} of them unexplored, which take {} with their moves, more than the {} allowed; choose a smaller game, let key() be the same for symmetric states, or allow more with memory=",
            self.listing.name,
            grouped(self.listing.len() as u64),
            grouped(self.waiting.len() as u64),
            bytes(needed),
            bytes(self.memory)
        );
        Err(exception(self.rules.py(), "SizeError", &message))
    }

    fn wrong(&self, message: &str) -> PyErr {
        exception(self.rules.py(), "RulesError", message)
    }
}

/// An attribute, if the rules have it.
fn attribute<'py, T>(rules: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<T>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let py = rules.py();
    let found = match rules.getattr(name) {
        Ok(found) if found.is_none() => return Ok(None),
        Ok(found) => found,
        Err(error) if error.is_instance_of::<PyAttributeError>(py) => return Ok(None),
        Err(error) => return Err(error),
    };
    let wrong = |_| {
        let message = format!(
            "'{name}' of the rules is not what it must be: sides are two names, size is (columns, rows), pieces are a dict of letters with words"
        );
        exception(py, "RulesError", &message)
    };
    found
        .extract()
        .map(Some)
        .map_err(|error: T::Error| wrong(error.into()))
}

fn outcome(member: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    let name: String = member.getattr("value")?.extract()?;
    Ok(match name.as_str() {
        "win" => Outcome::Win,
        "loss" => Outcome::Loss,
        _ => Outcome::Draw,
    })
}

/// How an exception shows itself.
fn shown(error: &PyErr, py: Python<'_>) -> String {
    let shown = error.value(py).repr().map(|text| text.to_string());
    let shown = shown.unwrap_or_else(|_| "an exception".to_owned());
    shown.chars().take(200).collect()
}
