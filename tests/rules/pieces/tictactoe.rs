//! Tic-tac-toe against plain minimax.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use tesuji::base::value::Outcome;
use tesuji::game::laws;
use tesuji::game::{Encoded, Game, Playable, Ranked, Symmetric};
use tesuji::games::pieces::Pieces;

use crate::common::records;

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

fn over(board: &[u8; 9], lines: &[[usize; 3]]) -> bool {
    let three = |line: &[usize; 3]| {
        board[line[0]] != b'.' && line.iter().all(|&square| board[square] == board[line[0]])
    };
    lines.iter().any(three) || !board.contains(&b'.')
}

fn tictactoe() -> Pieces {
    Pieces::shipped("tictactoe").unwrap()
}

/// What a position comes to for the side to move, 1, 0 or -1; every position met is
/// kept.
fn minimax(board: [u8; 9], lines: &[[usize; 3]], known: &mut HashMap<[u8; 9], i32>) -> i32 {
    if let Some(&value) = known.get(&board) {
        return value;
    }
    let count = |letter| {
        board
            .iter()
            .map(|&square| usize::from(square == letter))
            .sum::<usize>()
    };
    let side = if count(b'x') == count(b'o') {
        b'x'
    } else {
        b'o'
    };
    let value = if over(&board, lines) {
        let full_without = lines.iter().all(|line| {
            board[line[0]] == b'.' || line.iter().any(|&square| board[square] != board[line[0]])
        });
        if full_without { 0 } else { -1 }
    } else {
        let free = (0..9).filter(|&square| board[square] == b'.');
        let values: Vec<i32> = free
            .map(|square| {
                let mut next = board;
                next[square] = side;
                -minimax(next, lines, known)
            })
            .collect();
        values.into_iter().max().unwrap()
    };
    known.insert(board, value);
    value
}

fn text(board: &[u8; 9]) -> String {
    let rows = board
        .chunks(3)
        .map(|row| String::from_utf8_lossy(row).into_owned());
    rows.collect::<Vec<_>>().join("/")
}

#[test]
fn the_known_figures_and_every_value() {
    let found = every_value(&tictactoe(), &LINES);
    assert_eq!(found, (0, 5_478, 4_520, 627), "a draw");
}

#[test]
fn without_diagonals_every_value_is_that_of_minimax() {
    // The first six lines are rows and columns.
    let game = Pieces::shipped("tictactoe:diagonals=none").unwrap();
    assert_eq!(game.spec(), "tictactoe:diagonals=none");
    let (value, ..) = every_value(&game, &LINES[..6]);
    assert_eq!(value, 0, "a draw");
    // Three on a diagonal go on.
    assert!(game.parse_state("x.o/.x./.ox").is_ok());
    assert!(Pieces::shipped("tictactoe:diagonals=win").is_err());
    let error = Pieces::shipped("hexapawn:diagonals=none").unwrap_err();
    assert!(error.to_string().contains("no row on a diagonal wins"));
}

/// Compares every value with minimax. Returns the value of the game, the positions met,
/// the unfinished ones, and these up to symmetry.
fn every_value(game: &Pieces, lines: &[[usize; 3]]) -> (i32, usize, usize, u64) {
    let mut known = HashMap::new();
    let value = minimax([b'.'; 9], lines, &mut known);
    let records = records(game);
    let (mut unfinished, mut slots) = (0, HashSet::new());
    for (board, &value) in &known {
        let read = game.parse_state(&text(board));
        if over(board, lines) {
            assert!(read.unwrap_err().message.contains("the game has ended"));
            continue;
        }
        let state = read.unwrap();
        unfinished += 1;
        let slot = game.rank(&state);
        slots.insert(slot);
        let outcome = match value {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        };
        assert_eq!(
            records[usize::try_from(slot).unwrap()].best().outcome(),
            outcome,
            "{}",
            text(board)
        );
    }
    assert_eq!(game.questions().len(), unfinished);
    let ranked = (0..game.slots()).filter(|&slot| game.unrank(slot).is_some());
    assert_eq!(ranked.count(), slots.len());
    (value, known.len(), unfinished, slots.len() as u64)
}

#[test]
fn the_laws_hold_in_every_slot() {
    let game = tictactoe();
    for slot in 0..game.slots() {
        laws::ranking(&game, slot).unwrap();
        laws::quick_moves(&game, slot).unwrap();
        if let Some(state) = game.unrank(slot) {
            laws::notation(&game, &state).unwrap();
        }
    }
    laws::arrows(&game).unwrap();
}

#[test]
fn numbers_have_a_bit_for_each_stone() {
    let game = tictactoe();
    // X has the upper left and the centre, O the upper right; O is to move.
    let state = game.parse_state("x.o/.x./...").unwrap();
    assert_eq!(game.side_to_move(&state), "O");
    assert_eq!(game.code(&state), 1 << (9 + 2) | 1 << 4 | 1);
    let states = game.questions();
    let codes: HashSet<u64> = states.iter().map(|state| game.code(state)).collect();
    assert_eq!(codes.len(), states.len());
}

#[test]
fn patterns_fit_up_to_symmetry() {
    let game = tictactoe();
    let pattern = game.parse_pattern("xo?/.??/???").unwrap();
    let fits = |text: &str| {
        let state = game.parse_state(text).unwrap();
        let found = game.fit(&pattern, &state)?;
        assert_eq!(game.canonical(&found), game.canonical(&state));
        Some(game.format_state(&found))
    };
    assert_eq!(fits("xo./.../...").as_deref(), Some("xo./.../..."));
    assert_eq!(fits(".../.../.ox").as_deref(), Some("xo./.../..."));
    assert_eq!(fits("..x/..o/...").as_deref(), Some("xo./.../..."));
    assert_eq!(fits("x../.o./..."), None);
    assert_eq!(fits("xo./xo./..."), None);
    assert!(game.parse_pattern("x??/...").is_err());
    assert!(game.parse_pattern("x??/..q/???").is_err());
    assert!(game.parse_pattern("x??/3/???").is_ok());
    for zero in ["x??/03/???", "x??/30/???", "x??/0/???"] {
        assert_eq!(game.parse_pattern(zero).unwrap_err().at, 4, "{zero}");
    }
}

#[test]
fn wrong_positions_say_what_is_wrong() {
    let game = tictactoe();
    for (text, at, message) in [
        ("xx./.../...", 0, "drop men in turn, and X begins"),
        ("o../.../...", 0, "drop men in turn, and X begins"),
        ("xxx/oo./...", 0, "the game has ended"),
        ("xox/xox/oxo", 0, "the game has ended"),
        ("x.o/.x.", 7, "missing"),
        ("x.o.x./...", 3, "3 rows of 3"),
        ("x.o/.x./..q", 10, "men are x for X and o for O"),
        ("x.o/.x./.../", 11, "3 rows of 3"),
        ("x.o/.x./....", 11, "3 rows of 3"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}");
    }
    assert!(game.parse_move("d1").is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[xoXO./ é_]{0,14}") {
        let game = tictactoe();
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.format_state(&state)), Ok(state));
            let canonical = game.canonical(&state);
            prop_assert_eq!(game.canonical(&canonical), canonical);
        }
    }
}
