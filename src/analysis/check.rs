//! Checking a problem as an editor would: a position and its stipulation; and which positions
//! that differ from one by a single thing are sound problems.

use std::collections::HashSet;
use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use thiserror::Error;

use crate::analysis::rated::Rated;
use crate::analysis::solution::{MOST_NODES, Solution, Soundness};
use crate::base::value::{Outcome, Value};
use crate::game::{Moves, Next, Oracle, Playable, Ranked};
use crate::table::{Table, TableError, TableOracle};

/// The task of the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stipulation(Task);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Task {
    /// An outcome, perhaps in so many plies to the end of the game.
    Reach(Outcome, Option<u16>),
    /// A mate by checks alone in so many plies, up to the mating move.
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
    /// move and`.
    ///
    /// # Errors
    /// If the text is anything else.
    pub fn parse(text: &str) -> Result<Self, StipulationError> {
        let wrong = || StipulationError::Malformed(text.to_owned());
        let task = text.rsplit(" to move and ").next().unwrap_or(text).trim();
        let (word, rest) = task.split_once(' ').unwrap_or((task, ""));
        let plies: Option<u16> = match rest.trim() {
            "" => None,
            rest => {
                let number = rest.strip_prefix("in ").ok_or_else(wrong)?;
                Some(number.trim().parse().map_err(|_| wrong())?)
            }
        };
        if plies == Some(0) {
            return Err(wrong());
        }
        Ok(Self(match (word, plies) {
            ("win", plies) => Task::Reach(Outcome::Win, plies),
            ("draw", None) => Task::Reach(Outcome::Draw, None),
            ("lose" | "loss", plies) => Task::Reach(Outcome::Loss, plies),
            ("mate", Some(plies)) => Task::Mate(plies),
            _ => return Err(wrong()),
        }))
    }

    /// The stipulation of a position with this value: the outcome and the number of plies.
    #[must_use]
    pub fn of(value: Value) -> Self {
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
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self.0 {
            Task::Reach(outcome, _) => outcome,
            Task::Mate(_) => Outcome::Win,
        }
    }

    /// The plies of the mate that is asked for, up to the mating move; `None` if it is none.
    #[must_use]
    pub const fn mate(self) -> Option<u16> {
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
    #[must_use]
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
    let mut rated = crate::analysis::rated::rate_moves(game, oracle, state)?;
    rated.retain(|rated| stipulation.solved_by(game, state, rated.mv, rated.value));
    Ok(rated)
}

/// How a neighbour differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// A thing stands elsewhere.
    Moved,
    /// A thing is gone.
    Removed,
    /// There is one thing more.
    Added,
}

/// A position that differs by one thing.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Neighbour {
    /// How it differs.
    pub change: Change,
    /// The thing in words, and where it stood if it stood anywhere.
    pub thing: String,
    /// The new square of the thing; `None` if it is gone.
    pub to: Option<String>,
    /// The position.
    pub position: String,
    /// Its value.
    pub value: Value,
    /// How many moves do what is asked.
    pub solving: usize,
    /// Whether the position is a sound problem: it meets the stipulation, and one move
    /// alone solves it.
    pub sound: bool,
}

/// A position with what is different in it.
type Changed<S> = (Change, String, Option<String>, S);

/// All unfinished positions in which one thing is moved to an empty square, removed, or
/// added, each once, in this order; nothing is forbidden in them.
///
/// # Errors
/// If the table is of another game or cannot be read.
pub fn neighbours<G: Moves + Ranked + Playable>(
    game: &G,
    table: &Table,
    state: &G::State,
    stipulation: Stipulation,
) -> Result<Vec<Neighbour>, TableError> {
    let oracle = TableOracle::new(table, game)?;
    let things = game.things(state);
    let words = |square: u8| {
        let thing = things.iter().find(|(at, _)| *at == square);
        thing.map_or_else(String::new, |(_, words)| words.clone())
    };
    let moved = game.neighbours(state).into_iter().map(|(from, to, next)| {
        let to = Some(game.name_of(to));
        (Change::Moved, words(from), to, next)
    });
    let removed = things.iter().filter_map(|(square, words)| {
        let next = game.without(state, *square)?;
        Some((Change::Removed, words.clone(), None, next))
    });
    let mut seen = HashSet::from([state.clone()]);
    let mut all: Vec<Changed<G::State>> = moved.chain(removed).chain(added(game, state)).collect();
    all.retain(|(_, _, _, next)| seen.insert(next.clone()));
    let judged = all.into_iter().map(|(change, thing, to, next)| {
        let value = oracle.value(game, &next)?;
        let solving = solving(game, &oracle, &next, stipulation)?.len();
        Ok(Neighbour {
            change,
            thing,
            to,
            value,
            solving,
            sound: solving == 1 && stipulation.met_in(game, &next, value),
            position: game.format_state(&next),
        })
    });
    judged.collect()
}

/// Every position with one thing more, of the kinds that can be put on the board by hand.
fn added<G: Playable>(game: &G, state: &G::State) -> Vec<Changed<G::State>> {
    let palette = game.palette();
    let standing = game.standing(state);
    let second = game.side_to_move(state) != game.side_to_move(&game.initial());
    let mut things: Vec<_> = standing
        .iter()
        .filter_map(|thing| {
            let place = palette.iter().position(|item| item.words == thing.words)?;
            Some((thing.cell, place))
        })
        .collect();
    let (columns, rows) = game.size();
    let cells = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| crate::draw::BoardSquare::new(column, row)));
    let mut found = Vec::new();
    for cell in cells {
        if standing.iter().any(|thing| thing.cell == cell) {
            continue;
        }
        for (place, item) in palette.iter().enumerate() {
            things.push((cell, place));
            let text = game.arranged(&things, second);
            things.pop();
            // Things that are ignored, beside the board, change nothing.
            if let Ok(next) = game.parse_state(&text)
                && game.side_to_move(&next) == game.side_to_move(state)
            {
                let words = item.words.to_owned();
                let to = game.placed_words(&crate::game::Standing {
                    cell,
                    glyph: item.glyph.clone(),
                    words: item.words,
                });
                let to = to.rsplit(' ').next().map(str::to_owned);
                found.push((Change::Added, words, to, next));
            }
        }
    }
    found
}
