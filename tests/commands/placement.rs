//! Placement games through the program: probe, nimbers, play, the way from solving to
//! a book, and refusals.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use hayro_syntax::Pdf;
use serde_json::Value as Json;

use crate::common::program::{ok, refusal, tesuji};
use crate::common::{files, golden, holds_puzzles};

#[test]
fn printed_answers_are_the_golden_ones() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    golden("cli/kings-probe.txt", &ok(&["probe", "kings:3x5"], here));
    golden(
        "cli/kings-nimbers.csv",
        &ok(&["nimbers", "kings", "4x6", "--outcomes", "5x6"], here),
    );
    golden(
        "cli/kings.svg",
        &ok(
            &["draw", "kings:3x4", "..../.x../....", "--highlight", "d1"],
            here,
        ),
    );
}

/// The moves with their nimbers, and the whole answer.
fn probed(args: &[&str], folder: &Path) -> (Vec<(String, u64)>, Json) {
    let answer: Json = serde_json::from_str(&ok(args, folder)).unwrap();
    let moves = answer["moves"].as_array().unwrap().iter().map(|mv| {
        let nimber = mv["nimber"].as_u64().unwrap();
        let won = mv["outcome"] == "win";
        assert_eq!(won, nimber == 0);
        (mv["move"].as_str().unwrap().to_owned(), nimber)
    });
    (moves.collect(), answer.clone())
}

#[test]
fn a_probe_gives_outcome_nimber_and_every_move() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Three in a row: the middle ends the game, either end leaves one square.
    let (moves, answer) = probed(&["probe", "kings:1x3", "--json"], here);
    let expected = [("b1", 0), ("a1", 1), ("c1", 1)].map(|(mv, nimber)| (mv.to_owned(), nimber));
    assert_eq!(moves, expected);
    assert_eq!(
        (&answer["outcome"], &answer["nimber"]),
        (&"win".into(), &2.into())
    );
    // The same as a graph, by both notations, with names of its own.
    fs::write(here.join("path.txt"), "left middle\nmiddle right\n").unwrap();
    fs::write(here.join("path.dot"), "graph { left -- middle -- right }").unwrap();
    for file in ["graph:path.txt", "graph:path.dot"] {
        let (moves, answer) = probed(&["probe", file, "--json"], here);
        let expected = [("middle", 0), ("left", 1), ("right", 1)];
        assert_eq!(moves, expected.map(|(mv, nimber)| (mv.to_owned(), nimber)));
        assert_eq!(answer["nimber"], 2);
    }
    let (moves, _) = probed(&["probe", "regio:3x3", "--json"], here);
    assert_eq!(moves.len(), 9);
    let (moves, answer) = probed(&["probe", "kings:1x100000", "--json"], here);
    assert_eq!(moves.len(), 100_000);
    assert_eq!(answer["outcome"], "win");
}

#[test]
fn from_solving_to_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ok(&["solve", "kings:4x5", "--output", "kings.tsj"], here);
    assert!(ok(&["verify", "kings.tsj"], here).contains("every record follows"));
    ok(
        &[
            "mine",
            "kings:4x5",
            "--table",
            "kings.tsj",
            "--output",
            "finds",
        ],
        here,
    );
    for name in ["one-winning-move", "mirror-trap"] {
        let csv = format!("finds/{name}/puzzles.csv");
        for book in ["book.pdf", "book.html"] {
            ok(
                &[
                    "book",
                    &csv,
                    "--table",
                    "kings.tsj",
                    "--output",
                    book,
                    "--force",
                ],
                here,
            );
        }
        let page = fs::read_to_string(here.join("book.html")).unwrap();
        assert!(page.contains("Kings placement (4x5)"));
        holds_puzzles(&page, &here.join(&csv));
        let pdf = fs::read(here.join("book.pdf")).unwrap();
        assert!(
            Pdf::new(pdf).is_ok_and(|pdf| pdf.pages().len() > 1),
            "{name}"
        );
    }
    ok(
        &[
            "export",
            "kings:4x5",
            "--format",
            "jsonl",
            "--output",
            "states",
        ],
        here,
    );
    let rows = files(&here.join("states").join("data")).into_values();
    let rows: usize = rows
        .map(|part| part.split(|&byte| byte == b'\n').count() - 1)
        .sum();
    // Sets of free squares, taken from the whole board king by king.
    let squares: Vec<(i32, i32)> = (0..4).flat_map(|r| (0..5).map(move |c| (r, c))).collect();
    let mut met = BTreeSet::new();
    let mut open = vec![squares.clone()];
    while let Some(free) = open.pop() {
        let images =
            [(false, false), (false, true), (true, false), (true, true)].map(|(down, left)| {
                let turned = free
                    .iter()
                    .map(|&(r, c)| (if down { 3 - r } else { r }, if left { 4 - c } else { c }));
                turned.collect::<BTreeSet<_>>()
            });
        if free.is_empty() || !met.insert(images.into_iter().min()) {
            continue;
        }
        for &(r, c) in &free {
            let apart = |&&(row, column): &&(i32, i32)| (row - r).abs().max((column - c).abs()) > 1;
            open.push(free.iter().filter(apart).copied().collect());
        }
    }
    let count = |game: &str| -> Json {
        let stats: Json = serde_json::from_str(&ok(&["stats", game, "--json"], here)).unwrap();
        stats["positions"].clone()
    };
    assert_eq!((count("kings:4x5"), rows), (met.len().into(), met.len()));
    // Without edges every set but the empty one is a position.
    fs::write(here.join("loose.txt"), "a\nb\nc\nd\n").unwrap();
    assert_eq!(count("graph:loose.txt"), 15);
}

#[test]
fn positions_are_judged_composed_and_solved() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let trap = "..____/..____/....__/....../......";
    let verdict = ok(
        &["check", "kings:5x6", trap, "--stipulation", "win in 5"],
        here,
    );
    assert!(verdict.contains("e2"), "{verdict}");
    let solution = ok(&["solution", "kings:5x6", trap], here);
    assert!(solution.contains("1.e2!"), "{solution}");
    let pattern = "...../?????/?????/_____";
    let composed = ok(
        &[
            "compose",
            "kings:4x5",
            pattern,
            "--where",
            "winning_orbits = 1",
        ],
        here,
    );
    assert!(composed.contains("...../_____/_____/_____"), "{composed}");
    // No king takes three squares of the edge and none behind them.
    let odd = ["solution", "kings:4x5", ".___./...../...../....."];
    let refused = refusal(&odd, &tesuji(&odd, here));
    assert!(refused.contains("play cannot lead to"), "{refused}");
}

#[test]
fn perfect_play_wins_a_won_game_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(["play", "kings:3x5", "--second"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The program begins in the middle; the answers are tried in turn until the end.
    let squares: Vec<String> = ('a'..='e')
        .flat_map(|file| (1..=3).map(move |rank| format!("{file}{rank}\n")))
        .collect();
    let script = squares.concat();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(text.contains("tesuji wins."), "{text}");
    assert!(!text.contains("You win"), "{text}");
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("bad.txt"), "a b c\n").unwrap();
    for (args, says) in [
        (&["probe", "kings:17x17"][..], "too large to search"),
        (&["probe", "kings"][..], "the board is missing"),
        (&["probe", "kings:5x6", "....../......"][..], "5 ranks of 6"),
        (&["probe", "graph:none.txt"][..], "none.txt"),
        (&["probe", "graph:bad.txt"][..], "two names"),
        (&["probe", "checkers"][..], "unknown game 'checkers'"),
        (&["mine", "kings:20x20"][..], "too many for a table"),
        (
            &["solve", "kings:4x5", "--repetition", "exact"][..],
            "rule 8 of Ostle",
        ),
        (
            &["nimbers", "cram", "3x3"][..],
            "not a family of boards with nimbers",
        ),
        (
            &["nimbers", "kings", "1x18446744073709551615"][..],
            "at most 10,000",
        ),
        (
            &["nimbers", "kings", "12x12"][..],
            "a board of 144 squares is too large to search: at most 128",
        ),
        (
            &["nimbers", "kings,colours=9", "2x2"][..],
            "give 1 to 4 colours",
        ),
        (
            &["draw", "kings:3x3,colours=2", "initial"][..],
            "has several colours",
        ),
        (
            &["nimbers", "kings", "5x3"][..],
            "no more rows than columns",
        ),
        (&["draw", "kings:4x30", "initial"][..], "too wide"),
    ] {
        let message = refusal(args, &tesuji(args, here));
        assert!(message.contains(says), "{args:?}: {message}");
    }
}

#[test]
fn the_published_tables_of_boards_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    for (family, size) in [("kings", "7x8"), ("regio", "6x8")] {
        let made = ok(&["nimbers", family, size], folder.path());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("output/kings/{family}.csv"));
        let published = fs::read_to_string(path).unwrap();
        let published: Vec<&str> = published.lines().collect();
        for row in made.lines() {
            assert!(published.contains(&row), "{row}");
        }
        assert!(made.lines().count() > 30);
    }
}
