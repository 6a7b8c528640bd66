//! Games in PGN and positions in EPD: what is written, and what is read.

use tesuji::export::{Mark, PgnGame, PgnMove, PgnRecord, read_epd, read_pgn, write_epd, write_pgn};

fn mv(san: &str, instead: Vec<Vec<PgnMove>>) -> PgnMove {
    PgnMove {
        instead,
        ..PgnMove::new(san.to_owned())
    }
}

/// Black to move: two replies, of which the second has a dual.
fn game() -> PgnGame {
    let dual = vec![mv("Qb7#", vec![])];
    let other = vec![mv("Kc8", vec![]), mv("Qc7#", vec![dual])];
    PgnGame {
        fen: "1k6/8/2K5/Q7/8/8/8/8 b - - 0 1".to_owned(),
        event: "A \"quoted\" \\ title\n".to_owned(),
        site: "?".to_owned(),
        author: "?".to_owned(),
        id: "one; two".to_owned(),
        tags: vec![("Themes", "zugzwang".to_owned())],
        result: "1-0",
        moves: vec![mv("Kc8", vec![other]), mv("Qa8#", vec![])],
        best: vec!["Kc8".to_owned()],
        mate: None,
        before: None,
        line: vec![],
        themes: vec![],
    }
}

#[test]
fn variations_stand_after_the_moves_that_they_replace() {
    let mut text = Vec::new();
    write_pgn(&mut text, &[game()]).unwrap();
    let expected = r#"[Event "A \"quoted\" \\ title"]
[Site "?"]
[Date "????.??.??"]
[Round "-"]
[White "?"]
[Black "?"]
[Result "1-0"]
[SetUp "1"]
[FEN "1k6/8/2K5/Q7/8/8/8/8 b - - 0 1"]
[PuzzleId "one; two"]
[Themes "zugzwang"]

1... Kc8 (1... Kc8 2. Qc7# (2. Qb7#)) 2. Qa8# 1-0

"#;
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn long_lines_are_broken() {
    let game = PgnGame {
        moves: vec![mv("Kc8", vec![]); 100],
        ..game()
    };
    let mut text = Vec::new();
    write_pgn(&mut text, &[game]).unwrap();
    let text = String::from_utf8(text).unwrap();
    let body = text.split("\n\n").nth(1).unwrap();
    assert!(
        body.lines()
            .all(|line| line.len() <= 79 && !line.starts_with(' '))
    );
    assert_eq!(body.split_whitespace().count(), 100 + 51 + 1);
}

#[test]
fn what_is_written_is_read() {
    let mut text = Vec::new();
    write_pgn(&mut text, &[game(), game()]).unwrap();
    let text = String::from_utf8(text).unwrap();
    let games = read_pgn(&text).unwrap();
    assert_eq!(games.len(), 2);
    assert_eq!((games[0].line, games[1].line), (1, 15));
    assert_eq!(games[1].moves, game().moves);
    assert_eq!(games[1].tag("Event"), "A \"quoted\" \\ title");
    assert_eq!((games[1].tag("Site"), games[1].tag("Result")), ("", "1-0"));
    let mut text = Vec::new();
    write_epd(&mut text, &[game()]).unwrap();
    let [position] = &read_epd(&String::from_utf8(text).unwrap())[..] else {
        panic!("one position")
    };
    assert_eq!(position.tag("FEN"), "1k6/8/2K5/Q7/8/8/8/8 b - - 0 1");
    assert_eq!(
        (position.tag("Event"), position.main_line()),
        ("one, two", vec!["Kc8".to_owned()])
    );
}

#[test]
fn games_end_with_a_result() {
    let text = "1. e4 1-0\n1. d4 (1. c4 *) d5 * [A \"b\"] [FEN \"x\"] *";
    let games = read_pgn(text).unwrap();
    let moves: Vec<_> = games
        .iter()
        .map(|game| game.main_line().join(" "))
        .collect();
    assert_eq!(moves, ["e4", "d4 d5", ""]);
    assert_eq!(
        (games[2].tag("A"), games[2].fen(), games[2].line),
        ("b", "x", 2)
    );
}

#[test]
fn moves_are_told_from_numbers_and_remarks() {
    for (text, moves) in [
        ("1.2d1c 1...3a2a 2. 2c2b", "2d1c 3a2a 2c2b"),
        ("1.0-0 1\u{2026}0-0-0 0000", "0-0 0-0-0 0000"),
        ("1... bxa6 e.p. = +- 2 -- \u{b1} Kc8", "bxa6 -- Kc8"),
        ("(1. Kb2) 1. Kb3 (Kc3 [x y] Kd3) Ka1 $10", "Kb3 Ka1"),
    ] {
        let games = read_pgn(text).unwrap();
        assert_eq!(games[0].main_line().join(" "), moves, "{text}");
    }
}

#[test]
fn comments_are_left_out() {
    let text = "% a\n1.Kb6 $1 {a (b [c]} (1. Kc6? Ka7 (1... Ka8!)) 1... Ka8!? $10 ; rest\n2.c7 *";
    let games = read_pgn(text).unwrap();
    let mv = |san: &str, mark, instead| PgnMove {
        san: san.to_owned(),
        mark,
        instead,
    };
    let nested = vec![vec![mv("Ka8", Some(Mark::Good), vec![])]];
    let inner = vec![
        mv("Kc6", Some(Mark::Mistake), vec![]),
        mv("Ka7", None, nested),
    ];
    let expected = [
        mv("Kb6", Some(Mark::Good), vec![inner]),
        mv("Ka8", None, vec![]),
        mv("c7", None, vec![]),
    ];
    assert_eq!(games[0].moves, expected);
    assert_eq!(games[0].fen(), PgnRecord::default().fen());
    let games = read_pgn("[Event \"a\u{1b}[31mb\"]\r\n\r\n1.\te4\u{7}\r\n").unwrap();
    assert_eq!(
        (games[0].tag("Event"), &games[0].main_line()[..]),
        ("a [31mb", &["e4".to_owned()][..])
    );
    let nested = |depth| "a (".repeat(depth) + &"b)".repeat(depth);
    let refused = read_pgn(&nested(101)).unwrap_err().to_string();
    assert!(
        refused.starts_with("line 1: variations are nested"),
        "{refused}"
    );
    assert!(read_pgn(&nested(100)).is_ok());
    for (bad, line) in [
        ("\n{a", 2),
        ("1. Ka1 (", 1),
        (")", 1),
        ("[FEN \"a\n\"]", 1),
        ("[FEN", 1),
    ] {
        let error = read_pgn(bad).expect_err(bad).to_string();
        assert!(
            error.starts_with(&format!("line {line}: ")),
            "{bad}: {error}"
        );
    }
}

#[test]
fn positions_stand_in_a_line() {
    let mut text = Vec::new();
    write_epd(&mut text, &[game()]).unwrap();
    let expected = "1k6/8/2K5/Q7/8/8/8/8 b - - bm Kc8; id \"one, two\";\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}
