//! Checking a problem as an editor would: a position and its stipulation.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::rated::Rated;
use super::solution::{MOST_NODES, Solution, Soundness};
use super::stipulation::Stipulation;
use crate::base::value::Value;
use crate::game::{Moves, Oracle, Playable, Ranked};
use crate::table::{Table, TableError, TableOracle};

/// The reason why a puzzle is not sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The outcome is wrong.
    Outcome,
    /// The outcome is right, but the number of plies is wrong.
    Distance,
    /// Several moves solve it.
    Cooked,
}

impl Fault {
    /// The reason in a few words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outcome => "other outcome",
            Self::Distance => "distance mismatch",
            Self::Cooked => "cooked",
        }
    }
}

/// The role of a piece: what happens without it.
#[derive(Debug, Clone)]
pub struct Purpose {
    /// A description of the piece.
    pub thing: String,
    /// Whether the puzzle is as good without it: the same stipulation and the same only
    /// key.
    pub idle: bool,
    /// The value without it; `None` if the game would be over.
    pub value: Option<Value>,
}

/// As those of a value, but null where there is none.
impl Serialize for Purpose {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let outcome = self.value.map(|value| value.outcome().name());
        let mut data = serializer.serialize_struct("Purpose", 4)?;
        data.serialize_field("thing", &self.thing)?;
        data.serialize_field("idle", &self.idle)?;
        data.serialize_field("outcome", &outcome)?;
        data.serialize_field("plies", &self.value.and_then(Value::plies))?;
        data.end()
    }
}

/// A sound position in which one piece stands elsewhere.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Mending {
    /// The old square of the piece.
    pub from: String,
    /// The new square of the piece.
    pub to: String,
    /// The position.
    pub position: String,
    /// Its soundness.
    pub soundness: Soundness,
}

/// A verdict.
#[derive(Debug)]
pub struct Verdict<G: Moves> {
    /// What is wrong; `None` if the puzzle is sound.
    pub faults: Vec<Fault>,
    /// Moves that solve it, the key first.
    pub solving: Vec<Rated<G::Move>>,
    /// The solution.
    pub solution: Solution<G>,
    /// The role of each piece.
    pub purposes: Vec<Purpose>,
    /// Sound positions nearby, the soundest first. Empty if this one is sound.
    pub mendings: Vec<Mending>,
}

/// Checks a puzzle: whether it is sound, its cooks, duals and tries, the role of each
/// piece, and, if it is not sound, which positions nearby are.
///
/// # Errors
/// If the table is of another game or cannot be read.
pub fn check<G: Moves + Ranked + Playable>(
    game: &G,
    table: &Table,
    state: &G::State,
    stipulation: Stipulation,
) -> Result<Verdict<G>, TableError> {
    let oracle = TableOracle::new(table, game)?;
    let solution = Solution::of(game, &oracle, state, stipulation, MOST_NODES)?;
    let solving = solving(game, &oracle, state, stipulation)?;
    let mut faults = Vec::new();
    if solution.value.outcome() != stipulation.outcome() {
        faults.push(Fault::Outcome);
    } else if !stipulation.met_in(game, state, solution.value) {
        faults.push(Fault::Distance);
    }
    if solving.len() > 1 {
        faults.push(Fault::Cooked);
    }
    let mut purposes = Vec::new();
    for (square, thing) in game.things(state) {
        let Some(less) = game.without(state, square) else {
            purposes.push(Purpose {
                thing,
                value: None,
                idle: false,
            });
            continue;
        };
        let value = oracle.value(game, &less)?;
        let left = self::solving(game, &oracle, &less, stipulation)?;
        let same_key =
            left.len() == 1 && left.first().map(|r| r.mv) == solving.first().map(|r| r.mv);
        purposes.push(Purpose {
            thing,
            value: Some(value),
            idle: stipulation.met_in(game, &less, value) && same_key,
        });
    }
    let mut mendings = Vec::new();
    if !faults.is_empty() {
        for (from, to, state) in game.neighbours(state) {
            if stipulation.met_in(game, &state, oracle.value(game, &state)?)
                && self::solving(game, &oracle, &state, stipulation)?.len() == 1
            {
                let solution = Solution::of(game, &oracle, &state, stipulation, MOST_NODES)?;
                mendings.push(Mending {
                    from: game.name_of(from),
                    to: game.name_of(to),
                    position: game.format_state(&state),
                    soundness: solution.soundness(),
                });
            }
        }
        mendings.sort_by_key(|mending| std::cmp::Reverse(mending.soundness));
    }
    Ok(Verdict {
        faults,
        solving,
        solution,
        purposes,
        mendings,
    })
}

/// The moves that solve the problem.
pub(super) fn solving<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    stipulation: Stipulation,
) -> Result<Vec<Rated<G::Move>>, O::Error> {
    let mut rated = super::rated::rate_moves(game, oracle, state)?;
    rated.retain(|rated| stipulation.solved_by(game, state, rated.mv, rated.value));
    Ok(rated)
}
