//! Books of problems in which one side does not see the other.

use std::fs;

use crate::book::reading::{open, texts};
use crate::common::page_data;
use crate::common::program::ok;

#[test]
fn a_book_of_hidden_moves_says_how_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = [
        "mine",
        "tsuitate",
        "--filter",
        "needs-foul",
        "--positions",
        "1500",
        "--depth",
        "5",
        "--draw",
        "0",
        "-o",
        "out",
    ];
    ok(&mine, here);
    let csv = "out/needs-foul/puzzles.csv";
    ok(&["book", csv, "--limit", "2", "-o", "book.pdf"], here);
    ok(&["book", csv, "--limit", "2", "-o", "book.html"], here);
    let words = texts(&open(&fs::read(here.join("book.pdf")).unwrap())).join("\n");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        "foul that the try was illegal",
        "in 'xP",
        "cannot tell six positions apart",
    ] {
        assert!(words.contains(told), "{told}: {words}");
    }
    for other in ["Set play is", "? a try", "the one reply"] {
        assert!(!words.contains(other), "{other}");
    }
    let data = page_data(&fs::read_to_string(here.join("book.html")).unwrap());
    let notes = data["notes"].to_string();
    assert!(
        notes.contains("foul that the try was illegal") && !notes.contains("Set play"),
        "{notes}"
    );
}
