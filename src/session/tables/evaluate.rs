//! Values by a table.

use rayon::prelude::*;

use super::TableSession;
use crate::analysis::Analysis;
use crate::base::watch::Watch;
use crate::game::{Moves, Ranked, TableGame};
use crate::session::{
    Evaluating, Evaluation, EvaluationOptions, PlyEvaluation, PlyMove, SessionError,
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
    let moves = analysis.rated().iter().map(|rated| PlyMove {
        name: game.format_move(rated.mv),
        outcome: rated.value.outcome().name(),
        plies: rated.value.plies(),
        value: rated.value,
    });
    let value = analysis.value();
    Ok(PlyEvaluation {
        game: game.spec(),
        position: game.format_state(state),
        side: game.side_to_move(state).to_owned(),
        outcome: value.outcome().name(),
        plies: value.plies(),
        plies_to_checkmate: value.plies_to_checkmate(),
        moves: moves.collect(),
        line: line.iter().map(|step| game.format_move(step.mv)).collect(),
        uniqueness: analysis.uniqueness(),
        fingerprint: table.description().fingerprint.clone(),
        value,
    })
}

impl<G: TableGame> Evaluating for TableSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        watch: &dyn Watch,
    ) -> Result<Evaluation, SessionError> {
        let spec = self.game.spec();
        options.refuse_nimbers(&spec)?;
        options.refuse_hidden(&spec)?;
        // The position is read first: a slip in it should not cost a solve.
        let state = self.read(position)?;
        let table = self.table(watch)?;
        Ok(Evaluation::Plies(evaluate(&self.game, &table, &state)?))
    }

    fn evaluate_many(
        &self,
        positions: &[String],
        options: &EvaluationOptions,
        watch: &dyn Watch,
    ) -> Result<Vec<Evaluation>, SessionError> {
        let spec = self.game.spec();
        options.refuse_nimbers(&spec)?;
        options.refuse_hidden(&spec)?;
        let states = positions.iter().map(|position| self.read(position));
        let states = states.collect::<Result<Vec<_>, _>>()?;
        let table = self.table(watch)?;
        let found: Vec<_> = states
            .par_iter()
            .map(|state| evaluate(&self.game, &table, state).map(Evaluation::Plies))
            .collect();
        found.into_iter().collect()
    }
}
