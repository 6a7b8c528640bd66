//! The games.

mod digest;
pub mod dobutsu;
pub mod lineup;
pub mod ostle;
pub mod placement;
pub mod registry;
pub mod sliding;
pub mod tictactoe;
pub mod tsuitate;
