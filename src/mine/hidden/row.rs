//! Puzzle rows from solved problems.

use super::find::{HiddenFind, line_in_words};
use crate::base::text::plural;
use crate::game::Hidden;
use crate::mine::PuzzleRow;
use crate::solve::belief::BeliefSolution;

/// The stipulation of a problem.
#[must_use]
pub fn stipulation<M: Copy + Eq, C: Copy>(side: &str, solved: &BeliefSolution<M, C>) -> String {
    let fouls = match solved.fouls_allowed() {
        0 => String::new(),
        fouls => format!(" with {} allowed", plural(fouls.into(), "foul")),
    };
    format!("{side} to move and win in {}{fouls}", solved.plies())
}

/// Points for quality, 0 to 100: 3 for each ply, 15 for each foul that must be allowed (up
/// to three), 10 for a foul that informs, 10 for a dual-free line, 15 for a dual-free
/// solution, 5 if nothing is left over.
#[must_use]
pub fn score<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> u8 {
    let stats = solved.tree().stats();
    let flag = |given: bool, points: u16| if given { points } else { 0 };
    let points = 3 * solved.plies()
        + 15 * u16::from(solved.fouls_allowed().min(3))
        + flag(stats.informing_fouls > 0, 10)
        + flag(solved.tree().line_is_dual_free(), 10)
        + flag(stats.dual_turns == 0, 15)
        + flag(solved.tree().cost().left_over == 0, 5);
    u8::try_from(points.min(100)).unwrap_or(100)
}

/// The themes of a solution.
fn themes<M: Copy + Eq, C: Copy + Eq>(solved: &BeliefSolution<M, C>) -> String {
    let stats = solved.tree().stats();
    let words = [
        (solved.fouls_allowed() > 0, "needs-foul"),
        (solved.fouls_allowed() > 1, "needs-fouls"),
        (
            u16::from(solved.fouls_allowed()) > solved.fouls_in_line(),
            "foul-off-the-line",
        ),
        (stats.informing_fouls > 0, "informing-foul"),
        (solved.tree().cost().left_over == 0, "nothing-left"),
    ];
    let given = words.iter().filter(|(given, _)| *given);
    given.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// The row of a find. Tries with one refutation are not counted. There is no table, so the
/// table index is the number of the position.
#[must_use]
pub fn row<G: Hidden>(game: &G, filter: &str, find: &HiddenFind<G>) -> PuzzleRow {
    let (state, solved) = (&find.state, &find.solved);
    let side = game.side_to_move(state);
    let stipulation = stipulation(side, solved);
    let position = game.format_state(state);
    let spec = game.spec();
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let keys = count(solved.keys().len());
    let mut checks = Vec::new();
    game.standing(state, &mut checks);
    let stats = solved.tree().stats();
    let soundness = match (keys, stats.dual_turns) {
        (1, 0) => "dualFreeTree",
        (1, _) if solved.tree().line_is_dual_free() => "dualFreeLine",
        (1, _) => "uniqueShortestKey",
        _ => "cooked",
    };
    let turns = solved.tree().turns_of_line().len();
    PuzzleRow {
        puzzle_id: PuzzleRow::id(&spec, &position, &stipulation),
        game: spec,
        position,
        forbidden: None,
        side: side.to_owned(),
        stipulation,
        outcome: "win".to_owned(),
        plies: Some(solved.plies()),
        plies_to_checkmate: Some(solved.plies().saturating_sub(1)),
        key: game.format_move(solved.tree().mv()),
        solution: line_in_words(game, solved),
        n_moves: count(checks.len()),
        n_winning: keys,
        n_best: keys,
        uniqueness: if keys == 1 {
            "onlyShortest"
        } else {
            "multiple"
        }
        .to_owned(),
        soundness: soundness.to_owned(),
        n_tries: 0,
        variations: stats.variations,
        themes: themes(solved),
        score: score(solved).into(),
        difficulty: bits(checks.len(), turns),
        look_ahead: None,
        lure_run: None,
        solved_at: None,
        similar: find.similar,
        filter: filter.to_owned(),
        slot: find.number,
        table_fingerprint: "-".to_owned(),
    }
}

/// The difficulty in bits of choosing one of `checks` moves `turns` times.
fn bits(checks: usize, turns: usize) -> u32 {
    let choices = checks.max(1) as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small and positive"
    )]
    let bits = (choices.log2() * turns as f64).round() as u32;
    bits
}
