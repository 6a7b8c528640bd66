//! Games of one's own: rules written in Python.
//!
//! Python is asked once, when the positions are listed. What comes after, solving, mining and
//! drawing, looks at the list alone and needs no Python.

mod columns;
mod lister;
mod listing;

use std::collections::BTreeSet;
use std::sync::Arc;

use lister::Lister;
use listing::Listing;
use pyo3::prelude::*;
use tesuji::game::{
    Board, Feature, FeatureValue, FiniteGame, Listed, Moves, Next, NotationError, Playable,
    Standing,
};
use tesuji::session::{Options, Session, SessionError, tables};

use crate::errors::exception;
use crate::game::Game;
use crate::progress::{ask, work};

/// The positions of a user's game.
#[pyclass(frozen, module = "tesuji_puzzles._native")]
pub struct Positions(Arc<Listing>);

#[pymethods]
impl Positions {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The moves that lead from the initial position to this one, each by its place among
    /// the moves of its position.
    fn path(&self, py: Python<'_>, position: &str) -> PyResult<Vec<usize>> {
        let found = self.0.find(position);
        let place = found.map_err(|error| exception(py, "NotationError", &error.to_string()))?;
        Ok(self.0.path(place))
    }
}

/// Lists the positions of a user's game, and opens it.
///
/// `name` becomes its spec; `memory` is the most bytes that its positions may take once the
/// game is solved.
#[pyfunction]
#[pyo3(signature = (rules, name, memory, progress=None))]
pub(crate) fn list_rules(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    name: String,
    memory: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Game, Positions)> {
    let listing = Lister::new(rules, name, memory)?.list(progress.as_ref())?;
    let listing = Arc::new(listing);
    let most = u32::try_from(listing.len()).unwrap_or(u32::MAX);
    let game = Listed::with_limit(OwnGame(Arc::clone(&listing)), most);
    // Refuse what a table cannot hold now, not when the game is first asked.
    let game = work(py, progress.as_ref(), |progress| {
        match game.list(&progress) {
            Ok(()) => Ok(Ok(game)),
            Err(tesuji::game::ListError::Cancelled) => Err(SessionError::Stopped),
            Err(error) => Ok(Err(error)),
        }
    })?;
    let game = game.map_err(|error| exception(py, "RulesError", &error.to_string()))?;
    let session = tables(game, &Options::new());
    let asked: &dyn Session = &session;
    let columns = ask(py, || Ok(asked.mining()?.columns()))?;
    let mut names = BTreeSet::new();
    let mut names_of = columns.iter().map(|column| &column.feature.name);
    if let Some(twice) = names_of.find(|name| !names.insert(name.as_str())) {
        let message =
            format!("features(): every game has a column '{twice}'; call yours otherwise");
        return Err(exception(py, "RulesError", &message));
    }
    Ok((Game(Arc::new(session)), Positions(listing)))
}

/// A game whose positions are listed. States are numbers of positions, moves numbers of names.
struct OwnGame(Arc<Listing>);

impl tesuji::game::Game for OwnGame {
    type State = u32;
    type Move = u32;

    fn spec(&self) -> String {
        self.0.name.clone()
    }

    fn initial(&self) -> u32 {
        0
    }

    fn format_state(&self, state: &u32) -> String {
        self.0.key(*state).to_owned()
    }

    fn parse_state(&self, text: &str) -> Result<u32, NotationError> {
        self.0.find(text)
    }

    fn format_move(&self, mv: u32) -> String {
        let name = self.0.names.get_index(mv as usize);
        name.map_or_else(String::new, ToString::to_string)
    }

    fn parse_move(&self, text: &str) -> Result<u32, NotationError> {
        let found = self.0.names.get_index_of(text);
        let found = found.and_then(|place| u32::try_from(place).ok());
        found.ok_or_else(|| {
            let example = self.0.names.first().map_or("", |name| &**name);
            let message = format!("no move is written so; one is written '{example}'");
            NotationError::new(text, 0, message)
        })
    }

    fn side_to_move(&self, state: &u32) -> &'static str {
        let mover = self.0.mover.get(*state as usize).copied().unwrap_or(0);
        self.0.sides[usize::from(mover)]
    }
}

impl Moves for OwnGame {
    fn moves(&self, state: &u32) -> Vec<u32> {
        self.0.moves(*state).map(|(mv, _)| mv).collect()
    }

    fn play(&self, state: &u32, mv: u32) -> Next<u32> {
        let mut moves = self.0.moves(*state);
        let found = moves.find(|(name, _)| *name == mv);
        // Only legal moves are played.
        found.map_or(Next::State(*state), |(_, next)| next)
    }
}

impl FiniteGame for OwnGame {
    fn stage(&self, state: &u32) -> u32 {
        self.0.stages.get(*state as usize).copied().unwrap_or(0)
    }

    fn sides(&self) -> [&'static str; 2] {
        self.0.sides
    }

    fn classes(&self) -> Vec<String> {
        let [first, second] = self.0.sides.map(str::to_lowercase);
        if first == second {
            return vec![first];
        }
        vec![first, second]
    }

    fn features(&self) -> Vec<Feature> {
        self.0.columns.features()
    }

    fn measure(&self, state: &u32, place: usize) -> FeatureValue {
        self.0.columns.value(place, *state)
    }
}

impl Playable for OwnGame {
    fn board(&self) -> Board {
        let pieces = self.0.pieces.as_ref();
        pieces.map_or(Board::new(1, 1), |pieces| pieces.board)
    }

    fn standing(&self, state: &u32) -> Vec<Standing> {
        let pieces = self.0.pieces.as_ref();
        pieces.map_or_else(Vec::new, |pieces| pieces.standing(self.0.key(*state)))
    }
}
