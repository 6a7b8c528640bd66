//! What is handed on: diagrams, books, data sets, and the published sets of puzzles.

#[path = "../common/mod.rs"]
mod common;

mod batches;
mod book;
mod columns;
mod dataset;
mod draw;
mod editor;
mod export;
mod pgn;
mod sets;
