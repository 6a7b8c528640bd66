//! What a book has beside its problems, which problems it leaves out, and books without a table.

use std::fs;
use std::path::Path;

use super::mined;
use super::reading::{open, texts};
use crate::common::page_data;
use crate::common::program::{ok, refused, says};
use tesuji::book::LINES_NOTE;

#[test]
fn near_twins_are_told_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // The second is the first with White's idle piece elsewhere, mirrored; the third is another.
    let game = "ostle:4x4,pieces=3,losses=2";
    let made = [
        "mine", game, "--filter", "f.toml", "--draw", "0", "-o", "finds",
    ];
    let filter =
        "name = 'f'\npredicate = \"outcome = 'win' AND plies = 5 AND n_winning = 1\"\nlimit = 60\n";
    fs::write(here.join("f.toml"), filter).unwrap();
    ok(&made, here);
    let rows = fs::File::open(here.join("finds/f/puzzles.csv")).unwrap();
    let rows = tesuji::export::read_csv(rows).unwrap();
    // Pairs that are one thing apart where they stand, with the same key, found by comparing
    // squares.
    let squares = |row: &tesuji::mine::PuzzleRow| -> Vec<char> {
        let ranks = row.position.split(' ').next().unwrap();
        let mut squares = Vec::new();
        for sign in ranks.chars() {
            match sign.to_digit(10) {
                Some(empty) => squares.extend(std::iter::repeat_n('.', empty as usize)),
                None if sign == '/' => {}
                None => squares.push(sign),
            }
        }
        squares
    };
    let mut pair = None;
    for (place, row) in rows.iter().enumerate() {
        for before in &rows[..place] {
            let differ = squares(row).into_iter().zip(squares(before));
            let differ: Vec<_> = differ.filter(|(a, b)| a != b).collect();
            let moved =
                differ.len() == 2 && differ[0].0 == differ[1].1 && differ[0].1 == differ[1].0;
            if moved && row.key == before.key && row.forbidden == before.forbidden {
                pair.get_or_insert((before.clone(), row.clone()));
            }
        }
    }
    let (first, twin) = pair.expect("two finds are one piece apart");
    let other = rows
        .iter()
        .find(|row| row.key.as_str()[..2] != first.key[..2])
        .unwrap();
    let mut csv = Vec::new();
    tesuji::export::write_csv(&mut csv, &[first.clone(), twin, other.clone()]).unwrap();
    fs::write(here.join("three.csv"), csv).unwrap();
    let book = |name: &str, more: &[&str]| {
        let mut args = vec!["book", "three.csv", "-o", name];
        args.extend(more);
        let (code, _, told) = says(&args, here);
        assert_eq!(code, Some(0), "{told}");
        let page = fs::read_to_string(here.join(name)).unwrap();
        let data = page_data(&page);
        let count = data["puzzles"].as_array().unwrap().len();
        let title = match count {
            1 => "1 problem with its solution".to_owned(),
            _ => format!("{count} problems with their solutions"),
        };
        assert_eq!(data["subtitle"], title);
        (count, told)
    };
    let (one, _) = book("one.html", &["--limit", "1"]);
    assert_eq!(one, 1);
    let (all, told) = book("all.html", &[]);
    assert_eq!(all, 3);
    assert!(
        told.contains("problem 2 is nearly problem 1: one piece apart"),
        "{told}"
    );
    assert!(told.contains("--distinct near leaves them out"), "{told}");
    let (fewer, told) = book("fewer.html", &["--distinct", "near"]);
    assert_eq!(fewer, 2);
    assert!(
        told.contains("problem 2 is nearly problem 1") && !told.contains("leaves"),
        "{told}"
    );
    assert!(told.contains("1 problem left out"), "{told}");
}

#[test]
fn a_book_has_the_rules_of_its_game() {
    let folder = mined();
    let here = folder.path();
    ok(&["book", "puzzles.csv", "-o", "whole.pdf"], here);
    ok(
        &[
            "book",
            "puzzles.csv",
            "-o",
            "bare.pdf",
            "--without",
            "rules",
        ],
        here,
    );
    let title = "The rules of the game";
    let whole = open(&fs::read(here.join("whole.pdf")).unwrap());
    let words = texts(&whole).join(" ");
    // Words of src/games/ostle/README.md.
    for part in [
        title,
        "A side that has lost 2 pieces has lost",
        "3 ranks and 3 files",
    ] {
        assert!(words.contains(part), "{part} in {words}");
    }
    let bare = texts(&open(&fs::read(here.join("bare.pdf")).unwrap())).join(" ");
    assert!(!bare.contains(title), "{bare}");
    ok(&["book", "puzzles.csv", "-o", "whole.html"], here);
    ok(
        &[
            "book",
            "puzzles.csv",
            "-o",
            "bare.html",
            "--without",
            "rules",
        ],
        here,
    );
    let page = fs::read_to_string(here.join("whole.html")).unwrap();
    let (_, rules) = page.split_once("<dl class=\"rules\">").unwrap();
    let (rules, _) = rules.split_once("</dl>").unwrap();
    // Start, moves, pushing, losing pieces and the hole are shown.
    assert_eq!(rules.matches("<dt>").count(), 8);
    assert_eq!(rules.matches("<svg").count(), 5);
    assert!(
        !fs::read_to_string(here.join("bare.html"))
            .unwrap()
            .contains(title)
    );
    let told = refused(
        &["book", "puzzles.csv", "-o", "x.html", "--without", "hints"],
        here,
    );
    assert!(told.contains("only the rules"), "{told}");
}

#[test]
fn a_set_of_a_large_game_is_bound_without_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let sets = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/ostle/sets");
    let set = |name: &str| sets.join(name).display().to_string();
    for (name, line) in [
        ("forced-sacrifice.csv", "1.c1L! a1R 2.e2D a2R"),
        ("only-move-draw.csv", "1.b3R!"),
        ("mutual-zugzwang.csv", "1.b5D! c4L"),
    ] {
        let csv = set(name);
        let (code, _, told) = says(
            &["book", &csv, "--limit", "3", "-o", "set.pdf", "--force"],
            here,
        );
        assert_eq!(code, Some(0), "{told}");
        assert!(
            told.contains("main lines") && told.contains("tesuji solve ostle"),
            "{told}"
        );
        let words = texts(&open(&fs::read(here.join("set.pdf")).unwrap())).join(" ");
        assert!(words.contains(line), "{words}");
        ok(
            &["book", &csv, "--limit", "3", "-o", "set.html", "--force"],
            here,
        );
        let page = page_data(&fs::read_to_string(here.join("set.html")).unwrap());
        assert!(!page["puzzles"][0]["line"].as_array().unwrap().is_empty());
        // It says what it lacks, and explains nothing that it has not.
        let notes: Vec<_> = page["notes"].as_array().unwrap().iter().collect();
        assert!(notes.iter().any(|note| **note == LINES_NOTE), "{notes:?}");
        assert!(!page["notes"].to_string().contains("? a try"), "{notes:?}");
        assert!(words.contains("made without the table"), "{words}");
    }
    // What a row says is checked against its line.
    let text = fs::read_to_string(set("forced-sacrifice.csv")).unwrap();
    let short: Vec<&str> = text.lines().take(2).collect();
    let short = short.join("\n");
    for (from, to, part) in [
        (
            ",win,15,",
            ",win,13,",
            "does not end in a win after 13 plies",
        ),
        (",win,15,", ",loss,15,", "does not end in a loss"),
        ("c1L a1R", "c1L a1X", "a1X"),
    ] {
        let edited = short.replacen(from, to, 1);
        assert_ne!(edited, short);
        fs::write(here.join("edited.csv"), edited).unwrap();
        let told = refused(&["book", "edited.csv", "-o", "x.pdf"], here);
        assert!(told.contains(part), "{told}");
    }
    // A row without a line needs the table.
    fs::write(here.join("bare.csv"), "game,position\nostle,initial\n").unwrap();
    let told = refused(&["book", "bare.csv", "-o", "x.pdf"], here);
    assert!(told.contains("run 'tesuji solve ostle'"), "{told}");
}
