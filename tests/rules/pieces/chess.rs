//! Chess endings against another program's moves, and against published figures.

use std::collections::{BTreeMap, BTreeSet};

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Color};
use tesuji::base::random::SplitMix64;
use tesuji::base::value::Outcome;
use tesuji::game::{Game, Held, Moves, Next, Ranked, Retrograde};
use tesuji::games::pieces::Pieces;

use crate::common::records;

const MATERIALS: [&str; 13] = [
    "KQ-KR", "KP-KP", "KPP-KP", "KRP-KR", "KQP-KQ", "KBN-K", "KNP-KBP", "KRB-KRP", "KQR-KPP",
    "KPPP-KR", "KRN-KQP", "KBP-KNP", "K-KP",
];

/// A random placing of men in FEN, with a square behind each pawn that may have made a double
/// step.
fn random_positions(random: &mut SplitMix64, men: &str) -> Vec<String> {
    let (white, black) = men.split_once('-').unwrap();
    let letters = white
        .chars()
        .chain(black.chars().map(|letter| letter.to_ascii_lowercase()));
    let mut board = [None; 64];
    for letter in letters {
        loop {
            let square = random.below(64);
            let last = square / 8 == 0 || square / 8 == 7;
            if board[square].is_none() && !(letter.eq_ignore_ascii_case(&'p') && last) {
                board[square] = Some(letter);
                break;
            }
        }
    }
    let rank = |rank: usize| {
        let (mut text, mut free) = (String::new(), 0);
        for square in &board[8 * rank..8 * rank + 8] {
            match square {
                Some(_) if free > 0 => text += &free.to_string(),
                _ => {}
            }
            text.extend(square);
            free = if square.is_some() { 0 } else { free + 1 };
        }
        if free > 0 {
            text += &free.to_string();
        }
        text
    };
    let ranks: Vec<_> = (0..8).rev().map(rank).collect();
    let mut found = Vec::new();
    for (side, pawn, on, behind, before) in [('w', 'p', 4, 5, 6), ('b', 'P', 3, 2, 1)] {
        found.push(format!("{} {side} - -", ranks.join("/")));
        for file in 0..8 {
            let at = |rank: usize| board[8 * rank + file];
            if at(on) == Some(pawn) && at(behind).is_none() && at(before).is_none() {
                let file = char::from(b'a' + u8::try_from(file).unwrap());
                found.push(format!("{} {side} - {file}{}", ranks.join("/"), behind + 1));
            }
        }
    }
    found
}

pub fn moves_of(board: &Board) -> Vec<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

#[test]
fn moves_and_ends_are_those_of_another_program() {
    let mut random = SplitMix64::new(7);
    let (mut passing, mut mates, mut stalemates, mut compared) = (0, 0, 0, 0);
    for men in MATERIALS {
        let game = Pieces::shipped(&format!("chess:{men}")).unwrap();
        for text in (0..1500).flat_map(|_| random_positions(&mut random, men)) {
            let Ok(board) = Board::from_fen(&format!("{text} 0 1"), false) else {
                // The other program refuses squares that no pawn can have passed to be taken.
                let passed = !text.ends_with("- -");
                assert!(passed || game.parse_state(&text).is_err(), "{text}");
                continue;
            };
            let expected = moves_of(&board);
            let state = match game.parse_state(&text) {
                Ok(state) => state,
                Err(error) => {
                    // The other program lets kings stand side by side.
                    let [white, black] = [Color::White, Color::Black].map(|side| board.king(side));
                    let apart = |a: usize, b: usize| a.abs_diff(b) > 1;
                    let files = apart(white.file() as usize, black.file() as usize);
                    let ranks = apart(white.rank() as usize, black.rank() as usize);
                    assert!(expected.is_empty() || !(files || ranks), "{text}: {error}");
                    continue;
                }
            };
            compared += 1;
            let names: BTreeSet<String> = expected.iter().map(ToString::to_string).collect();
            let found = game.moves(&state);
            let ours: BTreeSet<String> = found.iter().map(|&mv| game.format_move(mv)).collect();
            assert_eq!(ours, names, "{text}");
            // A square that no man can take on is not written.
            let last = text.rsplit(' ').next().unwrap();
            let takes = expected.iter().any(|mv| {
                let to = mv.to.to_string();
                to == last
                    && board.piece_on(mv.from) == Some(cozy_chess::Piece::Pawn)
                    && mv.from.file() != mv.to.file()
            });
            assert_eq!(
                game.format_state(&state).ends_with(last),
                last == "-" || takes,
                "{text}"
            );
            passing += usize::from(last != "-" && takes);
            for mv in expected {
                let mut next = board.clone();
                next.play(mv);
                let stuck = moves_of(&next).is_empty();
                let outcome = match (stuck, next.checkers().is_empty()) {
                    (false, _) => None,
                    (true, false) => Some(Outcome::Win),
                    (true, true) => Some(Outcome::Draw),
                };
                mates += usize::from(outcome == Some(Outcome::Win));
                stalemates += usize::from(outcome == Some(Outcome::Draw));
                let san = display_san_move(&board, mv).to_string();
                let mv = game.parse_move(&mv.to_string()).unwrap();
                assert_eq!(game.san(&state, mv), Some(san), "{text}");
                match (game.play(&state, mv), outcome) {
                    (Next::Over(found), Some(outcome)) => assert_eq!(found, outcome, "{text}"),
                    (Next::State(_), None) => {}
                    (found, outcome) => panic!("{text}: {found:?}, not {outcome:?}"),
                }
            }
        }
    }
    assert!(
        compared > 5_000 && passing > 20 && mates > 100 && stalemates > 20,
        "{compared} {passing} {mates} {stalemates}"
    );
}

#[test]
fn a_pawn_that_is_pinned_cannot_take_in_passing() {
    let game = Pieces::shipped("chess:KP-KRP").unwrap();
    for (text, takes) in [
        // Both pawns would leave the rank of king and rook.
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6", false),
        ("7k/8/8/3pP2r/K7/8/8/8 w - d6", true),
        // The pawn that takes would leave the file.
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6", false),
        // It takes the pawn that gives check.
        ("7k/8/8/3pP3/4K3/8/8/7r w - d6", true),
    ] {
        let state = game.parse_state(text).unwrap();
        let written = if takes {
            text
        } else {
            &text.replace("d6", "-")
        };
        assert_eq!(game.format_state(&state), written);
        let moves = game.moves(&state);
        let takes_there = moves.iter().any(|&mv| game.format_move(mv) == "e5d6");
        assert_eq!(takes_there, takes, "{text}");
    }
}

#[test]
fn small_chess_has_the_published_numbers_of_positions_by_men() {
    // K. Kryukov: unique legal positions of 4x4 chess.
    let published = BTreeMap::from([(3, 3_378), (4, 227_362), (5, 8_803_638)]);
    let game = Pieces::shipped("chess-4x4:men=5").unwrap();
    let mut counts = BTreeMap::new();
    for layer in game.layers() {
        let men = layer.name.chars().filter(char::is_ascii_uppercase).count();
        let holds = |&slot: &u64| !matches!(game.examine(slot, |_| {}), Held::Nothing);
        *counts.entry(men).or_default() += layer.slots.clone().filter(holds).count();
    }
    // Two kings alone are no endings of his.
    counts.remove(&2);
    assert_eq!(counts, published);
}

/// Published counts by layer and what is counted. Those of equal men are not among them: other
/// programs tell such men apart.
fn published() -> BTreeMap<(String, String), u64> {
    let text = include_str!("../../data/pieces/chess-endings.csv");
    let rows = text.lines().skip(1).map(|line| {
        let mut cells = line.split(',');
        let mut cell = || cells.next().unwrap().to_owned();
        ((cell(), cell()), cell().parse().unwrap())
    });
    rows.collect()
}

#[test]
fn endings_have_the_published_counts_and_longest_wins() {
    let published = published();
    for men in ["KQ-KR", "KP-K", "KBN-K", "KNN-K", "KR-KN"] {
        let game = Pieces::shipped(&format!("chess:{men}")).unwrap();
        let records = records(&game);
        let mut compared = 0;
        for layer in game.layers() {
            let (mut counts, mut longest) = ([0_u64; 3], 0);
            for slot in layer.slots.clone() {
                let best = records[usize::try_from(slot).unwrap()].best();
                if game.unrank(slot).is_some() {
                    counts[best.outcome() as usize] += 1;
                    if best.outcome() == Outcome::Win {
                        longest = longest.max(best.plies().unwrap());
                    }
                } else if let Held::Ended(outcome) = game.examine(slot, |_| {}) {
                    counts[outcome as usize] += 1;
                }
            }
            let [loss, draw, win] = counts;
            for (what, count) in [
                ("win", win),
                ("draw", draw),
                ("loss", loss),
                ("longest win", longest.into()),
            ] {
                if let Some(&published) = published.get(&(layer.name.clone(), what.to_owned())) {
                    assert_eq!(count, published, "{} {what}", layer.name);
                    compared += 1;
                }
            }
        }
        assert!(compared >= 2, "{men}");
    }
}

/// A pawn promotes on one rank, and a position without pawns has images on all sides.
#[test]
fn positions_arise_by_promotions_that_lead_to_an_image() {
    let game = Pieces::shipped("chess:KP-K").unwrap();
    let before = game.parse_state("4K3/6kP/8/8/8/8/8/8 w").unwrap();
    let promoted = game.parse_move("h7h8b").unwrap();
    let Next::State(after) = game.play(&before, promoted) else {
        panic!("the game goes on");
    };
    let mut arises = false;
    let cursor = game.cursor(game.rank(&after)).unwrap();
    game.arrivals(cursor, |_| arises = true);
    assert!(arises);
}

/// With king and ferz against king alone every move ends the game.
#[test]
fn an_ending_that_is_decided_at_once_has_a_first_position() {
    let game = Pieces::shipped("shatranj:KF-K").unwrap();
    let first = game.initial();
    let moves = game.moves(&first);
    assert!(!moves.is_empty(), "{}", game.format_state(&first));
    let ends = |mv| matches!(game.play(&first, mv), Next::Over(Outcome::Win));
    assert!(moves.into_iter().any(ends));
}
