//! `tesuji check --game-score`: what the moves of a game give away.

use std::fs;
use std::path::Path;

use encoding_rs::SHIFT_JIS;
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

const SMALL: &str = "dobutsu:pieces=lion+chick";

/// A game as a Japanese program writes it, with a board, comments, times and a variation.
const KIF: &str = "# ---- Kifu for Windows V7 ----
開始日時：2024/01/01
手合割：その他　
後手の持駒：なし
  ３ ２ １
+---------+
|vラ ・ ・|一
| ・vヒ ・|二
| ・ ヒ ・|三
| ・ ラ ・|四
+---------+
先手の持駒：なし
先手：ひと
手数----指手---------消費時間--
*はじめ
   1 １三ラ(24)   ( 0:01/00:00:01)
   2 ２一ラ(31)   ( 0:01/00:00:01)+
&しおり
   3 ２二ヒ(23)   ( 0:01/00:00:02)

   4 １一ラ(21)
   5 ２三ラ(13)
   6 ２一ラ(11)
   7 同　ヒ成(22)   ( 0:01/00:00:09)
   8 投了
まで7手で先手の勝ち

変化：2手
   2 この行は読まれない
";

/// The report on a game in one of the files of a folder.
fn report(game: &[&str], name: &str, text: &[u8], here: &Path) -> Value {
    fs::write(here.join(name), text).unwrap();
    let score = ["check", "--game-score", name, "--json"];
    serde_json::from_str(&ok(&[&score[..1], game, &score[1..]].concat(), here)).unwrap()
}

/// In any encoding KIF has the moves that USI has.
#[test]
fn games_in_kif_are_those_in_usi() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let usi = "position sfen l2/1c1/1C1/1L1 b - 1 moves 2d1c 3a2a 2c2b 2a1a 1c2c 1a2a 2b2a+";
    let expected = report(&[SMALL], "usi.txt", usi.as_bytes(), here);
    assert_eq!(expected[0]["plies"].as_array().unwrap().len(), 7);
    let windows = KIF.replace('\n', "\r\n");
    let wide: Vec<u8> = KIF.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [
        ("a.kifu", KIF.as_bytes().to_vec()),
        ("b.KIF", SHIFT_JIS.encode(&windows).0.into_owned()),
        ("c.kif", [&b"\xff\xfe"[..], &wide].concat()),
        (
            "d.txt",
            [&b"\xef\xbb\xbf\n"[..], windows.as_bytes()].concat(),
        ),
    ] {
        assert_eq!(report(&[SMALL], name, &bytes, here), expected, "{name}");
    }
    // Without a board the game begins with the position that is given; a drop may have a time, too.
    let start = "l2/1c1/1C1/1L1 b - 1";
    let usi = format!("position sfen {start} moves 2c2b 3a2b C*2c 2b1b");
    let expected = report(&[SMALL], "usi.txt", usi.as_bytes(), here);
    for drop in ["ヒ打", "ひよこ打   ( 0:01/00:00:02)"] {
        let kif = format!("1 ２二ヒ(23)\n2 同 ラ(31)\n3 ２三{drop}\n4 １二ラ(22)\n5 中断\n6 ?");
        let found = report(&[SMALL, start], "e.kif", kif.as_bytes(), here);
        assert_eq!(found, expected, "{drop}");
    }
}

/// In games from a file of rules with the pieces of shogi, from the first position or from a board
/// with hands, on which White moves.
#[test]
fn small_games_of_shogi_are_read_from_kif() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let piece = |letter: &str, name: &str, moves: &str, rest: &str| {
        format!(
            "\n[[piece]]\nletter = \"{letter}\"\nname = \"{name}\"\nmoves = \"{moves}\"\n{rest}\n"
        )
    };
    let rules = [
        "title = \"Three\"\ncolumns = 3\nrows = 3\nsides = \"sente-gote\"\nno_move = \"loss\"\n"
            .to_owned(),
        "captured = \"hand\"\nstart = [\"kp-\", \"---\", \"-PK\"]\n".to_owned(),
        piece("K", "king", "K", "royal = true"),
        piece("P", "pawn", "fW", "promotes_to = \"T\""),
        piece("T", "tokin", "WfF", "in_hand = \"P\""),
    ];
    fs::write(here.join("three.toml"), rules.concat()).unwrap();
    let game = "rules:three.toml";
    let board = "後手の持駒：歩\n| ・ ・v玉|一\n| ・ ・ ・|二\n| 玉 と ・|三\n後手番\n";
    for (usi, kif) in [
        (
            "position startpos moves 2c2b 2a2b 1c1b P*2a 1b1a 2b2c+",
            "1 ２二歩(23)\n2 同　歩(21)\n3 １二玉(13)\n4 ２一歩打\n5 １一玉(12)\n6 ２三歩成(22)\n7 投了\n",
        ),
        (
            "position startpos moves 1c1b 3a3b 2c2b 3b3c 2b2a+",
            "1 １二玉(13)\n2 ３二玉(31)\n3 ２二歩不成(23)\n4 ３三玉(32)\n5 ２一歩成(22)\n",
        ),
        (
            "position sfen 2k/3/K+P1 w p 1 moves P*2b 2c2b",
            &format!("{board}1 ２二歩打\n2 同　と(23)\n"),
        ),
    ] {
        let expected = report(&[game], "usi.txt", usi.as_bytes(), here);
        assert_eq!(
            report(&[game], "x.kif", kif.as_bytes(), here),
            expected,
            "{kif}"
        );
    }
}

#[test]
fn what_is_no_game_in_kif_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (from, to, words) in [
        (
            "その他",
            "角落ち",
            "line 3: the handicap 角落ち is not known",
        ),
        ("先手：ひと", "ひと", "line 13: a line of the header"),
        (
            "後手の持駒：なし",
            "後手の持駒：残り",
            "line 4: '残' is no piece in hand",
        ),
        (
            "・vヒ ・|二",
            "・vヒ|二",
            "line 8: the rank has 2 squares, not 3",
        ),
        ("   2 ２一ラ(31)", "   2 なにか", "line 17: 'なにか "),
        ("   2 ２一ラ(31)", "   2 ２１ラ(31)", "line 17: "),
        ("   2 ２一ラ(31)", "   2 ２一ラ", "line 17: "),
        ("２一ラ(31)", "２一ラ(30)", "line 17: '２一ラ(30) "),
        ("２一ラ(31)", "２一と打", "line 17: '２一と打 "),
        (
            "１三ラ(24)",
            "同　ラ(24)",
            "line 16: '同　ラ(24)   ( 0:01/00:00:01)' is neither a move",
        ),
        // What is read but not legal has the name that shogi programs give it.
        (
            "２一ラ(31)",
            "２三ラ(31)",
            "the game in line 1: 3a2c is not a legal move in '",
        ),
    ] {
        assert!(KIF.contains(from), "{from}");
        fs::write(here.join("x.kif"), KIF.replacen(from, to, 1)).unwrap();
        let told = refused(&["check", SMALL, "--game-score", "x.kif"], here);
        assert!(
            told.contains(words) && told.contains("x.kif"),
            "{to}: {told}"
        );
    }
    fs::write(here.join("x.kif"), KIF).unwrap();
    let told = refused(&["check", GAME, "--game-score", "x.kif"], here);
    assert!(told.contains("has no moves of KIF"), "{told}");
    fs::write(here.join("x.kif"), b"\xff\xff").unwrap();
    let told = refused(&["check", SMALL, "--game-score", "x.kif"], here);
    assert!(told.contains("neither UTF-8 nor Shift_JIS"), "{told}");
}
