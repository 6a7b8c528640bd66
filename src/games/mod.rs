//! The games.

pub mod dobutsu;
pub mod lineup;
pub mod ostle;
pub mod pieces;
pub mod placement;
pub mod registry;
pub mod rules_file;
mod settings;
mod side;
pub mod sliding;
pub mod tictactoe;
pub mod tsuitate;
