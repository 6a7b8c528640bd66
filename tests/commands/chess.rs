//! Chess programs: the engine, and puzzles in PGN and EPD.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::program::{ok, refused};

/// What the engine answers to these lines.
fn asked(spec: &str, lines: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    command.args(["engine", spec]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Black to move and lose (Philidor 1777): mated in seven moves by the defence that holds out longest.
const PHILIDOR: &str = "position fen 1k6/1r6/2K5/Q7/8/8/8/8 b - - 0 1";

#[test]
fn the_engine_shows_values_and_lines() {
    let said = asked(
        "chess:KQ-KR",
        &format!("uci\nisready\n{PHILIDOR}\ngo movetime 100\n"),
    );
    let lines: Vec<_> = said.lines().collect();
    assert!(lines[0].starts_with("id name tesuji") && lines[0].ends_with("chess:KQ-KR"));
    let ["uciok", "readyok", info, best] = lines[lines.len() - 4..] else {
        panic!("{said}");
    };
    assert!(info.contains(" multipv 1 score mate -7 pv b7b1 "), "{info}");
    assert_eq!(info.split(" pv ").nth(1).unwrap().split(' ').count(), 14);
    assert_eq!(best, "bestmove b7b1");
}

#[test]
fn the_engine_shows_as_many_lines_as_it_is_asked_for() {
    let said = asked(
        "chess:KQ-KR",
        &format!("setoption name MultiPV value 3\n{PHILIDOR} moves b7h7\ngo\nquit\n"),
    );
    let infos: Vec<_> = said
        .lines()
        .filter(|line| line.starts_with("info"))
        .collect();
    assert_eq!(infos.len(), 3, "{said}");
    for (number, info) in (1..).zip(&infos) {
        assert!(
            info.contains(&format!(" multipv {number} score mate ")),
            "{info}"
        );
    }
    let drawn = asked(
        "chess:KP-K",
        "position fen k7/8/1PK5/8/8/8/8/8 w - - 0 1\ngo\n",
    );
    assert!(drawn.contains(" score cp 0 pv "), "{drawn}");
}

#[test]
fn the_best_move_waits_for_stop() {
    let commands = format!("{PHILIDOR}\ngo infinite\nisready\nstop\nstop\n");
    let said = asked("chess:KQ-KR", &commands);
    let (_, end) = said.split_once("readyok").unwrap();
    assert_eq!(end, "\nbestmove b7b1\n", "{said}");
}

#[test]
fn what_is_no_position_gets_a_reason_and_no_move() {
    for (commands, reason) in [
        ("go\n", "give a position first"),
        ("position startpos\ngo\n", "give the position as fen"),
        ("position fen\ngo\n", "give the position as fen"),
        ("position fen 8/8/8/8/8/8/8/8 w\ngo\n", "one king"),
        (
            "position fen 1k6/8/2K5/8/8/8/PP6/8 w - - 0 1\ngo\n",
            "no game of chess:KP-K",
        ),
        (
            "position fen k7/8/1PK5/8/8/8/8/8 w - - 0 1 moves c6c8\ngo\n",
            "c6c8",
        ),
        (
            "position fen k7/8/1PK5/8/8/8/8/8 w - - 0 1 moves c6c7\ngo\n",
            "over after c6c7",
        ),
        ("setoption name MultiPV value 0\ngo\n", "1 to 256"),
    ] {
        let said = asked("chess:KP-K", commands);
        let info = said.lines().next().unwrap();
        assert!(
            info.starts_with("info string ") && info.contains(reason),
            "{said}"
        );
        assert!(said.ends_with("bestmove (none)\n"), "{said}");
    }
    let folder = tempfile::tempdir().unwrap();
    for spec in ["kings:3x3", "sliding:2x2", "tsuitate"] {
        let message = refused(&["engine", spec], folder.path());
        assert!(message.contains("an engine needs a table"), "{message}");
    }
    // Words that the protocol does not have are passed over.
    assert_eq!(
        asked("chess:KP-K", "\nhello\ndebug on\nstop\nucinewgame\n"),
        ""
    );
}

#[test]
fn puzzles_are_games_and_positions_of_other_programs() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = "game,position,title,author\nchess:KP-K,k7/3K4/1P6/8/8/8/8/8 w - -,\"The \"\"trap\"\"\",A. Composer\n";
    std::fs::write(here.join("one.csv"), text).unwrap();
    ok(&["export", "--puzzles", "one.csv", "-o", "one.pgn"], here);
    let game = std::fs::read_to_string(here.join("one.pgn")).unwrap();
    for tag in [
        "[Event \"The \\\"trap\\\"\"]",
        "[White \"A. Composer\"]",
        "[Result \"1-0\"]",
        "[SetUp \"1\"]",
        "[FEN \"k7/3K4/1P6/8/8/8/8/8 w - - 0 1\"]",
        "[Stipulation \"White to move and win in 11\"]",
    ] {
        assert!(game.contains(&format!("{tag}\n")), "{game}");
    }
    assert!(game.contains("\n\n1. Kc6 $1 "), "{game}");
    assert!(game.ends_with(") 1-0\n\n"), "{game}");
    ok(&["export", "--puzzles", "one.csv", "-o", "one.epd"], here);
    let positions = std::fs::read_to_string(here.join("one.epd")).unwrap();
    assert!(
        positions.starts_with("k7/3K4/1P6/8/8/8/8/8 w - - bm Kc6; dm 6; id \""),
        "{positions}"
    );
    assert_eq!(positions.lines().count(), 1);
}

#[test]
fn other_games_have_no_pgn() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("p.csv"), "game,position\nhexapawn,ppp/3/PPP w\n").unwrap();
    let message = refused(&["export", "--puzzles", "p.csv", "-o", "p.pgn"], here);
    assert!(
        message.contains("p.csv, row 1") && message.contains("hexapawn is another game"),
        "{message}"
    );
    assert!(!here.join("p.pgn").exists());
}
