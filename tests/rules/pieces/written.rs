//! Files of rules, and positions and moves as they are written: what is read back, where faults
//! are, and which columns follow from the rules.

use std::fs;

use tesuji::game::{Features, Game, Moves, NotationError, Playable};
use tesuji::games::ostle::SetupError;
use tesuji::games::pieces::{Pieces, State};

/// The rules of a game that ships.
fn rules(name: &str) -> String {
    let path = format!(
        "{}/src/games/pieces/shipped/{name}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::read_to_string(path).unwrap()
}

/// Those rules with one text in place of another.
fn with(name: &str, from: &str, to: &str) -> String {
    let text = rules(name);
    assert!(text.contains(from), "{name} has no {from}");
    text.replacen(from, to, 1)
}

fn refused(text: &str) -> String {
    match Pieces::from_file("f.toml", text) {
        Err(SetupError::Refused(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// A file that ships, a text of it, what takes its place, and the line, the key and a part of the
/// message.
const FAULTS: &str = r#"
neutreeko | ".b.b." | ".bbb." | 7 | start | lined up
hexapawn | start | endings = true\nstart | 6 | endings | either start or endings
hexapawn | columns = 3 | columns = 17 | 3 | columns | 1 to 16
chess | rows = 8 | rows = 9 | 4 | rows | at most 64
hexapawn | "---" | "--" | 6 | start | 3 texts of 3 squares
hexapawn | "---" | "-x-" | 6 | start | 'x' on b2
hexapawn | "ppp" | "Ppp" | 6 | start | cannot stand on a3
hexapawn | no_move | check = true\nno_move | 5 | check | no piece is royal
minichess | "kr--" | "kk--" | 7 | start | 2 royal men
minichess | no_move | no_pieces_loses = true\nno_move | 6 | no_pieces_loses | bare_loses
chess | endings = true | endings = true\nhands = ["Q", ""] | 8 | hands | leave this out
chess | moves = "N" | moves = "nN" | 30 | moves | at character 1
chess | moves = "N" | moves = "N"\ninitial_rank = 1 | 31 | initial_rank | 'i'
chess | letter = "N" | letter = "B" | 29 | letter | another
chess | ranks = [2, 7] | ranks = [2, 3] | 34 | moves | rank 4
chess | ranks = [2, 7] | ranks = [7, 2] | 35 | ranks | [1, 8]
chess | imfnD |  | 34 | moves | double step
chess | "QRBN" | "QK" | 36 | promotes_to | royal
chess | "QRBN" | "QX" | 36 | promotes_to | 'X'
chess | promotes_to = "QRBN" | promotion_ranks = 2 | 36 | promotion_ranks | add promotes_to
dobutsu | captured = "hand"\n |  | 42 | in_hand | captured
dobutsu | "gle" | "gce" | 10 | start | 0 royal men
dobutsu | in_hand | drop_ranks = [1, 3]\nin_hand | 43 | drop_ranks | never in hand
dobutsu | name = "hen" | name = "chick" | 41 | name | chick already
neutreeko | line = 3 | line = 4 | 22 | line | at most 3
neutreeko | line = 3\n |  | 21 | goal | either line and directions
teeko | hands | not_first = ["f6"]\nhands | 15 | not_first | a1
neutreeko | no_move | drop_first = true\nno_move | 6 | drop_first | ever in hand
neutreeko | no_move | captured = "hand"\nno_move | 6 | captured | no piece takes
tapatan | "mK" | "mW" | 6 | alquerque | no piece has
tictactoe | MMMMM | MMMMMM | 13 | hands | more men
shatranj | royal = true\n |  | 5 | check | royal
chess | moves = "K" | moves = "KcefFimfnD" | 11 | moves | royal
chess | check = true | check = true\ncaptured = "hand" | 35 | moves | hand
chess | "QRBN" | "QRBN"\npromotion_ranks = 3 | 34 | moves | promotion_ranks
shatranj | "mfWcfF" | "mfWcfFR" | 35 | moves | at character 7
dobutsu | "fW" | "fW"\nsquares = [] | 27 | squares | no square to stand on
hexapawn | moves | ranks = [3, 3]\nmoves | 14 | ranks | wins on the far rank
hexapawn | moves | squares = ["b3"]\nmoves | 14 | squares | wins on the far rank
dobutsu | "fW" | "fW"\nwins_on_far_rank = true | 28 | promotes_to | wins
minichess | no_move | notation = "clausecker"\nno_move | 6 | notation | leave it out
teeko | "mK" | "mKeFimfnD" | 21 | moves | drop_first
dobutsu | no_move | hands = ["R", ""]\nno_move | 7 | hands | write C
minichess | no_move | try = "held"\nno_move | 6 | try | "any"
chess | castling = ["e1g1 h1f1", "e1c1 a1d1"]\n |  | 13 | castles_with | say where
chess | castles_with = "R"     # where the spec ends in ,castling\n |  | 13 | castling | with which man
chess | "R" | "K" | 13 | castles_with | one other
chess | "R" | "RQ" | 13 | castles_with | one other
chess | check = true | check = false | 13 | castles_with | check = true
chess | endings = true | endings = true\ngoal = [{ line = 3, directions = ["diagonal"] }] | 14 | castles_with | [[goal]]
chess | letter = "Q" | letter = "Q"\ncastles_with = "R"\ncastling = [] | 18 | castles_with | only a royal
chess | ["e1g1 h1f1", "e1c1 a1d1"] | [] | 14 | castling | a way or two
chess | e1g1 h1f1 | e1g1h1f1 | 14 | castling | "e1g1h1f1": give
chess | e1g1 h1f1 | e1g1 h1f2 | 14 | castling | one rank
chess | e1g1 h1f1 | e1g1 h1g1 | 14 | castling | differ
chess | e1g1 h1f1 | e1f1 h1e1 | 14 | castling | anyway
chess | e1g1 h1f1 | d1g1 h1f1 | 14 | castling | begin on one square
chess | e1g1 h1f1 | e1b1 a1c1 | 14 | castling | one on each side
chess | moves = "R" | moves = "R"\nranks = [2, 8] | 14 | castling | cannot stand
"#;

#[test]
fn faults_name_line_key_and_remedy() {
    for row in FAULTS.trim().lines() {
        let row: Vec<&str> = row.split(" | ").collect();
        let [name, from, to, line, key, words] = row[..] else {
            panic!("{row:?}");
        };
        let [from, to] = [from, to].map(|text| text.replace("\\n", "\n"));
        let message = refused(&with(name, &from, &to));
        let place = format!("line {line}, {key}: ");
        let named = message.starts_with(&place) && message.contains(words);
        assert!(named, "{row:?}: {message}");
    }
}

#[test]
fn men_of_endings_have_room() {
    let text = "title = 'Small'\ncolumns = 2\nrows = 2\nno_move = 'draw'\ncheck = true\nendings = true\n\
        [[piece]]\nletter = 'K'\nmoves = 'W'\nroyal = true\n[[piece]]\nletter = 'Q'\nmoves = 'F'\n";
    for (men, words) in [
        ("KQQ-KQ", Some("more men than the 4 squares")),
        ("5", Some("from 2 to 4")),
        ("KQQ-K", None),
    ] {
        let found = Pieces::from_file(&format!("small.toml,{men}"), text);
        let message = found.err().map(|error| error.to_string());
        match (message, words) {
            (None, None) => {}
            (Some(message), Some(words)) => assert!(message.contains(words), "{message}"),
            other => panic!("{men}: {other:?}"),
        }
    }
}

/// Alfils cannot move on one file, so that the largest layer, with two ferzes, has no position to play.
#[test]
fn endings_begin_where_there_is_something_to_play() {
    let text = include_str!("../../fuzz/corpus/rules/alfils");
    let game = Pieces::from_file("f.toml,KP-KP", text).unwrap();
    let initial = game.initial();
    assert_eq!(game.parse_state(&game.format_state(&initial)), Ok(initial));
    assert!(!game.moves(&initial).is_empty());
    let none = Pieces::from_file("f.toml,K-K", text).unwrap_err();
    let message = none.to_string();
    assert!(message.contains("no position can be played"), "{message}");
}

#[test]
fn faults_of_atoms_have_their_places() {
    let long = "W".repeat(201);
    for (text, at, words) in [
        ("mfX", 2, "no atom"),
        ("mf", 2, "must follow"),
        ("mxW", 1, "not known"),
        ("mmW", 1, "twice"),
        ("W17", 1, "at most 16"),
        ("U2", 1, "without a number"),
        ("UU", 1, "write it once"),
        ("RR", 1, "not doubled"),
        ("WW3", 2, "leave out the number"),
        ("nN", 0, "'n' is for"),
        ("uQ", 0, "muQ"),
        ("muK", 1, "repeated"),
        ("imuR2", 2, "do not stand together"),
        ("ceB", 1, "single steps"),
        ("frK", 0, "two ways"),
        ("hN", 0, "behind"),
        ("fhW", 0, "for N"),
        ("RW", 1, "another one"),
        ("K K", 1, "not known"),
        (&long, 200, "at most 200"),
    ] {
        let rules = with("tapatan", "\"mK\"", &format!("\"{text}\""));
        let message = refused(&rules);
        let at = format!(", moves: at character {}, ", at + 1);
        assert!(
            message.contains(&at) && message.contains(words),
            "{text}: {message}"
        );
    }
}

/// A game of men that move so, on seven files and ranks.
fn man(moves: &str) -> Pieces {
    let text = format!(
        r#"
title = "Men"
columns = 7
rows = 7
no_move = "loss"
endings = true
piece = [{{ letter = "X", moves = "{moves}" }}]
"#
    );
    Pieces::from_file("men.toml,X-X", &text).unwrap()
}

fn in_words(game: &Pieces) -> String {
    let rules = game.rules_in_words().into_iter();
    rules.map(|rule| rule.text + " ").collect()
}

/// Keys of a game with three files, four ranks, foxes and unicorns, and what its rules say in words.
const IN_WORDS: &str = r#"
START | FOX, moves = "F", squares = ["a1", "b2", "c1", "a3"] | It stays on a3, b2, a1 and c1 (White) or a4, c4, b3 and a2 (Black).
START | FOX, moves = "F", squares = ["a1", "a4", "c1", "c4", "b3", "b2"] | It stays on a4, c4, b3, b2, a1 and c1.
START | FOX, moves = "F", wins_on_far_rank = true, squares = ["a1", "b2", "c1"] | It stays on b2, a1 and c1 (White) or a4, c4 and b3 (Black), or goes to the far rank and wins.
HANDS | FOX, moves = "F", squares = ["a1", "b2"] | A fox may be put on b2 and a1 (White) or a4 and b3 (Black) only.
HANDS | FOX, moves = "", squares = ["a1", "b2"] | A side puts a man from its hand on a free square. The first man of all may not be put on a4 or b3.
HANDS | FOX, moves = "" | White has 2 foxes and 1 unicorn in hand.
START | FOX, moves = "frF"; opponent = "rotated" | Left and right are as each side sees them from its own edge.
START | FOX, moves = "fW", ranks = [1, 3], promotes_to = "U", promotion_ranks = 2, promotion_optional = true | A fox that comes to its rank 3 may become a unicorn; on the far rank it must.
"#;

#[test]
fn rules_are_true_in_words() {
    for row in IN_WORDS.trim().lines() {
        let row: Vec<&str> = row.split(" | ").collect();
        let [start, fox, words] = row[..] else {
            panic!("{row:?}");
        };
        let start = if start == "START" {
            "start = ['u-f', '---', '---', 'F-U']"
        } else {
            "start = ['---', '---', '---', '---']\nhands = ['FFU', 'FFU']\ndrop_first = true\nnot_first = ['a4', 'b3']"
        };
        let (fox, key) = fox.split_once("; ").unwrap_or((fox, ""));
        let fox = fox.replace("FOX", "letter = 'F', name = 'fox'");
        let text = format!(
            "title = 'Fox'\ncolumns = 3\nrows = 4\nno_move = 'loss'\n{start}\n{key}\npiece = [{{ {fox} }}, {{ letter = 'U', name = 'unicorn', moves = '' }}]"
        );
        let game = Pieces::from_file("fox.toml", &text);
        let found = in_words(&game.unwrap_or_else(|error| panic!("{text}: {error}")));
        assert!(found.contains(words), "{text}: {found}");
        let tells_sides = found.contains("Left and right");
        assert_eq!(tells_sides, words.starts_with("Left"), "{found}");
    }
    for (moves, words) in [
        ("U", "The piece x moves to any other square. A man"),
        ("cU", "The piece x takes on any other square."),
        (
            "mUcF",
            "The piece x takes one square diagonally. It moves to any free square without taking.",
        ),
        (
            "cUmW",
            "The piece x moves one square along its rank or file without taking. It takes on any other square.",
        ),
        (
            "fU",
            "The piece x moves to any square forward between its diagonals, these included.",
        ),
        (
            "flFrW",
            "Left and right are as White sees them, for both sides.",
        ),
    ] {
        let found = in_words(&man(moves));
        assert!(found.contains(words), "{moves}: {found}");
    }
    let filling = rules("tictactoe").replace("hands", "not_first = [\"b2\"]\nhands");
    let filling = in_words(&Pieces::from_file("x.toml", &filling).unwrap());
    assert!(
        filling.contains("The first man of all may not be put on b2."),
        "{filling}"
    );
}

/// Files to the right and ranks forward from the middle of the board.
type Way = (i8, i8);

fn targets(moves: &str) -> Vec<Way> {
    let game = man(moves);
    let state = state(&game, "1x5/7/7/3X3/7/7/7 w");
    let to = |mv| {
        let text = game.format_move(mv).into_bytes();
        let [_, _, file, rank] = text[..] else {
            panic!("{text:?}");
        };
        (
            file.cast_signed() - b'd'.cast_signed(),
            rank.cast_signed() - b'4'.cast_signed(),
        )
    };
    let mut targets: Vec<Way> = game.moves(&state).into_iter().map(to).collect();
    targets.sort_unstable();
    targets
}

/// Squares so many times as far away.
fn times(ways: &[Way], times: &[i8]) -> Vec<Way> {
    let far = |&(x, y): &Way| times.iter().map(move |by| (by * x, by * y));
    let mut all: Vec<Way> = ways.iter().flat_map(far).collect();
    all.sort_unstable();
    all
}

#[test]
fn atoms_lead_where_they_should() {
    let straight = [(-1, 0), (0, -1), (0, 1), (1, 0)];
    let diagonal = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    let king = [straight, diagonal].concat();
    let knight = [(-2, -1), (-2, 1), (-1, -2), (-1, 2)];
    let right = [(1, -2), (1, 2), (2, -1), (2, 1)];
    for (moves, ways, far) in [
        ("K", &king[..], &[1][..]),
        ("Q", &king, &[1, 2, 3]),
        ("R", &straight, &[1, 2, 3]),
        ("R2", &straight, &[1, 2]),
        ("B", &diagonal, &[1, 2, 3]),
        ("N", &[knight, right].concat(), &[1]),
        ("muQ", &king, &[3]),
        (
            "WfF",
            &[(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)],
            &[1],
        ),
        ("fsN", &[(-2, 1), (2, 1)], &[1]),
        ("fN", &[(-1, 2), (1, 2)], &[1]),
        ("fhN", &[(-2, 1), (-1, 2), (1, 2), (2, 1)], &[1]),
        ("frNrfN", &[(1, 2), (2, 1)], &[1]),
        ("flF", &[(-1, 1)], &[1]),
        ("fsW", &[(-1, 0), (0, 1), (1, 0)], &[1]),
        ("fK", &[(-1, 1), (0, 1), (1, 1)], &[1]),
    ] {
        assert_eq!(targets(moves), times(ways, far), "{moves}");
    }
    // The spec ends with a digest of how men move.
    for (one, other) in [
        ("WW", "R"),
        ("WWFF", "Q"),
        ("WK", "K"),
        ("mcK", "K"),
        ("mcQ", "Q"),
        ("mcR3", "R3"),
        ("mcB", "B"),
        ("mcN", "N"),
    ] {
        assert_eq!(man(one).spec(), man(other).spec(), "{one}");
    }
    assert_ne!(man("muQ").spec(), man("mQ").spec());
}

#[test]
fn other_faults() {
    let most = 1 << 16;
    let long = "#".repeat(most + 1);
    let too_long = format!("it has {} bytes", most + 1);
    assert!(refused(&long).starts_with(&too_long));
    let missing = |text: &str| refused(text);
    assert_eq!(
        missing("columns = 3"),
        "missing title, rows, no_move, start (or endings = true), [[piece]]"
    );
    for (from, to, words) in [
        (
            "columns = 3",
            "columns = \"3\"",
            ["line 3", "a whole number"],
        ),
        ("columns", "colums", ["line 3", "colums"]),
        ("\"loss\"", "\"lose\"", ["line 5", "loss"]),
        ("start", "not_first = 3\nstart", ["line 6", "a list"]),
        ("start", "sides = [3]\nstart", ["line 6", "`sente-gote`"]),
        ("start", "captured = 3\nstart", ["line 6", "`hand`"]),
    ] {
        let error = missing(&with("hexapawn", from, to));
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn digests_tell_rules_apart() {
    let text = rules("minichess");
    // The spec ends with the digest.
    let digest = |text: &str| Pieces::from_file("f.toml", text).unwrap().spec();
    let same = text
        .replace("Minichess on 4x4", "Another")
        .replace("mfWcfF", "cfFmfW");
    assert_eq!(digest(&same), digest(&text));
    for (from, to) in [
        ("\"draw\"", "\"win\""),
        ("mfWcfF", "mfWcF"),
        ("---P", "--P-"),
        ("\"QRN\"", "\"RQN\""),
        ("check = true\n", ""),
        ("check", "opponent = \"rotated\"\ncheck"),
    ] {
        assert_ne!(digest(&text.replace(from, to)), digest(&text), "{to}");
    }
}

fn chess() -> Pieces {
    Pieces::shipped("chess:KQP-KP,KP-KP,K-K").unwrap()
}

/// A small shogi with lions, chicks and hens.
fn shogi() -> Pieces {
    let text = r#"
title = "Shogi"
columns = 3
rows = 4
sides = "sente-gote"
opponent = "rotated"
no_move = "draw"
captured = "hand"
start = ["clc", "---", "---", "CLC"]
piece = [
  { letter = "L", name = "lion", moves = "K", royal = true },
  { letter = "C", name = "chick", moves = "fW", promotes_to = "R" },
  { letter = "R", name = "hen", moves = "WfF", in_hand = "C" },
]
"#;
    Pieces::from_file("shogi.toml", text).unwrap()
}

/// Kings, and pawns that become queens, on a board of any size.
fn kings(columns: u8, rows: u8) -> Pieces {
    let text = format!(
        r#"
title = "Kings"
columns = {columns}
rows = {rows}
check = true
no_move = "draw"
endings = true
piece = [
  {{ letter = "K", moves = "K", royal = true }},
  {{ letter = "Q", moves = "W" }},
  {{ letter = "P", moves = "fW", promotes_to = "Q" }},
]
"#
    );
    Pieces::from_file("kings.toml,KP-K,K-K", &text).unwrap()
}

fn state(game: &Pieces, text: &str) -> State {
    game.parse_state(text)
        .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn positions_read_back_as_they_were_written() {
    let chess = chess();
    for text in [
        "8/8/8/8/8/8/8/K1k5 w - -",
        "q6k/8/8/3pP3/8/8/7K/8 w - d6",
        "7k/8/8/8/3Pp3/8/8/K7 b - d3",
    ] {
        assert_eq!(chess.format_state(&state(&chess, text)), text);
    }
    let shogi = shogi();
    for (text, others) in [
        (
            "clc/3/3/CLC[] s",
            ["clc/3/3/CLC b - 1", "S/clc/---/---/CLC/-"],
        ),
        (
            "1l1/r2/3/1L1[CCc] g",
            ["1l1/+c2/3/1L1 w 2Cc 7", "G/1l1/r2/3/1L1/cCC"],
        ),
    ] {
        assert_eq!(shogi.format_state(&state(&shogi, text)), text);
        for other in others {
            assert_eq!(state(&shogi, other), state(&shogi, text));
        }
    }
    let (on_twelve, text) = (kings(12, 4), "k11/12/12/10K1 b");
    assert_eq!(on_twelve.format_state(&state(&on_twelve, text)), text);
}

#[test]
fn ten_men_in_hand_are_read_from_sfen() {
    let text = r#"title = "Two walls"
        columns = 5
        rows = 5
        sides = "sente-gote"
        no_move = "loss"
        captured = "hand"
        start = ["--k--", "ppppp", "-----", "PPPPP", "--K--"]
        piece = [
            { letter = "K", moves = "K", royal = true },
            { letter = "P", moves = "fW" },
        ]"#;
    let game = Pieces::from_file("f.toml", text).unwrap();
    let all = state(&game, "2k2/5/5/5/2K2[PPPPPPPPPP] s");
    let sfen = ("sfen", "2k2/5/5/5/2K2 b 10P 1".to_owned());
    assert_eq!(state(&game, &sfen.1), all);
    assert_eq!(game.other_notations(&all), [sfen]);
    for hand in ["65P", "99999999999P", "0P", "10"] {
        let text = format!("2k2/5/5/5/2K2 b {hand} 1");
        assert!(game.parse_state(&text).is_err(), "{text}");
    }
}

#[test]
fn boards_tell_how_many_men_are_in_hand() {
    let text = with(
        "three-mens-morris",
        "sides",
        "notation = \"clausecker\"\nsides",
    );
    let game = Pieces::from_file("f.toml", &text).unwrap();
    for position in [
        "B/---/---/---/bbbwww",
        "B/b--/-w-/---/bbww",
        "W/b--/-wb/---/bww",
    ] {
        let palette = game.palette();
        let things = game.standing(&state(&game, position)).into_iter();
        let things = things.map(|thing| {
            let place = palette.iter().position(|item| item.words == thing.words);
            (thing.cell, place.unwrap())
        });
        let things: Vec<_> = things.collect();
        assert_eq!(game.arranged(&things, position.starts_with('W')), position);
    }
}

#[test]
fn whole_fen_is_read() {
    let chess = chess();
    let short = state(&chess, "7k/8/8/8/8/8/8/K7 w");
    for text in [
        "7k/8/8/8/8/8/8/K7 w - -",
        "7k/8/8/8/8/8/8/K7  W - - 12 34 ",
        " 7k/8/8/8/8/8/8/K7 w - - 0",
    ] {
        assert_eq!(state(&chess, text), short, "{text}");
    }
}

/// Texts with the places of their faults and a part of the messages.
type Faults<'a> = &'a [(&'a str, usize, &'a str)];

fn refuses<T: std::fmt::Debug>(read: impl Fn(&str) -> Result<T, NotationError>, faults: Faults) {
    for &(text, at, part) in faults {
        let fault = read(text).expect_err(text);
        assert_eq!(fault.at, at, "{fault}");
        assert!(fault.message.contains(part), "{fault}");
    }
}

#[test]
fn faults_of_positions_have_their_places() {
    let of_chess: Faults = &[
        ("", 0, "squares are missing"),
        ("7k/8/8/8/8/8/8/K7", 17, "w or b"),
        ("7k/8/8/8/8/8/8/K7 x", 18, "w or b"),
        ("7k/8/8/8/8/8/K7 w", 15, "squares are missing"),
        ("7k/8/8/8/8/8/8/8/K7 w", 16, "8 rows of 8"),
        ("7k/7/8/8/8/8/8/K7 w", 4, "8 rows of 8"),
        ("7k/44/8/8/8/8/8/K7 w", 3, "8 rows of 8"),
        ("7k/999999/8/8/8/8/8/K7 w", 3, "8 rows of 8"),
        ("7k/08/8/8/8/8/8/K7 w", 3, "8 rows of 8"),
        ("7kk/8/8/8/8/8/8/K7 w", 2, "8 rows of 8"),
        ("7k/8/8/3X4/8/8/8/K7 w", 8, "K, Q, R, B, N, P"),
        ("7k/8/8/3\u{e9}4/8/8/8/K7 w", 8, "K, Q, R, B, N, P"),
        (
            "7k/8/8/8/8/8/8/KP6 w",
            16,
            "White's pawn never stands on b1",
        ),
        ("6pk/8/8/8/8/8/8/K7 w", 1, "Black's pawn never stands on g8"),
        ("7k/8/8/8/8/8/8/8 w", 16, "White has one king"),
        ("7k/8/8/8/8/8/8/K6K w", 17, "White has only one king"),
        ("7k/8/8/8/8/8/8/K7[P] w", 18, "never in hand"),
        ("7k/8/8/8/8/8/8/K7 w KQkq - 0 1", 20, "castling"),
        ("7k/8/8/8/8/8/8/K7 w - d6", 22, "no man of Black"),
        ("7k/8/8/8/8/8/8/K7 w - d9", 22, "a1"),
        ("7k/8/8/8/8/8/8/K7 w - - x", 24, "number"),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1 2", 28, "leave out"),
    ];
    let of_shogi: Faults = &[
        ("1l1/3/3/1L1 s", 12, "brackets"),
        ("1l1/3/3/1L1 b", 13, "2Pp"),
        ("1l1/3/3/1L1 b C x", 16, "number of the move"),
        ("1l1/3/3/1+L1 b -", 9, "no lion is"),
        ("S/1l1/3/3/1L1", 13, "/- if there are none"),
        ("X/1l1/3/3/1L1/-", 0, "s or g"),
        ("1l1/3/3/1L1[C s", 13, "closing bracket"),
        ("1l1/3/3/1L1[]C s", 13, "a blank"),
        ("1l1/3/3/1L1[CR] s", 13, "hen is never in hand"),
        ("1l1/3/3/1L1[] w", 14, "s or g"),
        ("1l1/3/3/1L1[] s - b2", 18, "in passing"),
    ];
    let (chess, shogi) = (chess(), shogi());
    refuses(|text| chess.parse_state(text), of_chess);
    refuses(|text| shogi.parse_state(text), of_shogi);
    let long = format!("7k/8/8/8/8/8/8/K7 w{:2000}-", "");
    refuses(|text| chess.parse_state(text), &[(&long, 1000, "at most")]);
    let many = format!("1l1/3/3/1L1[{}] s", "C".repeat(65));
    refuses(
        |text| shogi.parse_state(text),
        &[(&many, 12 + 64, "64 men")],
    );
}

#[test]
fn moves_read_back_as_they_were_written() {
    let (chess, shogi, tall) = (chess(), shogi(), kings(4, 12));
    for (game, texts) in [
        (&chess, &["e2e4", "e7e8q", "h1a8", "a7b8r"][..]),
        (&shogi, &["C@b2", "b2b3", "a3a4r"]),
        // Ranks of two digits.
        (&tall, &["a10b12q"]),
    ] {
        for text in texts {
            let mv = game.parse_move(text).expect(text);
            assert_eq!(game.format_move(mv), *text);
        }
    }
}

#[test]
fn faults_of_moves_have_their_places() {
    let of_chess: Faults = &[
        ("", 0, "a1h8"),
        ("e2", 2, "a1h8"),
        ("i2e4", 0, "a1 (lower left)"),
        ("e2e9", 2, "a1 (lower left)"),
        ("e2e2", 2, "another square"),
        ("e7e8k", 4, "q, r"),
        ("e7e8qq", 5, "leave out"),
        ("P@e4", 0, "a1h8"),
    ];
    let of_shogi: Faults = &[
        ("R@b2", 0, "one of C"),
        ("C@b5", 2, "a1 (lower left)"),
        ("C@b2r", 4, "leave out"),
        ("CC@b2", 0, "one of C"),
    ];
    let (chess, shogi) = (chess(), shogi());
    refuses(|text| chess.parse_move(text), of_chess);
    refuses(|text| shogi.parse_move(text), of_shogi);
}

#[test]
fn columns_follow_the_rules() {
    let of_chess = "own_men opp_men own_q opp_q own_r opp_r own_b opp_b own_n opp_n own_p opp_p in_check checkers royal_distance own_royal_rank opp_royal_rank own_royal_file opp_royal_file en_passant own_advance opp_advance own_dominated opp_dominated symmetries";
    let of_shogi = "own_men opp_men own_c opp_c own_r opp_r own_hand_c opp_hand_c own_hand opp_hand own_total opp_total in_check checkers royal_distance own_royal_rank opp_royal_rank own_royal_file opp_royal_file can_take_royal mate own_advance opp_advance symmetries";
    for (game, expected, count) in [(chess(), of_chess, 12), (shogi(), of_shogi, 12)] {
        let columns = game.features().into_iter();
        let names: Vec<_> = columns.map(|column| column.name).collect();
        assert_eq!(names.join(" "), expected);
        // The first ones are of the material alone.
        assert_eq!(
            game.features_of_layers(),
            (0..count).collect::<Vec<usize>>()
        );
    }
}

#[test]
fn men_are_dominated_that_are_attacked_wherever_they_go() {
    let value = |spec: &str, text: &str, name: &str| {
        let game = Pieces::shipped(spec).unwrap();
        let columns = game.features();
        let place = columns.iter().position(|column| column.name == name);
        let mut values = Vec::new();
        game.measure(&state(&game, text), &[place.unwrap()], &mut values);
        values[0].get()
    };
    for (spec, text, name, expected) in [
        // The knight goes to b6 and c7, of which the bishop attacks one, and the queen on b4.
        ("chess:KB-KN", "n7/8/8/8/3B4/8/8/2K4k w", "opp_dominated", 0),
        ("chess:KQ-KN", "n7/8/8/8/1Q6/8/8/k1K5 w", "opp_dominated", 0),
        ("chess:KQ-KN", "n7/1Q6/8/8/8/8/8/k1K5 w", "opp_dominated", 1),
        // The king guards c7, the bishop b6; Black to move sees the same of its own knight.
        ("chess:KB-KN", "n7/8/2K5/8/3B4/8/8/k7 b", "own_dominated", 1),
        ("chess:KB-KN", "n7/8/2K5/8/3B4/8/8/k7 b", "opp_dominated", 0),
        // The rook goes to a2 and a3, and takes a bishop that is defended; then to a4, too.
        ("chess:KB-KR", "8/8/8/8/k7/8/1K6/rB6 w", "opp_dominated", 1),
        ("chess:KB-KR", "8/8/8/k7/8/8/1K6/rB6 w", "opp_dominated", 0),
        // A knight that cannot move at all: White's own men stand on b6 and c7.
        ("chess:KQN-K", "N7/2Q5/1K6/8/8/8/8/7k b", "opp_dominated", 0),
    ] {
        assert_eq!(value(spec, text, name), Some(expected), "{text}");
    }
}

#[test]
fn both_sides_see_their_men_advance() {
    let game = Pieces::shipped("chess:KPP-KP").unwrap();
    let columns = game.features();
    let place = |name: &str| columns.iter().position(|column| column.name == name);
    let wanted = ["own_advance", "opp_advance", "royal_distance"].map(|name| place(name).unwrap());
    for (text, expected) in [
        ("7k/p7/8/8/8/2P5/1P6/K7 w", [3, 1, 7]),
        ("7k/p7/8/8/8/2P5/1P6/K7 b", [1, 3, 7]),
    ] {
        let mut values = Vec::new();
        game.measure(&state(&game, text), &wanted, &mut values);
        assert!(
            values
                .iter()
                .map(|value| value.get())
                .eq(expected.map(Some))
        );
    }
}
