//! What is written and read: positions, moves, patterns, files of rules.

use proptest::prelude::*;
use tesuji::game::{Game, Playable, Symmetric};
use tesuji::games::lineup::{LineUp, file};

use super::plain::MORRIS;

#[test]
fn patterns_fit_up_to_symmetry_and_colour() {
    let game = file::game("neutreeko").unwrap();
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
            "side to move is missing",
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
            "Black has lined up",
        ),
        (
            "neutreeko",
            ".w.w./..b../...../..w../.b.q. b",
            27,
            "a square is",
        ),
        (
            "teeko",
            "b..../...../...../...../..... b",
            30,
            "side to move is w",
        ),
        (
            "teeko",
            "bb.../...../...../...../..... b",
            0,
            "in turn, Black first",
        ),
        (
            "teeko",
            "w..../...../...../...../..... b",
            0,
            "in turn, Black first",
        ),
    ] {
        let error = file::game(name).unwrap().parse_state(text).unwrap_err();
        assert!(error.message().contains(message), "{text}: {error}");
        assert_eq!(error.at(), at, "{text}: {error}");
    }
    let game = file::game("teeko").unwrap();
    for (text, at) in [("f1", 0), ("a1-f1", 3), ("a1-a1", 3), ("", 0), ("a1-", 3)] {
        assert_eq!(game.parse_move(text).unwrap_err().at(), at, "{text}");
    }
}

/// The file of the morris, with some text replaced.
fn with(old: &str, new: &str) -> String {
    let file = MORRIS.file();
    assert!(file.contains(old), "{old}");
    file.replace(old, new)
}

#[test]
fn wrong_files_say_where_and_what_would_be_right() {
    for (text, parts) in [
        (
            String::new(),
            &["missing title, columns, rows, men, adjacency, moves, no_moves, start, [[goal]]"][..],
        ),
        (with("men = 3\n", ""), &["missing men"]),
        (with("men = 3", "men = 5"), &["line 4, men", "1 to 4 men"]),
        (with("men = 3", "men = -1"), &["line 4, men", "1 to 4 men"]),
        (
            with("men = 3", "men = 'x'"),
            &["line 4, men", "whole number"],
        ),
        (
            with("columns = 3", "columns = 300"),
            &["line 2, columns", "1 to 16"],
        ),
        (with("rows = 3", "rows = 0"), &["line 3, rows", "1 to 16"]),
        (
            with("'step'", "'hop'"),
            &["line 6", "hop", "step", "slide", "fly"],
        ),
        (
            with("'alquerque'", "'all'"),
            &["line 5", "orthogonal", "alquerque"],
        ),
        (with("\"drop\"", "\"dorp\""), &["line 8, start", "\"drop\""]),
        (
            with("\"drop\"", "['bbb']"),
            &["line 8, start", "3 texts of 3 squares"],
        ),
        (
            with("\"drop\"", "['bbw', 'b.w', '.w..']"),
            &["line 8, start", "3 texts of 3 squares"],
        ),
        (
            with("\"drop\"", "['bbw', 'b.w', '..w']"),
            &["line 8, start", "White has lined up"],
        ),
        (
            with("\"drop\"", "['bbw', 'b.w', '...']"),
            &["line 8, start", "White has 2 men"],
        ),
        (
            with("\"drop\"", "['bbw', 'b.w', '.w.']\nnot_first = ['a1']"),
            &["line 9, not_first", "leave it out"],
        ),
        (
            with("\"drop\"", "'drop'\nnot_first = ['d1']"),
            &["line 9, not_first", "a1"],
        ),
        (
            with("line = 3", "line = 4"),
            &["line 10, line", "takes 4 men"],
        ),
        (
            with("line = 3", "line = 1"),
            &["line 10, line", "2 men or more"],
        ),
        (
            with("\"orthogonal\", \"diagonal\"", ""),
            &["line 11, directions", "one direction"],
        ),
        (
            with("\"orthogonal\"", "\"north\""),
            &["line 11", "north", "horizontal"],
        ),
        (with("[[goal]]", "[goal]"), &["line 9", "[[goal]]"]),
        (
            with("[\"orthogonal\", \"diagonal\"]", "'diagonal'"),
            &["line 11", "a list", "in brackets"],
        ),
        (
            with("line = 3\n", "square = 'unit'\n"),
            &["goal", "either line"],
        ),
        (with("title", "titel"), &["line 1", "titel", "title"]),
        (with("columns = 3", "columns = 14"), &["line 4, men"][..0]),
    ] {
        match LineUp::from_file("x.toml", &text) {
            Ok(_) => assert!(parts.is_empty(), "{text}"),
            Err(error) => {
                let message = error.to_string();
                for part in parts {
                    assert!(message.contains(part), "{text}\n{message}");
                }
                assert!(!parts.is_empty(), "{message}");
            }
        }
    }
}

#[test]
fn rules_of_games_that_are_too_large_say_what_would_be_smaller() {
    let large = with("columns = 3", "columns = 8")
        .replace("rows = 3", "rows = 8")
        .replace("men = 3", "men = 7");
    let error = LineUp::from_file("x.toml", &large).unwrap_err().to_string();
    assert!(
        error.contains("line 4, men") && error.contains("fewer men or squares"),
        "{error}"
    );
    let fly = with("'step'", "'fly'")
        .replace("columns = 3", "columns = 12")
        .replace("men = 3", "men = 8");
    let error = LineUp::from_file("x.toml", &fly).unwrap_err().to_string();
    assert!(
        error.contains("line 4, men") && error.contains("at most 255"),
        "{error}"
    );
}

#[test]
fn a_spec_holds_on_to_the_rules_it_was_made_for() {
    let spec = MORRIS.game().spec();
    let name = spec.strip_prefix("rules:").unwrap();
    assert_eq!(
        LineUp::from_file(name, &MORRIS.file()).unwrap().spec(),
        spec
    );
    // Another title and a comment are the same game.
    let same = format!(
        "# three in a row\n{}",
        MORRIS.file().replace("'T'", "'Tapatan'")
    );
    assert_eq!(LineUp::from_file(name, &same).unwrap().spec(), spec);
    let other = MORRIS.file().replace("'lose'", "'draw'");
    let error = LineUp::from_file(name, &other).unwrap_err().to_string();
    assert!(error.contains("have changed"), "{error}");
    assert_ne!(
        LineUp::from_file("plain.toml", &other).unwrap().spec(),
        spec
    );
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[bw./ é]{0,20}") {
        let game = file::game("tapatan").unwrap();
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.format_state(&state)), Ok(state));
            let canonical = game.canonical(&state);
            prop_assert_eq!(game.canonical(&canonical), canonical);
        }
    }
}
