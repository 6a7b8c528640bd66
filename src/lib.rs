//! tesuji solves a game completely, mines the solution for puzzles, exports the
//! finds as tables and draws them.
#![deny(missing_docs)]

pub mod draw;
