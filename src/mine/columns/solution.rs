//! Columns read off the solution.

use crate::game::{Cell, Feature, MoveKind};
use crate::mine::quality::{Quality, difficulty};
use crate::mine::scan::Minable;
use crate::mine::solution::{MOST_NODES, Solution, Soundness};
use crate::mine::source::{Source, Values};
use crate::mine::themes::{ALL, Story};
use crate::table::TableError;

/// Columns before those of the kinds.
const GENERAL: usize = 12;

/// The first column that needs the tree.
const TREE: usize = 3;

pub(super) fn features(kinds: &[MoveKind]) -> Vec<Feature> {
    let mut features = vec![
        Feature::number("solver_moves", "moves of the side to move in the main line"),
        Feature::number(
            "unique_moves",
            "how many of them, from the first on, are the only move with the best value",
        ),
        Feature::flag(
            "dual_free",
            "every one of them is the only move with the best value",
        ),
        Feature::word(
            "soundness",
            Soundness::ALL.map(Soundness::name),
            "cooked (several best first moves), uniqueShortestKey, dualFreeLine (no dual in the main line) or dualFreeTree (nor in any variation that holds out as long)",
        ),
        Feature::number("n_tries", "moves that fail to exactly one reply"),
        Feature::number(
            "variations",
            "lines that the solution tree distinguishes, at most 2147483647; 0 unless the state is won",
        ),
        Feature::number("tree_nodes", "turns of the solver in the solution tree"),
        Feature::number(
            "score",
            "points for quality, 0 to 100; see 'tesuji check' for the parts",
        ),
        Feature::number("score_soundness", "points for soundness, 0 to 35"),
        Feature::number("score_paradox", "points for themes, 0 to 25"),
        Feature::number(
            "score_temptation",
            "points for wrong moves that tempt, 0 to 15",
        ),
        Feature::number(
            "difficulty",
            "bits: the sum over the solver's moves of log2(legal moves / best moves)",
        ),
    ];
    debug_assert_eq!(features.len(), GENERAL);
    for kind in kinds {
        let name = kind.name;
        features.push(Feature::flag(
            format!("key_{name}"),
            format!(
                "the first move of the main line is of kind '{name}': {}",
                kind.meaning
            ),
        ));
        features.push(Feature::number(
            format!("line_{name}"),
            format!("moves of kind '{name}' that the side to move makes in the main line"),
        ));
    }
    for theme in ALL {
        features.push(Feature::flag(column_of(theme.name), theme.meaning));
    }
    features
}

/// The column of a theme, e.g. `theme_quiet_key` of `quietKey`.
fn column_of(theme: &str) -> String {
    let mut name = "theme_".to_owned();
    for letter in theme.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Appends the wanted cells of one state.
pub(super) fn cells<G: Minable, S: Source<G>>(
    game: &G,
    source: &S,
    wanted: &[usize],
    state: &G::State,
    cells: &mut Vec<Cell>,
) -> Result<(), TableError> {
    let oracle = Values(source);
    let kinds_end = GENERAL + 2 * game.kinds().len();
    let needs_tree = |&place: &usize| (TREE..GENERAL - 1).contains(&place) || place >= kinds_end;
    // A tree costs far more than a line, so it is grown only if asked for.
    let most = if wanted.iter().any(needs_tree) {
        MOST_NODES
    } else {
        0
    };
    let solution = Solution::new(game, &oracle, state, most)?;
    let story = if most > 0 {
        Some(Story::new(game, &oracle, &solution)?)
    } else {
        None
    };
    let quality = story.as_ref().map(|story| Quality::new(&solution, story));
    let own: Vec<_> = solution.steps.iter().step_by(2).collect();
    let kinds: Vec<u32> = own
        .iter()
        .map(|step| game.kinds_of(&step.state, step.mv))
        .collect();
    let points = |part: fn(Quality) -> u8| {
        quality.map_or(Cell::NONE, |quality| Cell::number(part(quality).into()))
    };
    let count = |count: u64| Cell::number(i32::try_from(count).unwrap_or(i32::MAX));
    for &place in wanted {
        cells.push(match place {
            0 => Cell::count(solution.unique.0),
            1 => Cell::count(solution.unique.1),
            2 => Cell::flag(solution.unique.0 == solution.unique.1),
            3 => Cell::word(solution.soundness() as usize),
            4 => Cell::count(solution.tries.len()),
            5 => count(solution.tree.variations()),
            6 => Cell::count(solution.tree.nodes().len()),
            7 => points(Quality::score),
            8 => points(|quality| quality.soundness),
            9 => points(|quality| quality.paradox),
            10 => points(|quality| quality.temptation),
            11 => {
                Cell::number(i32::try_from(difficulty(game, &solution.steps)).unwrap_or(i32::MAX))
            }
            _ if place < kinds_end => {
                let bit = (place - GENERAL) / 2;
                let is = |kinds: &&u32| *kinds >> bit & 1 == 1;
                if (place - GENERAL).is_multiple_of(2) {
                    Cell::flag(kinds.first().is_some_and(|kinds| is(&kinds)))
                } else {
                    Cell::count(kinds.iter().filter(is).count())
                }
            }
            _ => match (&story, ALL.get(place - kinds_end)) {
                (Some(story), Some(theme)) => Cell::flag((theme.detect)(story)),
                _ => Cell::NONE,
            },
        });
    }
    Ok(())
}
