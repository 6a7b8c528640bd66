//! What a scan finds out row by row, for games whose positions stand in rows.

mod batch;
mod duals;
mod exits;
mod following;
mod group;
mod rates;
mod slot_bits;
mod winners;

pub(super) use batch::Batch;
pub(super) use duals::{Duals, LinesUnderWay};
pub(super) use exits::Exits;
pub(super) use group::{Admitted, RowGroup};
pub(super) use rates::{GroupRates, RowRates, Source};
pub(super) use slot_bits::SlotBits;
pub(super) use winners::{Losses, ValueLosses, Winners, lost_positions};
