//! Filters and scans, against the slow solver and against bad input.

use std::sync::LazyLock;
use std::thread::Builder;

use proptest::prelude::*;
use tesuji::base::value::Outcome;
use tesuji::base::watch::Unwatched;
use tesuji::game::Ranked;
use tesuji::games::ostle::{Ostle, State};
use tesuji::mine::{Catalogue, Filter, MineError, Predicate, Scan, Scope, admits, scan};
use tesuji::table::Table;

use crate::common;

type Solved = LazyLock<(Ostle, Table)>;

fn solved(spec: &str) -> (Ostle, Table) {
    let game = common::game(spec);
    let table = common::table(&game);
    (game, table)
}

static TINY: Solved = LazyLock::new(|| solved("ostle:3x3,pieces=2,losses=2"));
static SMALL: Solved = LazyLock::new(|| solved("ostle:4x4,pieces=2,losses=2"));
static OBLONG: Solved = LazyLock::new(|| solved("ostle:3x4,pieces=3,losses=2"));
static WIDE: Solved = LazyLock::new(|| solved("ostle:4x4,pieces=3,losses=2"));

const SACRIFICE: &str = "outcome = 'win' AND winning_sacrifice = n_winning";
const POISONED: &str = "outcome = 'draw' AND n_capture > 0 AND losing_capture = n_capture";

/// The predicate for a filter with this condition and order.
fn predicate(game: &Ostle, condition: &str, order: &[&str]) -> Result<Predicate, MineError> {
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let order: Vec<_> = order.iter().map(|name| quoted(name)).collect();
    let text = format!(
        "name = 'made'\ntitle = ''\ntext = ''\npredicate = {}\norder = [{}]",
        quoted(condition),
        order.join(", ")
    );
    let filter = Filter::parse(&text, "made.toml").unwrap();
    assert_eq!(filter.predicate(), condition);
    Predicate::new(&filter, &Catalogue::new(game))
}

/// One scan with one filter that must be sound.
fn find(solved: &Solved, condition: &str, order: &[&str], limit: Option<usize>) -> Scan<State> {
    let (game, table) = &**solved;
    let predicate = predicate(game, condition, order).unwrap();
    let mut scans = scan(
        game,
        table,
        &[(&predicate, limit)],
        &Scope::all(),
        &Unwatched,
    )
    .unwrap();
    assert_eq!(scans.len(), 1);
    scans.remove(0)
}

fn indices(scan: &Scan<State>) -> Vec<u64> {
    scan.finds().iter().map(|find| find.index).collect()
}

#[test]
fn a_scan_finds_what_a_brute_force_finds() {
    let mut found = [0, 0];
    for solved in [&TINY, &SMALL, &OBLONG] {
        let (game, table) = &**solved;
        let naive = common::naive(game);
        let mut expected = [Vec::new(), Vec::new()];
        for slot in 0..game.slots() {
            let Some(state) = game.unrank(slot) else {
                continue;
            };
            let (outcome, _) = common::worth(game, &naive, &state);
            let tried = common::tried(game, &naive, &state);
            let mut wins = tried.iter().filter(|tried| tried.worth.0 == Outcome::Win);
            if outcome == Outcome::Win && wins.all(|tried| tried.sacrifice) {
                expected[0].push((slot, state));
            }
            let captures = || tried.iter().filter(|tried| tried.capture);
            let poisoned = captures().all(|tried| tried.worth.0 == Outcome::Loss);
            if outcome == Outcome::Draw && captures().count() > 0 && poisoned {
                expected[1].push((slot, state));
            }
        }
        // Both at once, so that each must be kept apart from the other.
        let predicates = [SACRIFICE, POISONED].map(|text| predicate(game, text, &[]).unwrap());
        let filters = predicates.each_ref().map(|predicate| (predicate, None));
        let scans = scan(game, table, &filters, &Scope::all(), &Unwatched).unwrap();
        for (place, (scan, expected)) in scans.iter().zip(&expected).enumerate() {
            let states = scan.finds().iter().map(|find| (find.index, find.state));
            assert_eq!(&states.collect::<Vec<_>>(), expected);
            assert_eq!(scan.matched(), expected.len() as u64);
            found[place] += expected.len();
            for find in scan.finds() {
                let best = find.record.best();
                let worth = common::worth(game, &naive, &find.state);
                assert_eq!((best.outcome(), best.plies()), worth);
                assert!(admits(game, table, &predicates[place], &find.state).unwrap());
            }
        }
    }
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn a_limit_keeps_the_first_finds_and_counts_them_all() {
    for order in [&[][..], &["-plies"], &["n_moves", "-hole_square"]] {
        let all = find(&SMALL, "outcome = 'win'", order, None);
        assert_eq!(all.matched(), all.finds().len() as u64);
        assert!(all.matched() > 5);
        for limit in [1, 5] {
            let some = find(&SMALL, "outcome = 'win'", order, Some(limit));
            assert_eq!(some.finds(), &all.finds()[..limit]);
            assert_eq!(some.matched(), all.matched());
        }
        let more = find(&SMALL, "outcome = 'win'", order, Some(usize::MAX));
        assert_eq!(more.finds(), all.finds());
    }
}

#[test]
fn finds_come_in_the_asked_order_and_ties_by_index() {
    let plain = find(&SMALL, "plies > 0", &[], None);
    assert!(indices(&plain).is_sorted_by(|a, b| a < b));
    let key = |find: &tesuji::mine::Find<State>| (find.record.best().plies().unwrap(), find.index);
    let rising = find(&SMALL, "plies > 0", &["plies"], None);
    assert!(rising.finds().is_sorted_by(|a, b| key(a) < key(b)));
    let falling = find(&SMALL, "plies > 0", &["-plies"], None);
    let keys = falling.finds().iter().map(key);
    let keys: Vec<_> = keys.map(|(plies, at)| (u16::MAX - plies, at)).collect();
    assert!(keys.is_sorted_by(|a, b| a < b));
    assert_eq!(plain.matched(), rising.matched());
    assert_eq!(plain.matched(), falling.matched());
}

#[test]
fn null_plies_neither_meet_a_condition_nor_its_opposite() {
    let count = |text| find(&SMALL, text, &[], None).matched();
    let (draws, all) = (count("outcome = 'draw'"), count("true"));
    assert!(draws > 0 && draws < all);
    assert_eq!(count("plies > 0"), all - draws);
    assert_eq!(count("NOT (plies > 0)"), 0);
    assert_eq!(count("plies IS NULL"), draws);
    assert_eq!(count("plies > 0 OR outcome = 'draw'"), all);
    assert_eq!(count("plies = NULL"), 0);
    // What is missing comes last in either order.
    for order in ["plies", "-plies"] {
        let all = find(&SMALL, "true", &[order], None);
        let drawn = |find: &tesuji::mine::Find<State>| find.record.best().plies().is_none();
        assert!(all.finds().is_sorted_by_key(drawn));
    }
}

#[test]
fn an_unknown_column_is_refused_with_the_nearest_name() {
    let (game, _) = &*TINY;
    for (condition, order) in [("plise > 3", &[][..]), ("plies > 3", &["-plise"])] {
        let error = predicate(game, condition, order).unwrap_err();
        let message = error.to_string();
        let MineError::Column { column, near, .. } = error else {
            panic!("{message}");
        };
        assert_eq!((column.as_str(), near[0].as_str()), ("plise", "plies"));
        assert!(message.contains("did you mean plies"), "{message}");
    }
    let error = predicate(game, "true", &["quite_another_thing"]).unwrap_err();
    assert!(matches!(error, MineError::Column { near, .. } if near.is_empty()));
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
        assert!(matches!(error, MineError::Sql { .. }), "{message}");
        let named = message.contains("made") && message.contains(condition);
        assert!(named, "{message}");
    }
}

#[test]
fn a_malformed_filter_file_is_refused_by_name() {
    let good = "name = 'a-1'\ntitle = 'A'\ntext = 'B'\npredicate = 'true'\nlimit = 3\n";
    assert_eq!(Filter::parse(good, "f.toml").unwrap().limit(), Some(3));
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
    for field in ["name", "title", "text", "predicate"] {
        let lines = good.lines().filter(|line| !line.starts_with(field));
        bad.push((lines.collect::<Vec<_>>().join("\n"), field));
    }
    for (text, word) in bad {
        let error = Filter::parse(&text, "f.toml").expect_err(&text);
        let message = error.to_string();
        assert!(matches!(error, MineError::Malformed { .. }), "{message}");
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
            if let Ok(scans) = scan(game, table, &tasks, &Scope::all(), &Unwatched) {
                let (found, all) = (scans[0].finds().len() as u64, scans[0].matched());
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
    let count = |condition: &str| find(&TINY, condition, &[], None).matched();
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
            Err(error) => assert!(matches!(error, MineError::Sql { .. }), "{part}: {error}"),
        }
        for length in [720, 10_000, 1_000_000] {
            let error = predicate(&TINY.0, &of(part, length), &[]).unwrap_err();
            assert!(matches!(error, MineError::Sql { .. }), "{part}: {error}");
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

#[test]
fn the_number_of_threads_changes_nothing() {
    let (_, table) = &*WIDE;
    assert!(table.blocks() > 2);
    // Few finds against many, and many ties.
    for (text, order) in [
        (SACRIFICE, &["n_winning"][..]),
        ("n_moves > 9", &["-plies"]),
    ] {
        let [one, two] = [1, 2]
            .map(|threads| common::with_threads(threads, || find(&WIDE, text, order, Some(50))));
        assert!(one.matched() > 0);
        assert_eq!(one.finds(), two.finds());
        assert_eq!(one.matched(), two.matched());
    }
}
