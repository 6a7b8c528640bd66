//! Checking a problem as an editor would: a position and its stipulation; and which positions
//! that differ from one by a single thing are sound problems.

use std::collections::HashSet;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::analysis::rated::{Rated, rate_moves};
use crate::analysis::solution::{MOST_NODES, Solution, Soundness};
use crate::analysis::stipulation::Stipulation;
use crate::base::text::named;
use crate::base::value::Value;
use crate::draw::BoardSquare;
use crate::game::{Moves, Oracle, PaletteItem, Playable, Ranked, Standing};
use crate::table::{Table, TableError, TableOracle};

named! {
    /// The reason why a puzzle is not sound.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Fault {
        /// The outcome is wrong.
        Outcome = "other outcome",
        /// The outcome is right, but the number of plies is wrong.
        Distance = "distance mismatch",
        /// The number of fouls that must be allowed is another.
        Fouls = "other number of fouls",
        /// Several moves solve it.
        Cooked = "cooked",
        /// The key that was given does not solve it.
        Key = "other key",
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
    let faults = faults(game, state, stipulation, solution.value, solving.len());
    let mut purposes = Vec::new();
    for (square, thing) in game.things(state) {
        let (mut idle, mut value) = (false, None);
        if let Some(less) = game.without(state, square) {
            let key = only_key(game, &oracle, &less, stipulation)?;
            idle = key.is_some() && key == solving.first().map(|rated| rated.mv);
            value = Some(oracle.value(game, &less)?);
        }
        purposes.push(Purpose { thing, idle, value });
    }
    let mut mendings = Vec::new();
    if !faults.is_empty() {
        for (from, to, state) in game.neighbours(state) {
            if only_key(game, &oracle, &state, stipulation)?.is_some() {
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

/// The faults of a puzzle, given the value of its position and the number of moves that solve it.
pub(crate) fn faults<G: Moves>(
    game: &G,
    state: &G::State,
    stipulation: Stipulation,
    value: Value,
    solving: usize,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    if value.outcome() != stipulation.outcome() {
        faults.push(Fault::Outcome);
    } else if !stipulation.met_in(game, state, value) {
        faults.push(Fault::Distance);
    }
    if solving > 1 {
        faults.push(Fault::Cooked);
    }
    faults
}

pub(crate) fn solving<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    stipulation: Stipulation,
) -> Result<Vec<Rated<G::Move>>, O::Error> {
    let mut rated = rate_moves(game, oracle, state)?;
    rated.retain(|rated| stipulation.solved_by(game, state, rated.mv, rated.value));
    Ok(rated)
}

/// The only move that solves a sound problem; `None` if it is none.
fn only_key<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    stipulation: Stipulation,
) -> Result<Option<G::Move>, O::Error> {
    if !stipulation.met_in(game, state, oracle.value(game, state)?) {
        return Ok(None);
    }
    let solving = solving(game, oracle, state, stipulation)?;
    Ok((solving.len() == 1).then(|| solving[0].mv))
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

/// A position that differs by one thing, and how: the thing in words, and the name of the square
/// where it comes.
struct Changed<S> {
    change: Change,
    thing: String,
    to: Option<String>,
    /// The change in words, such as `c3 to d3`.
    words: String,
    state: S,
}

/// All unfinished positions of the table in which one thing is moved to an empty square, removed,
/// or added, each once, in this order; nothing is forbidden in them.
fn changes<G: Ranked + Playable>(game: &G, state: &G::State) -> Vec<Changed<G::State>> {
    let things = game.things(state);
    let words = |square: u8| {
        let thing = things.iter().find(|(at, _)| *at == square);
        thing.map_or_else(String::new, |(_, words)| words.clone())
    };
    let moved = game.neighbours(state).into_iter();
    let moved = moved.map(|(from, to, state)| Changed {
        change: Change::Moved,
        thing: words(from),
        to: Some(game.name_of(to)),
        words: format!("{} to {}", game.name_of(from), game.name_of(to)),
        state,
    });
    let removed = things.iter().filter_map(|(square, words)| {
        Some(Changed {
            change: Change::Removed,
            thing: words.clone(),
            to: None,
            words: format!("without the {words}"),
            state: game.without(state, *square)?,
        })
    });
    let mut seen = HashSet::from([state.clone()]);
    let all = moved.chain(removed).chain(added(game, state));
    all.filter(|changed| game.rank(&changed.state) != u64::MAX)
        .filter(|changed| seen.insert(changed.state.clone()))
        .collect()
}

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
    let judged = changes(game, state).into_iter().map(|changed| {
        let value = oracle.value(game, &changed.state)?;
        let solving = solving(game, &oracle, &changed.state, stipulation)?.len();
        Ok(Neighbour {
            change: changed.change,
            thing: changed.thing,
            to: changed.to,
            value,
            solving,
            sound: solving == 1 && stipulation.met_in(game, &changed.state, value),
            position: game.format_state(&changed.state),
        })
    });
    judged.collect()
}

/// A sound problem that differs from another one by one thing or two and has another first move.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Twin {
    /// The change in words, such as `c3 to d3`; two are separated by a comma.
    pub change: String,
    /// The position.
    pub position: String,
    /// Its soundness.
    pub soundness: Soundness,
    /// The main line of its solution, as people read it.
    pub line: String,
}

/// Finds the twins of a sound problem: sound problems with the same stipulation that are at most
/// `most_changes` changes away and begin with another move that is also written differently. Those
/// with fewer changes come first, then the soundest. Each position is looked at once, with the
/// fewest changes that lead there.
///
/// # Errors
/// If the table is of another game or cannot be read.
pub fn twins<G: Moves + Ranked + Playable>(
    game: &G,
    table: &Table,
    state: &G::State,
    stipulation: Stipulation,
    most_changes: u8,
) -> Result<Vec<Twin>, TableError> {
    let oracle = TableOracle::new(table, game)?;
    // A move may be the same though it gives check in one position only, or be written the same
    // though it comes from another square.
    let key = |state: &G::State| -> Result<_, TableError> {
        Ok(only_key(game, &oracle, state, stipulation)?.map(|mv| (mv, game.spell_move(state, mv))))
    };
    let first = key(state)?;
    let mut seen = HashSet::from([state.clone()]);
    let mut from = vec![(String::new(), state.clone())];
    let mut twins = Vec::new();
    for _ in 0..most_changes {
        let mut next = Vec::new();
        for (before, state) in &from {
            for changed in changes(game, state) {
                if seen.insert(changed.state.clone()) {
                    let comma = if before.is_empty() { "" } else { ", " };
                    next.push((format!("{before}{comma}{}", changed.words), changed.state));
                }
            }
        }
        let mut found = Vec::new();
        for (change, state) in &next {
            let is_new = key(state)?.is_some_and(|(mv, words)| {
                (first.as_ref()).is_none_or(|(known, written)| *known != mv && *written != words)
            });
            if !is_new {
                continue;
            }
            let solution = Solution::of(game, &oracle, state, stipulation, MOST_NODES)?;
            found.push(Twin {
                change: change.clone(),
                position: game.format_state(state),
                soundness: solution.soundness(),
                line: solution.written_line(game),
            });
        }
        found.sort_by_key(|twin| std::cmp::Reverse(twin.soundness));
        twins.append(&mut found);
        from = next;
    }
    Ok(twins)
}

/// Every position with one thing more, of the kinds that can be put on the board by hand.
fn added<G: Playable>(game: &G, state: &G::State) -> Vec<Changed<G::State>> {
    let (palette, standing) = (game.palette(), game.standing(state));
    let (columns, rows) = game.size();
    let cells =
        (0..rows).flat_map(|row| (0..columns).map(move |column| BoardSquare::new(column, row)));
    let mut found = Vec::new();
    for cell in cells.filter(|&cell| standing.iter().all(|thing| thing.cell != cell)) {
        for PaletteItem { glyph, words } in &palette {
            let thing = Standing::new(cell, glyph.clone(), words.clone());
            let placed = game.placed_words(&thing);
            // Things that are ignored, beside the board, change nothing.
            if let Some(state) = game.with_pieces(state, &[&standing[..], &[thing]].concat()) {
                let (_, to) = placed.rsplit_once(' ').unwrap_or(("", &placed));
                found.push(Changed {
                    change: Change::Added,
                    thing: words.clone().into_owned(),
                    to: Some(to.to_owned()),
                    words: format!("{words} added on {to}"),
                    state,
                });
            }
        }
    }
    found
}
