//! Checking a problem as an editor would: a position and its stipulation.

use std::fmt;

use super::rated::Rated;
use super::solution::{MOST_NODES, Solution, Soundness};
use crate::base::value::{Outcome, Value};
use crate::game::{Editable, Moves, Oracle, Passing, Ranked};
use crate::table::{Table, TableError, TableOracle};

/// The task of the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stipulation {
    outcome: Outcome,
    plies: Option<u16>,
}

/// An invalid stipulation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid stipulation {0:?}: write 'win in 7' (plies, including the last move), 'win', 'draw', or 'lose in 8'"
)]
pub struct StipulationError(String);

impl Stipulation {
    /// Reads `win in 7`, `win`, `draw` or `lose in 8`, optionally after `Black to move
    /// and`.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse(text: &str) -> Result<Self, StipulationError> {
        let wrong = || StipulationError(text.to_owned());
        let task = text.rsplit(" to move and ").next().unwrap_or(text).trim();
        let (word, rest) = task.split_once(' ').unwrap_or((task, ""));
        let outcome = match word {
            "win" => Outcome::Win,
            "draw" => Outcome::Draw,
            "lose" | "loss" => Outcome::Loss,
            _ => return Err(wrong()),
        };
        let plies = match rest.trim() {
            "" => None,
            rest => {
                let number = rest.strip_prefix("in ").ok_or_else(wrong)?;
                Some(number.trim().parse().map_err(|_| wrong())?)
            }
        };
        if outcome == Outcome::Draw && plies.is_some() || plies == Some(0) {
            return Err(wrong());
        }
        Ok(Self { outcome, plies })
    }

    /// The stipulation of a position with this value: the outcome and the number of plies.
    #[must_use]
    pub fn of(value: Value) -> Self {
        Self {
            outcome: value.outcome(),
            plies: value.plies(),
        }
    }

    /// Whether a position with this value meets the stipulation.
    #[must_use]
    pub fn met_by(self, value: Value) -> bool {
        value.outcome() == self.outcome
            && self.plies.is_none_or(|plies| value.plies() == Some(plies))
    }

    /// Whether a move of this value solves it. A win may also be shorter.
    fn solved_by(self, value: Value) -> bool {
        let in_time = |plies: u16| match self.outcome {
            Outcome::Loss => value.plies() >= Some(plies),
            _ => value.plies() <= Some(plies),
        };
        value.outcome() == self.outcome && self.plies.is_none_or(in_time)
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.outcome {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "lose",
        })?;
        self.plies.map_or(Ok(()), |plies| write!(f, " in {plies}"))
    }
}

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
    /// The value without it; `None` if the game would be over.
    pub value: Option<Value>,
    /// Whether the puzzle is as good without it: the same stipulation and the same only
    /// key.
    pub idle: bool,
}

/// A sound position in which one piece stands elsewhere.
#[derive(Debug, Clone)]
pub struct Mending<S> {
    /// The old square of the piece.
    pub from: u8,
    /// The new square of the piece.
    pub to: u8,
    /// The position.
    pub state: S,
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
    pub mendings: Vec<Mending<G::State>>,
}

/// Checks a puzzle: whether it is sound, its cooks, duals and tries, the role of each
/// piece, and, if it is not sound, which positions nearby are.
///
/// # Errors
/// If the table is of another game or cannot be read.
pub fn check<G: Moves + Ranked + Passing + Editable>(
    game: &G,
    table: &Table,
    state: &G::State,
    stipulation: Stipulation,
) -> Result<Verdict<G>, TableError> {
    let oracle = TableOracle::new(table, game)?;
    let solution = Solution::new(game, &oracle, state, MOST_NODES)?;
    let solving = solving(game, &oracle, state, stipulation)?;
    let mut faults = Vec::new();
    if solution.value.outcome() != stipulation.outcome {
        faults.push(Fault::Outcome);
    } else if !stipulation.met_by(solution.value) {
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
            idle: stipulation.met_by(value) && same_key,
        });
    }
    let mut mendings = Vec::new();
    if !faults.is_empty() {
        for (from, to, state) in game.neighbours(state) {
            if stipulation.met_by(oracle.value(game, &state)?)
                && self::solving(game, &oracle, &state, stipulation)?.len() == 1
            {
                let soundness = Solution::new(game, &oracle, &state, MOST_NODES)?.soundness();
                mendings.push(Mending {
                    from,
                    to,
                    state,
                    soundness,
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
    rated.retain(|rated| stipulation.solved_by(rated.value));
    Ok(rated)
}
