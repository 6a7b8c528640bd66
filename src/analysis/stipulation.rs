//! What the solver of a problem is asked to do.

use std::fmt;

use thiserror::Error;

use crate::base::value::{Outcome, Value};
use crate::game::{Moves, Next};

/// The task of the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stipulation(Task);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// An outcome, perhaps with the number of plies to the end of the game.
    Reach(Outcome, Option<u16>),
    /// A mate by checks alone, with the number of plies up to the mating move.
    Mate(u16),
}

/// An invalid stipulation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StipulationError {
    /// The text is none.
    #[error(
        "invalid stipulation {0:?}: write 'win in 7' (plies, including the last move), 'win', 'draw', 'lose in 8', or 'mate in 5' (checks alone, up to the mating move)"
    )]
    Malformed(String),
    /// The text names the side that is not to move.
    #[error("the stipulation is '{text}', but {side} is to move; correct one of them")]
    WrongSide {
        /// What was asked.
        text: String,
        /// The side to move.
        side: String,
    },
    /// The game has no mates.
    #[error(
        "there are no mates by checks in {spec}, so '{task}' cannot be asked; write 'win in 7' (plies, including the last move)"
    )]
    NoMates {
        /// What was asked.
        task: String,
        /// The game.
        spec: String,
    },
}

impl Stipulation {
    /// Reads `win in 7`, `win`, `draw`, `lose in 8` or `mate in 5`, optionally after `Black to
    /// move and`. Case does not matter, and a number may have its unit: `win in 7 plies` is
    /// `win in 4 moves`.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse(text: &str) -> Result<Self, StipulationError> {
        let wrong = || StipulationError::Malformed(text.to_owned());
        let task = side_and_task(text).1.to_lowercase();
        let words: Vec<_> = task.trim_end_matches('.').split_whitespace().collect();
        let (word, plies) = match words[..] {
            [word] => (word, None),
            [word, "in", number] | [word, "in", number, "ply" | "plies"] => {
                (word, Some(number.parse().map_err(|_| wrong())?))
            }
            [word, "in", number, "move" | "moves"] => {
                let moves: u16 = number.parse().map_err(|_| wrong())?;
                // The winner makes the last move.
                let last = u16::from(!matches!(word, "lose" | "loss"));
                let plies = moves.checked_mul(2).and_then(|it| it.checked_sub(last));
                (word, Some(plies.ok_or_else(wrong)?))
            }
            _ => return Err(wrong()),
        };
        Ok(Self(match (word, plies) {
            (_, Some(0)) => return Err(wrong()),
            ("win", plies) => Task::Reach(Outcome::Win, plies),
            ("draw", None) => Task::Reach(Outcome::Draw, None),
            ("lose" | "loss", plies) => Task::Reach(Outcome::Loss, plies),
            ("mate", Some(plies)) => Task::Mate(plies),
            _ => return Err(wrong()),
        }))
    }

    /// Checks that the side which a text names, as in `Black to move and win`, is this one. A
    /// text that names none fits both.
    ///
    /// # Errors
    /// If it names another.
    pub(crate) fn expect_side(text: &str, side: &str) -> Result<(), StipulationError> {
        match side_and_task(text).0 {
            Some(named) if named.to_lowercase() != side.to_lowercase() => {
                Err(StipulationError::WrongSide {
                    text: text.trim().to_owned(),
                    side: side.to_owned(),
                })
            }
            _ => Ok(()),
        }
    }

    /// The stipulation of a position with this value: the outcome and the number of plies.
    pub(crate) fn of(value: Value) -> Self {
        Self(Task::Reach(value.outcome(), value.plies()))
    }

    /// The stipulation of a position whose shortest win is a mate by checks: the mate, in the
    /// plies up to the mating move. Without mates in the game, that of the value.
    pub(crate) fn of_mate<G: Moves>(game: &G, value: Value) -> Self {
        let after = game.plies_after_mate();
        let plies = after.and_then(|after| value.plies()?.checked_sub(after));
        plies.map_or_else(|| Self::of(value), |plies| Self(Task::Mate(plies)))
    }

    /// The outcome that is asked for.
    pub(crate) const fn outcome(self) -> Outcome {
        match self.0 {
            Task::Reach(outcome, _) => outcome,
            Task::Mate(_) => Outcome::Win,
        }
    }

    /// The plies of the mate that is asked for, up to the mating move; `None` if it is none.
    pub(crate) const fn mate(self) -> Option<u16> {
        match self.0 {
            Task::Reach(..) => None,
            Task::Mate(plies) => Some(plies),
        }
    }

    /// Checks that a game has what is asked for.
    ///
    /// # Errors
    /// If a mate is asked for, and the game has none.
    pub fn expect_of<G: Moves>(self, game: &G) -> Result<(), StipulationError> {
        match self.0 {
            Task::Mate(_) if game.plies_after_mate().is_none() => Err(StipulationError::NoMates {
                task: self.to_string(),
                spec: game.spec(),
            }),
            _ => Ok(()),
        }
    }

    /// Whether a position with this value meets the stipulation, which is no mate.
    pub(crate) fn met_by(self, value: Value) -> bool {
        match self.0 {
            Task::Reach(outcome, plies) => {
                value.outcome() == outcome && plies.is_none_or(|plies| value.plies() == Some(plies))
            }
            Task::Mate(_) => false,
        }
    }

    /// Whether a position with this value meets the stipulation: one of a mate, if checks alone
    /// mate, the shortest such mate has exactly that many plies, and no win is shorter.
    pub fn met_in<G: Moves>(self, game: &G, state: &G::State, value: Value) -> bool {
        match self.0 {
            Task::Reach(..) => self.met_by(value),
            Task::Mate(plies) => {
                value.outcome() == Outcome::Win
                    && Self::of_mate(game, value) == self
                    && game.mate(state) == Some(plies)
            }
        }
    }

    /// Whether a move of this value solves it in a state. A win may also be shorter, and a mate
    /// is kept by a check only.
    pub(super) fn solved_by<G: Moves>(
        self,
        game: &G,
        state: &G::State,
        mv: G::Move,
        value: Value,
    ) -> bool {
        match self.0 {
            Task::Reach(outcome, plies) => {
                let in_time = |plies: u16| match outcome {
                    Outcome::Loss => value.plies() >= Some(plies),
                    _ => value.plies() <= Some(plies),
                };
                value.outcome() == outcome && plies.is_none_or(in_time)
            }
            Task::Mate(plies) => match game.play(state, mv) {
                Next::State(next) => game.is_mated(&next, plies - 1),
                Next::Over(_) => false,
            },
        }
    }
}

/// The side that a text names, if it begins with `... to move and` or `... to move,`, and the
/// rest.
fn side_and_task(text: &str) -> (Option<&str>, &str) {
    const TO_MOVE: &str = " to move";
    let text = text.trim();
    // ASCII letters alone change, so that places are the same.
    let Some(at) = text.to_ascii_lowercase().find(TO_MOVE) else {
        return (None, text);
    };
    let rest = text[at + TO_MOVE.len()..].trim_start_matches([',', ':', ' ']);
    let task = match rest.split_once(' ') {
        Some((and, task)) if and.eq_ignore_ascii_case("and") => task,
        _ => rest,
    };
    (Some(text[..at].trim()), task.trim())
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, plies) = match self.0 {
            Task::Reach(Outcome::Win, plies) => ("win", plies),
            Task::Reach(Outcome::Draw, plies) => ("draw", plies),
            Task::Reach(Outcome::Loss, plies) => ("lose", plies),
            Task::Mate(plies) => ("mate", Some(plies)),
        };
        f.write_str(word)?;
        plies.map_or(Ok(()), |plies| write!(f, " in {plies}"))
    }
}
