//! What is said of a position and which positions are puzzles: columns, solutions, themes,
//! filters and scans, against the slow solver and plain playing.

#[path = "../common/mod.rs"]
mod common;

mod by_rows;
mod check;
mod columns;
mod conditions;
mod default_game;
mod every_game;
mod exports;
mod filters;
mod hidden;
mod known;
mod language;
mod lineup;
mod mates;
mod patterns;
mod reachable;
mod rows;
mod scan;
mod solution;
mod themes;
mod together;
mod twins;
mod zugzwang;
