//! SFEN in and out: what is read is written, what is wrong is told, nothing panics.

use proptest::prelude::*;
use shogi_core::{Color, PieceKind};
use tesuji::game::{Game, Generator};
use tesuji::games::tsuitate::Tsuitate;

fn game() -> Tsuitate {
    Tsuitate::default()
}

/// The message about a position that must be refused, with its place.
fn refused(text: &str) -> (usize, String) {
    let error = game().parse_state(text).unwrap_err();
    assert_eq!(error.input, text);
    (error.at, error.message.clone())
}

#[test]
fn positions_are_read_and_written() {
    let game = game();
    let text = "9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b BNP 1";
    let state = game.parse_state(text).unwrap();
    assert_eq!(game.format_state(&state), text);
    // White has all the rest.
    let white: Vec<_> = state.hand(Color::White).collect();
    let expected = [
        (PieceKind::Rook, 1),
        (PieceKind::Gold, 3),
        (PieceKind::Silver, 3),
        (PieceKind::Knight, 3),
        (PieceKind::Lance, 4),
        (PieceKind::Pawn, 17),
    ];
    assert_eq!(white, expected);
    for same in [
        "9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b PNB",
        "sfen 9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b BNP 17",
        "  9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b BNP 1 ",
        "9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b BNPr3g3s3n4l17p 1",
    ] {
        assert_eq!(game.parse_state(same).unwrap(), state, "{same}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    for (text, at, part) in [
        ("hello", 0, "invalid SFEN"),
        ("9/9/9/9/9/9/9/9/9 b - 1", 0, "one king"),
        ("k8/9/9/9/9/9/9/9/8k b - 1", 0, "one king"),
        ("k8/9/9/9/9/9/9/9/KK7 b - 1", 0, "one king"),
        ("k8/9/9/9/9/9/9/9/9 w - 1", 19, "Black is the attacker"),
        ("k8/9/9/9/9/9/9/9/9 b 3R 1", 0, "there are 3 of R"),
        ("k8/9/9/9/9/9/9/9/9 b 19P 1", 0, "there are 19 of P"),
        ("k8/9/9/9/9/9/9/9/9 b 255P 1", 21, "invalid SFEN"),
        ("kR7/9/9/9/9/9/9/9/9 b - 1", 0, "in check"),
        ("k7P/9/9/9/9/9/9/9/9 b - 1", 0, "could never move"),
        ("k8/8N/9/9/9/9/9/9/9 b - 1", 0, "could never move"),
        ("k8/9/8P/9/8P/9/9/9/9 b - 1", 0, "two pawns"),
        ("k8/9/8p/9/8p/9/9/9/9 b - 1", 0, "two pawns"),
        ("k8/9/9/9/9/9/9/9/9 b Rr 1", 21, "White's hand"),
        ("k8/9/9/9/9/9/9/9/9 b PKG 1", 22, "a king cannot be in hand"),
        ("k8/9/9/9/9/9/9/9/9 b 2k 1", 22, "a king cannot be in hand"),
        ("k8/9/9/9/9/9/9/9/9 b P0R 1", 22, "begins with 1 to 9"),
        ("k8/9/9/9/9/9/9/9/9 b - 1 x", 24, "after the end of SFEN"),
        ("k8/9/9/9/9/9/9/9/9 b é 1", 21, "letters"),
    ] {
        let (place, message) = refused(text);
        assert!(message.contains(part), "{text}: {message}");
        assert_eq!(place, at, "{text}: {message}");
    }
}

#[test]
fn moves_are_read_and_written() {
    let game = game();
    for text in ["2d1e", "3c2b+", "R*2c", "P*9i", "1a9i"] {
        assert_eq!(game.format_move(game.parse_move(text).unwrap()), text);
    }
    for text in [
        "", "2", "2d1", "0a1a", "1j1a", "K*5e", "R*2cx", "2d1e++", "r*2c", "é*2c",
    ] {
        assert!(game.parse_move(text).is_err(), "{text}");
    }
}

#[test]
fn settings_are_read_and_written() {
    for spec in [
        "tsuitate",
        "tsuitate:futile=omitted",
        "tsuitate:futile=omitted,captures=promoted,entry=escape",
    ] {
        assert_eq!(Tsuitate::from_spec(spec).unwrap().spec(), spec);
    }
    let paper = "tsuitate:entry=nothing,futile=kept,captures=unpromoted";
    assert_eq!(Tsuitate::from_spec(paper).unwrap().spec(), "tsuitate");
    for spec in [
        "tsuitate:",
        "tsuitate:x",
        "tsuitate:futile",
        "tsuitate:futile=kept,",
    ] {
        let error = Tsuitate::from_spec(spec).unwrap_err();
        assert!(error.message.starts_with("unknown setting"), "{spec}");
    }
    let twice = Tsuitate::from_spec("tsuitate:futile=kept,futile=omitted");
    let error = twice.unwrap_err();
    assert_eq!(error.at, "tsuitate:futile=kept,".len());
    assert!(error.message.contains("given twice"), "{error}");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,60}") {
        let _ = game().parse_state(&text);
        let _ = game().parse_move(&text);
        let _ = Tsuitate::from_spec(&format!("tsuitate:{text}"));
    }

    #[test]
    fn no_text_like_sfen_makes_the_reader_panic(
        ranks in prop::collection::vec("[PLNSGBRKplnsgbrk1-9+]{1,9}", 9),
        side in "[bw]",
        hand in "[PLNSGBRplnsgbr0-9-]{1,8}",
    ) {
        let text = format!("{} {side} {hand} 1", ranks.join("/"));
        let game = game();
        if let Ok(state) = game.parse_state(&text) {
            let written = game.format_state(&state);
            prop_assert_eq!(game.parse_state(&written).unwrap(), state);
        }
    }

    #[test]
    fn what_is_written_is_read(number in any::<u64>()) {
        let game = game();
        if let Some(state) = game.generate(number) {
            let text = game.format_state(&state);
            prop_assert_eq!(game.parse_state(&text).unwrap(), state);
        }
    }
}
