//! Puzzle rows from finds.

use super::MineError;
use super::minable::Minable;
use super::puzzle_row::PuzzleRow;
use crate::analysis::{
    Analysis, MOST_NODES, Quality, Solution, Stipulation, Story, difficulty, themes,
};
use crate::base::value::{Outcome, Record};
use crate::game::Oracle;
use crate::table::{Table, TableError, TableOracle};

/// A state that a filter admits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find<S> {
    /// The index of its record in the table.
    pub index: u64,
    /// The state.
    pub state: S,
    /// The record.
    pub record: Record,
}

/// The row of a find, and its solution. `similar` is the number of finds left out in favour
/// of it.
///
/// # Errors
/// If the table cannot be read.
pub fn puzzle_row<G: Minable>(
    game: &G,
    table: &Table,
    filter: &str,
    find: &Find<G::State>,
    similar: u64,
) -> Result<(PuzzleRow, Solution<G>), MineError> {
    let oracle = TableOracle::new(table, game)?;
    let fingerprint = &table.description().fingerprint;
    row_from(game, &oracle, fingerprint, filter, find, similar)
}

/// [`puzzle_row`] from an oracle.
pub(super) fn row_from<G: Minable>(
    game: &G,
    oracle: &impl Oracle<G, Error = TableError>,
    fingerprint: &str,
    filter: &str,
    find: &Find<G::State>,
    similar: u64,
) -> Result<(PuzzleRow, Solution<G>), MineError> {
    let analysis = Analysis::new(game, oracle, &find.state)?;
    let solution = Solution::new(game, oracle, &find.state, MOST_NODES)?;
    let story = Story::new(game, oracle, &solution)?;
    let value = solution.value;
    let side = game.side_to_move(&find.state);
    let text = game.format_state(&find.state);
    let forbidden = game.forbidden(&find.state).map(|mv| game.format_move(mv));
    let stipulation = format!("{side} to move and {}", Stipulation::of(value));
    let moves: Vec<_> = solution
        .line
        .iter()
        .map(|&mv| game.format_move(mv))
        .collect();
    let spec = game.spec();
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let names: Vec<_> = themes(&story).map(|theme| theme.name).collect();
    let row = PuzzleRow {
        puzzle_id: PuzzleRow::id(&spec, &text, &stipulation),
        game: spec,
        position: text,
        forbidden,
        side: side.to_owned(),
        stipulation,
        outcome: value.outcome().name().to_owned(),
        plies: value.plies(),
        plies_to_checkmate: value.plies_to_checkmate(),
        key: moves.first().cloned().unwrap_or_default(),
        solution: moves.join(" "),
        n_moves: count(analysis.rated().len()),
        n_winning: count(analysis.count(Outcome::Win)),
        n_best: count(solution.keys.len()),
        uniqueness: analysis.uniqueness().to_owned(),
        soundness: solution.soundness().name().to_owned(),
        n_tries: count(solution.tries.len()),
        variations: solution.tree.variations(),
        themes: names.join(" "),
        score: Quality::new(&solution, &story).score().into(),
        difficulty: difficulty(game, &solution.steps),
        similar,
        filter: filter.to_owned(),
        slot: find.index,
        table_fingerprint: fingerprint.to_owned(),
    };
    Ok((row, solution))
}
