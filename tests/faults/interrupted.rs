//! Ctrl-C while a table is scanned: what was found is kept, and said to be a part.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::program::{ok, refused};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";

/// Writes a filter of the name `slow` with a condition.
fn filter(condition: &str, folder: &Path) {
    let text =
        format!("name = 'slow'\ntitle = ''\ntext = ''\npredicate = \"{condition}\"\nlimit = 20\n");
    fs::write(folder.join("slow.toml"), text).unwrap();
}

#[test]
#[cfg(unix)]
fn a_scan_that_is_interrupted_keeps_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", GAME, "-o", "t.tsj"], here);
    // Every state is solved to its end, which takes minutes.
    filter("variations >= 2", here);
    let mine = [
        "mine",
        GAME,
        "--table",
        "t.tsj",
        "--filter",
        "slow.toml",
        "--draw",
        "0",
        "-o",
        "finds",
    ];
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(mine)
        .arg("--progressive")
        .current_dir(here)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let told = lines.find(|line| line.as_ref().unwrap().starts_with("  slow "));
    let told = told.expect("an estimate while it scans").unwrap();
    assert!(
        told.contains("about ") && told.contains("best so far: "),
        "{told}"
    );
    let number = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &number])
            .status()
            .unwrap()
            .success()
    );
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let sample = fs::read_to_string(here.join("finds/slow/sample.json")).unwrap();
    let sample: serde_json::Value = serde_json::from_str(&sample).unwrap();
    assert_eq!(sample["complete"], false);
    let number = |name: &str| {
        sample[name]
            .as_u64()
            .unwrap_or_else(|| panic!("{name}: {sample}"))
    };
    assert!(0 < number("slots_looked_at") && number("slots_looked_at") < number("slots"));
    assert!(number("found") > 0);
    let rows = fs::read_to_string(here.join("finds/slow/puzzles.csv")).unwrap();
    assert_eq!(rows.lines().count(), 21);
    // A whole scan does not leave the note of a part behind.
    filter("plies > 10", here);
    let message = refused(&mine, here);
    assert!(message.contains("--force"), "{message}");
    ok(&[&mine[..], &["--force"]].concat(), here);
    assert!(!here.join("finds/slow/sample.json").exists());
}

#[test]
fn what_has_no_estimates_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "mine",
        GAME,
        "--sample",
        "3",
        "--progressive",
        "-o",
        "finds",
    ];
    let message = refused(&args, folder.path());
    assert!(
        message.contains("progressive") && message.contains("--sample"),
        "{message}"
    );
    let args = ["mine", "tsuitate", "--progressive", "-o", "finds"];
    let message = refused(&args, folder.path());
    assert!(message.contains("progressive"), "{message}");
}
