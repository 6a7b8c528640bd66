//! Writes that fail half-way: a limit on the size of files stands in for a full disk.
//! One clear message, exit code 2, and what was there before is untouched.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::files;
use crate::common::program::{ok, refusal};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";

/// Runs the program where no file may grow beyond so many blocks of half a kilobyte or
/// a kilobyte, as the shell has it; a write beyond that is an error like any other.
fn limited(blocks: u32, args: &[&str], folder: &Path) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_tesuji")]);
    let output = command.args(args).current_dir(folder).output();
    output.expect("a shell can be started")
}

/// The message of a run that could not write.
fn failed(blocks: u32, args: &[&str], folder: &Path) -> String {
    let output = limited(blocks, args, folder);
    let errors = refusal(args, &output);
    assert!(errors.contains("File too large"), "{args:?}: {errors}");
    errors
}

/// All files but those whose names say that they are not whole.
fn whole(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = files(folder);
    files.retain(|path, _| !path.to_string_lossy().contains("partial"));
    files
}

#[test]
fn a_table_that_does_not_fit_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let args = ["solve", GAME, "-o", "t.tsj"];
    let message = failed(16, &args, here);
    assert!(message.contains("t.tsj"), "{message}");
    assert_eq!(whole(here), BTreeMap::new());
    // There is room again.
    ok(&args, here);
    ok(&["verify", "t.tsj"], here);
    assert_eq!(files(here).len(), 1);
}

#[test]
fn puzzles_that_do_not_fit_leave_the_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = [
        "mine",
        GAME,
        "--filter",
        "ban-win",
        "--filter",
        "longest-wins",
    ];
    let run = |more: &[&'static str]| [&mine[..], more].concat();
    ok(&run(&["--limit", "3"]), here);
    let before = files(here);
    assert!(before.len() > 4);
    let message = failed(16, &run(&["--limit", "200", "--force"]), here);
    assert!(message.contains("puzzles."), "{message}");
    assert_eq!(files(here), before);
}

#[test]
fn a_data_set_that_does_not_fit_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let export = ["export", GAME, "-o", "states"];
    let message = failed(4, &export, here);
    assert!(message.contains("states"), "{message}");
    assert_eq!(files(here), BTreeMap::new());
    ok(&[&export[..], &["--sample", "50"]].concat(), here);
    let before = files(here);
    assert!(!before.is_empty());
    failed(4, &[&export[..], &["--force"]].concat(), here);
    assert_eq!(files(here), before);
    failed(
        4,
        &[&export[..], &["--force", "--format", "jsonl"]].concat(),
        here,
    );
    assert_eq!(files(here), before);
}
