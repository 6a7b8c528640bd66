//! All moves of a state with their values, and the main line.

use serde::Serialize;

use super::table_moves::ending;
use crate::base::value::{Outcome, Value};
use crate::game::{Game, Moves, Next, Oracle};

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
///
/// # Errors
/// If the oracle cannot value a state.
pub fn rate_moves<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
) -> Result<Vec<Rated<G::Move>>, O::Error> {
    let mut leads = Vec::new();
    let mut end = |mv| match game.play(state, mv) {
        Next::Over(outcome) => Some(ending(outcome)),
        Next::State(next) => {
            leads.push(next);
            None
        }
    };
    let moves = game.moves(state).into_iter();
    let moves: Vec<_> = moves.map(|mv| (mv, end(mv))).collect();
    let mut values = oracle.values(game, &leads)?.into_iter();
    let rated = moves.into_iter().map(|(mv, end)| {
        let value = end.or_else(|| game.through_move(values.next()?));
        // A distance too long for one more ply cannot come from a table.
        let value = value.unwrap_or(Value::DRAW);
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

/// The plies of a line in order.
pub type Line<G> = Vec<Step<<G as Game>::State, <G as Game>::Move>>;

/// A state's moves with their values, best first.
#[derive(Debug)]
pub struct Analysis<G: Moves> {
    state: G::State,
    rated: Vec<Rated<G::Move>>,
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

    /// The moves with their values, best first.
    #[must_use]
    pub fn rated(&self) -> &[Rated<G::Move>] {
        &self.rated
    }

    /// The best move; of several, the first in the game's order of moves.
    #[must_use]
    pub fn key(&self) -> Option<G::Move> {
        self.rated.first().map(|rated| rated.mv)
    }

    /// The value of the state: that of its best move.
    #[must_use]
    pub fn value(&self) -> Value {
        self.rated
            .first()
            .map_or(Value::SELF_MATE, |rated| rated.value)
    }

    /// How many moves have this outcome.
    #[must_use]
    pub fn count(&self, outcome: Outcome) -> usize {
        self.rated
            .iter()
            .filter(|rated| rated.value.outcome() == outcome)
            .count()
    }

    /// How many moves have the outcome of the best move, and how many of them also its
    /// distance.
    #[must_use]
    pub fn as_good(&self) -> (usize, usize) {
        let best = self.value();
        (
            self.count(best.outcome()),
            self.rated
                .iter()
                .filter(|rated| rated.value == best)
                .count(),
        )
    }

    /// The uniqueness of the best move: `onlyWin`, `onlyDraw` (no other move has the
    /// outcome), `onlyShortest` (other moves win later), `onlyLongest` (all moves lose,
    /// this one last) or `multiple`.
    #[must_use]
    pub fn uniqueness(&self) -> &'static str {
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
