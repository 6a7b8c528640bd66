//! Conditions and filter files, good ones and any others.

use std::thread::Builder;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use tesuji::base::progress::NoProgress;
use tesuji::game::Ranked;
use tesuji::mine::{Filter, MineError, Scope};

use super::scan::{TINY, find, predicate};
use crate::common::scan;

#[test]
fn an_unknown_column_is_refused_with_the_nearest_name() {
    let (game, _) = &*TINY;
    let error = predicate(game, "plies > 3", &["-plise"]).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("'plise' in the order, did you mean plies"),
        "{message}"
    );
    let message = predicate(game, "plise > 3", &[]).unwrap_err().to_string();
    assert!(message.contains("'plise': did you mean plies"), "{message}");
    let error = predicate(game, "true", &["quite_another_thing"]).unwrap_err();
    let message = error.to_string();
    assert!(!message.contains("did you mean"), "{message}");
}

#[test]
fn a_predicate_that_is_no_condition_is_refused() {
    let (game, _) = &*TINY;
    for condition in [
        "",
        "plies >",
        "(plies > 3",
        "plies > 3)",
        "SELECT plies",
        "plies + 1",
        "outcome",
        "'win'",
        "1",
        "NULL",
        "plies = MAX(plies)",
        "COUNT(*) > 1",
        "plies > AVG(plies) AND outcome = 'win'",
        "plies = FIRST(plies)",
        "ROW_NUMBER() OVER (ORDER BY plies) = 1",
        "outcome > 3",
        "plies = 'win'",
        "only_move AND plies",
        "no_such_function(plies) = 1",
        "plies IN (SELECT plies FROM positions)",
    ] {
        let error = predicate(game, condition, &[]).expect_err(condition);
        let message = error.to_string();
        assert!(matches!(error, MineError::Text { .. }), "{message}");
        let named = message.contains("made") && message.contains(condition);
        assert!(named, "{message}");
    }
}

#[test]
fn a_malformed_filter_file_is_refused_by_name() {
    let good = "name = 'a-1'\ntitle = 'A'\ntext = 'B'\npredicate = 'true'\nlimit = 3\n";
    assert_eq!(Filter::parse(good, "f.toml").unwrap().limit, Some(3));
    let mut bad = vec![
        (format!("{good}colour = 'red'\n"), "colour"),
        (format!("{good}[[admit]]\ngame = 'ostle'\n"), "position"),
        (good.replace("limit = 3", "limit = 0"), "limit = 0"),
        (good.replace("limit = 3", "limit = -3"), "limit"),
        (good.replace("limit = 3", "limit = 3\nlimit = 4"), "limit"),
        (good.replace("'true'", "true"), "predicate"),
    ];
    for name in ["", "-a", "A", "a b", "a/b", "..", "é"] {
        bad.push((good.replace("a-1", name), "lower-case"));
    }
    bad.push(("limit = 3".to_owned(), "missing name, predicate"));
    let examples = format!("{good}[[refuse]]\n[[admit]]\ngame = 'ostle'\n");
    let missing = "missing position of [[admit]] number 1, why of [[admit]] number 1, \
        game of [[refuse]] number 1, position of";
    bad.push((examples, missing));
    for field in ["name", "predicate"] {
        let lines = good.lines().filter(|line| !line.starts_with(field));
        bad.push((lines.collect::<Vec<_>>().join("\n"), field));
    }
    for (text, word) in bad {
        let error = Filter::parse(&text, "f.toml").expect_err(&text);
        let message = error.to_string();
        assert!(message.starts_with("invalid filter"), "{message}");
        assert!(
            message.contains("f.toml") && message.contains(word),
            "{message}"
        );
    }
}

/// Checks a predicate and, if it is sound, uses it.
fn try_out(text: &str) {
    let (game, table) = &*TINY;
    match predicate(game, text, &[]) {
        Ok(predicate) => {
            let tasks = [(&predicate, Some(3))];
            if let Ok(scans) = scan(game, table, &tasks, &Scope::all(), &NoProgress) {
                let (found, all) = (scans[0].finds.len() as u64, scans[0].matched);
                assert!(found == all.min(3) && all <= game.slots(), "{text}");
            }
        }
        Err(error) => assert!(error.to_string().contains("made"), "{error}"),
    }
}

/// Reads the text of a filter; a refusal names the file.
fn read_or_refused(text: &str) {
    if let Err(error) = Filter::parse(text, "any.toml") {
        assert!(error.to_string().contains("any.toml"), "{error}");
    }
}

/// Words that together are often nearly SQL.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "plies",
        "outcome",
        "only_move",
        "n_winning",
        "dual_free",
        "symmetries",
        "nosuch",
        "\"",
        "'win'",
        "'",
        "3",
        "0",
        "-1",
        "1.5",
        "99999999999999999999",
        "NULL",
        "true",
        "AND",
        "OR",
        "NOT",
        "=",
        "<>",
        "<",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "||",
        "(",
        ")",
        ",",
        "IN",
        "IS",
        "BETWEEN",
        "LIKE",
        "CASE",
        "WHEN",
        "THEN",
        "ELSE",
        "END",
        "CAST(",
        "AS INT)",
        "ABS(",
        "MAX(",
        "COALESCE(",
        "LENGTH(",
        "SUBSTR(",
        "OVER (",
        "SELECT",
        "::",
        "[",
        "]",
        ".",
        ";",
    ]);
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_predicate_is_used_or_refused(text in any::<String>()) {
        try_out(&text);
    }

    #[test]
    fn any_words_of_sql_are_used_or_refused(text in words()) {
        try_out(&text);
    }

    #[test]
    fn any_filter_file_is_read_or_refused(text in any::<String>()) {
        read_or_refused(&text);
    }

    #[test]
    fn a_changed_filter_file_is_read_or_refused(at: prop::sample::Index, part in "[\\PC\n]{0,6}") {
        let mut text = "name = 'a-1'\ntitle = 'A'\ntext = 'B'\npredicate = 'true'\norder = ['plies']\n\
            limit = 3\n[[admit]]\ngame = 'ostle'\nposition = ''\nwhy = ''\n".to_owned();
        text.insert_str(at.index(text.len()), &part);
        read_or_refused(&text);
    }
}

#[test]
fn long_and_deep_predicates_and_files_are_used_or_refused() {
    let count = |condition: &str| find(&TINY, condition, &[], None).matched;
    let (all, short) = (count("true"), count("plies <= 1"));
    let decided = all - count("outcome = 'draw'");
    assert!(0 < short && short < decided && decided < all);
    let of = |part: &str, length: usize| {
        let (rest, closing) = ("plies > 1", if part == "(" { ")" } else { "" });
        let times = (length - rest.len()) / (part.len() + closing.len()) / 2 * 2;
        format!("{}{rest}{}", part.repeat(times), closing.repeat(times))
    };
    let deep = |(part, longest, expected): (&str, usize, u64)| {
        assert_eq!(count(&of(part, 60)), expected, "{part}");
        match predicate(&TINY.0, &of(part, longest), &[]) {
            Ok(_) => assert_eq!(count(&of(part, longest)), expected, "{part}"),
            Err(error) => assert!(matches!(error, MineError::Text { .. }), "{part}: {error}"),
        }
        for length in [720, 10_000, 60_000, 1_000_000] {
            let begun = Instant::now();
            match predicate(&TINY.0, &of(part, length), &[]) {
                Ok(_) => assert_eq!(count(&of(part, length)), expected, "{part}"),
                Err(error) => {
                    assert!(matches!(error, MineError::Text { .. }), "{part}: {error}");
                    assert!(error.to_string().len() < 400, "{part}: {error}");
                }
            }
            assert!(
                begun.elapsed() < Duration::from_secs(1),
                "{part}, {length} bytes"
            );
        }
    };
    let parts = [
        ("1+", 300, decided),
        ("NOT ", 700, decided - short),
        ("(", 700, decided - short),
        ("1=1 OR ", 700, all),
        ("plies>1 AND ", 700, decided - short),
    ];
    // With the stack that a main thread has.
    let large = Builder::new().stack_size(8 << 20);
    std::thread::scope(|scope| {
        let run = large.spawn_scoped(scope, || parts.into_iter().for_each(deep));
        run.unwrap().join().unwrap();
    });
    let nested = format!("name = {}", "[".repeat(100_000));
    let error = Filter::parse(&nested, "deep.toml").unwrap_err();
    assert!(error.to_string().contains("deep.toml"), "{error}");
}
