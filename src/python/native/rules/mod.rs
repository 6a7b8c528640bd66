//! Games of one's own: rules written in Python.
//!
//! Python is asked when the positions are listed. What comes after, solving, mining and
//! drawing, looks at the list alone; rules that expand arrays are asked for texts where one is
//! shown.

mod ask;
mod batch;
mod columns;
mod pieces;
mod single;

use std::collections::{BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use ask::{Refused, Setting, wrong};
use batch::{Batch, shown};
use columns::OwnColumns;
use indexmap::IndexSet;
use pieces::lasting;
use pyo3::prelude::*;
use single::Single;
use tesuji::base::value::Outcome;
use tesuji::game::{
    Board, Expander, Feature, FeatureValue, FiniteGame, List, Listed, Moves, Next, NotationError,
    Playable, Standing,
};
use tesuji::session::{Options, Session, most_memory, tables};

use crate::errors::exception;
use crate::game::Game;
use crate::progress::{ask, caught, here, text_of_rules, work};

/// What the side to move is called if the position does not tell who it is.
const ANYONE: &str = "Next player";

/// The positions of a user's game.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Positions(Arc<OwnList>);

#[pymethods]
impl Positions {
    fn __len__(&self) -> usize {
        self.0.list.states().len()
    }

    /// The moves that lead from the initial position to this one, each by its place among
    /// the moves of its position; and for rules that expand arrays, the number of its state.
    fn path(&self, py: Python<'_>, position: &str) -> PyResult<(Vec<u8>, u64)> {
        let found = caught(|| self.0.find(position))?;
        let state = found.map_err(|error| exception(py, "NotationError", &error.to_string()))?;
        Ok((self.0.path(state), state))
    }

    /// A number that depends on all positions, their moves and columns.
    fn digest(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.0.digest())
    }
}

/// Lists the positions of a user's game, and opens it.
///
/// `name` becomes its spec; `memory` is the most bytes that its positions may take once the
/// game is solved, by default four fifths of what is free; a table is held against all moves.
#[pyfunction]
pub(crate) fn list_rules(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    name: String,
    memory: Option<u64>,
    table: Option<PathBuf>,
) -> PyResult<(Game, Positions)> {
    let setting = Setting::new(rules, name, most_memory(memory))?;
    let own = if ask::method(rules, "expand").is_some() {
        let mut batch = Batch::new(rules, setting)?;
        let (list, initial) = listed(py, &mut batch)?;
        batch.check_texts(py, &list)?;
        let names = batch.names(py)?;
        let sides = batch.ask_all(py, "side", list.states())?;
        let columns = batch.columns(py, &list)?;
        let words = if batch.has(py, "key")? || batch.has(py, "canonical")? {
            Words::Rules(batch.arrays)
        } else {
            Words::Numbers
        };
        // An error names a text of the rules.
        caught(|| OwnList::new(batch.setting, list, initial, (words, names, columns), sides))??
    } else {
        let mut single = Single::new(rules, setting)?;
        let (list, initial) = listed(py, &mut single)?;
        single.columns.finish();
        let side = |&state: &u64| single.sides.get(at(state)).copied();
        let sides = list.states().iter().filter_map(side).collect();
        let words = (Words::Keys(single.keys), single.names, single.columns);
        OwnList::new(single.setting, list, initial, words, sides)?
    };
    let own = Arc::new(own);
    let list = Arc::clone(&own.list);
    let game = Listed::with_list(OwnGame(Arc::clone(&own)), list);
    let session = tables(game, &Options::new().table(table.clone()));
    let asked: &dyn Session = &session;
    let columns = ask(py, || Ok(asked.mining()?.columns()))?;
    let mut names = BTreeSet::new();
    let mut names_of = columns.iter().map(|column| &column.feature.name);
    if let Some(twice) = names_of.find(|name| !names.insert(name.as_str())) {
        return Err(wrong(&format!(
            "features(): every game has a column '{twice}'; call yours otherwise"
        )));
    }
    if let Some(path) = table {
        let found = work(py, |progress| asked.solving()?.verify(progress))?;
        if found.found.flawed > 0 {
            let example = found.positions.into_iter().flatten().next();
            let message = format!(
                "{} is a table of other rules: its value of '{}' does not follow from the moves there; solve the game again with these rules",
                path.display(),
                example.unwrap_or_default()
            );
            return Err(exception(py, "TableError", &message));
        }
    }
    Ok((Game(Arc::new(session)), Positions(own)))
}

/// The list, and the state in which the game begins.
fn listed<E: Expander<State = u64, Error = Refused> + Send>(
    py: Python<'_>,
    expander: &mut E,
) -> PyResult<(List<u64>, u64)> {
    // Rules run on this thread, so that Ctrl-C stops them; others may need the interpreter's lock
    // while they list.
    here(py, |progress| {
        let initial = expander.initial().map_err(|Refused(error)| error)?;
        let Some(&initial) = initial.first() else {
            return Err(wrong("initial() gives no state"));
        };
        let list = List::new(expander, progress).map_err(|Refused(error)| error)?;
        Ok((list, initial))
    })
}

/// How positions are written.
enum Words {
    /// By the keys that the rules gave; a state is the number of its key.
    Keys(IndexSet<Box<str>>),
    /// By the numbers of their states.
    Numbers,
    /// As the rules say, which expand arrays.
    Rules(Py<PyAny>),
}

/// All positions of a game.
struct OwnList {
    setting: Setting,
    list: Arc<List<u64>>,
    initial: u64,
    words: Words,
    /// The notation of moves by their labels; empty if they have none.
    names: IndexSet<Box<str>>,
    columns: OwnColumns,
    /// The side to move in each slot, an index into the names of sides.
    sides: Vec<u8>,
}

impl OwnList {
    fn new(
        setting: Setting,
        list: List<u64>,
        initial: u64,
        (words, names, columns): (Words, IndexSet<Box<str>>, OwnColumns),
        sides: Vec<u8>,
    ) -> PyResult<Self> {
        let told = !sides.is_empty();
        let sides = if told {
            sides
        } else {
            alternating(&list, initial)
        };
        let again = |(slot, side): (u32, &u8)| {
            list.targets(slot).find_map(|target| match target {
                Next::State(to) if sides[to as usize] == *side => Some(to),
                _ => None,
            })
        };
        let repeated = (0..).zip(&sides).find_map(again);
        let mut own = Self {
            list: Arc::new(list),
            initial,
            words,
            names,
            columns,
            sides: Vec::new(),
            setting,
        };
        match repeated {
            Some(to) if told => {
                let state = own.list.states()[to as usize];
                return Err(wrong(&format!(
                    "the same side is to move again in '{}'; let the other side pass in between",
                    own.text(state)
                )));
            }
            Some(_) => own.setting.sides = [lasting(ANYONE); 2],
            None => own.sides = sides,
        }
        Ok(own)
    }

    fn text(&self, state: u64) -> String {
        match &self.words {
            Words::Keys(keys) => key_of(keys, state),
            Words::Numbers => state.to_string(),
            Words::Rules(arrays) => shown(arrays, state),
        }
    }

    fn find(&self, text: &str) -> Result<u64, NotationError> {
        let unreached = || {
            let example = self.text(self.initial);
            let message =
                format!("play cannot reach such a position; the initial one is '{example}'");
            NotationError::new(text, 0, message)
        };
        let number = || text.parse().map_err(|_| unreached());
        let state = match &self.words {
            Words::Keys(keys) => match keys.get_index_of(text) {
                Some(place) => place as u64,
                None => return Err(nearest(keys, text)),
            },
            Words::Numbers => number()?,
            Words::Rules(arrays) => Python::attach(|py| {
                let found = text_of_rules(|| arrays.call_method1(py, "parse", (text,)));
                let found = found.and_then(|state| state.extract(py));
                found.or_else(|error| {
                    let said = error.value(py).to_string();
                    number().map_err(|_| NotationError::new(text, 0, said))
                })
            })?,
        };
        self.list.slot(&state).map(|_| state).ok_or_else(unreached)
    }

    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let (states, setting) = (self.list.states(), &self.setting);
        (states.len(), self.list.slot(&self.initial)).hash(&mut hasher);
        (&setting.name, setting.sides, &self.sides).hash(&mut hasher);
        if let Some(pieces) = &setting.pieces {
            pieces.hash(&mut hasher);
        }
        for name in &self.names {
            name.hash(&mut hasher);
        }
        for (slot, &state) in (0..).zip(states) {
            // Rules write states of the same number as they wrote them before.
            match &self.words {
                Words::Keys(_) => self.text(state).hash(&mut hasher),
                _ => state.hash(&mut hasher),
            }
            for target in self.list.targets(slot) {
                // Tables that were written before are known by these numbers.
                match target {
                    Next::Over(outcome) => (0_isize, outcome).hash(&mut hasher),
                    Next::State(slot) => (1_isize, slot).hash(&mut hasher),
                }
            }
            self.list.labels(slot).hash(&mut hasher);
        }
        let rows = (0..).zip(states).map(|(slot, &state)| match &self.words {
            Words::Keys(_) => at(state),
            _ => slot,
        });
        self.columns.hash(&rows.collect::<Vec<_>>(), &mut hasher);
        hasher.finish()
    }

    /// The places of the moves that lead from the initial position to this one.
    fn path(&self, state: u64) -> Vec<u8> {
        // With keys, a position is found from one of a smaller number.
        let mut path = Vec::new();
        let mut at = state;
        while at != self.initial && matches!(self.words, Words::Keys(_)) {
            let parents = self.list.slot(&at).into_iter();
            let parents = parents.flat_map(|slot| self.list.parents(slot));
            let parents = parents.map(|(slot, place)| (self.list.states()[slot as usize], place));
            let Some((parent, place)) = parents.min() else {
                break;
            };
            path.push(place);
            at = parent;
        }
        path.reverse();
        path
    }
}

/// The sides if they move in turn.
fn alternating(list: &List<u64>, initial: u64) -> Vec<u8> {
    let mut sides = vec![u8::MAX; list.states().len()];
    let mut waiting = VecDeque::new();
    let slots = 0..u32::try_from(sides.len()).unwrap_or(u32::MAX);
    for root in list.slot(&initial).into_iter().chain(slots) {
        if sides[root as usize] != u8::MAX {
            continue;
        }
        sides[root as usize] = 0;
        waiting.push_back(root);
        while let Some(slot) = waiting.pop_front() {
            let next = 1 - sides[slot as usize];
            for target in list.targets(slot) {
                if let Next::State(to) = target
                    && sides[to as usize] == u8::MAX
                {
                    sides[to as usize] = next;
                    waiting.push_back(to);
                }
            }
        }
    }
    sides
}

/// The key of a state, which is its number.
fn key_of(keys: &IndexSet<Box<str>>, state: u64) -> String {
    let key = keys.get_index(at(state));
    key.map_or_else(String::new, ToString::to_string)
}

/// The place of what is numbered so.
fn at(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn nearest(keys: &IndexSet<Box<str>>, text: &str) -> NotationError {
    let shared = |key: &str| {
        let pairs = key.chars().zip(text.chars());
        pairs.take_while(|(a, b)| a == b).count()
    };
    let near = keys.iter().max_by_key(|key| shared(key));
    let near = near.map_or("", |key| &**key);
    let message = format!("no position that play can reach goes on so; the nearest is '{near}'");
    NotationError::new(text, shared(near), message)
}

/// A game whose positions are listed. States are as the list has them. Moves are labels; without
/// labels, a move is the code of where it leads.
struct OwnGame(Arc<OwnList>);

impl tesuji::game::Game for OwnGame {
    type State = u64;
    type Move = u32;

    fn spec(&self) -> String {
        self.0.setting.name.clone()
    }

    fn initial(&self) -> u64 {
        self.0.initial
    }

    fn format_state(&self, state: &u64) -> String {
        self.0.text(*state)
    }

    fn parse_state(&self, text: &str) -> Result<u64, NotationError> {
        self.0.find(text)
    }

    fn format_move(&self, mv: u32) -> String {
        if let Some(name) = self.0.names.get_index(mv as usize) {
            return name.to_string();
        }
        match Next::from_code(mv) {
            Next::Over(outcome) => outcome.to_string(),
            Next::State(slot) => {
                let state = self.0.list.state(slot.into());
                state.map_or_else(String::new, |state| self.0.text(*state))
            }
        }
    }

    fn parse_move(&self, text: &str) -> Result<u32, NotationError> {
        if self.0.names.is_empty() {
            if let Some(end) = Outcome::named(text) {
                return Ok(Next::Over(end).code());
            }
            let slot = self.0.list.slot(&self.0.find(text)?);
            return Ok(slot.unwrap_or(0));
        }
        let found = self.0.names.get_index_of(text);
        let found = found.and_then(|place| u32::try_from(place).ok());
        found.ok_or_else(|| {
            let example = self.0.names.first().map_or("", |name| &**name);
            let message = format!("no move is written so; one is written '{example}'");
            NotationError::new(text, 0, message)
        })
    }

    fn side_to_move(&self, state: &u64) -> &'static str {
        let slot = self.0.list.slot(state);
        let mover = slot.and_then(|slot| self.0.sides.get(slot as usize));
        self.0.setting.sides[usize::from(mover.copied().unwrap_or(0))]
    }
}

impl Moves for OwnGame {
    fn moves(&self, state: &u64) -> Vec<u32> {
        let Some(slot) = self.0.list.slot(state) else {
            return Vec::new();
        };
        let labels = self.0.list.labels(slot);
        if !labels.is_empty() {
            return labels.to_vec();
        }
        self.0.list.targets(slot).map(Next::code).collect()
    }

    fn play(&self, state: &u64, mv: u32) -> Next<u64> {
        let slot = self.0.list.slot(state).into_iter();
        let targets = slot.flat_map(|slot| self.0.list.targets(slot));
        let mut moves = self.moves(state).into_iter().zip(targets);
        match moves.find(|(known, _)| *known == mv) {
            Some((_, target)) => target.map(|slot| self.0.list.states()[slot as usize]),
            // Only legal moves are played.
            None => Next::State(*state),
        }
    }
}

impl FiniteGame for OwnGame {
    fn sides(&self) -> [&'static str; 2] {
        self.0.setting.sides
    }

    fn features(&self) -> Vec<Feature> {
        self.0.columns.features()
    }

    fn measure(&self, state: &u64, place: usize) -> FeatureValue {
        let row = match &self.0.words {
            Words::Keys(_) => u32::try_from(*state).ok(),
            _ => self.0.list.slot(state),
        };
        row.map_or(FeatureValue::NONE, |row| self.0.columns.value(place, row))
    }
}

impl Playable for OwnGame {
    fn board(&self) -> Board {
        let pieces = self.0.setting.pieces.as_ref();
        pieces.map_or(Board::new(1, 1), |pieces| pieces.board)
    }

    fn standing(&self, state: &u64) -> Vec<Standing> {
        let pieces = self.0.setting.pieces.as_ref();
        pieces.map_or_else(Vec::new, |pieces| pieces.standing(&self.0.text(*state)))
    }
}
