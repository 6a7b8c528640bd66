//! A problem of a game that is too large to be solved on the way, from what its row has: the
//! main line, and how many first moves do as well.

use super::play_tree::follow;
use super::problem::{first_hint, sides};
use crate::analysis::lures::SwindleTask;
use crate::analysis::{Grade, Stipulation, write_line};
use crate::base::text::words;
use crate::base::value::Outcome;
use crate::book::{Credit, Problem};
use crate::game::{Next, TableGame};
use crate::mine::PuzzleRow;
use crate::session::SessionError;
use crate::session::lines::{line, read};

/// The problem of a row, after a check that its solution is a line of play that ends as the row
/// says.
pub(super) fn problem<G: TableGame>(game: &G, row: &PuzzleRow) -> Result<Problem, SessionError> {
    let state = read(game, &row.position)?;
    let names: Vec<String> = row.solution.split_whitespace().map(str::to_owned).collect();
    let moves = line(game, &state, &names)?;
    let outcome = [Outcome::Win, Outcome::Draw, Outcome::Loss]
        .into_iter()
        .find(|outcome| outcome.name() == row.outcome);
    let Some(outcome) = outcome else {
        return Err(edited(&format!("the outcome '{}' is none", row.outcome)));
    };
    let mut steps = Vec::new();
    let mut at = Some(state.clone());
    let mut end = None;
    for &mv in &moves {
        let Some(from) = at.take() else { break };
        match game.play(&from, mv) {
            Next::State(next) => at = Some(next),
            Next::Over(result) => end = Some(result),
        }
        steps.push((from, mv));
    }
    let solver_ends = moves.len() % 2 == 1;
    let result = end.map(|end| if solver_ends { end } else { end.reversed() });
    let plies = row.plies.unwrap_or(0);
    if outcome != Outcome::Draw && (result != Some(outcome) || usize::from(plies) != moves.len()) {
        return Err(edited(&format!(
            "the solution does not end in a {} after {plies} plies",
            outcome.name()
        )));
    }
    let task = SwindleTask::parse(&row.stipulation);
    let mate = Stipulation::parse(&row.stipulation).ok();
    let mate = mate.and_then(Stipulation::mate);
    let (side, other) = sides(game, &state);
    let mut solution = vec![write_line(&names)];
    if row.n_best > 1 {
        solution.push(format!("cooks: {} other first moves", row.n_best - 1));
    }
    let (keys, all) = (row.n_best as usize, row.n_moves as usize);
    let slower = (row.n_winning as usize).saturating_sub(keys);
    Ok(Problem {
        id: row.puzzle_id.clone(),
        credit: Credit::default(),
        task: row.stipulation.clone(),
        side,
        other,
        plies: task.map(|task| task.plies).or(mate).unwrap_or(plies),
        themes: row.themes.split_whitespace().map(words).collect(),
        grade: row.look_ahead.map(|_| Grade::of(row.solved_at)),
        lured: task.is_some(),
        mate: mate.is_some(),
        difficulty: row.difficulty,
        position: game.format_state(&state),
        diagram: game.diagram(&state),
        hints: vec![first_hint((outcome, task.is_some()), keys, slower, all)],
        solution,
        play: follow(game, &state, &steps),
    })
}

fn edited(what: &str) -> SessionError {
    SessionError::Row(format!("{what}; was the row edited? mine it again"))
}
