//! The games.

pub mod ostle;
pub mod pieces;
pub mod placement;
pub mod registry;
mod settings;
pub mod sliding;
pub mod tsuitate;
