//! The program and the examples from outside.

use std::env::consts::EXE_SUFFIX;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Runs the program in a folder.
pub fn tesuji(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(folder);
    command.output().expect("the program can be started")
}

/// What an example prints that is run in a folder. `cargo test` builds the examples first.
pub fn example(name: &str, folder: &Path) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_tesuji")).with_file_name("examples");
    let mut command = Command::new(programs.join(format!("{name}{EXE_SUFFIX}")));
    let output = command.current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{name}: {error}: cargo build --examples"));
    printed(&[name], output)
}

/// Runs the program in a folder without special instructions of the processor.
pub fn portable(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(folder);
    command.env("TESUJI_PORTABLE", "1");
    command.output().expect("the program can be started")
}

/// Runs the program in a folder with so many threads.
pub fn threaded(threads: &str, args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(folder);
    command.env("RAYON_NUM_THREADS", threads);
    command.env("POLARS_MAX_THREADS", threads);
    command.output().expect("the program can be started")
}

/// Starts the program in a folder; what it prints is dropped.
pub fn start(args: &[&str], folder: &Path) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program can be started")
}

/// Exit code, output and messages of a run, which must not panic.
pub fn says(args: &[&str], folder: &Path) -> (Option<i32>, String, String) {
    let output = tesuji(args, folder);
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let (out, errors) = (text(output.stdout), text(output.stderr));
    assert!(!errors.contains("panicked"), "{args:?}: {errors}");
    (output.status.code(), out, errors)
}

/// What a run prints that must succeed.
pub fn ok(args: &[&str], folder: &Path) -> String {
    printed(args, tesuji(args, folder))
}

fn printed(args: &[&str], output: Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// The message of a run that must be refused.
pub fn refused(args: &[&str], folder: &Path) -> String {
    refusal(args, &tesuji(args, folder))
}

/// The message of a run that was refused: exit code 2, and no panic.
pub fn refusal(args: &[&str], output: &Output) -> String {
    let errors = String::from_utf8(output.stderr.clone()).expect("messages are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
    assert!(!errors.contains("panicked"), "{args:?}: {errors}");
    errors
}
