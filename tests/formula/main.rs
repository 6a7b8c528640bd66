//! Programs that play a game from a formula: searches for them, the programs in three
//! languages, and the command.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod emitted;
mod games;
mod kinds;
mod next_state;
mod next_state_commands;
mod searches;
