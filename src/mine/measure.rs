//! The features of many states, for data sets.

use std::ops::Range;

use super::columns::{Catalogue, Step, Tier, compute, record_value};
use super::error::MineError;
use super::frame::{ArrivalSet, Entrant, Frame, Minable};
use super::scope::Scope;
use super::solved::Solved;
use crate::base::progress::NoProgress;
use crate::base::value::Record;
use crate::game::FeatureValue;
use crate::table::Table;

/// Slots that are measured together.
const BATCH: u64 = 1 << 13;

/// Computes some columns (indices into the catalogue, in rising order) for some states.
/// Returns one row for each state.
///
/// # Errors
/// If the table is of another game or cannot be read.
pub fn measure<G: Minable>(
    game: &G,
    table: &Table,
    catalogue: &Catalogue,
    wanted: &[usize],
    states: &[G::State],
) -> Result<Vec<Vec<FeatureValue>>, MineError> {
    let source = Solved::new(table, game)?;
    let depths = catalogue.depths_of(wanted.iter().copied());
    source.find_lures(game, &depths, &NoProgress)?;
    let entrants = states.iter().map(|state| {
        let slot = game.slot(state);
        Ok(Entrant {
            slot: slot.index,
            // No column depends on its orientation.
            state: state.clone(),
            forbidden: slot.forbidden,
            stored: table.record(slot.index)?,
            alive: u64::MAX,
        })
    });
    let entrants = entrants.collect::<Result<_, MineError>>()?;
    let frame = measured(game, &source, catalogue, wanted, entrants)?;
    let row = |place| frame.columns.iter().map(|column| column[place]).collect();
    Ok((0..states.len()).map(row).collect())
}

/// The states and columns to measure.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The columns, as indices into the catalogue in rising order.
    pub columns: &'a [usize],
    /// The slots to measure.
    pub scope: &'a Scope,
    /// Whether to measure, besides the unrestricted state of a position, those with each
    /// forbidden move that can arise.
    pub restricted: bool,
    /// Whether to return the states. Without them, columns of the first tier are faster.
    pub states: bool,
}

/// Measured states in the order of slots, the unrestricted state of a position first, with
/// their values by column.
#[derive(Debug, Clone)]
pub struct Measured<S> {
    /// The slots processed, including vacant and unwanted ones.
    pub span: Range<u64>,
    /// The slot of each state.
    pub slots: Vec<u64>,
    /// The states; empty if they were not asked for.
    pub states: Vec<S>,
    /// The values of each column, one for each state.
    pub columns: Vec<Vec<FeatureValue>>,
}

/// Measures the states in a range of slots, a few thousand slots at a time. The lures that the
/// columns are about must have been found.
///
/// # Errors
/// If the table cannot be read, or `visit` fails.
pub fn measure_slots<G: Minable, E: From<MineError>>(
    game: &G,
    source: &Solved<'_>,
    catalogue: &Catalogue,
    wanted: Wanted<'_>,
    slots: &Range<u64>,
    mut visit: impl FnMut(Measured<G::State>) -> Result<(), E>,
) -> Result<(), E> {
    let table = source.table;
    let cheap = catalogue.of_tier(Tier::Record);
    let records_suffice = !wanted.restricted
        && !wanted.states
        && wanted.columns.iter().all(|place| cheap.contains(place));
    for number in table.blocks_with(|it| it.start < slots.end && slots.start < it.end) {
        let block = table.block(number).map_err(MineError::from)?;
        let within = block.slots.clone();
        let (first, end) = (within.start.max(slots.start), within.end.min(slots.end));
        let mut records = (first..).zip(block.records().skip(steps(first - within.start)));
        let mut from = first;
        while from < end {
            let span = from..end.min(from + BATCH);
            from = span.end;
            let positions: Vec<(u64, Record)> = records
                .by_ref()
                .take(steps(span.end - span.start))
                .filter(|&(slot, record)| !record.is_vacant() && wanted.scope.has_slot(slot))
                .collect();
            let measured = if records_suffice {
                let column = |&place: &usize| {
                    let place = place - cheap.start;
                    let value = |&(_, record): &_| record_value(place, record, false);
                    positions.iter().map(value).collect()
                };
                Measured {
                    span,
                    slots: positions.iter().map(|&(slot, _)| slot).collect(),
                    states: Vec::new(),
                    columns: wanted.columns.iter().map(column).collect(),
                }
            } else {
                states_of(game, source, catalogue, wanted, span, &positions)?
            };
            visit(measured)?;
        }
    }
    Ok(())
}

/// Converts a number of slots of a block.
fn steps(slots: u64) -> usize {
    usize::try_from(slots).unwrap_or(usize::MAX)
}

fn states_of<G: Minable>(
    game: &G,
    source: &Solved<'_>,
    catalogue: &Catalogue,
    wanted: Wanted<'_>,
    span: Range<u64>,
    positions: &[(u64, Record)],
) -> Result<Measured<G::State>, MineError> {
    let mut entrants = Vec::with_capacity(positions.len());
    for &(slot, stored) in positions {
        let Some(free) = game.unrank(slot) else {
            continue;
        };
        let entrant = |state, forbidden| Entrant {
            slot,
            state,
            forbidden,
            stored,
            alive: u64::MAX,
        };
        entrants.push(entrant(free.clone(), None));
        if wanted.restricted {
            let bans = ArrivalSet::of(game, slot).bans.iter();
            let bans = bans.filter_map(|number| Some((game.forbid(&free, number)?, number)));
            entrants.extend(bans.map(|(state, number)| entrant(state, Some(number))));
        }
    }
    let frame = measured(game, source, catalogue, wanted.columns, entrants)?;
    let states = frame.states.iter();
    Ok(Measured {
        span,
        slots: states.clone().map(|entrant| entrant.slot).collect(),
        states: if wanted.states {
            states.map(|entrant| entrant.state.clone()).collect()
        } else {
            Vec::new()
        },
        columns: frame.columns,
    })
}

fn measured<G: Minable>(
    game: &G,
    source: &Solved<'_>,
    catalogue: &Catalogue,
    wanted: &[usize],
    states: Vec<Entrant<G::State>>,
) -> Result<Frame<G::State>, MineError> {
    let mut frame = Frame::new(states, wanted.len());
    for tier in Tier::ALL {
        // Moves of all kinds are rated together.
        let step = Step {
            tier,
            kind: 0,
            columns: catalogue.of_tier(tier),
        };
        let source = source.into();
        compute(game, catalogue, &step, wanted, source, &mut frame, u64::MAX)?;
    }
    Ok(frame)
}
