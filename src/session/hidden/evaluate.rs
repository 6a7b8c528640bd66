//! Values of problems with hidden information: whether they are solved, and how.

use std::fmt::Write;

use serde_json::{Map, Value as Json};

use super::HiddenSession;
use crate::base::progress::Progress;
use crate::game::{Hidden, HiddenGame};
use crate::session::batch::no_batch;
use crate::session::{
    Asked, Evaluating, Evaluation, EvaluationOptions, HiddenEvaluation, HiddenSolved,
    PositionValues, Session, SessionError, Uniqueness,
};
use crate::solve::belief::{BeliefSolution, LineStep, Statistics};

impl<G: HiddenGame> Evaluating for HiddenSession<G> {
    fn evaluate(
        &self,
        position: &str,
        options: &EvaluationOptions,
        progress: &dyn Progress,
    ) -> Result<Evaluation, SessionError> {
        let game = &self.game;
        options.refuse_nimbers(&game.spec())?;
        options.refuse_lures(&game.spec())?;
        let search = options.search;
        let read = self.position(position)?;
        let solution = match self.solved(position, search, progress) {
            Ok((_, solved)) => Some(data(game, &solved, options.times)),
            Err(SessionError::NoSolution { .. }) => None,
            Err(error) => return Err(error),
        };
        let (depth, fouls) = search.most();
        Ok(Evaluation::Hidden(HiddenEvaluation {
            game: game.spec(),
            position: read.text,
            side: read.side,
            mode: search.mode(),
            depth,
            fouls,
            solved: solution.is_some(),
            solution,
        }))
    }

    fn evaluate_batch(
        &self,
        _questions: &[Asked<'_>],
        _progress: &dyn Progress,
    ) -> Result<Vec<Result<PositionValues, SessionError>>, SessionError> {
        Err(no_batch(&self.game.spec()))
    }
}

/// One word for how unique a solution is.
fn uniqueness<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> &'static str {
    if solved.keys().len() > 1 {
        "multiple"
    } else if solved.tree().stats().dual_turns == 0 {
        "everyMove"
    } else if solved.tree().line_is_dual_free() {
        "line"
    } else {
        "firstMove"
    }
}

/// A line with its moves numbered, as in trees; a foul has the number of the move that it is
/// not, and replies have none.
fn numbered_line<G: Hidden>(game: &G, line: &[LineStep<G::Move, G::Clue>]) -> String {
    let mut number = 1;
    let mut text = String::new();
    for step in line {
        let words = step.in_words(game);
        let _ = match step {
            LineStep::Reply(_) => write!(text, "{words} "),
            LineStep::Foul(_) | LineStep::Stands(..) => write!(text, "{number}.{words} "),
        };
        number += u16::from(matches!(step, LineStep::Stands(..)));
    }
    text + "mate"
}

/// A number with two decimals.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn counts(statistics: &Statistics, times: bool) -> Map<String, Json> {
    let ((tm, tp), (m, p)) = (statistics.total(), statistics.last_stage());
    let (bm, bp) = statistics.branching();
    let mut counts = Map::new();
    let mut put = |name: &str, value: Json| counts.insert(name.to_owned(), value);
    put("TM", tm.into());
    put("TP", tp.into());
    put("M", m.into());
    put("P", p.into());
    put("MP", statistics.largest().into());
    put("AP", rounded(statistics.average()).into());
    put("BM", rounded(bm).into());
    put("BP", rounded(bp).into());
    put("looked_at", statistics.looked_at().into());
    if times {
        let (best, all) = statistics.times();
        put("TB", best.as_secs_f64().into());
        put("TT", all.as_secs_f64().into());
    }
    counts
}

fn data<G: Hidden>(
    game: &G,
    solved: &BeliefSolution<G::Move, G::Clue>,
    times: bool,
) -> HiddenSolved {
    let keys = solved.keys();
    let mut keys = keys.iter().map(|&mv| game.format_move(mv));
    let stats = solved.tree().stats();
    let line = solved.line();
    let key = keys.next().unwrap_or_default();
    let cooks: Vec<_> = keys.collect();
    HiddenSolved {
        plies: solved.plies(),
        fouls_allowed: solved.fouls_allowed(),
        fouls_in_line: solved.fouls_in_line(),
        line: line.iter().map(|step| step.in_words(game)).collect(),
        key,
        n_keys: cooks.len() + 1,
        uniqueness: Uniqueness {
            word: uniqueness(solved),
            first_move: cooks.is_empty(),
            line: solved.tree().line_is_dual_free(),
            every_move: stats.dual_turns == 0,
            dual_turns: stats.dual_turns,
        },
        cooks,
        fewer_fouls: solved.others().to_vec(),
        tree: stats,
        statistics: counts(solved.statistics(), times),
        numbered_line: numbered_line(game, &line),
    }
}
