//! Chess programs: the engine, and puzzles in PGN and EPD.

use std::io::Write;
use std::path::Path;
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
fn the_engine_looks_at_the_moves_that_it_is_given() {
    let position = "position fen 1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1\n";
    let best = |go: &str| {
        let said = asked("chess:KQ-KR", &format!("{position}{go}\n"));
        let best = said.lines().last().unwrap_or_default().to_owned();
        best.replace("bestmove ", "")
    };
    assert_eq!(best("go"), "a5d5");
    for only in ["a5b6", "a5a1"] {
        let go = format!("go searchmoves {only} depth 5");
        assert_eq!(best(&go), only);
    }
    assert_ne!(best("go depth 9 searchmoves a5b6 a5a1"), "a5d5");
    // In USI, whose moves are not those of the game's notation.
    let usi = |go: &str| {
        asked(
            "dobutsu:pieces=lion+chick",
            &format!("usi\nposition startpos\n{go}\n"),
        )
    };
    let all = usi("setoption name MultiPV value 9\ngo");
    let lines = all.lines().filter_map(|line| line.split_once(" pv "));
    let names: Vec<_> = lines
        .filter_map(|(_, line)| line.split(' ').next())
        .collect();
    assert!(names.len() > 1, "{all}");
    for only in names {
        let said = usi(&format!("go searchmoves {only}"));
        assert!(said.ends_with(&format!("bestmove {only}\n")), "{said}");
    }
}

#[test]
fn the_main_line_is_whole_where_the_tree_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let at = "8/8/6N1/8/8/8/3k1pK1/8 b - -";
    // A mate in 19, on the way of which the other side has many defences.
    let line = ok(
        &[
            "solution",
            "chess:KN-KP",
            at,
            "--solutions",
            "main",
            "--nodes",
            "50",
        ],
        folder.path(),
    );
    let line = line.lines().nth(1).unwrap();
    assert!(line.contains(" 19.") && line.ends_with('#'), "{line}");
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
            "no game of chess:KP-K comes to these men; put others on the board (",
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
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let child = child.args(["engine", "chess:KP-K"]);
    let latin = folder.path().join("latin");
    std::fs::write(&latin, b"position \xe9\nisready\n").unwrap();
    let output = child.stdin(std::fs::File::open(latin).unwrap()).output();
    let said = String::from_utf8(output.unwrap().stdout).unwrap();
    assert!(said.starts_with("info string ignored a line") && said.ends_with("readyok\n"));
    // Words that the protocol does not have are passed over.
    assert_eq!(
        asked("chess:KP-K", "\nhello\ndebug on\nstop\nucinewgame\n"),
        ""
    );
}

#[test]
fn shogi_programs_speak_usi() {
    let (small, position) = (
        "dobutsu:pieces=lion+chick",
        "position sfen l2/1c1/1C1/1L1 b - 1",
    );
    let said = asked(
        small,
        &format!("usi\n{position}\ngo\n{position} moves 2c2b\ngo infinite\nstop\n"),
    );
    let lines: Vec<_> = said.lines().collect();
    let ["usiok", info, best, after, reply] = lines[lines.len() - 5..] else {
        panic!("{said}");
    };
    // Lb4-c3 La1-b1 Cb3xb2 Lb1-c1 Lc3-b3 Lc1-b1 Cb2xb1+, with file a as 3 and rank 1 as a.
    let line = "2d1c 3a2a 2c2b 2a1a 1c2c 1a2a 2b2a+";
    assert!(
        info.ends_with(&format!(" score mate 7 pv {line}")),
        "{info}"
    );
    assert_eq!((best, reply), ("bestmove 2d1c", "bestmove 3a2b"));
    assert!(
        after.contains(" score mate 13 pv 3a2b C*2c 2b1b "),
        "{after}"
    );
    for (lines, last) in [
        ("usi\nposition startpos\ngo\n", "bestmove 2d1c\n"),
        (
            "position startpos\ngo\n",
            "give the position as fen\nbestmove (none)\n",
        ),
        ("usi\nposition sfen x\ngo\n", "bestmove resign\n"),
        (
            "usi\nposition startpos\ngo mate infinite\n",
            "checkmate notimplemented\n",
        ),
    ] {
        let said = asked(small, lines);
        assert!(said.ends_with(last), "{lines}: {said}");
    }
    let said = asked(
        "chess:KP-K",
        "usi\nposition fen k7/3K4/1P6/8/8/8/8/8 w - - 0 1\ngo\n",
    );
    assert!(
        said.starts_with("info string chess:KP-K cannot be played in USI, which is for games of")
            && said.contains("; use UCI\n")
            && !said.contains("usiok"),
        "{said}"
    );
    // Moves of USI are read wherever moves are.
    let folder = tempfile::tempdir().unwrap();
    let score = format!("{position} moves {line}");
    std::fs::write(folder.path().join("score.txt"), score).unwrap();
    let said = ok(
        &["check", small, "--game-score", "score.txt", "--json"],
        folder.path(),
    );
    assert!(said.contains("\"name\": \"4.Cb2xb1+\""), "{said}");
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
        "[Stipulation \"White to move and mate in 6\"]",
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
fn puzzles_are_rows_as_lichess_writes_them() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let positions = [
        "k7/3K4/1P6/8/8/8/8/8 w - -",
        "8/1k6/8/8/8/8/KP6/8 b - -",
        "7k/R7/6K1/8/8/8/8/8 w - -",
        // White's last move was not f1f2.
        "8/8/8/8/5k2/8/5P2/K7 b - -",
        // No move of Black leads here.
        "7k/5K1P/8/8/8/8/8/8 w - -",
        // Black loses.
        "8/8/8/k7/8/K7/5P2/8 b - -",
    ];
    let games = ["KP-K", "KP-K", "KR-K", "KP-K", "KP-K", "KP-K"].into_iter();
    let rows = games.zip(positions);
    let rows: Vec<_> = rows
        .map(|(game, position)| format!("chess:{game},{position}\n"))
        .collect();
    let text = format!("game,position\n{}", rows.concat());
    std::fs::write(here.join("some.csv"), text).unwrap();
    let export = ["export", "--puzzles", "some.csv", "--format", "lichess"];
    ok(&[&export[..], &["-o", "lichess.csv"]].concat(), here);
    let mut reader = csv::Reader::from_path(here.join("lichess.csv")).unwrap();
    let names =
        "PuzzleId FEN Moves Rating RatingDeviation Popularity NbPlays Themes GameUrl OpeningTags";
    assert!(reader.headers().unwrap().iter().eq(names.split(' ')));
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    for (row, position) in rows.iter().zip(positions) {
        let mut board: cozy_chess::Board = row[1].parse().unwrap();
        let mut moves = row[2].split(' ');
        let mut play = |board: &mut cozy_chess::Board| {
            let mv = moves.next().map(|mv| mv.parse().unwrap());
            mv.inspect(|&mv| board.try_play(mv).unwrap()).is_some()
        };
        assert!(play(&mut board));
        assert!(board.to_string().starts_with(position), "{board}");
        let solver = board.side_to_move();
        assert!(play(&mut board));
        while play(&mut board) {}
        // The solver has made the last move.
        assert_ne!(board.side_to_move(), solver);
        let won = board.status() == cozy_chess::GameStatus::Won;
        assert_eq!(won, row[7].contains(" mate "), "{position}");
    }
    // The names of https://lichess.org/training/themes; a mate in six counts as one in five.
    assert_eq!(
        &rows[0][7],
        "endgame pawnEndgame veryLong mate mateIn5 promotion quietMove zugzwang"
    );
    assert_eq!(&rows[2][7], "endgame rookEndgame oneMove mate mateIn1");
}

/// The number of positions that match a pattern, and the lines of those that are shown.
fn composed(game: &str, pattern: &str, condition: &str) -> (u32, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let args = ["compose", game, pattern, "--where", condition];
    let text = ok(&[&args[..], &["--limit", "200"]].concat(), folder.path());
    let mut lines = text.lines();
    let mut words = lines.next().unwrap().split(' ');
    let count = words.nth(1).unwrap().replace(',', "").parse().unwrap();
    (count, lines.skip(1).map(str::to_owned).collect())
}

#[test]
fn a_pattern_can_name_the_side_to_move() {
    let pattern = "8/K?k5/8/????????/8/8/8/8";
    let both = composed("chess:KP-K", pattern, "n_moves > 0");
    let sides = [("w", "White to move"), ("b", "Black to move")];
    let sides = sides.map(|(letter, words)| {
        let (count, lines) = composed("chess:KP-K", &format!("{pattern} {letter}"), "n_moves > 0");
        assert!(
            !lines.is_empty() && lines.iter().all(|line| line.contains(words)),
            "{lines:?}"
        );
        count
    });
    assert!(sides[0] > 0 && sides[1] > 0);
    assert_eq!(sides[0] + sides[1], both.0);
    // Where both sides have the same men, colours are only names.
    let (rooks, swapped) = ("7r/8/8/8/????????/8/8/k6R b", "7R/8/8/8/????????/8/8/K6r w");
    let [black, white] =
        [rooks, swapped].map(|text| composed("chess:KR-KR", text, "outcome = 'win'"));
    assert!(black.0 > 0);
    assert_eq!(black.0, white.0);
    assert!(
        black
            .1
            .iter()
            .all(|line| line.contains("Black to move and mate")),
        "{black:?}"
    );
    let message = refused(
        &["compose", "chess:KP-K", &format!("{pattern} x")],
        Path::new("."),
    );
    assert!(
        message.contains("then a space and w or b for the side to move"),
        "{message}"
    );
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

/// The output of a check of puzzles, and its exit code.
fn checked(arguments: &[&str], folder: &Path) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    let output = command
        .arg("check")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        output.status.code(),
    )
}

#[test]
fn a_mate_counts_moves() {
    let folder = tempfile::tempdir().unwrap();
    let at = "1k6/1P6/8/2K5/8/8/8/8 w - -";
    // Kc6 alone wins, and mates with the fifth move.
    for (asked, code) in [
        ("mate in 5", 0),
        ("White to move and mate in five moves", 0),
        ("win in 9", 0),
        ("mate in 9 plies", 0),
        ("mate in 4", 1),
        ("mate in 6", 1),
    ] {
        let (said, found) = checked(&["chess:KP-K", at, "--stipulation", asked], folder.path());
        assert_eq!(found, Some(code), "{asked}: {said}");
    }
    let said = ok(&["solution", "chess:KP-K", at], folder.path());
    assert!(
        said.starts_with("White to move: mate in 5\n1.Kc6! "),
        "{said}"
    );
    let said = ok(
        &["solution", "chess:KP-K", "k7/8/1PK5/8/8/8/8/8 b - -"],
        folder.path(),
    );
    assert!(said.starts_with("Black to move: mated in 5\n"), "{said}");
}

/// A study in PGN.
fn study(fen: &str, result: &str, moves: &str) -> String {
    format!(
        "[White \"A. Composer\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{moves} {result}\n\n"
    )
}

#[test]
fn variations_of_studies_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // White must not leave the pawn, which Black then takes.
    let pawn = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    for (fen, moves, because, variations) in [
        (
            pawn,
            "1. Kd6 (1. Kf6 Kf8) Kd8 (1... Kf7 2. Kd7 (2. Kc6? Ke6) Kf8 3. e6) 2. e6",
            "[]",
            3,
        ),
        (
            pawn,
            "1. Kd6 Kd8 (1... Kf7 2. Kc6 Ke6) 2. e6",
            "[\"1...Kf7 2.Kc6\"]",
            1,
        ),
        (
            pawn,
            "1. Kd6 Kd8 2. e6 (2. Kc6? Ke7 (2... Kc8)) Ke8",
            "[]",
            1,
        ),
        // A try, which a reply does not refute.
        (
            pawn,
            "1. Kd6 Kd8 2. e6 (2. Kc6? Kc8) Ke8",
            "[\"2.Kc6 2...Kc8\"]",
            1,
        ),
        (
            pawn,
            "1. Kd6 Kd8 (1... Kf7 -- 2. Ke8) (1... Kh1 2. e6) 2. e6",
            "[\"1...Kh1 (not legal)\"]",
            1,
        ),
        (
            pawn,
            "1. Kd6 Kd8 (1... Kf7 2. Kc6 $2 Ke6 3. Kc5) 2. e6",
            "[]",
            1,
        ),
        // The same with colours changed: Black begins.
        (
            "8/8/8/8/4p3/4k3/8/4K3 b - - 0 1",
            "1... Kd3 2. Kd1 (2. Kf2 Kc3 3. Ke3) e3",
            "[\"2.Kf2 2...Kc3\"]",
            1,
        ),
        // With four men, Black need not take the pawn that the solution lets go.
        (
            "8/8/8/2P5/Pk6/8/8/7K w - - 0 1",
            "1. Kg2 Kxa4 (1... Kxc5 2. a5 Kb5) (1... Ka5 2. c6) 2. c6",
            "[\"1...Kxc5\"]",
            1,
        ),
    ] {
        let result = if fen.contains(" b ") { "0-1" } else { "1-0" };
        std::fs::write(here.join("one.pgn"), study(fen, result, moves)).unwrap();
        let args = ["--puzzles", "one.pgn", "--game", "chess:KP-K", "--json"];
        let said = checked(&args, here).0;
        let found = |key: &str| said.contains(key);
        assert!(found(&format!("\"because\":{because},")), "{moves}: {said}");
        assert!(
            found(&format!("\"variations\":{variations}")),
            "{moves}: {said}"
        );
        assert_eq!(
            found("\"verdict\":\"fails\""),
            because != "[]",
            "{moves}: {said}"
        );
    }
}

#[test]
fn solutions_of_studies_are_held_against_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let studies = [
        // Each move of White is the only one; the last one could also promote to a rook.
        study(
            "1k6/1P6/8/2K5/8/8/8/8 w - - 0 1",
            "1-0",
            "1. Kc6 {only} Ka7 2. Kc7!",
        ),
        study(
            "1k6/1P6/8/2K5/8/8/8/8 w - - 0 1",
            "1-0",
            "1. Kc6 Ka7 2. Kc7 Ka6 3. b8=Q",
        ),
        study("1k6/1P6/8/2K5/8/8/8/8 w - - 0 1", "1-0", "1. Kb6"),
        // Black need not go to the edge.
        study(
            "k7/8/1PK5/8/8/8/8/8 w - - 0 1",
            "1-0",
            "1. b7+ Ka7 2. Kc7 Ka6 3. b8=Q",
        ),
        study("1K6/1p6/8/2k5/8/8/8/8 b - - 0 1", "1/2-1/2", "1... Kc6"),
        // Four men, then three.
        study(
            "k7/8/1PKr4/8/8/8/8/8 w - - 0 1",
            "1/2-1/2",
            "1. Kxd6 Kb7 2. Kc5",
        ),
        study("1k6/1P6/8/2K5/8/8/8/8 w - - 0 1", "1-0", "1. Kd7"),
        "1. e4 e5 *\n".to_owned(),
        // The result after the moves counts, too.
        "[FEN \"1K6/1p6/8/2k5/8/8/8/8 b - - 0 1\"]\n\n1... Kc6 0-1\n\n".to_owned(),
        "[Result \"1-0\"]\n[FEN \"1K6/1p6/8/2k5/8/8/8/8 b - - 0 1\"]\n\n1... Kc6 0-1\n\n"
            .to_owned(),
        "[Result \"0-1\"]\n[FEN \"1K6/1p6/8/2k5/8/8/8/8 b - - 0 1\"]\n\n1... Kc6 *\n".to_owned(),
    ];
    std::fs::write(here.join("studies.pgn"), studies.concat()).unwrap();
    let (said, code) = checked(&["--puzzles", "studies.pgn", "--game", "chess:KP-K"], here);
    let expected = [
        "   1  A. Composer\n      White wins: sound",
        "   2  A. Composer\n      White wins: right, with duals\n        also win: 3.b8=R",
        "   3  A. Composer\n      White wins: right, but a move spoils it\n        because of: 1.Kb6",
        "   4  A. Composer\n      White wins: wrong: it is a draw\n        because of: 1...Kb8",
        "   5  A. Composer\n      White draws: wrong: it is lost",
        "   6  A. Composer\n      White draws: right, with duals (checked after 1 ply, from k7/8/1P1K4/8/8/8/8/8 b - -)\n        also draw: 2.",
        "   7  A. Composer\n      not checked: Kd7 is not a legal move in ",
        "   8  \n      not checked: it has no tag FEN, and so begins with all 32 men",
        "   9  \n      Black wins: ",
        "  10  \n      not checked: its tag Result is 1-0, but its moves end with 0-1",
        "  11  \n      Black wins: ",
        "1 of 11 sound, 3 not checked",
    ];
    let mut rest = &*said;
    for part in expected {
        let Some((_, after)) = rest.split_once(part) else {
            panic!("{part}: {said}")
        };
        rest = after;
    }
    assert_eq!((code, rest), (Some(1), "\n"));
    // Without a game, each is checked by the ending of its men.
    std::fs::write(
        here.join("one.epd"),
        "1k6/1P6/8/2K5/8/8/8/8 w - - bm Kc6; id \"one\";\n",
    )
    .unwrap();
    let (said, code) = checked(&["--puzzles", "one.epd", "--json"], here);
    assert_eq!(code, Some(0));
    assert!(
        said.contains("\"title\":\"one\"") && said.contains("\"verdict\":\"sound\""),
        "{said}"
    );
    std::fs::write(here.join("bad.pgn"), "[FEN \"8").unwrap();
    let message = refused(&["check", "--puzzles", "bad.pgn"], here);
    std::fs::write(here.join("latin.pgn"), b"[White \"R\xe9ti\"]").unwrap();
    let latin = refused(&["check", "--puzzles", "latin.pgn"], here);
    assert!(
        latin.contains("latin.pgn as UTF-8; a file in Latin-1"),
        "{latin}"
    );
    assert!(
        message.contains("bad.pgn: line 1: a tag is not closed"),
        "{message}"
    );
}

/// Its moves are replayed, whatever the number of men, and numbered as in its FEN.
#[test]
fn a_study_of_many_men_comes_to_the_ending_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let fen = "3r3k/3r4/2K5/3q4/P7/8/3R4/3R4 w - - 0 41";
    // As people write moves.
    let moves = "41. Rd2:d5 \u{265c}d7xd5 42. Rd1xd5 \u{265c}xd5 43. \u{2654}xd5 Kh8-g7\u{25a1} 44. a4-a5 Kf7 45. a6 Ke7 46. a7";
    std::fs::write(here.join("one.pgn"), study(fen, "1-0", moves)).unwrap();
    let args = ["--puzzles", "one.pgn", "--game", "chess:KP-K"];
    let said = checked(&args, here).0;
    let from = "right, with duals (checked after 5 plies, from 7k/8/8/3K4/P7/8/8/8 b - -)";
    let expected = format!("White wins: {from}\n        also win: 44.K");
    assert!(said.contains(&expected), "{said}");
    let score = ["check", "chess:KP-K", "--game-score", "one.pgn"];
    assert!(ok(&score, here).contains("\n43...Kg7 "));
    let (said, _) = checked(&["--puzzles", "one.pgn"], here);
    let large = "not checked: chess:KRRP-KQRR is too large for a table; give that of an ending";
    assert!(said.contains(large), "{said}");
    // A pawn is taken in passing.
    let fen = "k7/1p6/8/P7/8/2K5/8/8 b - - 0 1";
    let studies =
        ["a5xb6", "axb6e.p."].map(|mv| study(fen, "1-0", &format!("1... b5 2. {mv} Kb7 3. Kb4")));
    std::fs::write(here.join("two.pgn"), studies.concat()).unwrap();
    let (said, _) = checked(&["--puzzles", "two.pgn", "--game", "chess:KP-K"], here);
    assert_eq!(said.matches("(checked after 2 plies").count(), 2, "{said}");
    // King and rook castle, in the ending of the table or before.
    let fen = "5n2/8/8/6k1/8/8/8/4K2R w K - 0 1";
    let castles = ["O-O", "0-0", "e1g1"];
    let studies = castles.map(|mv| study(fen, "1-0", &format!("1. {mv} Kg6 2. Rxf8 Kg7")));
    std::fs::write(here.join("three.pgn"), studies.concat()).unwrap();
    let (said, _) = checked(&["--puzzles", "three.pgn", "--game", "chess:KR-K"], here);
    assert_eq!(said.matches("(checked after 3 plies").count(), 3, "{said}");
    let fen = "8/8/8/6k1/8/8/8/4K2R w K - 0 1";
    let studies = castles.map(|mv| study(fen, "1-0", &format!("1. {mv} Kh5 2. Kg2")));
    std::fs::write(here.join("four.pgn"), studies.concat()).unwrap();
    let (said, _) = checked(&["--puzzles", "four.pgn"], here);
    assert_eq!(said.matches("White wins: right").count(), 3, "{said}");
}

/// A puzzle is judged alike in every format: by what it asks for.
#[test]
fn the_task_of_a_study_is_that_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let told = |name: &str, text: &str| {
        std::fs::write(here.join(name), text).unwrap();
        checked(&["--puzzles", name], here).0
    };
    for (position, found) in [
        (
            "8/8/8/2K5/8/8/1R6/k7 w - - bm Rb3; dm 5;",
            "White to move and mate in 5: sound",
        ),
        (
            "8/8/8/2K5/8/8/1R6/k7 w - - bm Rb3; dm 4;",
            "White to move and mate in 4: wrong: it is mate in 5",
        ),
        (
            "8/8/8/2K5/8/8/1R6/k7 w - - am Rb3;",
            "in EPD the best move is missing",
        ),
        (
            "4k3/8/4K3/4P3/8/8/8/8 w - - bm Kd6 Kf6;",
            "White wins: sound",
        ),
        (
            "4k3/8/4K3/4P3/8/8/8/8 w - - bm Kd6;",
            "right, but cooked\n        also win: 1.Kf6",
        ),
        (
            "4k3/8/4K3/4P3/8/8/8/8 w - - bm Kd6 Kd5;",
            "a move spoils it\n        because of: 1.Kd5",
        ),
        ("8/8/8/2K5/8/1R6/8/k7 b - - bm Ka2;", "Black loses: sound"),
        (
            "1k6/8/8/8/8/8/r7/2K5 w - - bm Kd1;",
            "White loses: right, but cooked\n        also lose: 1.Kb1",
        ),
    ] {
        let said = told("one.epd", position);
        assert!(said.contains(found), "{position}: {said}");
    }
    // White draws, though Black moves first, unless a tag says otherwise.
    let drawn = study(
        "8/8/8/8/4k3/4p3/8/4K3 b - - 0 1",
        "1/2-1/2",
        "1... Kd3 2. Kd1 e2+ 3. Ke1 Ke3",
    );
    let asked = |task: &str| format!("[Stipulation \"{task}\"]\n{drawn}");
    assert!(told("one.pgn", &drawn).contains("White draws: sound"));
    for (task, found) in [
        ("White draws", "White draws: sound"),
        ("Black to move and draw", "Black draws: right, but cooked"),
        (
            "win",
            "its tag Stipulation is 'win', but its result is 1/2-1/2",
        ),
    ] {
        let said = told("one.pgn", &asked(task));
        assert!(said.contains(found), "{task}: {said}");
    }
    let mine = [
        "mine",
        "chess:KP-K",
        "--filter",
        "longest-wins",
        "--draw",
        "0",
    ];
    ok(&[&mine[..], &["-o", "m"]].concat(), here);
    let puzzles = "m/longest-wins/puzzles.csv";
    ok(&["export", "--puzzles", puzzles, "-o", "p.pgn"], here);
    let [rows, games] = [puzzles, "p.pgn"].map(|file| checked(&["--puzzles", file], here).0);
    assert_eq!(rows.lines().last(), games.lines().last());
}

/// A short solution has few variations, but what the composer must know comes first.
#[test]
fn tries_and_duals_of_the_line_come_before_variations() {
    let here = tempfile::tempdir().unwrap();
    let refused = "promotion-refused";
    let mine = ["mine", "chess:KP-K", "--filter", refused, "--draw", "0"];
    ok(&[&mine[..], &["-o", "m"]].concat(), here.path());
    let puzzles = "m/promotion-refused/puzzles.csv";
    ok(
        &["export", "--puzzles", puzzles, "-o", "p.pgn"],
        here.path(),
    );
    let text = std::fs::read_to_string(here.path().join("p.pgn")).unwrap();
    let games: Vec<_> = text.split("[Event ").collect();
    let game = games.iter().find(|game| game.contains("8/2Pk4/K7/8"));
    let game = game.unwrap().split_whitespace().collect::<Vec<_>>();
    let game = game.join(" ");
    for part in ["(1. c8=Q+ $2 Kxc8 $1)", "4. Kc7 (4. Kb6)", "(9. Qe7#) 1-0"] {
        assert!(game.contains(part), "{part}: {game}");
    }
    let tag = "[Variations \"not all\"]";
    assert!(game.contains(tag), "{game}");
    for game in &games[1..] {
        let variations = game.matches('(').count();
        assert!(variations == 24 || !game.contains(tag), "{game}");
    }
}
