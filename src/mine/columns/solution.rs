//! Columns read off the main line.

use crate::game::{Cell, Feature, MoveKind, Moves};
use crate::mine::analysis::Analysis;
use crate::mine::source::{Source, Values};
use crate::table::TableError;

/// Columns before those of the kinds.
const GENERAL: usize = 3;

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
    ];
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
    features
}

/// Appends the wanted cells of one state.
pub(super) fn cells<G: Moves, S: Source<G>>(
    game: &G,
    source: &S,
    wanted: &[usize],
    state: &G::State,
    cells: &mut Vec<Cell>,
) -> Result<(), TableError> {
    let oracle = Values(source);
    let line = Analysis::new(game, &oracle, state)?.line(game, &oracle)?;
    let own: Vec<_> = line.iter().step_by(2).collect();
    let unique = own.iter().take_while(|step| step.as_good.1 == 1).count();
    let kinds: Vec<u32> = own
        .iter()
        .map(|step| game.kinds_of(&step.state, step.mv))
        .collect();
    for &place in wanted {
        cells.push(match place {
            0 => Cell::count(own.len()),
            1 => Cell::count(unique),
            2 => Cell::flag(unique == own.len()),
            _ => {
                let bit = (place - GENERAL) / 2;
                let is = |kinds: &&u32| *kinds >> bit & 1 == 1;
                if (place - GENERAL).is_multiple_of(2) {
                    Cell::flag(kinds.first().is_some_and(|kinds| is(&kinds)))
                } else {
                    Cell::count(kinds.iter().filter(is).count())
                }
            }
        });
    }
    Ok(())
}
