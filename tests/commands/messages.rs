//! What the program says when something is wrong: all messages in one file, so that a change of
//! words is seen. Each says what the user did, where, and what to do.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::common::golden;
use crate::common::program::{ok, refused, says};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

/// Commands that are refused.
const COMMANDS: &[&[&str]] = &[
    &["solve", "ostle:rows=5,columns=6,pieces=5", "-o", "l.tsj"],
    &["solve", "ostle:6x6,pieces=5", "-o", "l.tsj"],
    &["solve", "ostle:5x4", "-o", "l.tsj"],
    &["verify", "somedir"],
    &["verify", "none.tsj"],
    &["verify", "notes.txt"],
    &["verify", "damaged.tsj"],
    &["verify", "short.tsj"],
    &["info", "somedir"],
    &["book", "p.parquet", "-o", "b.html"],
    &["book", "notes.txt", "-o", "b.html"],
    &["book", "header.csv", "-o", "b.html"],
    &["book", "edited.csv", "-o", "b.html"],
    &["book", "long.csv", "-o", "b.html"],
    &["book", "number.csv", "-o", "b.html"],
    &["book", "short.csv", "-o", "b.html"],
    &["book", "latin.csv", "-o", "b.html"],
    &["export", "--puzzles", "formula.csv", "-o", "x.csv"],
    &["book", "files.csv", "-o", "b.html"],
    &["book", "files.csv", "-o", "b.html", "--game", "kings:3x3"],
    &["book", "edited.csv", "-o", "notes.html"],
    &["draw", "--puzzles", "edited.csv", "-o", "notes.txt"],
    &["man", "-o", "notes.txt"],
    &["draw", "--puzzles", "files.csv", "-o", "d"],
    &[
        "export",
        "--puzzles",
        "files.csv",
        "--distinct",
        "-o",
        "d.csv",
    ],
    &[
        "export",
        "--puzzles",
        "edited.csv",
        "-o",
        "x.csv",
        "--format",
        "parquet",
    ],
    &["export", "--puzzles", "edited.csv", "-o", "x"],
    &["draw", GAME, "initial", "-o", "con.svg"],
    &["draw", GAME, "initial", "-o", "d.gif"],
    &["draw", GAME, "initial", "--table", "t.tsj"],
    &["draw", GAME, "initial", "--game", "kings:3x3"],
    &["draw", GAME, "initial", "--moves", "a3U"],
    &["draw", GAME, "initial", "--highlight", "z9"],
    &["draw", GAME, "initial", "--style", "gaudy"],
    &["draw", GAME, "initial", "--style", "wrong.toml"],
    &[
        "stats",
        GAME,
        "--compare",
        "files.csv",
        "--against",
        "t.tsj",
    ],
    &["stats", GAME, "--compare", "files.csv"],
    &["stats", GAME, "--against", "notes.txt"],
    &["probe", "checkers"],
    &["probe", "ostle:9x9"],
    &["probe", "ostle:3x4,pieces=2"],
    &["probe", "ostle:rows=3,columns=9"],
    &["probe", "ostle:rows=3,rows=4"],
    &["probe", "ostle:repetition=none"],
    &["probe", "ostle"],
    &["probe", GAME, "1ww/1o1/bb2 b -"],
    &["probe", GAME, "1ww/1o1/bb1 b a1D"],
    &["probe", GAME, "--table", "none.tsj"],
    &["probe", GAME, "--table", "notes.txt"],
    &["probe", "ostle:4x4", "--table", "t.tsj"],
    &["probe", "graph:none.txt"],
    &["probe", "graph:h.txt"],
    &["probe", "graph:g.txt", "--table", "g.tsj"],
    &["probe", "kings:3x3", "--repetition", "exact"],
    &["perft", GAME, "initial", "10000"],
    &["nimbers", "kings", "1x9999999999"],
    &["mine", GAME, "--filter", "nonsense"],
    &["mine", GAME, "-o", "notes.txt"],
    &["formula", "tictactoe", "--check", "endless.py"],
    &["formula", "tictactoe", "--check", "notes.txt"],
    &["nonsense"],
];

/// Files that are wrong in some way, and one table.
fn prepare(here: &Path) {
    ok(&["solve", GAME, "-o", "t.tsj"], here);
    let mine = ["mine", GAME, "--filter", "longest-wins", "--draw", "0"];
    ok(&[&mine[..], &["--limit", "3"]].concat(), here);
    let csv = fs::read_to_string(here.join("output/longest-wins/puzzles.csv")).unwrap();
    ok(
        &[
            "export",
            "--puzzles",
            "output/longest-wins/puzzles.csv",
            "-o",
            "p.parquet",
        ],
        here,
    );
    fs::create_dir(here.join("somedir")).unwrap();
    for notes in ["notes.txt", "notes.html"] {
        fs::write(here.join(notes), "years of work").unwrap();
    }
    let game = format!("\"{GAME}\"");
    fs::write(
        here.join("files.csv"),
        csv.replace(&game, "graph:secret.txt"),
    )
    .unwrap();
    fs::write(here.join("edited.csv"), csv.replace(",win,33,", ",win,31,")).unwrap();
    let (first, _) = csv.split_once(',').unwrap();
    fs::write(here.join("header.csv"), csv.replacen(first, "Game", 1)).unwrap();
    let long = csv.replacen("Black to move", &"A".repeat(20_000), 1);
    fs::write(here.join("long.csv"), long).unwrap();
    let number = csv.replace(",win,33,", ",win,many,").replace('\n', "\r\n");
    fs::write(here.join("number.csv"), number).unwrap();
    let short = format!("game,position\n\"{GAME}\"\n");
    fs::write(here.join("short.csv"), short).unwrap();
    fs::write(here.join("latin.csv"), b"game,position\nostle,caf\xe9\n").unwrap();
    let formula = csv.replacen("Black to move", "=1+1", 1);
    fs::write(here.join("formula.csv"), formula).unwrap();
    let mut damaged = fs::read(here.join("t.tsj")).unwrap();
    damaged[200] ^= 4;
    fs::write(here.join("damaged.tsj"), &damaged).unwrap();
    fs::write(here.join("short.tsj"), &damaged[..300]).unwrap();
    fs::write(here.join("g.txt"), "a b\nb c\n").unwrap();
    fs::write(here.join("h.txt"), "=cmd a\n").unwrap();
    fs::write(here.join("endless.py"), "import sys\nsys.exit(3)\n").unwrap();
    fs::write(here.join("wrong.toml"), "cell_mm = 'wide'\n").unwrap();
}

/// The message of a condition.
fn condition(text: &str, here: &Path) -> String {
    let quoted = toml::Value::from(text).to_string();
    let filter = format!("name = 'f'\ntitle = ''\ntext = ''\npredicate = {quoted}\n");
    fs::write(here.join("f.toml"), filter).unwrap();
    said(&["mine", GAME, "--filter", "f.toml", "-o", "o"], here)
}

/// The exit code of a command and what it says.
fn said(args: &[&str], here: &Path) -> String {
    let (code, out, errors) = says(args, here);
    assert_eq!(out, "", "{args:?}");
    // Processor and version of the system do not matter.
    format!("{}: {}\n", code.unwrap_or(-1), errors.trim_end())
}

#[test]
fn every_message_says_what_where_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    prepare(here);
    let graph = ok(&["solve", "graph:g.txt", "-o", "g.tsj"], here);
    assert!(graph.contains("graph:g.txt#"), "{graph}");
    fs::write(here.join("g.txt"), "a b\nb c\nc a\n").unwrap();
    let named = graph
        .split_whitespace()
        .find(|word| word.starts_with("graph:"));
    let named = named.unwrap();
    let mut text = String::new();
    let changed = ["probe", named];
    for args in COMMANDS.iter().chain([&&changed[..]]) {
        let _ = writeln!(text, "$ tesuji {}", args.join(" "));
        text += &said(args, here);
    }
    for predicate in [
        "outcome = \"win\"",
        "plies > 1 && x",
        "plies > 1_000",
        "plies == 3",
        "n_wining = 1",
        "plies > ",
        "plies > 1)",
        "(plies > 1",
        "QUANTILE_CONT(plies, 0.5) > 1",
        "CORR(plies, n_moves) > 0",
        "GREATEST() > 1",
        "plies > INTERVAL '1' DAY",
        "ln(b'101') > 1",
        "CAST(plies AS INT) > 1",
        "plies = NULL",
        "outcome = 'won'",
        "plies > 1 plies",
    ] {
        let _ = writeln!(text, "predicate: {predicate}");
        text += &condition(predicate, here);
    }
    golden("cli/messages.txt", &text);
}

#[test]
fn a_folder_in_place_of_a_file_of_puzzles_is_named_so() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    fs::create_dir(here.join("finds")).unwrap();
    for args in [
        &["check", "--puzzles", "finds"][..],
        &["book", "finds", "-o", "x.html"],
        &["export", "--puzzles", "finds", "-o", "x.csv"],
        &["draw", "--puzzles", "finds", "-o", "pictures"],
    ] {
        let told = refused(args, here);
        let remedy = "it is a folder; name one of its files";
        assert!(told.contains("finds") && told.contains(remedy), "{told}");
    }
}
