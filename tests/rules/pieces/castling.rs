//! Castling, against another program's moves, and by hand.

use std::collections::{BTreeMap, BTreeSet};

use cozy_chess::Board;
use cozy_chess::util::{display_san_move, display_uci_move};
use tesuji::base::progress::NoProgress;
use tesuji::base::random::SplitMix64;
use tesuji::base::value::{Outcome, Value};
use tesuji::game::{Drawable, Game, Moves, Next, Playable, Ranked, Retrograde};
use tesuji::games::pieces::{Pieces, State};
use tesuji::table::verify;

use super::chess::moves_of;
use crate::common::table;

const MATERIALS: [&str; 6] = ["KR-K", "KRR-K", "KR-KR", "KRP-K", "KRN-KRB", "KRR-KRR"];

/// A random placing of men in FEN, most kings and rooks where they begin, with rights that it allows,
/// and either side to move.
fn random_position(random: &mut SplitMix64, men: &str) -> String {
    let mut board = [['.'; 8]; 8];
    let (white, black) = men.split_once('-').unwrap();
    for (letters, home) in [(white, 7), (&black.to_lowercase(), 0)] {
        for letter in letters.chars() {
            let begins = match letter.to_ascii_uppercase() {
                'K' => 4,
                'R' => 7 * random.below(2),
                _ => random.below(8),
            };
            let mut at = (home, begins);
            let fits = |(row, column): (usize, usize)| {
                let pawn = letter.eq_ignore_ascii_case(&'p') && matches!(row, 0 | 7);
                board[row][column] == '.' && !pawn
            };
            while !fits(at) || random.below(8) == 0 {
                at = (random.below(8), random.below(8));
            }
            board[at.0][at.1] = letter;
        }
    }
    let mut rights = String::new();
    for (right, row, column) in [('K', 7, 7), ('Q', 7, 0), ('k', 0, 7), ('q', 0, 0)] {
        let [king, rook] = if row == 7 { ['K', 'R'] } else { ['k', 'r'] };
        if board[row][4] == king && board[row][column] == rook && random.below(6) > 0 {
            rights.push(right);
        }
    }
    if rights.is_empty() {
        rights.push('-');
    }
    let rows = board.map(|row| {
        let mut text: String = row.iter().collect();
        for free in (1..=8).rev() {
            text = text.replace(&".".repeat(free), &free.to_string());
        }
        text
    });
    let side = ['w', 'b'][random.below(2)];
    format!("{} {side} {rights} -", rows.join("/"))
}

fn board_of(text: &str) -> Option<Board> {
    let board = Board::from_fen(&format!("{text} 0 1"), false).ok()?;
    // The other program lets kings stand side by side.
    let [white, black] =
        [cozy_chess::Color::White, cozy_chess::Color::Black].map(|side| board.king(side));
    let apart = |a: usize, b: usize| a.abs_diff(b) > 1;
    let files = apart(white.file() as usize, black.file() as usize);
    let ranks = apart(white.rank() as usize, black.rank() as usize);
    (files || ranks).then_some(board)
}

/// The rows, the side to move and the rights.
fn fields(text: &str) -> String {
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

#[test]
fn moves_rights_and_ends_are_those_of_another_program() {
    let mut random = SplitMix64::new(3);
    let mut counts = BTreeMap::<&str, u32>::new();
    let mut count = |what, holds: bool| *counts.entry(what).or_default() += u32::from(holds);
    for men in MATERIALS {
        let game = Pieces::shipped(&format!("chess:{men},castling")).unwrap();
        for _ in 0..1000 {
            let text = random_position(&mut random, men);
            let Some(board) = board_of(&text) else {
                assert!(game.parse_state(&text).is_err(), "{text}");
                continue;
            };
            let expected = moves_of(&board);
            let state = match game.parse_state(&text) {
                Ok(state) => state,
                Err(error) => {
                    assert!(expected.is_empty(), "{text}: {error}");
                    continue;
                }
            };
            assert_eq!(game.format_state(&state), text);
            let names = expected
                .iter()
                .map(|&mv| display_uci_move(&board, mv).to_string());
            let names: BTreeSet<String> = names.collect();
            let found = game.moves(&state);
            let ours: BTreeSet<String> = found.iter().map(|&mv| game.format_move(mv)).collect();
            assert_eq!(ours, names, "{text}");
            count("rights", !text.ends_with("- -"));
            for mv in expected {
                let san = display_san_move(&board, mv).to_string();
                let ours = game
                    .parse_move(&display_uci_move(&board, mv).to_string())
                    .unwrap();
                assert_eq!(game.san(&state, ours), Some(san.clone()), "{text}");
                let mut next = board.clone();
                next.play(mv);
                let stuck = moves_of(&next).is_empty();
                let after = next.to_string();
                match game.play(&state, ours) {
                    Next::State(state) => {
                        assert!(!stuck, "{text} {san}");
                        assert_eq!(fields(&game.format_state(&state)), fields(&after), "{text}");
                        let back = (self::state(&game, &text), ours);
                        assert!(!san.starts_with('O') || game.predecessors(&state).contains(&back));
                    }
                    Next::Over(outcome) => {
                        assert!(stuck && (outcome == Outcome::Win) != next.checkers().is_empty());
                    }
                }
                let lost = fields(&after).rsplit(' ').next().unwrap().len();
                let had = fields(&text).rsplit(' ').next().unwrap().len();
                count("castled", san.starts_with('O'));
                count("lost rights by capture", san.contains('x') && lost < had);
                count(
                    "mates by castling",
                    san.starts_with('O') && san.ends_with('#'),
                );
            }
        }
    }
    assert!(
        counts["rights"] > 2_000 && counts["castled"] > 600,
        "{counts:?}"
    );
    assert!(counts["lost rights by capture"] > 20, "{counts:?}");
}

fn state(game: &Pieces, text: &str) -> State {
    game.parse_state(text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The values of positions with rights follow from those of the positions to which another program's
/// moves lead, and those of positions without rights are those of the ending without castling.
#[test]
fn values_with_rights_follow_from_those_without() {
    for (men, most) in [("KR-K", 64 * 6), ("KR-KN", 64 * 64 * 6)] {
        let [plain, game] = ["", ",castling"]
            .map(|castling| Pieces::shipped(&format!("chess:{men}{castling}")).unwrap());
        let [before, after] = [&plain, &game].map(table);
        assert_eq!(verify(&after, &game, &NoProgress).unwrap().flawed, 0);
        let value = |state: &State| after.record(game.rank(state)).unwrap().best();
        let (mut rights, mut only) = (0, BTreeSet::new());
        let slots = game.layers().iter().flat_map(|layer| {
            let step = if layer.name.contains('+') { 1 } else { 64 };
            layer.slots.clone().step_by(step)
        });
        for state in slots.filter_map(|slot| game.unrank(slot)) {
            let text = game.format_state(&state);
            if text.ends_with("- -") {
                let slot = plain.rank(&plain.parse_state(&text).unwrap());
                let before = before.record(slot).unwrap();
                assert_eq!(before.best(), value(&state), "{text}");
                continue;
            }
            let board = board_of(&text).unwrap();
            let values = moves_of(&board).into_iter().map(|mv| {
                let mut next = board.clone();
                next.play(mv);
                let value = match (moves_of(&next).is_empty(), next.checkers().is_empty()) {
                    (true, true) => Value::DRAW,
                    (true, false) => Value::decided(Outcome::Win, 1).unwrap(),
                    (false, _) => {
                        let next = self::state(&game, &fields(&next.to_string()));
                        game.through_move(value(&next)).unwrap()
                    }
                };
                (value, display_san_move(&board, mv).to_string())
            });
            let values: Vec<_> = values.collect();
            let (best, _) = values.iter().max().unwrap();
            assert_eq!(value(&state), *best, "{text}");
            rights += 1;
            let moves: Vec<_> = values.iter().filter(|(value, _)| value == best).collect();
            if let [(_, san)] = moves[..]
                && san.starts_with('O')
            {
                only.insert(text);
            }
        }
        assert!(rights > most / 4 && rights < most, "{men} {rights}");
        // The king goes to h4 or h5, and is shut in by the rook on the f-file, which no other move does
        // as well.
        assert!(only.contains("8/8/8/6k1/8/8/8/4K2R w K -"), "{men}");
    }
}

/// The layers without rights are those of the ending without castling, in the same order.
#[test]
fn rights_add_layers_and_change_none() {
    let layers = |spec: &str| {
        let game = Pieces::shipped(spec).unwrap();
        let layers = game.layers().iter();
        let layers = layers.map(|layer| (layer.name.clone(), layer.slots.end - layer.slots.start));
        layers.collect::<BTreeMap<_, _>>()
    };
    let (plain, all) = (layers("chess:KRP-KR"), layers("chess:KRP-KR,castling"));
    let (with, without): (BTreeMap<_, _>, BTreeMap<_, _>) =
        all.into_iter().partition(|(name, _)| name.contains('+'));
    assert_eq!(without, plain);
    let names: Vec<&str> = with.keys().map(|name| &name[..]).collect();
    for name in ["KR-KRP+Kq", "KRP-KR+Qk", "K-KRP+q", "KR-KQR+q", "KR-K+K"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    // Two rooks are there by promotion only, and a promoted rook has moved.
    assert!(
        names
            .iter()
            .all(|name| !name.contains("+KQ") && !name.ends_with("kq"))
    );
    // King and rook stand still.
    assert_eq!(with["KR-K+K"], 64 - 2 - 5);
}

#[test]
fn rights_are_read_and_refused() {
    let game = Pieces::shipped("chess:KRR-KR,castling").unwrap();
    for (text, at, words) in [
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQk -",
            26,
            "castle by k: leave it out",
        ),
        (
            "r3k3/8/8/8/8/8/8/RR2K3 w Kq -",
            25,
            "castle by K: leave it out",
        ),
        (
            "r3k3/8/8/8/8/8/8/RR2K3 w QX -",
            26,
            "rights to castle, of KQkq",
        ),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert!(error.at == at && error.message.contains(words), "{error}");
    }
    // Another order and repeated letters mean the same.
    let state = state(&game, "r3k3/8/8/8/8/8/8/R3K2R b qKQK - 3 9");
    assert_eq!(game.format_state(&state), "r3k3/8/8/8/8/8/8/R3K2R b KQq -");
    let text = format!("{:?}", game.diagram(&state));
    assert!(text.contains("Castling: KQq."), "{text}");
    let words = game.rules_in_words().into_iter().map(|rule| rule.text);
    let words: String = words.collect();
    assert!(
        words.contains(
            "the king goes from e1 to g1 and the rook from h1 to f1, the king goes from e1 to c1 and"
        ),
        "{words}"
    );
}

#[test]
fn a_rook_goes_along() {
    let game = Pieces::shipped("chess:KR-K,castling").unwrap();
    let before = state(&game, "8/8/8/6k1/8/8/8/4K2R w K -");
    let castles = game.parse_move("e1g1").unwrap();
    let slides = game.slides(&before, castles);
    let ways = slides.iter().map(|slide| (slide.from.column, slide.to));
    assert_eq!(ways.collect::<Vec<_>>().len(), 2);
    assert_eq!(game.appearing(&before, castles), []);
    let [king, rook] = game.move_effect(&before, castles).moved[..] else {
        panic!("two men move");
    };
    assert_eq!([king, rook].map(|(from, to)| to.abs_diff(from)), [2, 2]);
    let Next::State(after) = game.play(&before, castles) else {
        panic!("the game goes on");
    };
    assert_eq!(game.format_state(&after), "8/8/8/6k1/8/8/8/5RK1 b - -");
    let mut arises = false;
    let cursor = game.cursor(game.rank(&before)).unwrap();
    game.arrivals(cursor, |_| arises = true);
    assert!(arises);
    // The king is in check, passes a square of the rook's, or reaches one.
    let game = Pieces::shipped("chess:KR-KR,castling").unwrap();
    for (file, may) in [
        ("e", false),
        ("f", false),
        ("g", false),
        ("h", true),
        ("d", true),
    ] {
        let column = usize::from(file.as_bytes()[0] - b'a');
        let row = format!("{column}r{}", 7 - column).replace('0', "");
        let text = format!("{row}/8/8/8/7k/8/8/4K2R w K -").replace("7k", "k7");
        let moves = game.moves(&state(&game, &text)).into_iter();
        assert_eq!(
            moves.map(|mv| game.format_move(mv)).any(|mv| mv == "e1g1"),
            may,
            "{text}"
        );
    }
}
