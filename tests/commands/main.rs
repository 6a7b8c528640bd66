//! The program from outside: what it prints, what it writes, what it refuses.

#[path = "../common/mod.rs"]
mod common;

mod batch;
mod chess;
mod cli;
mod counts;
mod examples;
mod exits;
mod explore;
mod lures;
mod manual;
mod messages;
mod options;
mod pages;
mod pictures;
mod placement;
mod quantities;
mod readings;
mod scores;
mod sketches;
mod swindles;
mod templates;
mod tsuitate;
mod twins;
