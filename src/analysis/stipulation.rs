//! What the solver of a problem is asked to do.

use std::fmt;

use thiserror::Error;

use crate::base::text::plural;
use crate::base::value::{Outcome, Value};
use crate::game::Moves;

/// The task of the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stipulation {
    task: Task,
    /// Whether its length is given in moves, as in chess, where every win is a mate.
    in_moves: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// An outcome, perhaps with the number of plies to the end of the game.
    Reach(Outcome, Option<u16>),
    /// A mate by checks alone, with the number of plies up to the mating move.
    Mate(u16),
    /// A mate in a number of what the game counts.
    MateIn(u16),
}

impl From<Task> for Stipulation {
    fn from(task: Task) -> Self {
        Self {
            task,
            in_moves: false,
        }
    }
}

/// An invalid stipulation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StipulationError {
    /// The text is none.
    #[error(
        "invalid stipulation {0:?}: write 'win in 7' (plies, including the last move), 'win', 'draw', 'lose in 8', or 'mate in 5' (moves in chess; in other games plies, checks alone, up to the mating move)"
    )]
    Malformed(String),
    /// The text asks for a forced mistake.
    #[error("'{0}' is judged by 'tesuji book', as it prints the puzzle")]
    Swindle(String),
    /// The text names the side that is not to move, or asks for a mate in a game that has none.
    #[error("{0}")]
    Refused(String),
}

impl Stipulation {
    /// Reads `win in 7`, `win`, `draw`, `lose in 8` or `mate in 5`, perhaps with the side to move:
    /// `Black to move and win in 7`, `White wins in four moves`. Case does not matter. A number
    /// counts plies, unless it has another unit: `win in 4 moves` is `win in 7`. That of a mate counts
    /// moves in games in which [every win is a mate](Moves::wins_by_mate), as `mate in 4` in chess.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse(text: &str) -> Result<Self, StipulationError> {
        let wrong = || StipulationError::Malformed(text.to_owned());
        let (_, task) = side_and_task(text).ok_or_else(wrong)?;
        let words: Vec<_> = task.iter().map(String::as_str).collect();
        let (verb, plies) = match words[..] {
            [verb] => (verb, None),
            [verb, "in", number, ref unit @ ..] => {
                let plies = number_of(number).and_then(|number| match unit {
                    [] | ["ply" | "plies" | "half-move" | "half-moves"] => Some(number),
                    ["move" | "moves"] => {
                        // The winner makes the last move.
                        let last = u16::from(!verb.starts_with('l'));
                        number.checked_mul(2)?.checked_sub(last)
                    }
                    _ => None,
                });
                let plies = plies.filter(|&plies| plies > 0).ok_or_else(wrong)?;
                (verb, Some(plies))
            }
            _ => return Err(wrong()),
        };
        let task = match (verb, plies) {
            ("win" | "wins", plies) => Task::Reach(Outcome::Win, plies),
            ("draw" | "draws", None) => Task::Reach(Outcome::Draw, None),
            ("lose" | "loses" | "loss", plies) => Task::Reach(Outcome::Loss, plies),
            ("mate" | "mates" | "checkmate" | "checkmates", Some(count)) if words.len() == 3 => {
                Task::MateIn(count)
            }
            ("mate" | "mates" | "checkmate" | "checkmates", Some(plies)) => Task::Mate(plies),
            _ => return Err(wrong()),
        };
        Ok(task.into())
    }

    /// Checks that the side which a text names, as in `Black to move and win`, is this one. A
    /// text that names none fits both.
    ///
    /// # Errors
    /// If it names another.
    pub(crate) fn expect_side(text: &str, side: &str) -> Result<(), StipulationError> {
        match side_and_task(text) {
            Some((named, _)) if !named.is_empty() && named != side.to_lowercase() => {
                let text = text.trim();
                Err(StipulationError::Refused(format!(
                    "the stipulation is '{text}', but {side} is to move; correct one of them"
                )))
            }
            _ => Ok(()),
        }
    }

    /// A text with the side to move before what is asked, if it names none.
    pub(crate) fn with_side(text: &str, side: &str) -> String {
        match side_and_task(text) {
            Some((named, task)) if named.is_empty() => {
                format!("{side} to move and {}", task.join(" "))
            }
            _ => text.to_owned(),
        }
    }

    /// The stipulation of a position with this value: the outcome and the number of plies, or the
    /// moves to mate in games in which every win is a mate.
    pub(crate) fn of<G: Moves>(game: &G, value: Value) -> Self {
        Self {
            task: Task::Reach(value.outcome(), value.plies()),
            in_moves: game.wins_by_mate(),
        }
    }

    /// The stipulation of a position whose shortest win is a mate by checks: the mate, in the
    /// plies up to the mating move. Without mates in the game, that of the value.
    pub(crate) fn of_mate<G: Moves>(game: &G, value: Value) -> Self {
        let after = game.plies_after_mate();
        let plies = after.and_then(|after| value.plies()?.checked_sub(after));
        plies.map_or_else(|| Self::of(game, value), |plies| Task::Mate(plies).into())
    }

    pub(crate) const fn outcome(self) -> Outcome {
        match self.task {
            Task::Reach(outcome, _) => outcome,
            Task::Mate(_) | Task::MateIn(_) => Outcome::Win,
        }
    }

    /// The plies of the mate by checks that is asked for, up to the mating move; `None` if it is
    /// none.
    pub(crate) const fn mate(self) -> Option<u16> {
        match self.task {
            Task::Reach(..) => None,
            Task::Mate(plies) | Task::MateIn(plies) => Some(plies),
        }
    }

    /// The plies that are asked for, if any.
    pub(crate) const fn plies(self) -> Option<u16> {
        match self.task {
            Task::Reach(_, plies) => plies,
            Task::Mate(plies) | Task::MateIn(plies) => Some(plies),
        }
    }

    /// What is asked for in a game, which tells what the number of a mate counts.
    ///
    /// # Errors
    /// If a mate is asked for, and the game has none.
    pub fn in_game<G: Moves>(self, game: &G) -> Result<Self, StipulationError> {
        let in_moves = game.wins_by_mate();
        let task = match self.task {
            Task::MateIn(moves) if in_moves => {
                let plies = moves.saturating_mul(2).saturating_sub(1);
                Task::Reach(Outcome::Win, Some(plies))
            }
            Task::Mate(plies) if in_moves => Task::Reach(Outcome::Win, Some(plies)),
            Task::Mate(_) | Task::MateIn(_) if game.plies_after_mate().is_none() => {
                let spec = game.spec();
                return Err(StipulationError::Refused(format!(
                    "there are no mates by checks in {spec}, so '{self}' cannot be asked; write 'win in 7' (plies, including the last move)"
                )));
            }
            Task::MateIn(plies) => Task::Mate(plies),
            Task::Reach(outcome, Some(plies))
                if in_moves
                    && outcome != Outcome::Draw
                    && plies.is_multiple_of(2) == (outcome == Outcome::Win) =>
            {
                return Err(StipulationError::Refused(format!(
                    "a win takes an odd number of plies and a loss an even one, so {plies} cannot be asked; write the number of moves, such as 'mate in 5'"
                )));
            }
            task => task,
        };
        Ok(Self { task, in_moves })
    }

    /// Whether a position with this value meets the stipulation: one of a mate by checks, if checks
    /// alone mate, the shortest such mate has exactly that many plies, and no win is shorter.
    pub fn met_in<G: Moves>(self, game: &G, state: &G::State, value: Value) -> bool {
        self.in_game(game).is_ok_and(|asked| match asked.task {
            Task::Reach(outcome, plies) => {
                value.outcome() == outcome && plies.is_none_or(|plies| value.plies() == Some(plies))
            }
            Task::Mate(plies) | Task::MateIn(plies) => {
                value.outcome() == Outcome::Win
                    && Self::of_mate(game, value) == Task::Mate(plies).into()
                    && game.mate(state) == Some(plies)
            }
        })
    }

    /// Whether a move of this value solves it in a state. A win may also be shorter, and a mate by
    /// checks is kept by a check only.
    pub(super) fn solved_by<G: Moves>(
        self,
        game: &G,
        state: &G::State,
        mv: G::Move,
        value: Value,
    ) -> bool {
        self.in_game(game).is_ok_and(|asked| match asked.task {
            Task::Reach(outcome, plies) => {
                let in_time = |plies: u16| match outcome {
                    Outcome::Loss => value.plies() >= Some(plies),
                    _ => value.plies() <= Some(plies),
                };
                value.outcome() == outcome && plies.is_none_or(in_time)
            }
            Task::Mate(plies) | Task::MateIn(plies) => {
                let next = game.play(state, mv).state();
                next.is_some_and(|next| game.is_mated(&next, plies - 1))
            }
        })
    }
}

const VERBS: [&str; 12] = [
    "win",
    "wins",
    "draw",
    "draws",
    "lose",
    "loses",
    "loss",
    "mate",
    "mates",
    "checkmate",
    "checkmates",
    "force",
];

const NUMBERS: [&str; 12] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// A number in digits, or in a word up to twelve.
pub(crate) fn number_of(text: &str) -> Option<u16> {
    let word = NUMBERS.iter().position(|&word| word == text);
    let number = word.and_then(|place| u16::try_from(place + 1).ok());
    number.or_else(|| text.parse().ok())
}

/// The side that a text names, which may be none, and the words of its task from the verb on, all
/// in lower case and without punctuation. `None` if there is no verb, or something else before it.
pub(super) fn side_and_task(text: &str) -> Option<(String, Vec<String>)> {
    let words = text.split_whitespace().map(|word| {
        let word = word.trim_matches(['.', ',', ':', ';', '!', '(', ')']);
        word.to_lowercase()
    });
    let mut before: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let task = before.split_off(before.iter().position(|word| VERBS.contains(&&**word))?);
    before.pop_if(|word| *word == "and");
    let before: Vec<_> = before.iter().map(String::as_str).collect();
    match &before[..] {
        [side @ .., "to", "move" | "play"] | [side @ .., "to"] | side if side.len() <= 2 => {
            Some((side.join(" "), task))
        }
        _ => None,
    }
}

impl fmt::Display for Stipulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, number) = match self.task {
            Task::Reach(Outcome::Win, Some(plies)) if self.in_moves => {
                ("mate", Some(plies.div_ceil(2)))
            }
            Task::Reach(Outcome::Win, plies) => ("win", plies),
            Task::Reach(Outcome::Draw, plies) => ("draw", plies),
            Task::Reach(Outcome::Loss, Some(plies)) if self.in_moves => {
                let moves = plural((plies / 2).into(), "move");
                return write!(f, "lose in {moves}");
            }
            Task::Reach(Outcome::Loss, plies) => ("lose", plies),
            Task::Mate(number) | Task::MateIn(number) => ("mate", Some(number)),
        };
        f.write_str(word)?;
        number.map_or(Ok(()), |number| write!(f, " in {number}"))
    }
}
