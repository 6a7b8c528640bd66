//! From a find to the row that is exported.

use super::MineError;
use super::analysis::{Analysis, Step};
use crate::export::PuzzleRow;
use crate::game::{Moves, Ranked};
use crate::table::{Table, TableOracle};
use crate::value::{Outcome, Record, Value};

/// A state that a filter admits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Find<S> {
    /// Index of its record in the table.
    pub index: u64,
    /// The state.
    pub state: S,
    /// The record.
    pub record: Record,
}

/// Wins at least this long are called long (plies to the end of the game).
const LONG: u16 = 31;

/// The row of a find, and its main line.
///
/// # Errors
/// If the table cannot be read.
#[expect(clippy::type_complexity, reason = "a row and a line, once")]
pub fn puzzle_row<G: Moves + Ranked>(
    game: &G,
    table: &Table,
    filter: &str,
    find: &Find<G::State>,
) -> Result<(PuzzleRow, Vec<Step<G::State, G::Move>>), MineError> {
    let oracle = TableOracle::new(table, game)?;
    let analysis = Analysis::new(game, &oracle, &find.state)?;
    let line = analysis.line(game, &oracle)?;
    let value = analysis.value();
    let side = game.side_to_move(&find.state);
    let text = game.format_state(&find.state);
    let forbidden = text.rsplit(' ').next().unwrap_or("-").to_owned();
    let stipulation = stipulation(side, value);
    let moves: Vec<_> = line.iter().map(|step| game.format_move(step.mv)).collect();
    let (_, same_value) = analysis.as_good();
    let spec = game.spec();
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
        n_moves: u32::try_from(analysis.rated().len()).unwrap_or(u32::MAX),
        n_winning: u32::try_from(analysis.count(Outcome::Win)).unwrap_or(u32::MAX),
        n_shortest: u32::try_from(same_value).unwrap_or(u32::MAX),
        uniqueness: analysis.uniqueness().to_owned(),
        themes: themes(game, value, &line).join(" "),
        filter: filter.to_owned(),
        table_index: find.index,
        table_fingerprint: table.description().fingerprint.clone(),
    };
    Ok((row, line))
}

/// What the solver is asked to do, with the final move counted.
fn stipulation(side: &str, value: Value) -> String {
    match (value.outcome(), value.plies()) {
        (Outcome::Win, Some(plies)) => format!("{side} to move and win in {plies}"),
        (Outcome::Loss, Some(plies)) => format!("{side} to move and lose in {plies}"),
        _ => format!("{side} to move and draw"),
    }
}

/// Themes that can be read off the line: what kinds of move the key and the later
/// moves of the solver are.
fn themes<G: Moves>(game: &G, value: Value, line: &[Step<G::State, G::Move>]) -> Vec<String> {
    let mut themes = Vec::new();
    let own: Vec<u32> = line
        .iter()
        .step_by(2)
        .map(|step| game.kinds_of(&step.state, step.mv))
        .collect();
    for (bit, kind) in game.kinds().iter().enumerate() {
        let count = own.iter().filter(|kinds| *kinds >> bit & 1 == 1).count();
        if own.first().is_some_and(|kinds| kinds >> bit & 1 == 1) {
            themes.push(format!("{}Key", kind.name));
        }
        if count == own.len() && count > 1 {
            themes.push(format!(
                "all{}{}",
                kind.name[..1].to_uppercase(),
                &kind.name[1..]
            ));
        }
    }
    let unique = own.len() > 1 && line.iter().step_by(2).all(|step| step.as_good.1 == 1);
    if unique && value.outcome() == Outcome::Win {
        themes.push("dualFree".to_owned());
    }
    if value.outcome() == Outcome::Win && value.plies().is_some_and(|plies| plies >= LONG) {
        themes.push("longWin".to_owned());
    }
    themes
}
