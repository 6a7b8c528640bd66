//! The games.

pub mod ostle;
pub mod placement;
pub mod registry;
pub mod tsuitate;
