//! tesuji solves a game completely, mines the solution for puzzles, exports the
//! finds as tables and draws them.
#![deny(missing_docs)]

pub mod bits;
pub mod cli;
pub mod draw;
pub mod export;
pub mod game;
pub mod games;
pub mod grid;
pub mod laws;
pub mod mine;
pub mod perft;
pub mod solve;
pub mod table;
pub mod value;
