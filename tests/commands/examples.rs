//! The examples in the help of every command: they work as they stand.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::common::program::ok;
use crate::pages::{commands, parses, shell};

/// Examples that take minutes, serve until they are stopped, or need the whole game's table, by how they begin. Their arguments
/// are read, and the command then finds that there is no such game or file.
const SLOW: [&str; 13] = [
    "tesuji explore",
    "tesuji mine tsuitate --filter needs-foul --positions 100000",
    "tesuji nimbers regio 7x10",
    "tesuji reach ostle --repetition",
    "tesuji solve ostle:5x5",
    "tesuji formula sliding:2x2  ",
    "tesuji path ostle initial",
    "tesuji formula tictactoe --family orders",
    "tesuji mine ostle --filter",
    "tesuji probe ostle 2",
    "tesuji solution ostle initial",
    "tesuji lure ostle --depth",
    "tesuji export ostle --layer",
];

/// The names of all commands.
fn names(here: &Path) -> Vec<String> {
    let help = ok(&["--help"], here);
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let (list, _) = list.split_once("\n\n").expect("it has an end");
    let lines = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// The examples of a command's help, each in one line.
fn examples(command: &str, here: &Path) -> Vec<String> {
    let help = ok(&[command, "--help"], here);
    let (_, rest) = help
        .split_once("\nExample")
        .unwrap_or_else(|| panic!("the help of {command} has no example"));
    let (_, rest) = rest.split_once(':').expect("a heading");
    let mut found: Vec<String> = Vec::new();
    for line in rest.replace("\\\n", " ").lines() {
        let line = line.trim();
        if line.starts_with("tesuji ") {
            found.push(line.to_owned());
        } else {
            // Otherwise a line was too long for a terminal and is broken in two.
            assert!(
                line.is_empty() || line.starts_with("Exit code"),
                "{command}: '{line}' is no command; are its lines too long?"
            );
        }
    }
    assert!(!found.is_empty(), "{command}");
    found
}

/// The files that the examples name.
fn prepare(here: &Path) {
    let game = "ostle:4x4,pieces=3,losses=2";
    let folder = ["--output", "output", "--draw", "1"];
    let filters = ["--filter", "forced-sacrifice", "--filter", "longest-wins"];
    ok(&[&["mine", game], &folder[..], &filters].concat(), here);
    let puzzles = here.join("output/forced-sacrifice/puzzles.csv");
    for name in ["puzzles.csv", "easy.csv", "sketches.csv"] {
        fs::copy(&puzzles, here.join(name)).unwrap();
    }
    let others = here.join("output/longest-wins/puzzles.csv");
    fs::copy(others, here.join("hard.csv")).unwrap();
    let chess = [
        "chess:KP-K",
        "--filter",
        "underpromotion",
        "--output",
        "pawn",
    ];
    ok(&[&["mine"], &chess[..]].concat(), here);
    let study = "[FEN \"1k6/1P6/8/2K5/8/8/8/8 w - - 0 1\"]\n\n1. Kc6 Ka7 2. Kc7 1-0\n";
    fs::write(here.join("studies.pgn"), study).unwrap();
    fs::write(here.join("game.txt"), "1. a1U d4D 2. b1U c4D\n").unwrap();
    ok(
        &[
            "solve",
            game,
            "-o",
            "output/ostle-4x4-pieces-3-losses-2.tsj",
        ],
        here,
    );
    fs::write(
        here.join("positions.txt"),
        "initial\n2b1/w1w1/1ob1/2b1 b -\n",
    )
    .unwrap();
    fs::write(here.join("mine.py"), "def best_move(n):\n    return 0\n").unwrap();
    for folder in [
        ".local/share/bash-completion/completions",
        ".zfunc",
        ".config/fish/completions",
    ] {
        fs::create_dir_all(here.join(folder)).unwrap();
    }
}

#[test]
fn every_example_of_every_help_works() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    prepare(here);
    let (mut run, mut read) = (0, 0);
    for command in names(here) {
        for example in examples(&command, here) {
            let place = format!("tesuji {command} --help: {example}");
            if example == "tesuji mine" {
                // The main job of the front page: pages and .ci/run run it.
                continue;
            }
            let script = example.split(" | man").next().unwrap_or_default();
            let slow = SLOW.iter().any(|begin| example.starts_with(begin));
            if slow || example.contains("output/ostle.tsj") {
                for words in commands(script, &place) {
                    parses(&words, &place);
                }
                read += 1;
                continue;
            }
            // A verdict of "no" is an answer too. A comment ends with its line.
            shell(&format!("{{ {script}\n}} || test $? -eq 1"), here, &place);
            run += 1;
        }
    }
    assert!(run > 30 && read > 8, "{run} run, {read} read");
}
