//! Ctrl-C while a table is scanned: what was found is kept, and said to be a part.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::files;
use crate::common::program::{ok, refused};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";

/// Writes a filter of the name `slow` with a condition.
fn filter(condition: &str, folder: &Path) {
    let text =
        format!("name = 'slow'\ntitle = ''\ntext = ''\npredicate = \"{condition}\"\nlimit = 20\n");
    fs::write(folder.join("slow.toml"), text).unwrap();
}

/// Stops a run by Ctrl-C as soon as it tells of its finds, and returns what it prints.
#[cfg(unix)]
fn interrupted(mine: &[&str], here: &Path) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(mine)
        .arg("--progressive")
        .current_dir(here)
        .stdout(Stdio::piped())
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
    let rest: Vec<_> = lines.map(Result::unwrap).collect();
    let is_note = |line: &String| line.starts_with("stopped: solving ");
    assert!(rest.iter().any(is_note), "{rest:?}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_same_run_replaces_what_a_stopped_one_left() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let filter = "forced-sacrifice";
    let mine = [
        "mine", GAME, "--filter", filter, "--draw", "1", "-o", "finds",
    ];
    ok(&mine, here);
    let whole = files(&here.join("finds"));
    for name in ["sample.json", "01-0123456789abcdef.svg"] {
        fs::write(here.join("finds").join(filter).join(name), "{}").unwrap();
    }
    ok(&mine, here);
    assert!(files(&here.join("finds")) == whole);
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
    let said = interrupted(&mine, here);
    assert!(!said.contains("the folder keeps"), "{said}");
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
    // A part does not replace the whole.
    let note = here.join("finds/slow/sample.json");
    fs::rename(&note, here.join("note")).unwrap();
    let whole = files(&here.join("finds"));
    let said = interrupted(&mine, here);
    assert!(said.contains("the folder keeps the finds of all"), "{said}");
    assert!(files(&here.join("finds")) == whole);
    fs::rename(here.join("note"), &note).unwrap();
    // A whole scan does not leave the note of a part behind.
    filter("plies > 10", here);
    let message = refused(&mine, here);
    assert!(message.contains("--force"), "{message}");
    ok(&[&mine[..], &["--force"]].concat(), here);
    assert!(!note.exists());
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
