//! Faults: killed processes, several at once, full disks, damaged files, files by people
//! who mean harm, odd environments, requests of all kinds, and any number of threads.
//!
//! Everything runs in a short form; `TESUJI_FAULTS=50` kills each command at 50 moments
//! and lengthens the rest alike. `TESUJI_SEED` repeats a run.

#[path = "../common/mod.rs"]
mod common;

mod api;
mod cells;
mod chance;
mod changed;
mod checkpoints;
mod endless;
mod environment;
mod foreign;
mod hostile;
mod inputs;
mod interrupted;
mod kept;
mod kills;
mod names;
mod outputs;
mod several;
mod solving;
mod space;
mod tables;
mod terminal;
mod threads;
