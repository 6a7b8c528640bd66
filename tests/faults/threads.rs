//! The same bytes, however many threads make them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::common::files;
use crate::common::program::{refusal, threaded};

fn all(threads: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    const GAME: &str = "ostle:4x4,pieces=3,losses=2";
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let puzzles = "output/forced-sacrifice/puzzles.csv";
    let commands: [&[&str]; 8] = [
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
    ];
    for command in commands {
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
fn every_output_is_the_same_for_one_thread_and_for_two() {
    let [one, two] = ["1", "2"].map(all);
    assert!(one.len() > 150, "{} files", one.len());
    assert!(one.keys().eq(two.keys()), "other files");
    for (path, content) in &one {
        assert!(two[path] == *content, "{} differs", path.display());
    }
}
