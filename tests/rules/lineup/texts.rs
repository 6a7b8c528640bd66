//! What is written and read: positions, moves, patterns, files of rules.

use proptest::prelude::*;
use tesuji::game::{Game, Playable, Symmetric};
use tesuji::games::pieces::Pieces;

use super::plain::{MORRIS, Plain};

#[test]
fn patterns_fit_up_to_symmetry_and_colour() {
    let game = Pieces::shipped("neutreeko").unwrap();
    let pattern = game.parse_pattern("b????/?????/??x??/?????/????.").unwrap();
    let fits = |text: &str| {
        let state = game.parse_state(text).unwrap();
        let found = game.fit(&pattern, &state)?;
        assert_eq!(game.canonical(&found), game.canonical(&state));
        Some(game.format_state(&found))
    };
    let here = "b..../.w.../..w../..b../.w.b. b";
    assert_eq!(fits(here).as_deref(), Some(here));
    assert!(
        fits(".w.b./..b../..w../.w.../b.... b").is_some(),
        "mirrored"
    );
    assert!(
        fits("w..../.b.../..b../..w../.b.w. w").is_some(),
        "colours exchanged"
    );
    assert_eq!(fits("b..../.w.../..w../..b../.w..b b"), None);
    assert!(game.parse_pattern("b????/?????").is_err());
}

#[test]
fn wrong_positions_say_what_is_wrong() {
    for (name, text, at, message) in [
        (
            "neutreeko",
            ".w.w./..b../...../..w../.b.b.",
            29,
            "side to move here, b or w",
        ),
        ("neutreeko", ".w.w./..b../...../..w../.b.b. x", 30, "b or w"),
        (
            "neutreeko",
            ".w.w./..b../...../..w../.b... b",
            0,
            "Black has 2 men",
        ),
        (
            "neutreeko",
            ".w.w./.bbb./...../..w../..... w",
            0,
            "the game has ended already",
        ),
        (
            "neutreeko",
            ".w.w./..b../...../..w../.b.q. b",
            27,
            "b for Black and w for White",
        ),
        (
            "teeko",
            "b..../...../...../...../..... b",
            0,
            "White is to move",
        ),
        (
            "teeko",
            "bb.../...../...../...../..... b",
            0,
            "comes to these men",
        ),
        (
            "teeko",
            "w..../...../...../...../..... b",
            0,
            "comes to these men",
        ),
    ] {
        let error = Pieces::shipped(name)
            .unwrap()
            .parse_state(text)
            .unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
    let game = Pieces::shipped("teeko").unwrap();
    for (text, at) in [("f1", 0), ("a1-f1", 3), ("a1-a1", 3), ("", 0), ("a1-", 3)] {
        assert_eq!(game.parse_move(text).unwrap_err().at, at, "{text}");
    }
}

#[test]
fn rules_of_games_that_are_too_large_say_what_would_be_smaller() {
    let large = Plain {
        columns: 8,
        rows: 8,
        men: 9,
        ..MORRIS
    };
    let error = Pieces::from_file("x.toml", &large.file()).unwrap_err();
    let message = error.to_string();
    for part in ["slots for positions", "leave out men"] {
        assert!(message.contains(part), "{message}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[bw./ é]{0,20}") {
        let game = Pieces::shipped("tapatan").unwrap();
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.format_state(&state)), Ok(state));
            let canonical = game.canonical(&state);
            prop_assert_eq!(game.canonical(&canonical), canonical);
        }
    }
}
