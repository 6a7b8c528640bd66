//! The cells of chosen states, for tables of features.

use super::MineError;
use super::columns::{Catalogue, Tier, fill};
use super::frame::{Entrant, Frame};
use super::scan::Minable;
use super::source::Solved;
use crate::game::Cell;
use crate::table::Table;

/// The cells of some states in some columns of the catalogue (places in rising
/// order), one row a state.
///
/// # Errors
/// If the table is of another game or cannot be read.
pub fn measure<G: Minable>(
    game: &G,
    table: &Table,
    catalogue: &Catalogue,
    wanted: &[usize],
    states: &[G::State],
) -> Result<Vec<Vec<Cell>>, MineError> {
    let source = Solved::new(table, game)?;
    let mut entrants = Vec::with_capacity(states.len());
    for state in states {
        // No column depends on how a state is turned.
        let slot = game.rank(state);
        entrants.push(Entrant {
            slot: slot.index,
            state: state.clone(),
            forbidden: slot.forbidden,
            stored: table.record(slot.index)?,
            alive: 0,
        });
    }
    let frame = Frame::new(entrants, 0);
    let mut rows = vec![Vec::with_capacity(wanted.len()); states.len()];
    for tier in Tier::ALL {
        let range = catalogue.of_tier(tier);
        let here = wanted.iter().filter(|place| range.contains(place));
        let here: Vec<usize> = here.map(|place| place - range.start).collect();
        if here.is_empty() {
            continue;
        }
        let mut cells = Vec::with_capacity(here.len() * states.len());
        fill(tier, &here, (game, &source), &frame, &mut cells)?;
        for (row, cells) in rows.iter_mut().zip(cells.chunks_exact(here.len())) {
            row.extend_from_slice(cells);
        }
    }
    Ok(rows)
}
