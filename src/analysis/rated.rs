//! All moves of a state with their values, where they lead in a table, the main line, and lines
//! that are the same to a reader: two positions with the same solution, up to a symmetry of the
//! board, differ only in pieces that take no part.

use std::hash::Hash;

use indexmap::IndexMap;
use serde::Serialize;

use crate::base::value::{Outcome, Value};
use crate::game::{Game, Moves, Next, Oracle, Playable, Ranked, Slot, Symmetric};
use crate::table::{Table, TableError, TableOracle};

/// A move with its value for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rated<M> {
    /// The move.
    #[serde(rename = "move")]
    pub mv: M,
    /// Its value for the mover; plies include the move itself.
    pub value: Value,
}

/// All legal moves with their values, best first, equal ones in the game's order of moves.
pub(crate) fn rate_moves<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
) -> Result<Vec<Rated<G::Move>>, O::Error> {
    let rated = oracle.children(game, state)?.into_iter().map(|(mv, next)| {
        let value = match next {
            Next::Over(outcome) => Value::of_end(outcome),
            // A distance too long for one more ply cannot come from a table.
            Next::State(value) => game.through_move(value).unwrap_or(Value::DRAW),
        };
        Rated { mv, value }
    });
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by_key(|rated| std::cmp::Reverse(rated.value));
    Ok(rated)
}

/// A ply of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step<S, M> {
    /// The state before the move.
    pub state: S,
    /// The move.
    pub mv: M,
    /// How many moves of that state have the same outcome, and how many of them also the
    /// same distance, each at least 1.
    pub as_good: (usize, usize),
}

pub(crate) type Line<G> = Vec<Step<<G as Game>::State, <G as Game>::Move>>;

/// A state's moves with their values, best first.
#[derive(Debug)]
pub struct Analysis<G: Moves> {
    state: G::State,
    /// The moves with their values, best first.
    pub rated: Vec<Rated<G::Move>>,
}

impl<G: Moves> Analysis<G> {
    /// Analyses a state.
    ///
    /// # Errors
    /// If the oracle cannot value a state.
    pub fn new<O: Oracle<G>>(game: &G, oracle: &O, state: &G::State) -> Result<Self, O::Error> {
        Ok(Self {
            state: state.clone(),
            rated: rate_moves(game, oracle, state)?,
        })
    }

    /// The best move; of several, the first in the game's order of moves.
    pub fn key(&self) -> Option<G::Move> {
        self.rated.first().map(|rated| rated.mv)
    }

    /// The value of the state: that of its best move.
    pub fn value(&self) -> Value {
        let best = self.rated.first();
        best.map_or(Value::SELF_MATE, |rated| rated.value)
    }

    /// The moves with the best value.
    pub(crate) fn best(&self) -> impl Iterator<Item = G::Move> {
        let best = self.value();
        let rated = self.rated.iter();
        rated.take_while(move |it| it.value == best).map(|it| it.mv)
    }

    pub(crate) fn count(&self, outcome: Outcome) -> usize {
        let rated = self.rated.iter();
        rated.filter(|it| it.value.outcome() == outcome).count()
    }

    /// How many moves have the outcome of the best move, and how many of them also its
    /// distance.
    pub(crate) fn as_good(&self) -> (usize, usize) {
        (self.count(self.value().outcome()), self.best().count())
    }

    /// The uniqueness of the best move: `onlyWin`, `onlyDraw` (no other move has the
    /// outcome), `onlyShortest` (other moves win later), `onlyLongest` (all moves lose,
    /// this one last) or `multiple`.
    pub(crate) fn uniqueness(&self) -> &'static str {
        match (self.value().outcome(), self.as_good()) {
            (Outcome::Win, (1, _)) => "onlyWin",
            (Outcome::Win, (_, 1)) => "onlyShortest",
            (Outcome::Draw, (1, _)) => "onlyDraw",
            (Outcome::Loss, (_, 1)) => "onlyLongest",
            _ => "multiple",
        }
    }

    /// The main line. The winner plays the shortest win and the loser the longest defence;
    /// of equal moves, the first in the game's order is played. The line of a drawn state
    /// is only its key, since play need not end.
    ///
    /// # Errors
    /// If the oracle cannot value a state, or if values contradict each other, so that the
    /// line might have no end.
    pub fn line<O: Oracle<G>>(&self, game: &G, oracle: &O) -> Result<Line<G>, O::Error> {
        let mut line = Vec::new();
        let mut at = Self {
            state: self.state.clone(),
            rated: self.rated.clone(),
        };
        while let Some(mv) = at.key() {
            line.push(Step {
                state: at.state.clone(),
                mv,
                as_good: at.as_good(),
            });
            // Every ply of a decided game is one ply nearer to its end.
            match game.play(&at.state, mv) {
                Next::State(next) if at.value().outcome() != Outcome::Draw => {
                    let after = Self::new(game, oracle, &next)?;
                    let agrees = game.through_move(after.value()) == Some(at.value());
                    if !agrees && !after.rated.is_empty() {
                        return Err(oracle.contradiction(game, &next));
                    }
                    at = after;
                }
                _ => break,
            }
        }
        Ok(line)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TableMove<M> {
    pub mv: M,
    /// Its kinds, as given by [`Moves::kinds_of`].
    pub kinds: u32,
    /// Its value for the mover; plies include the move itself.
    pub value: Value,
    /// The place of the state after it; `None` if it ends the game.
    pub child: Option<Slot>,
}

/// All legal moves with their values, in the game's order of moves. The table must be the
/// game's.
pub(crate) fn table_moves<G: Moves + Ranked>(
    game: &G,
    table: &Table,
    state: &G::State,
) -> Result<Vec<TableMove<G::Move>>, TableError> {
    let (oracle, children) = (TableOracle::of(table, None), game.children(state));
    // What all moves lead to is fetched from memory together.
    for (_, next) in &children {
        if let Next::State(slot) = next {
            oracle.prefetch(slot.index);
        }
    }
    let of = |(mv, next)| {
        let (value, child) = match next {
            Next::Over(outcome) => (Value::of_end(outcome), None),
            Next::State(slot) => {
                let value = game.through_move(oracle.value_at(slot)?);
                // A distance too long for one more ply cannot come from a table.
                (value.unwrap_or(Value::DRAW), Some(slot))
            }
        };
        Ok(TableMove {
            mv,
            kinds: game.kinds_of(state, mv),
            value,
            child,
        })
    };
    children.into_iter().map(of).collect()
}

/// The value of a state for the side to move if it passes, which counts as a ply; `None` if it
/// cannot.
pub(crate) fn value_of_pass<G: Playable, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
) -> Result<Option<Value>, O::Error> {
    Ok(match game.passed(state) {
        None => None,
        Some(Next::Over(outcome)) => Some(Value::of_end(outcome)),
        Some(Next::State(passed)) => {
            let value = oracle.value(game, &passed)?;
            Some(value.through_move().unwrap_or(Value::DRAW))
        }
    })
}

/// Whether every move of the winner in the main line of a won state is the only shortest
/// win, as [`Step::as_good`](crate::analysis::Step) tells of the whole line. Ends at the first dual.
pub(crate) fn line_is_dual_free<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
) -> Result<bool, O::Error> {
    let mut state = state.clone();
    let mut best = oracle.value(game, &state)?;
    loop {
        let alone = oracle.has_one_best_move(game, &state)?;
        let (defence, value) = match first_best(game, oracle, &state, best, !alone)? {
            Best::Several => return Ok(false),
            Best::Ends => return Ok(true),
            Best::LeadsTo(defence, value) => (defence, value),
        };
        match first_best(game, oracle, &defence, value, false)? {
            Best::LeadsTo(next, value) => (state, best) = (next, value),
            Best::Several | Best::Ends => return Ok(true),
        }
    }
}

enum Best<S> {
    /// There are several, and there was to be one.
    Several,
    /// The first of them, or want of any move, ends the game.
    Ends,
    /// The first of them leads to a state with this value.
    LeadsTo(S, Value),
}

/// Looks for the moves with the best value of a state, for the first or, to see that it is
/// `alone`, for a second.
fn first_best<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    best: Value,
    alone: bool,
) -> Result<Best<G::State>, O::Error> {
    let moves = game.moves(state);
    let mut first = None;
    // The first best move is soon found; that it is alone, only after all others.
    for some in moves.chunks(if alone { moves.len().max(1) } else { 4 }) {
        let mut ends = false;
        let mut next = Vec::with_capacity(some.len());
        for &mv in some {
            match game.play(state, mv) {
                Next::State(state) => next.push(state),
                Next::Over(outcome) if Value::of_end(outcome) != best => (),
                Next::Over(_) if alone && ends => return Ok(Best::Several),
                Next::Over(_) => ends = true,
            }
        }
        if ends {
            // All other moves with this value end the game too.
            return Ok(Best::Ends);
        }
        for (value, next) in oracle.values(game, &next)?.into_iter().zip(next) {
            if game.through_move(value) != Some(best) {
                continue;
            }
            if first.is_some() {
                return Ok(Best::Several);
            }
            first = Some(Best::LeadsTo(next, value));
            if !alone {
                break;
            }
        }
        if !alone && first.is_some() {
            break;
        }
    }
    match first {
        Some(leads) => Ok(leads),
        None if moves.is_empty() => Ok(Best::Ends),
        None => Err(oracle.contradiction(game, state)),
    }
}

/// The key that all lines symmetric to this one share; `None` if the line is too short to
/// distinguish puzzles.
pub(crate) fn key_of_line<G: Symmetric>(game: &G, line: &[G::Move]) -> Option<Vec<G::Move>> {
    (line.len() > 2).then(|| game.canonical_line(line))
}

/// The index of the first of every group of equal keys, and how many more are in the group.
/// An item without a key is a group of its own.
pub(crate) fn firsts<K: Eq + Hash>(keys: &[Option<K>]) -> Vec<(usize, u64)> {
    let mut firsts: IndexMap<Result<&K, usize>, (usize, u64)> = IndexMap::new();
    for (place, key) in keys.iter().enumerate() {
        let group = firsts.entry(key.as_ref().ok_or(place));
        group
            .and_modify(|(_, more)| *more += 1)
            .or_insert((place, 0));
    }
    firsts.into_values().collect()
}
