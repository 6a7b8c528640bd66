//! Columns read off the solution.

use crate::analysis::{
    Analysis, MOST_NODES, Quality, Solution, Soundness, Story, THEMES, difficulty,
};
use crate::base::text::words;
use crate::game::{Cell, Feature, MoveKind};
use crate::mine::minable::Minable;
use crate::mine::source::{Source, Values};
use crate::table::TableError;

/// Columns before those of the kinds.
const GENERAL: usize = 12;

/// Columns that need the main line alone, as those of the kinds and the one before
/// them do.
const LINE: usize = 3;

/// A solution, its story and its quality.
type Told<G> = (Solution<G>, Story, Quality);

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
    for theme in THEMES {
        features.push(Feature::flag(column_of(theme.name), theme.meaning));
    }
    features
}

/// The column of a theme, e.g. `theme_quiet_key` of `quietKey`.
fn column_of(theme: &str) -> String {
    format!("theme_{}", words(theme).replace(' ', "_"))
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
    // A line costs little, the tries more, and a tree far more: each only if asked for.
    let in_line = |&place: &usize| place < LINE || (GENERAL - 1..kinds_end).contains(&place);
    let told = if wanted.iter().all(in_line) {
        None
    } else {
        let solution = Solution::new(game, &oracle, state, MOST_NODES)?;
        let story = Story::new(game, &oracle, &solution)?;
        let quality = Quality::new(&solution, &story);
        Some((solution, story, quality))
    };
    let steps = match &told {
        Some((solution, ..)) => solution.steps.clone(),
        None => Analysis::new(game, &oracle, state)?.line(game, &oracle)?,
    };
    let own: Vec<_> = steps.iter().step_by(2).collect();
    let unique = own.iter().take_while(|step| step.as_good.1 == 1).count();
    let kinds: Vec<u32> = own
        .iter()
        .map(|step| game.kinds_of(&step.state, step.mv))
        .collect();
    let number = |number: u64| Cell::number(i32::try_from(number).unwrap_or(i32::MAX));
    let of = |part: &dyn Fn(&Told<G>) -> Cell| told.as_ref().map_or(Cell::NONE, part);
    for &place in wanted {
        cells.push(match place {
            0 => Cell::count(own.len()),
            1 => Cell::count(unique),
            2 => Cell::flag(unique == own.len()),
            3 => of(&|told| Cell::word(told.0.soundness() as usize)),
            4 => of(&|told| Cell::count(told.0.tries.len())),
            5 => of(&|told| number(told.0.tree.variations())),
            6 => of(&|told| Cell::count(told.0.tree.nodes().len())),
            7 => of(&|told| number(told.2.score().into())),
            8 => of(&|told| number(told.2.soundness.into())),
            9 => of(&|told| number(told.2.paradox.into())),
            10 => of(&|told| number(told.2.temptation.into())),
            11 => number(difficulty(game, &steps).into()),
            _ if place < kinds_end => {
                let bit = (place - GENERAL) / 2;
                let is = |kinds: &&u32| *kinds >> bit & 1 == 1;
                if (place - GENERAL).is_multiple_of(2) {
                    Cell::flag(kinds.first().is_some_and(|kinds| is(&kinds)))
                } else {
                    Cell::count(kinds.iter().filter(is).count())
                }
            }
            _ => {
                let theme = THEMES.get(place - kinds_end);
                of(&|told| theme.map_or(Cell::NONE, |theme| Cell::flag((theme.detect)(&told.1))))
            }
        });
    }
    Ok(())
}
