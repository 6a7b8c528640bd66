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

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Makes a pipe to which nobody writes.
#[cfg(unix)]
fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// An explorer of a game, and its address with the token in the path, without the protocol.
fn explorer(game: &str) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["explore", game]).stderr(Stdio::null());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    let url = lines.find_map(|line| Some(line.split_once("http://")?.1.to_owned()));
    (child, url.expect("it says where it is"))
}
