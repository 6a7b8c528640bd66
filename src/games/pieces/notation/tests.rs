//! Rules for tests, and tests of the notation.

use super::reading::{MOST_LETTERS, read_state};
use super::*;
use crate::base::value::Outcome;
use crate::game::Board;
use crate::games::pieces::rules::{Kind, Names, Setup, Squares, Step, Try};

/// A step that goes and takes once.
const STEP: Step = Step {
    right: 0,
    forward: 1,
    range: 1,
    goes: true,
    takes: true,
    takes_in_passing: false,
    lame: false,
    initial: false,
    to_end: false,
};

fn kind(letter: char, name: &str, steps: Vec<Step>) -> Kind {
    Kind {
        letter,
        letters: [letter, letter.to_ascii_lowercase()],
        name: name.to_owned(),
        royal: false,
        steps,
        squares: Squares::MAX,
        initial_rank: 2,
        promotes_to: Vec::new(),
        promotion_squares: 0,
        promotion_optional: false,
        in_hand: 0,
        drop_squares: Squares::MAX,
        one_per_file: false,
        wins_on_far_rank: false,
        passing: None,
        passing_of: None,
    }
}

/// Chess with kings, queens, rooks and pawns.
pub(in crate::games::pieces) fn chess() -> Rules {
    let aside = |right| Step {
        right,
        goes: false,
        takes_in_passing: true,
        ..STEP
    };
    let ahead = Step {
        takes: false,
        ..STEP
    };
    let double = Step {
        forward: 2,
        lame: true,
        initial: true,
        ..ahead
    };
    let king = Kind {
        royal: true,
        ..kind('K', "king", vec![STEP])
    };
    let pawn = Kind {
        squares: 0x00ff_ffff_ffff_ff00,
        promotes_to: vec![1, 2],
        promotion_squares: 0xff,
        passing: Some(4),
        ..kind('P', "pawn", vec![ahead, double, aside(-1), aside(1)])
    };
    let passing = Kind {
        passing: None,
        passing_of: Some(3),
        ..pawn.clone()
    };
    let (queen, rook) = (
        kind('Q', "queen", vec![STEP]),
        kind('R', "rook", vec![STEP]),
    );
    Rules {
        title: "Chess".to_owned(),
        board: Board::new(8, 8),
        names: Names::WhiteBlack,
        notation: Notation::Fen,
        check: true,
        no_move: Outcome::Draw,
        to_hand: false,
        drop_first: false,
        not_first: 0,
        try_rule: Try::Never,
        bare_loses: false,
        no_pieces_loses: false,
        rotated: false,
        alquerque: false,
        kinds: vec![king, queen, rook, pawn, passing],
        goals: Vec::new(),
        setup: Setup::Ending,
    }
}

/// A small shogi with lions, chicks and hens.
pub(in crate::games::pieces) fn shogi() -> Rules {
    let lion = Kind {
        royal: true,
        ..kind('L', "lion", vec![STEP])
    };
    let chick = Kind {
        in_hand: 1,
        promotes_to: vec![2],
        ..kind('C', "chick", vec![STEP])
    };
    let hen = Kind {
        in_hand: 1,
        ..kind('R', "hen", vec![STEP])
    };
    Rules {
        title: "Shogi".to_owned(),
        board: Board::new(3, 4),
        names: Names::SenteGote,
        check: false,
        to_hand: true,
        rotated: true,
        kinds: vec![lion, chick, hen],
        ..chess()
    }
}

pub(in crate::games::pieces) fn state(rules: &Rules, text: &str) -> State {
    read_state(rules, text).expect("a position")
}

#[test]
fn positions_read_back_as_they_were_written() {
    let chess_positions = [
        "8/8/8/8/8/8/8/K1k5 w - -",
        "q6k/8/8/3pP3/8/8/8/K7 w - d6",
        "7k/8/8/8/3Pp3/8/8/K7 b - d3",
    ];
    for text in chess_positions {
        assert_eq!(format_state(&chess(), &state(&chess(), text)), text);
    }
    for (text, others) in [
        (
            "1l1/3/1C1/1L1[] s",
            ["1l1/3/1C1/1L1 b - 1", "S/-l-/---/-C-/-L-/-"],
        ),
        (
            "1l1/3/1r1/1L1[CCc] g",
            ["1l1/3/1+c1/1L1 w 2Cc 7", "G/1l1/3/1r1/1L1/cCC"],
        ),
    ] {
        assert_eq!(format_state(&shogi(), &state(&shogi(), text)), text);
        for other in others {
            assert_eq!(state(&shogi(), other), state(&shogi(), text));
        }
    }
    let on_twelve = Rules {
        board: Board::new(12, 4),
        ..chess()
    };
    let text = "k11/12/12/10K1 b - -";
    assert_eq!(format_state(&on_twelve, &state(&on_twelve, text)), text);
}

#[test]
fn the_side_to_move_sees_the_board_from_its_side() {
    let white = state(&chess(), "q6k/8/8/3pP3/8/8/8/K7 w - d6");
    let black = state(&chess(), "7k/8/8/8/3Pp3/8/8/K6Q b - d3");
    assert_eq!([white.at.passing, black.at.passing], [1 << 27; 2]);
    assert_eq!([white.at.men[1][1], black.at.men[1][1]], [1, 1 << 7]);
    let gote = state(&shogi(), "l2/3/3/2L[c] g");
    assert_eq!((gote.at.men[0][0], gote.at.men[1][0]), (1 << 11, 1));
    assert_eq!((gote.at.hands[0][1], gote.at.hands[1][1]), (1, 0));
}

#[test]
fn whole_fen_is_read() {
    let short = state(&chess(), "7k/8/8/8/8/8/8/K7 w");
    for text in [
        "7k/8/8/8/8/8/8/K7 w - -",
        "7k/8/8/8/8/8/8/K7  W - - 12 34 ",
        " 7k/8/8/8/8/8/8/K7 w - - 0",
    ] {
        assert_eq!(state(&chess(), text), short, "{text}");
    }
}

/// Texts with the places of their faults and a part of the messages.
type Faults<'a> = &'a [(&'a str, usize, &'a str)];

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
        ("7k/8/8/3X4/8/8/8/K7 w", 8, "K, Q, R, P"),
        ("7k/8/8/3\u{e9}4/8/8/8/K7 w", 8, "K, Q, R, P"),
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
    for (rules, faults) in [(chess(), of_chess), (shogi(), of_shogi)] {
        for &(text, at, part) in faults {
            let fault = read_state(&rules, text).expect_err(text);
            assert_eq!(fault.at(), at, "{fault}");
            assert!(fault.message().contains(part), "{fault}");
        }
    }
    let long = format!("7k/8/8/8/8/8/8/K7 w{:2000}-", "");
    assert_eq!(
        read_state(&chess(), &long).expect_err("long").at(),
        MOST_LETTERS
    );
    let many = format!("1l1/3/3/1L1[{}] s", "C".repeat(65));
    assert_eq!(read_state(&shogi(), &many).expect_err("many").at(), 12 + 64);
}

#[test]
fn moves_read_back_as_they_were_written() {
    for text in ["e2e4", "e7e8q", "h1a8", "a7b8r"] {
        let mv = parse_move(&chess(), text).expect(text);
        assert_eq!(format_move(&chess(), mv), text);
    }
    for text in ["C@b2", "b2b3", "a3a4r"] {
        let mv = parse_move(&shogi(), text).expect(text);
        assert_eq!(format_move(&shogi(), mv), text);
    }
    let tall = Rules {
        board: Board::new(4, 12),
        ..chess()
    };
    let mv = parse_move(&tall, "a10b12q").expect("ranks of two digits");
    assert_eq!(format_move(&tall, mv), "a10b12q");
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
    for (rules, faults) in [(chess(), of_chess), (shogi(), of_shogi)] {
        for &(text, at, part) in faults {
            let fault = parse_move(&rules, text).expect_err(text);
            assert_eq!(fault.at(), at, "{fault}");
            assert!(fault.message().contains(part), "{fault}");
        }
    }
}
