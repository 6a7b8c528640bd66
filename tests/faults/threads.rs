//! The same bytes, however many threads make them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;

use crate::chance::is_long;
use crate::common::files;
use crate::common::program::{refusal, threaded};
#[cfg(target_os = "linux")]
use crate::explorer;

fn all(threads: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    const GAME: &str = "ostle:4x4,pieces=3,losses=2";
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let puzzles = "output/forced-sacrifice/puzzles.csv";
    let commands: [&[&str]; 15] = [
        &["mine"],
        &["solve", GAME, "-o", "t.tsj"],
        &["solve", GAME, "--raw", "-o", "raw.tsj"],
        &[
            "export",
            GAME,
            "--table",
            "t.tsj",
            "--board",
            "--restricted",
            "-o",
            "states",
        ],
        &[
            "export", GAME, "--table", "t.tsj", "--format", "jsonl", "-o", "lines",
        ],
        &["book", puzzles, "-o", "book.pdf"],
        &["book", puzzles, "-o", "book.html"],
        &["draw", "--puzzles", puzzles, "--solution", "-o", "pictures"],
        &["draw", GAME, "initial", "-o", "initial.svg"],
        &["export", "--puzzles", puzzles, "-o", "puzzles.csv"],
        &["export", "--puzzles", puzzles, "-o", "puzzles.parquet"],
        &["solve", "tapatan", "-o", "listed.tsj"],
        &["solve", "kings:4x4", "-o", "nimbers.tsj"],
        &["nimbers", "kings", "4x4", "-o", "nimbers.csv"],
        &[
            "mine",
            "tsuitate",
            "--positions",
            "10",
            "--filter",
            "needs-foul",
            "--output",
            "hidden",
        ],
    ];
    let more: [&[&str]; 2] = [
        &["mine", "chess:KR-K", "--draw", "1", "--output", "chess"],
        &["export", "--puzzles", puzzles, "-o", "deck.apkg"],
    ];
    let more = more.into_iter().filter(|_| is_long());
    for command in commands.into_iter().chain(more) {
        let output = threaded(threads, command, here);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command:?}: {errors}");
    }
    files(here)
}

#[test]
fn threads_without_number_are_refused_before_they_are_started() {
    let folder = tempfile::tempdir().unwrap();
    let stats = ["stats", "ostle:3x3,pieces=2,losses=2"];
    let begun = std::time::Instant::now();
    let output = threaded("1000000", &stats, folder.path());
    let message = refusal(&stats, &output);
    assert!(
        message.contains("RAYON_NUM_THREADS is 1000000"),
        "{message}"
    );
    assert!(begun.elapsed() < std::time::Duration::from_secs(10));
    // What is no number is none.
    for threads in ["0", "-1", "many", "99999999999999999999"] {
        assert!(threaded(threads, &stats, folder.path()).status.success());
    }
}

#[test]
fn every_output_is_the_same_for_any_number_of_threads() {
    let one = all("1");
    assert!(one.len() > 150, "{} files", one.len());
    let counts: &[&str] = if is_long() {
        &["2", "3", "7", "16", "16", "16"]
    } else {
        &["2"]
    };
    for threads in counts {
        let more = all(threads);
        assert!(one.keys().eq(more.keys()), "{threads}: other files");
        for (path, content) in &one {
            let same = more[path] == *content;
            assert!(same, "{threads}: {} differs", path.display());
        }
    }
    println!("threads: {} files, by 1 and {counts:?}", one.len());
}

#[test]
#[cfg(unix)]
fn where_no_thread_can_be_had_a_message_says_so() {
    const GAME: &str = "ostle:3x3,pieces=2,losses=2";
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let commands: [&[&str]; 12] = [
        &["mine", GAME],
        &["solve", GAME, "-o", "t.tsj"],
        &["stats", GAME],
        &["probe", GAME, "initial"],
        &["solution", GAME, "initial"],
        &["export", GAME, "-o", "states"],
        &["draw", GAME, "initial", "-o", "a.svg"],
        &["book", "none.csv", "-o", "a.pdf"],
        &["reach", GAME],
        &["lure", GAME],
        &["explore", GAME],
        &["formula", "sliding:2x2"],
    ];
    for args in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
        command.args(args).current_dir(here);
        command.env("RUST_MIN_STACK", (1u64 << 50).to_string());
        let message = refusal(args, &command.output().unwrap());
        assert!(message.contains("cannot start"), "{args:?}: {message}");
        assert!(message.contains("unset RUST_MIN_STACK"), "{message}");
    }
    assert!(files(here).is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn connections_without_a_thread_are_turned_away() {
    let (mut explore, url) = explorer("tictactoe");
    let (address, path) = url.split_once('/').unwrap();
    let pid = explore.id().to_string();
    let limit = |bytes: &str| {
        let limit = ["--pid", &pid, &format!("--as={bytes}:")];
        let set = Command::new("prlimit").args(limit).status();
        assert!(set.unwrap().success());
    };
    let ask = || {
        let mut stream = TcpStream::connect(address).unwrap();
        let asked = format!("GET /{path} HTTP/1.1\r\nHost: {address}\r\n\r\n");
        let _ = stream.write_all(asked.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    // No room for the stack of a thread, and none of an earlier one to be taken again.
    let pages = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap();
    let pages: u64 = pages.split(' ').next().unwrap().parse().unwrap();
    limit(&(4096 * pages + (1 << 20)).to_string());
    for _ in 0..5 {
        assert!(!ask().starts_with("HTTP/1.1 200 "));
    }
    assert!(explore.try_wait().unwrap().is_none(), "it goes on");
    limit("unlimited");
    assert!(ask().starts_with("HTTP/1.1 200 "));
    explore.kill().unwrap();
    explore.wait().unwrap();
}
