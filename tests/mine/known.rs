//! Positions that are known do not come again, nor do their images.

use std::fs;
use std::path::Path;

use crate::common::program::{ok, refused, says};

/// The positions of a CSV file of puzzles.
fn positions(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let rows = text.lines().skip(1);
    rows.map(|row| row.split(',').nth(2).unwrap().to_owned())
        .collect()
}

/// A position with files in reverse order.
fn mirrored(position: &str) -> String {
    let (board, rest) = position.split_once(' ').unwrap();
    let ranks = board.split('/').map(|rank| rank.chars().rev().collect());
    format!("{} {rest}", ranks.collect::<Vec<String>>().join("/"))
}

#[test]
fn known_positions_are_left_out_with_their_images() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mine = |output: &str, more: &[&str]| {
        let mut args = vec![
            "mine",
            "chess:KP-K",
            "--filter",
            "stalemate-trap",
            "--draw",
            "0",
        ];
        args.extend(["--output", output].iter().chain(more));
        ok(&args, here);
        positions(&here.join(output).join("stalemate-trap/puzzles.csv"))
    };
    let all = mine("all", &[]);
    assert!(all.len() > 5, "{all:?}");
    // The second one as its mirror image, with a position of another game and one that has ended.
    let known = format!("{}\n\nppp/3/PPP w\n8/8/8/8/8/8/8/8 w\n", mirrored(&all[1]));
    fs::write(here.join("known.txt"), known).unwrap();
    let mut others = all.clone();
    others.remove(1);
    assert_eq!(mine("text", &["--exclude", "known.txt"]), others);
    fs::write(
        here.join("known.pgn"),
        format!("[FEN \"{}\"]\n\n*\n", all[1]),
    )
    .unwrap();
    assert_eq!(mine("pgn", &["--exclude", "known.pgn"]), others);
    // A column of positions is enough.
    fs::write(here.join("known.csv"), format!("position\n{}\n", all[1])).unwrap();
    assert_eq!(mine("csv", &["--exclude", "known.csv"]), others);
    let csv = "all/stalemate-trap/puzzles.csv";
    assert!(mine("none", &["--exclude", csv]).is_empty());

    let export = [
        "export",
        "--puzzles",
        csv,
        "--exclude",
        "known.txt",
        "-o",
        "new.csv",
    ];
    let (code, _, told) = says(&export, here);
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("1 puzzle left out") && told.contains("2 positions are of other games"),
        "{told}"
    );
    assert_eq!(positions(&here.join("new.csv")), others);

    let compose = ["compose", "chess:KP-K", "k7/????????/????????/8/8/8/8/8"];
    let matched = |more: &[&str]| {
        let args: Vec<_> = compose.iter().chain(more).copied().collect();
        ok(&args, here)
    };
    assert_ne!(matched(&[]), matched(&["--exclude", csv]));
}

#[test]
fn a_file_that_excludes_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("known.txt"), "ppp/3/PPP w\n").unwrap();
    for (args, message) in [
        (
            &["mine", "chess:KP-K", "--exclude", "known.txt"][..],
            "none of its positions is one of chess:KP-K",
        ),
        (
            &["mine", "chess:KP-K", "--exclude", "nothing.txt"],
            "cannot read nothing.txt",
        ),
        (
            &["export", "chess:KP-K", "--exclude", "known.txt", "-o", "x"],
            "--exclude is for --puzzles",
        ),
        (
            &[
                "mine",
                "tsuitate",
                "--exclude",
                "sample.txt",
                "--output",
                "x",
            ],
            "exclude",
        ),
    ] {
        fs::write(here.join("sample.txt"), "5S2k/9/8P/9/9/9/9/9/9 b BS 1\n").unwrap();
        let told = refused(args, here);
        assert!(told.contains(message), "{args:?}: {told}");
    }
}
