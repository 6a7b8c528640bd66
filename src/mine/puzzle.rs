//! Puzzle rows from finds.

use super::MineError;
use super::minable::Minable;
use super::puzzle_row::PuzzleRow;
use crate::analysis::lures::{Lures, SwindleTask};
use crate::analysis::{
    Analysis, Looker, MOST_NODES, Quality, Solution, Step, Stipulation, Story, difficulty,
    profile_of_line, themes,
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
    let (mut row, solution) = row_from(game, &oracle, fingerprint, filter, find, similar)?;
    add_profile(&mut Looker::new(game), &oracle, &solution.steps, &mut row)?;
    Ok((row, solution))
}

/// Adds to a row how far a player must look ahead to find its main line. That takes longer than
/// the rest of the row.
pub(super) fn add_profile<G: Minable, O: Oracle<G>>(
    looker: &mut Looker<'_, G>,
    oracle: &O,
    line: &[Step<G::State, G::Move>],
    row: &mut PuzzleRow,
) -> Result<(), O::Error> {
    if let Some(profile) = profile_of_line(looker, oracle, line)? {
        row.look_ahead = Some(profile.hundredths());
        row.lure_run = Some(profile.lure_run());
        row.solved_at = profile.solved_at();
    }
    Ok(())
}

/// The row of a mate, and its solution; `None` if the shortest win is no mate by checks alone.
///
/// # Errors
/// If the table cannot be read.
pub fn mate_row<G: Minable>(
    game: &G,
    table: &Table,
    filter: &str,
    find: &Find<G::State>,
) -> Result<Option<(PuzzleRow, Solution<G>)>, MineError> {
    let oracle = TableOracle::new(table, game)?;
    let fingerprint = &table.description().fingerprint;
    let Some((mut row, solution)) = mate_from(game, &oracle, fingerprint, filter, find)? else {
        return Ok(None);
    };
    add_profile(&mut Looker::new(game), &oracle, &solution.steps, &mut row)?;
    Ok(Some((row, solution)))
}

/// The solution of a mate with at most this many nodes, and what it asks; `None` if the shortest
/// win is no mate by checks alone.
pub(super) fn solved_mate<G: Minable, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    most: usize,
) -> Result<Option<(Stipulation, Solution<G>)>, O::Error> {
    let value = oracle.value(game, state)?;
    let task = Stipulation::of_mate(game, value);
    if task.mate().is_none() || !task.met_in(game, state, value) {
        return Ok(None);
    }
    Ok(Some((task, Solution::of(game, oracle, state, task, most)?)))
}

/// [`mate_row`] from an oracle, without the [profile](add_profile).
pub(super) fn mate_from<G: Minable, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    fingerprint: &str,
    filter: &str,
    find: &Find<G::State>,
) -> Result<Option<(PuzzleRow, Solution<G>)>, O::Error> {
    let Some((task, solution)) = solved_mate(game, oracle, &find.state, MOST_NODES)? else {
        return Ok(None);
    };
    let mut row = described(game, oracle, fingerprint, filter, find, &solution)?;
    row.stipulation = format!("{} to move and {task}", row.side);
    row.puzzle_id = PuzzleRow::id(&row.game, &row.position, &row.stipulation);
    if solution.keys.len() == 1 && row.uniqueness == "multiple" {
        "onlyShortest".clone_into(&mut row.uniqueness);
    }
    Ok(Some((row, solution)))
}

/// The row of a swindle, and its solution; `None` if no move forces a mistake. It has no profile:
/// the solver wants more than to keep the outcome.
///
/// # Errors
/// If the table cannot be read.
pub fn swindle_row<G: Minable>(
    game: &G,
    table: &Table,
    filter: &str,
    find: &Find<G::State>,
    lures: &Lures,
) -> Result<Option<(PuzzleRow, Solution<G>)>, MineError> {
    let oracle = TableOracle::new(table, game)?;
    let fingerprint = &table.description().fingerprint;
    let mut looking = (lures, Looker::new(game));
    let found = swindle_from(game, &oracle, fingerprint, filter, find, &mut looking);
    Ok(found?)
}

/// What is known of lures, and of positions to the player who looks ahead.
pub(super) type Looking<'a, G> = (&'a Lures, Looker<'a, G>);

/// [`swindle_row`] from an oracle.
pub(super) fn swindle_from<G: Minable>(
    game: &G,
    oracle: &impl Oracle<G, Error = TableError>,
    fingerprint: &str,
    filter: &str,
    find: &Find<G::State>,
    (lures, looker): &mut Looking<'_, G>,
) -> Result<Option<(PuzzleRow, Solution<G>)>, TableError> {
    let against = lures.against();
    let Some(solution) = against.solution(game, oracle, looker, &find.state)? else {
        return Ok(None);
    };
    let mut row = described(game, oracle, fingerprint, filter, find, &solution)?;
    let side = game.side_to_move(&find.state);
    let task = SwindleTask {
        plies: solution.tree.nodes().first().map_or(0, |root| root.plies),
        depth: lures.depth(),
    };
    row.stipulation = format!("{side} to move and {task}");
    row.puzzle_id = PuzzleRow::id(&row.game, &row.position, &row.stipulation);
    let uniqueness = match solution.keys[..] {
        [_] => "onlyShortest",
        _ => "multiple",
    };
    uniqueness.clone_into(&mut row.uniqueness);
    Ok(Some((row, solution)))
}

/// [`puzzle_row`] from an oracle, without the [profile](add_profile).
pub(super) fn row_from<G: Minable>(
    game: &G,
    oracle: &impl Oracle<G, Error = TableError>,
    fingerprint: &str,
    filter: &str,
    find: &Find<G::State>,
    similar: u64,
) -> Result<(PuzzleRow, Solution<G>), MineError> {
    let solution = Solution::new(game, oracle, &find.state, MOST_NODES)?;
    let mut row = described(game, oracle, fingerprint, filter, find, &solution)?;
    row.similar = similar;
    Ok((row, solution))
}

/// The row of a find with this solution.
fn described<G: Minable, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    fingerprint: &str,
    filter: &str,
    find: &Find<G::State>,
    solution: &Solution<G>,
) -> Result<PuzzleRow, O::Error> {
    let analysis = Analysis::new(game, oracle, &find.state)?;
    let story = Story::new(game, oracle, solution)?;
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
    Ok(PuzzleRow {
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
        score: Quality::new(solution, &story).total.into(),
        difficulty: difficulty(game, &solution.steps),
        look_ahead: None,
        lure_run: None,
        solved_at: None,
        similar: 0,
        filter: filter.to_owned(),
        slot: find.index,
        table_fingerprint: fingerprint.to_owned(),
    })
}
