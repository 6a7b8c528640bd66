//! Several processes at one output: one is refused, and no refusal outlives a kill.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tesuji::base::files::{Claim, Existing, Place};

use crate::common::files;
use crate::common::program::{ok, refused, start};

/// Takes a second or more.
const GAME: &str = "ostle:4x4,pieces=4,losses=2";
const SMALL: &str = "ostle:3x3,pieces=2,losses=2";

fn await_claim(path: &Path, child: &mut Child) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before that");
        assert!(begun.elapsed() < Duration::from_mins(1));
        sleep(Duration::from_millis(1));
    }
    // From making to locking it is a moment.
    sleep(Duration::from_millis(20));
}

/// Starts a command twice, and again after it was killed.
fn one_at_a_time(args: &[&str], locked: &str, claimed: &str, folder: &Path) {
    let mut first = start(args, folder);
    await_claim(&folder.join(locked), &mut first);
    let message = refused(args, folder);
    let named = format!("another tesuji is writing {claimed};");
    assert!(message.contains(&named), "{message}");
    assert!(
        first.try_wait().unwrap().is_none(),
        "{args:?} was too quick"
    );
    first.kill().unwrap();
    first.wait().unwrap();
    // Nobody has to clear anything away.
    ok(args, folder);
    let mut names: Vec<_> = files(folder).into_keys().collect();
    names.retain(|name| name.to_string_lossy().contains(".tesuji.") || name.ends_with("partial"));
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn two_solves_of_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["solve", GAME, "-o", "t.tsj"];
    let partial = "t.tsj.partial";
    one_at_a_time(&args, partial, partial, folder.path());
    // Not even asked to begin anew does one touch the other's checkpoints.
    let here = folder.path();
    let args = ["solve", GAME, "-o", "u.tsj", "--checkpoint-every", "0"];
    let mut first = start(&args, here);
    await_claim(&here.join("u.tsj.pass"), &mut first);
    let message = refused(&[&args[..], &["--restart", "--force"]].concat(), here);
    assert!(message.contains("another tesuji"), "{message}");
    assert!(here.join("u.tsj.pass").exists() || here.join("u.tsj.layers").exists());
    assert!(first.wait().unwrap().success());
}

#[test]
fn two_mines_of_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["mine", GAME, "--filter", "longest-wins", "--output", "out"];
    let out = "out/longest-wins";
    one_at_a_time(&args, out, out, folder.path());
    // Other filters have folders of their own.
    let claim = Claim::folder(&folder.path().join("out/longest-wins")).unwrap();
    let other = ["mine", SMALL, "--filter", "ban-win", "--output", "out"];
    ok(&other, folder.path());
    drop(claim);
}

#[test]
fn two_mines_of_problems_with_hidden_information() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let out = "out/needs-foul";
    let mine = [
        "mine",
        "tsuitate",
        "--positions",
        "10",
        "--filter",
        "needs-foul",
    ];
    let mine = [&mine[..], &["--output", "out"]].concat();
    let claim = Claim::folder(&here.join(out)).unwrap();
    let message = refused(&mine, here);
    assert!(
        message.contains(&format!("another tesuji is writing {out};")),
        "{message}"
    );
    drop(claim);
    ok(&mine, here);
}

#[test]
fn two_exports_of_one_data_set() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["export", GAME, "--board", "-o", "states"];
    one_at_a_time(&args, ".states.tesuji.lock", "states", folder.path());
}

#[test]
fn two_books_of_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(
        &["mine", GAME, "--filter", "forced-sacrifice", "--draw", "0"],
        here,
    );
    let args = [
        "book",
        "output/forced-sacrifice/puzzles.csv",
        "-o",
        "book.pdf",
    ];
    one_at_a_time(&args, ".book.pdf.tesuji.lock", "book.pdf", here);
}

#[test]
fn what_others_are_writing_is_left_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", SMALL, "-o", "t.tsj"], here);
    ok(
        &["mine", SMALL, "--filter", "longest-wins", "--draw", "2"],
        here,
    );
    let csv = "output/longest-wins/puzzles.csv";
    let before = files(here);
    let cases: [(&str, &[&str]); 5] = [
        ("u.tsj", &["repack", "t.tsj", "-o", "u.tsj"]),
        (
            "p.jsonl",
            &[
                "export",
                "--puzzles",
                csv,
                "--format",
                "jsonl",
                "-o",
                "p.jsonl",
            ],
        ),
        ("d.svg", &["draw", SMALL, "initial", "-o", "d.svg"]),
        ("b.html", &["book", csv, "-o", "b.html"]),
        ("pictures", &["draw", "--puzzles", csv, "-o", "pictures"]),
    ];
    for (name, args) in cases {
        let path = here.join(name);
        let lock = here.join(format!(".{name}.tesuji.lock"));
        let claimed = if name == "pictures" {
            (Some(Claim::folder(&path).unwrap()), None)
        } else {
            let place = Place::claim(&path, Existing::Refuse).unwrap();
            assert!(lock.exists());
            (None, Some(place))
        };
        let message = refused(args, here);
        assert!(message.contains("another tesuji is writing"), "{message}");
        let there = if name == "pictures" { &path } else { &lock };
        assert!(there.exists(), "{name} was taken away from its owner");
        drop(claimed);
        assert_eq!(files(here), before, "{args:?}");
        ok(args, here);
        fs::remove_file(&path)
            .or_else(|_| fs::remove_dir_all(&path))
            .unwrap();
    }
}

#[test]
fn what_killed_runs_left_is_cleared_away() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = ["mine", SMALL, "--filter", "longest-wins", "--draw", "2"];
    ok(&mine, here);
    ok(&["solve", SMALL, "-o", "t.tsj"], here);
    let whole = files(here);
    let left = [
        "output/longest-wins/.puzzles.csv.0123abcd.tesuji.partial",
        "output/longest-wins/.sheet.svg.0123abcd.tesuji.partial",
        // Of a run that drew more.
        "output/longest-wins/.09-0123456789abcdef.svg.0123abcd.tesuji.partial",
        "t.tsj.layers",
        ".t.tsj.pass.0123abcd.tesuji.partial",
        ".t.tsj.layers.0123abcd.tesuji.partial",
    ];
    for name in left {
        // How a checkpoint begins.
        fs::write(here.join(name), b"\x89TSC\r\n\x1a\n").unwrap();
    }
    // Not ours.
    let theirs = here.join("output/longest-wins/thesis.partial");
    fs::write(&theirs, "half a thesis").unwrap();
    ok(&mine, here);
    refused(&["solve", SMALL, "-o", "t.tsj"], here);
    assert!(theirs.exists());
    fs::remove_file(theirs).unwrap();
    assert_eq!(files(here), whole);
}
