//! Values by a table.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::TableSession;
use crate::analysis::{Analysis, table_moves};
use crate::base::progress::Progress;
use crate::base::value::Value;
use crate::game::{Moves, Ranked, TableGame};
use crate::session::{
    Asked, Evaluating, Evaluation, EvaluationOptions, MoveValues, PlyEvaluation, PlyMove,
    PositionValues, SessionError,
};
use crate::table::{Table, TableOracle};

/// The value of a state and of its moves, by a table.
pub(in crate::session) fn evaluate<G: Moves + Ranked>(
    game: &G,
    table: &Table,
    state: &G::State,
) -> Result<PlyEvaluation, SessionError> {
    let oracle = TableOracle::new(table, game)?;
    let analysis = Analysis::new(game, &oracle, state)?;
    let line = analysis.line(game, &oracle)?;
    let moves = analysis.rated().iter();
    let moves = moves.map(|rated| PlyMove::new(game, rated));
    let value = analysis.value();
    table.expect_unchanged()?;
    Ok(PlyEvaluation {
        game: game.spec(),
        position: game.format_state(state),
        other_notations: game.other_notations(state).into_iter().collect(),
        side: game.side_to_move(state).to_owned(),
        value,
        plies_to_checkmate: value.plies_to_checkmate(),
        moves: moves.collect(),
        line: line.iter().map(|step| game.format_move(step.mv)).collect(),
        uniqueness: analysis.uniqueness(),
        fingerprint: table.description().fingerprint.clone(),
        swindle: None,
    })
}

impl<G: TableGame> Evaluating for TableSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation, SessionError> {
        let spec = self.game.spec();
        options.refuse_nimbers(&spec)?;
        options.refuse_hidden(&spec)?;
        // The position is read first: a slip in it should not cost a solve.
        let state = self.read(position)?;
        let table = self.table(progress)?;
        let mut found = evaluate(&self.game, &table, &state)?;
        if let Some(depth) = options.lure {
            self.add_lures(&mut found, &state, depth, progress)?;
        }
        Ok(Evaluation::Plies(found))
    }

    fn evaluate_batch(
        &self,
        questions: &[Asked<'_>],
        progress: &dyn Progress,
    ) -> Result<Vec<Result<PositionValues, SessionError>>, SessionError> {
        let table = self.table(progress)?;
        let game = &self.game;
        let answer = |question: &Asked<'_>| values(game, &table, &self.asked(question)?);
        Ok(questions.par_iter().with_min_len(16).map(answer).collect())
    }
}

/// The value of a state and of all its moves, without a line.
fn values<G: Moves + Ranked>(
    game: &G,
    table: &Table,
    state: &G::State,
) -> Result<PositionValues, SessionError> {
    let mut moves = table_moves(game, table, state)?;
    moves.sort_by_key(|found| Reverse(found.value));
    let value = moves.first().map_or(Value::SELF_MATE, |found| found.value);
    let moves = moves.iter().map(|found| MoveValues {
        name: game.format_move(found.mv),
        value: found.value,
        child: found.child.map(|child| child.index),
    });
    Ok(PositionValues {
        slot: game.rank(state),
        position: game.format_state(state),
        side: game.side_to_move(state),
        value,
        moves: moves.collect(),
    })
}
