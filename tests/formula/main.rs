//! Sliding puzzles, tic-tac-toe, and programs that play them.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod emitted;
mod puzzles;
mod searches;
mod tictactoe;
