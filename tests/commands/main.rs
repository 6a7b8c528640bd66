//! The program from outside: what it prints, what it writes, what it refuses.

#[path = "../common/mod.rs"]
mod common;

mod batch;
mod cli;
mod counts;
mod manual;
mod pages;
mod pictures;
mod placement;
mod tsuitate;
