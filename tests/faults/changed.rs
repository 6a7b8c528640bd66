//! Tables that are truncated or written over while they are in use: no crash and no wrong
//! count.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use tesuji::table::Table;

use crate::chance::times;
use crate::common::program::ok;

const GAME: &str = "ostle:4x4,pieces=3,losses=2";

#[test]
fn a_table_that_changes_while_it_is_open_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(
        &["solve", "ostle:3x3,pieces=2,losses=2", "-o", "t.tsj"],
        here,
    );
    let path = here.join("t.tsj");
    let bytes = fs::read(&path).unwrap();
    let table = Table::open(&path).unwrap();
    table.expect_unchanged().unwrap();
    // Another name, and another table under this one, change nothing in it.
    fs::rename(&path, here.join("u.tsj")).unwrap();
    fs::write(&path, &bytes).unwrap();
    table.expect_unchanged().unwrap();
    std::thread::sleep(Duration::from_millis(20));
    let mut file = File::options()
        .write(true)
        .open(here.join("u.tsj"))
        .unwrap();
    file.seek(SeekFrom::Start(60)).unwrap();
    file.write_all(&[255]).unwrap();
    let error = table.expect_unchanged().unwrap_err();
    assert!(error.to_string().contains("was changed while"), "{error}");
    let table = Table::open(&path).unwrap();
    File::options()
        .append(true)
        .open(&path)
        .unwrap()
        .write_all(b"x")
        .unwrap();
    table.expect_unchanged().unwrap_err();
}

/// Runs a command on the table and changes the file after a while.
fn disturbed(
    args: &[&str],
    here: &Path,
    after: Duration,
    change: impl Fn(&Path),
) -> (Option<i32>, String, String) {
    let table = here.join("t.tsj");
    fs::copy(here.join("whole.tsj"), &table).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(args).current_dir(here);
    let process = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    change(&table);
    let output = process.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_command_whose_table_is_cut_or_overwritten_ends_with_a_message_or_the_right_counts() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", GAME, "--raw", "-o", "whole.tsj"], here);
    fs::copy(here.join("whole.tsj"), here.join("t.tsj")).unwrap();
    let stats = ["stats", GAME, "--table", "t.tsj"];
    let mine = ["mine", GAME, "--table", "t.tsj", "--filter", "longest-wins"];
    let mine = [&mine[..], &["--draw", "0"]].concat();
    // What is printed, without times, and what is written.
    let right = ok(&stats, here);
    ok(&mine, here);
    let puzzles = || fs::read(here.join("output/longest-wins/puzzles.csv")).unwrap();
    let mined = puzzles();
    let length = fs::metadata(here.join("whole.tsj")).unwrap().len();
    let cut = |path: &Path| {
        File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_len(length / 3)
            .unwrap();
    };
    let overwrite = |path: &Path| {
        let mut file = File::options().write(true).open(path).unwrap();
        file.seek(SeekFrom::Start(100)).unwrap();
        file.write_all(&vec![7; usize::try_from(length / 2).unwrap()])
            .unwrap();
    };
    let mut told = 0;
    for (moment, change) in (0..times(6)).flat_map(|moment| {
        let changes = [&cut as &dyn Fn(&Path), &overwrite];
        changes.map(|change| (moment as u64, change))
    }) {
        for (args, between) in [(&stats[..], 10), (&mine, 30)] {
            let after = Duration::from_millis(between * moment);
            let (code, out, errors) = disturbed(args, here, after, change);
            match code {
                Some(0) if args == stats => assert_eq!(out, right, "after {after:?}"),
                Some(0) => assert!(puzzles() == mined, "after {after:?}"),
                Some(2) => {
                    // The last, if it was changed before it was opened.
                    let said = [
                        "was changed while it was in use",
                        "was truncated",
                        "is damaged: its checksum",
                    ];
                    let is_told = said.iter().any(|said| errors.contains(said));
                    assert!(errors.starts_with("tesuji: ") && is_told, "{errors}");
                    told += 1;
                }
                other => panic!("exit code {other:?} after {after:?}: {errors}"),
            }
        }
    }
    assert!(told > 0, "no change came in time");
}
