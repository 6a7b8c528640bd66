//! `tesuji check --game-score`: what the moves of a game give away.

use std::fs;

use serde_json::Value;

use crate::common::program::{ok, refused};
use tesuji::game::Next;
use tesuji::session::open;

const GAME: &str = "ostle:4x4,pieces=3,losses=2";
const MOVES: [&str; 6] = ["a1U", "d4D", "b1U", "c4D", "c1U", "b4D"];

#[test]
fn every_move_has_the_value_that_probe_gives_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let session = open(GAME).unwrap();
    let lines = session.lines().unwrap();
    let forms = [
        ("plain.txt", "a1U d4D b1U c4D c1U b4D\n"),
        (
            "numbered.txt",
            "1. a1U d4D? 2.b1U c4D!?\n3... c1U 3\u{2026}b4D 1-0\n",
        ),
        (
            "game.pgn",
            "[Event \"Club\"]\n\n1. a1U {first} d4D 2. b1U (2. b2U) c4D 3. c1U b4D *\n",
        ),
        (
            "engine.txt",
            "position 1www/4/1o2/bbb1 b - moves a1U d4D b1U c4D c1U b4D",
        ),
    ];
    for (name, text) in forms {
        fs::write(here.join(name), text).unwrap();
        let told = ok(&["check", GAME, "--game-score", name, "--json"], here);
        let told: Value = serde_json::from_str(&told).unwrap();
        let plies = told[0]["plies"].as_array().unwrap();
        assert_eq!(plies.len(), MOVES.len(), "{name}");
        let mut position = "initial".to_owned();
        for (ply, mv) in plies.iter().zip(MOVES) {
            let probed = ok(&["probe", GAME, &position, "--json"], here);
            let probed: Value = serde_json::from_str(&probed).unwrap();
            let moves = probed["moves"].as_array().unwrap();
            let played = moves.iter().find(|other| other["move"] == mv).unwrap();
            for key in ["outcome", "plies"] {
                assert_eq!(ply["played"][key], played[key], "{name}: {mv}");
                assert_eq!(ply["best"][key], probed[key], "{name}: {mv}");
            }
            let kept = moves
                .iter()
                .filter(|other| other["outcome"] == probed["outcome"]);
            let kept: Vec<_> = kept.map(|other| &other["move"]).collect();
            match ply["better"].as_array() {
                None => assert_eq!(played["outcome"], probed["outcome"]),
                Some(better) => {
                    assert_ne!(played["outcome"], probed["outcome"]);
                    assert_eq!(better.iter().collect::<Vec<_>>(), kept);
                }
            }
            if let Next::State(next) = lines.play(&position, mv).unwrap() {
                position = next;
            }
        }
    }
}

#[test]
fn mistakes_are_told_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("game.txt"), MOVES.join(" ")).unwrap();
    let score = ["check", GAME, "--game-score", "game.txt"];
    let told = ok(&[&score[..], &["-o", "mistakes.svg"]].concat(), here);
    assert!(
        told.contains("throws away the draw; better: b2U, c1U"),
        "{told}"
    );
    assert!(told.ends_with("3 mistakes in 6 plies\n"), "{told}");
    let picture = fs::read_to_string(here.join("mistakes.svg")).unwrap();
    assert_eq!(picture.matches("throws away").count(), 3);
    let check = ["check", "--puzzles", "none.csv", "--style", "dark"];
    let told = refused(&check, here);
    assert!(told.contains("--style"), "{told}");
    fs::write(here.join("wrong.txt"), "a1U a1U").unwrap();
    let told = refused(&["check", GAME, "--game-score", "wrong.txt"], here);
    assert!(told.contains("wrong.txt") && told.contains("a1U"), "{told}");
    for option in [["--style", "dark"], ["--dpi", "90"], ["--font", "x.ttf"]] {
        let told = refused(&[&score[..], &option].concat(), here);
        assert!(told.contains("--output"), "{told}");
    }
}

/// In games with nimbers, too: the first move on 3x3 but the middle one loses.
#[test]
fn moves_of_a_game_with_nimbers_are_valued() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("game.txt"), "1. a1 c3\n").unwrap();
    let told = ok(
        &["check", "kings:3x3", "--game-score", "game.txt", "--json"],
        here,
    );
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told[0]["plies"].as_array().unwrap().len(), 2);
}
