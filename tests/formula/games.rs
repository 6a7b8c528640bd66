//! The games that have formulas, through the other commands.

use std::fs;

use serde_json::Value as Json;

use crate::common::program::ok;
use crate::common::{golden, holds_puzzles};

#[test]
fn printed_answers_are_the_golden_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    golden(
        "cli/sliding-probe.txt",
        &ok(&["probe", "sliding:2x2", "#135"], here),
    );
    golden(
        "cli/sliding-stats.txt",
        &ok(&["stats", "sliding:2x3"], here),
    );
    golden(
        "cli/tictactoe-probe.txt",
        &ok(&["probe", "tictactoe", "x../.o./..x"], here),
    );
    golden(
        "cli/sliding.svg",
        &ok(&["draw", "sliding:2x2", "2./13", "--moves", "L,D,R"], here),
    );
    golden(
        "cli/tictactoe.svg",
        &ok(
            &["draw", "tictactoe", "x../.o./..x", "--arrows", "b3"],
            here,
        ),
    );
}

#[test]
fn puzzles_are_solved_verified_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (spec, states, longest) in [
        ("sliding:2x2", 12, 6),
        ("sliding:2x3", 360, 21),
        ("sliding:3x3", 181_440, 31),
    ] {
        ok(&["solve", spec, "-o", "puzzle.tsj", "--force"], here);
        let verified = ok(&["verify", "puzzle.tsj"], here);
        assert!(verified.contains("every record follows"), "{verified}");
        let stats: Json = serde_json::from_str(&ok(
            &["stats", spec, "--table", "puzzle.tsj", "--json"],
            here,
        ))
        .unwrap();
        assert_eq!(
            (&stats["states"], &stats["longest"]),
            (&states.into(), &longest.into())
        );
    }
    let left: Vec<_> = fs::read_dir(here)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, ["puzzle.tsj"]);
    let probed: Json = serde_json::from_str(&ok(
        &["probe", "sliding:3x3", "647/85./321", "--json"],
        here,
    ))
    .unwrap();
    assert_eq!(probed["plies"], 31);
    assert_eq!(probed["line"].as_array().unwrap().len(), 31);
}

#[test]
fn tic_tac_toe_goes_all_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", "tictactoe", "-o", "t.tsj"], here);
    assert!(ok(&["verify", "t.tsj"], here).contains("every record follows"));
    let mined = ok(&["mine", "tictactoe", "-o", "finds"], here);
    assert!(mined.contains("only-move"), "{mined}");
    ok(
        &["book", "finds/only-move/puzzles.csv", "-o", "book.html"],
        here,
    );
    let page = fs::read_to_string(here.join("book.html")).unwrap();
    holds_puzzles(&page, &here.join("finds/only-move/puzzles.csv"));
}
