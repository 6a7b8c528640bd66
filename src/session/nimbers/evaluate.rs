//! Values and play by nimbers.

use super::NimberSession;
use crate::base::progress::Progress;
use crate::game::{Impartial, Judged, NimberGame, outcome_of};
use crate::session::lines::read;
use crate::session::tables::letters;
use crate::session::{
    Asked, Evaluating, Evaluation, EvaluationOptions, NimberEvaluation, NimberMove, NimberPart,
    Playing, PositionValues, SessionError,
};

/// Who wins, and unless only the outcome is wanted, the nimber.
pub(in crate::session) fn judge<G: Impartial>(
    game: &G,
    state: &G::State,
    outcome_only: bool,
    progress: &dyn Progress,
) -> Result<Judged, SessionError> {
    if outcome_only || !game.has_nimbers() {
        return Ok(game.outcome(state, &progress)?);
    }
    if let Some(judged) = game.known(state).filter(|judged| judged.nimber.is_some()) {
        return Ok(judged);
    }
    let nimber = game.nimber(state, &progress)?;
    Ok(Judged {
        outcome: outcome_of(nimber),
        by: "search".to_owned(),
        nimber: Some(nimber),
    })
}

/// The parts of a position with their nimbers, if there are several, but not too many to
/// list.
fn values_of_parts<G: NimberGame>(
    game: &G,
    state: &G::State,
    progress: &dyn Progress,
) -> Result<Vec<NimberPart>, SessionError> {
    let summands = game.summands(state);
    if !(2..=MOST_PARTS).contains(&summands.len()) {
        return Ok(Vec::new());
    }
    let part = |summand: &G::State| {
        Ok(NimberPart {
            position: game.format_state(summand),
            nimber: game.nimber(summand, &progress)?,
        })
    };
    summands.iter().map(part).collect()
}

/// The most parts that are listed one by one.
const MOST_PARTS: usize = 100;

impl<G: NimberGame> Evaluating for NimberSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation, SessionError> {
        // A table has plies, a search nimbers.
        if self.tables.has_file() {
            return self.tables.evaluate(position, options, progress);
        }
        let game = self.game();
        options.refuse_hidden(&game.spec())?;
        options.refuse_lures(&game.spec())?;
        let state = read(game, position)?;
        progress.begin("asking", 0);
        let judged = judge(game, &state, options.outcome_only, progress)?;
        let (mut moves, mut parts) = (Vec::new(), Vec::new());
        if !options.outcome_only {
            moves = game.options(&state, &progress)?;
            // Winning moves first.
            moves.sort_by_key(|left| !left.loses());
            if game.has_nimbers() {
                parts = values_of_parts(game, &state, progress)?;
            }
        }
        let moves = moves.into_iter().map(|left| NimberMove {
            name: game.format_move(left.mv),
            outcome: left.outcome.reversed().name(),
            nimber: left.nimber,
        });
        Ok(Evaluation::Nimber(NimberEvaluation {
            game: game.spec(),
            position: game.format_state(&state),
            side: game.side_to_move(&state).to_owned(),
            outcome: judged.outcome.name(),
            nimber: judged.nimber,
            by: judged.by,
            parts,
            moves: moves.collect(),
            nodes: game.effort().nodes,
        }))
    }

    fn evaluate_batch(
        &self,
        questions: &[Asked<'_>],
        progress: &dyn Progress,
    ) -> Result<Vec<Result<PositionValues, SessionError>>, SessionError> {
        self.tables.evaluate_batch(questions, progress)
    }

    /// Nimbers tell who wins, not how soon: the line is the table's.
    fn main_line(
        &self,
        position: &str,
        progress: &dyn Progress,
    ) -> Result<Vec<String>, SessionError> {
        self.tables.main_line(position, progress)
    }
}

impl<G: NimberGame> Playing for NimberSession<G> {
    /// Nimbers are found as they are needed.
    fn prepare(&self, _progress: &dyn Progress) -> Result<(), SessionError> {
        Ok(())
    }

    /// A winning move, or the first of all.
    fn best(
        &self,
        position: &str,
        progress: &dyn Progress,
    ) -> Result<Option<String>, SessionError> {
        let game = self.game();
        let state = read(game, position)?;
        let options = game.options(&state, &progress)?;
        let best = options.iter().min_by_key(|left| !left.loses());
        Ok(best.map(|left| game.format_move(left.mv)))
    }

    fn letters(&self, position: &str) -> Result<String, SessionError> {
        let game = self.game();
        Ok(letters(game, &read(game, position)?))
    }
}
