//! Columns about the solution.

use super::{Tier, listed};
use crate::analysis::{
    Analysis, Looker, MOST_NODES, Profile, Quality, Solution, Story, THEMES, difficulty,
    line_is_dual_free, profile, profile_of_line,
};
use crate::base::value::Outcome;
use crate::game::{Feature, FeatureValue, MoveKind};
use crate::mine::frame::{Entrant, Minable};
use crate::mine::rows::Source;
use crate::table::TableError;

/// The number of columns before those of the kinds.
const GENERAL: usize = 18;

/// The first column about players who look ahead, and the first of those about the whole line.
const LOOKING: usize = 12;
const LINE_LOOKING: usize = 15;

/// The number of columns at the start that need only the main line. Those from
/// [`DIFFICULTY`] on, without the themes, need no more either.
const LINE: usize = 3;

/// The column `dual_free`, which needs no more than the first dual.
pub(super) const DUAL_FREE: usize = 2;

/// The column about difficulty in bits.
const DIFFICULTY: usize = 11;

type Assessed<G> = (Solution<G>, Story, Quality);

pub(super) fn features(kinds: &[MoveKind]) -> Vec<Feature> {
    let mut features = listed(Tier::Solution.name());
    debug_assert_eq!(features.len(), GENERAL);
    for MoveKind { name, meaning, .. } in kinds {
        let key = format!("the first move of the main line is of kind '{name}': {meaning}");
        features.push(Feature::flag(format!("key_{name}"), key));
        let line = format!("moves of kind '{name}' that the side to move makes in the main line");
        features.push(Feature::number(format!("line_{name}"), line));
    }
    for theme in THEMES {
        features.push(Feature::flag(column_of(theme.name), theme.meaning));
    }
    features
}

/// The column of a theme, e.g. `theme_quiet_key` of `quiet-key`.
fn column_of(theme: &str) -> String {
    format!("theme_{}", theme.replace('-', "_"))
}

pub(super) fn values<G: Minable>(
    game: &G,
    source: Source<'_>,
    wanted: &[usize],
    row: &Entrant<G::State>,
    values: &mut Vec<FeatureValue>,
) -> Result<(), TableError> {
    let (oracle, state) = (&source.solved.oracle(), &row.state);
    if *wanted == [DUAL_FREE] && row.value().outcome() == Outcome::Win {
        let is_stored = game.unrank(row.slot).as_ref() == Some(state);
        let is_free = match source.duals.and_then(|duals| duals.verdict(row.slot)) {
            Some(known) if is_stored => known,
            _ => line_is_dual_free(game, oracle, state)?,
        };
        values.push(FeatureValue::flag(is_free));
        return Ok(());
    }
    let kinds_end = GENERAL + 2 * game.kinds().len();
    // The tree costs far more than the main line, so it is computed only if needed.
    let in_line = |&place: &usize| place < LINE || (DIFFICULTY..kinds_end).contains(&place);
    let assessed = if wanted.iter().all(in_line) {
        None
    } else {
        let solution = Solution::new(game, oracle, state, MOST_NODES)?;
        let story = Story::new(game, oracle, &solution)?;
        let quality = Quality::new(&solution, &story);
        Some((solution, story, quality))
    };
    let steps = match &assessed {
        Some((solution, ..)) => solution.steps.clone(),
        None => Analysis::new(game, oracle, state)?.line(game, oracle)?,
    };
    let own: Vec<_> = steps.iter().step_by(2).collect();
    let unique = own.iter().take_while(|step| step.as_good.1 == 1).count();
    let kinds = own.iter().map(|step| game.kinds_of(&step.state, step.mv));
    let kinds: Vec<u32> = kinds.collect();
    let looking = |places: std::ops::Range<usize>| wanted.iter().any(|it| places.contains(it));
    let mut looker = Looker::new(game);
    let here = looking(LOOKING..LINE_LOOKING).then(|| profile(&mut looker, oracle, state));
    let here = here.transpose()?;
    let in_line =
        looking(LINE_LOOKING..GENERAL).then(|| profile_of_line(&mut looker, oracle, &steps));
    let in_line = in_line.transpose()?.flatten();
    let number = |number: u64| FeatureValue::number(i32::try_from(number).unwrap_or(i32::MAX));
    let of = |part: &dyn Fn(&Assessed<G>) -> FeatureValue| {
        assessed.as_ref().map_or(FeatureValue::NONE, part)
    };
    for &place in wanted {
        values.push(match place {
            0 => FeatureValue::count(own.len()),
            1 => FeatureValue::count(unique),
            DUAL_FREE => FeatureValue::flag(unique == own.len()),
            3 => of(&|(solution, ..)| FeatureValue::word(solution.soundness() as usize)),
            4 => of(&|(solution, ..)| FeatureValue::count(solution.tries.len())),
            5 => of(&|(solution, ..)| number(solution.tree.variations())),
            6 => of(&|(solution, ..)| FeatureValue::count(solution.tree.nodes.len())),
            7 => of(&|(.., quality)| number(quality.total.into())),
            8 => of(&|(.., quality)| number(quality.soundness.into())),
            9 => of(&|(.., quality)| number(quality.paradox.into())),
            10 => of(&|(.., quality)| number(quality.temptation.into())),
            DIFFICULTY => number(difficulty(game, &steps).into()),
            LOOKING..LINE_LOOKING => of_profile(here, place - LOOKING),
            LINE_LOOKING..GENERAL => of_profile(in_line, place - LINE_LOOKING),
            _ if place < kinds_end => {
                let bit = (place - GENERAL) / 2;
                let is = |kinds: &&u32| *kinds >> bit & 1 == 1;
                if (place - GENERAL).is_multiple_of(2) {
                    FeatureValue::flag(kinds.first().is_some_and(|kinds| is(&kinds)))
                } else {
                    FeatureValue::count(kinds.iter().filter(is).count())
                }
            }
            _ => {
                let theme = &THEMES[place - kinds_end];
                of(&|(_, story, _)| FeatureValue::flag((theme.detect)(story)))
            }
        });
    }
    Ok(())
}

/// One of the three columns about a profile.
fn of_profile(profile: Option<Profile>, place: usize) -> FeatureValue {
    let value = profile.and_then(|profile| match place {
        0 => Some(profile.hundredths()),
        1 => Some(profile.lure_run),
        _ => profile.solved_at,
    });
    FeatureValue::known(value.and_then(|value| i32::try_from(value).ok()))
}
