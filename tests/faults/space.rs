//! Disks that fill up: a small file system where there may be one, and limits on the
//! size of files elsewhere.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::chance::{Chance, times};
use crate::common::program::{ok, refusal};
use crate::common::{files, skipped};

const GAME: &str = "ostle:4x4,pieces=3,losses=2";

/// Runs the program where no file may grow beyond so many blocks of 512 or 1024 bytes.
fn limited(blocks: usize, args: &[&str], folder: &Path) -> Output {
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_tesuji")]);
    command.args(args).current_dir(folder).output().unwrap()
}

/// The message of a run that could not write.
fn failed(blocks: usize, args: &[&str], folder: &Path) -> String {
    let output = limited(blocks, args, folder);
    let errors = refusal(args, &output);
    assert!(errors.contains("File too large"), "{args:?}: {errors}");
    assert!(!errors.contains("underlying"), "{args:?}: {errors}");
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

/// A folder with a table, puzzles, and an output of every kind.
fn workshop(folder: &Path) {
    ok(&["solve", GAME, "-o", "t.tsj"], folder);
    for (limit, out) in [("3", "out"), ("200", "source")] {
        let mine = ["mine", GAME, "--table", "t.tsj", "--filter", "longest-wins"];
        ok(
            &[&mine[..], &["--limit", limit, "--output", out]].concat(),
            folder,
        );
    }
    fs::rename(
        folder.join("source/longest-wins/puzzles.csv"),
        folder.join("p.csv"),
    )
    .unwrap();
    fs::remove_dir_all(folder.join("source")).unwrap();
    ok(
        &[
            "export", GAME, "--table", "t.tsj", "--sample", "50", "-o", "states",
        ],
        folder,
    );
    for book in ["b.pdf", "b.html"] {
        let args = [
            "book", "p.csv", "--table", "t.tsj", "--limit", "2", "-o", book,
        ];
        ok(&args, folder);
    }
    fs::write(folder.join("p.jsonl"), "other puzzles").unwrap();
    fs::write(folder.join("u.tsj"), "another table").unwrap();
}

/// Commands that replace each of these by something larger than so many kilobytes.
const REPLACE: [(&[&str], usize); 7] = [
    (
        &[
            "mine",
            GAME,
            "--table",
            "t.tsj",
            "--filter",
            "longest-wins",
            "--limit",
            "200",
            "--output",
            "out",
            "--force",
        ],
        60,
    ),
    (
        &[
            "export", GAME, "--table", "t.tsj", "--board", "-o", "states", "--force",
        ],
        20,
    ),
    (
        &[
            "export", GAME, "--table", "t.tsj", "--format", "jsonl", "-o", "states", "--force",
        ],
        1000,
    ),
    (
        &[
            "export",
            "--puzzles",
            "p.csv",
            "--format",
            "jsonl",
            "-o",
            "p.jsonl",
            "--force",
        ],
        60,
    ),
    (
        &[
            "book", "p.csv", "--table", "t.tsj", "-o", "b.pdf", "--force",
        ],
        60,
    ),
    (
        &[
            "book", "p.csv", "--table", "t.tsj", "-o", "b.html", "--force",
        ],
        60,
    ),
    (&["repack", "t.tsj", "--raw", "-o", "u.tsj", "--force"], 500),
];

#[test]
fn outputs_that_do_not_fit_leave_the_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    workshop(here);
    let before = files(here);
    let mut chance = Chance::new("full disk");
    for (args, kilobytes) in REPLACE {
        for _ in 0..times(2) {
            let blocks = chance.below(kilobytes);
            failed(blocks, args, here);
            let now = files(here);
            assert!(
                now.keys().eq(before.keys()),
                "{args:?} {blocks}: {:?}",
                now.keys()
            );
            assert!(
                now == before,
                "{args:?} with {blocks} blocks has changed something"
            );
        }
    }
    // With room they all do what they are asked to.
    for (args, _) in REPLACE {
        ok(args, here);
    }
    let now = files(here);
    for name in [
        "out/longest-wins/puzzles.csv",
        "p.jsonl",
        "b.pdf",
        "b.html",
        "u.tsj",
    ] {
        assert!(now[Path::new(name)] != before[Path::new(name)], "{name}");
    }
}

/// A script that makes a small file system for itself alone, puts the workshop there, and
/// runs the program; it tells the exit code and what has changed.
const SMALL_DISK: &str = r#"
room=$1 source=$2; shift 2
disk=$(mktemp -d) && mount -t tmpfs -o size=64m tmpfs "$disk" &&
  cp -r "$source/." "$disk" && cd "$disk" && used=$(df --output=used . | tail -1) &&
  mount -o remount,size=$((used + room))k "$disk" || exit 77
"$0" "$@"
echo "exit $?" >&2
diff -r "$source" . >&2 && echo unchanged >&2
cd /; umount "$disk"; rmdir "$disk"
"#;

#[test]
fn a_full_file_system_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    workshop(here);
    let mut chance = Chance::new("small file system");
    for (args, kilobytes) in REPLACE {
        for _ in 0..times(1) {
            let room = 4 * (1 + chance.below(kilobytes / 6));
            let mut command = Command::new("unshare");
            command.args([
                "--mount",
                "sh",
                "-c",
                SMALL_DISK,
                env!("CARGO_BIN_EXE_tesuji"),
            ]);
            command.arg(room.to_string()).arg(here).args(args);
            // Not everybody may mount; the limits above stand in for it.
            let output = command.output().ok().filter(|output| {
                output.status.code() != Some(77) && !output.stderr.starts_with(b"unshare: ")
            });
            let Some(output) = output else {
                skipped(
                    "commands on a file system that fills up",
                    "run it as root on Linux, where 'unshare' and 'mount' make one",
                );
                return;
            };
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{args:?}, {room} kB: {told}");
            assert!(told.contains("exit 2"), "{args:?}, {room} kB: {told}");
            assert!(told.contains("unchanged"), "{args:?}, {room} kB: {told}");
            let named = told.contains("No space left on device") || told.contains("make room");
            assert!(named, "{args:?}, {room} kB: {told}");
        }
    }
}

#[test]
fn pictures_that_do_not_all_fit_are_counted_and_drawn_again() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = ["mine", GAME, "--filter", "longest-wins", "--draw", "0"];
    ok(&[&mine[..], &["--limit", "3"]].concat(), here);
    let csv = "output/longest-wins/puzzles.csv";
    let draw = ["draw", "--puzzles", csv, "--solution", "-o", "drawn"];
    let message = failed(40, &draw, here);
    assert!(
        message.contains(" of 6 pictures are in drawn; "),
        "{message}"
    );
    let message = failed(1, &[&draw[..5], &["none"]].concat(), here);
    assert!(message.contains("no picture was written: "), "{message}");
    assert!(!here.join("none").exists());
    ok(&draw, here);
    assert_eq!(fs::read_dir(here.join("drawn")).unwrap().count(), 6);
}

#[test]
fn folders_made_for_nothing_go_again() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -n 8; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_tesuji"),
        ])
        .args(["mine", GAME, "-o", "deep/finds"])
        .current_dir(here)
        .output()
        .unwrap();
    let message = refusal(&["mine"], &output);
    assert!(message.contains("Too many open files"), "{message}");
    assert_eq!(fs::read_dir(here).unwrap().count(), 0);
}
