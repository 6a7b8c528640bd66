//! Positions that differ from one by a single thing, and which of them are sound problems.

use std::collections::HashSet;

use serde::Serialize;

use super::check::solving;
use super::stipulation::Stipulation;
use crate::base::value::Value;
use crate::game::{Moves, Oracle, Playable, Ranked};
use crate::table::{Table, TableError, TableOracle};

/// How a neighbour differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
#[derive(Debug, Clone, Serialize)]
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
