//! Solving by rows, for games whose positions stand in rows
//! ([`ByRows`](crate::game::ByRows)).

mod events;
mod first;
mod floors;
mod group;
mod hand;
mod pull;
mod table;

pub(crate) use floors::Floors;
pub(crate) use group::has_rows;
pub(super) use group::{RowEngine, row_engine};
pub(crate) use table::RowTable;
