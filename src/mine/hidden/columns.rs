//! The columns of problems with hidden information.

use crate::game::{Feature, FeatureValue, Features, Hidden};
use crate::mine::Catalogue;
use crate::solve::belief::BeliefSolution;

/// The columns of a game: those of the board, and those of the solution.
#[must_use]
pub fn catalogue<G: Features>(game: &G) -> Catalogue {
    Catalogue::hidden(game, of_solutions())
}

fn of_solutions() -> Vec<Feature> {
    vec![
        Feature::number(
            "plies",
            "plies of the solution, replies counted; odd, 1 or more",
        ),
        Feature::number(
            "fouls_allowed",
            "fouls that must be allowed for a solution in this number of plies, 0 to 8",
        ),
        Feature::number(
            "fouls_in_line",
            "fouls on the best line, 0 to fouls_allowed",
        ),
        Feature::flag(
            "needs_foul",
            "a foul must be allowed for a solution in this number of plies",
        ),
        Feature::number(
            "n_keys",
            "first moves that solve in this number of plies with this number of fouls allowed, 1 or more",
        ),
        Feature::number("n_checks", "tries of the first move that are a check"),
        Feature::flag("unique_line", "no turn on the best line has a dual"),
        Feature::flag("unique_tree", "no turn of the whole solution has a dual"),
        Feature::number("dual_turns", "turns of the solution that have duals"),
        Feature::number("turns", "turns of the attacker in the whole solution"),
        Feature::number(
            "variations",
            "lines of the solution that the attacker can distinguish",
        ),
        Feature::number(
            "foul_turns",
            "turns of the solution whose try is a foul in some state",
        ),
        Feature::number(
            "informing_fouls",
            "turns whose try, if it is a foul, reveals the whole position to the attacker",
        ),
        Feature::flag("informing_foul", "there is a turn with an informing foul"),
        Feature::number(
            "largest",
            "positions in the largest metaposition of the solution: the greatest uncertainty",
        ),
        Feature::number(
            "heard",
            "replies in the solution that the attacker can distinguish from another reply",
        ),
        Feature::flag(
            "nothing_left",
            "nothing is left over at the end of the best line",
        ),
        Feature::number(
            "score",
            "points for quality, 0 to 100: 3 for each ply, 15 for each foul that must be allowed (up to three), 10 for a foul that informs, 10 for a dual-free line, 15 for a dual-free solution, 5 if nothing is left over",
        ),
    ]
}

/// The values of all columns for a solved position, in order.
#[must_use]
pub fn values<G: Hidden + Features>(
    game: &G,
    state: &G::State,
    solved: &BeliefSolution<G::Move, G::Clue>,
) -> Vec<FeatureValue> {
    let of_board: Vec<usize> = (0..game.features().len()).collect();
    let mut values = Vec::new();
    game.measure(state, &of_board, &mut values);
    let mut checks = Vec::new();
    game.standing(state, &mut checks);
    let stats = solved.tree().stats();
    let keys = solved.keys().len();
    let many = |count: u64| FeatureValue::count(usize::try_from(count).unwrap_or(usize::MAX));
    values.extend([
        FeatureValue::number(solved.plies().into()),
        FeatureValue::number(solved.fouls_allowed().into()),
        FeatureValue::number(solved.fouls_in_line().into()),
        FeatureValue::flag(solved.fouls_allowed() > 0),
        FeatureValue::count(keys),
        FeatureValue::count(checks.len()),
        FeatureValue::flag(solved.tree().line_is_dual_free()),
        FeatureValue::flag(stats.dual_turns == 0),
        many(stats.dual_turns),
        many(stats.turns),
        many(stats.variations),
        many(stats.fouls),
        many(stats.informing_fouls),
        FeatureValue::flag(stats.informing_fouls > 0),
        FeatureValue::count(stats.largest),
        many(stats.heard),
        FeatureValue::flag(solved.tree().cost().left_over == 0),
        FeatureValue::number(super::score(solved).into()),
    ]);
    values
}
