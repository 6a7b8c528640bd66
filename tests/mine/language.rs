//! The language of conditions: what is refused, where, and with what remedy; and that no text
//! takes long.

use std::time::{Duration, Instant};

use tesuji::game::{FeatureValue, Ranked};
use tesuji::mine::{Catalogue, Condition, PuzzleRow};

use super::scan::{TINY, find};

fn catalogue() -> Catalogue {
    Catalogue::new(&TINY.0)
}

/// Refused conditions: the place of the fault is marked by the sign § before it, and the
/// message has these words.
const REFUSED: [(&str, &str); 107] = [
    // Nothing is left over.
    (
        "plies > §1_000",
        "1_000 is not a number: write its digits without _",
    ),
    (
        "plies > 1§,000",
        "found , after the end of the condition: write numbers without separators",
    ),
    (
        "plies > 3 §plies",
        "found plies after the end of the condition: join conditions by AND or OR",
    ),
    ("plies > 3§)", "no parenthesis is open here"),
    ("plies > 3§; plies > 4", "without a semicolon"),
    ("outcome = 'win' §-- long", "it would begin a comment"),
    ("plies §/* > 3 */ > 4", "comments are not allowed"),
    ("plies > 3 §ORDER BY plies", "the filter's order"),
    ("plies > 3 §LIMIT 4", "the filter's limit"),
    // Something is missing.
    ("§", "the condition ends here, but here must come a value"),
    ("plies >§", "the condition ends here"),
    ("(plies > 3§", "but ) must follow"),
    ("plies > 3 AND§", "the condition ends here"),
    ("§AND plies > 3", "found AND"),
    (
        "plies BETWEEN 3§",
        "AND must follow the first bound of BETWEEN",
    ),
    ("plies NOT §3", "NOT begins NOT IN"),
    (
        "only_move NOT§",
        "NOT begins NOT IN, NOT LIKE or NOT BETWEEN",
    ),
    ("CASE §END", ""),
    ("CASE WHEN only_move §1 END", "THEN must follow"),
    ("CASE WHEN only_move THEN 1§", "END must follow"),
    ("plies IN (§)", "in the list of IN stand numbers"),
    ("plies IN §3", "( must follow IN"),
    ("outcome = §'win", "the quote ' is not closed"),
    ("§\"outcome = 'win'", "the quote \" is not closed"),
    // Other quotes.
    ("outcome = §\"win\"", "write a text in single quotes: 'win'"),
    ("outcome = §win", "write a text in single quotes: 'win'"),
    (
        "outcome = §\"victory\"",
        "write a text in single quotes: 'victory'",
    ),
    ("outcome = §`win`", "double quotes"),
    ("outcome = §\u{2018}win\u{2019}", "straight single quotes"),
    ("outcome = §b'win'", "a text stands in single quotes alone"),
    // Themes.
    ("§themes LIKE '%quiet-kye%'", "did you mean '%quiet-key%'?"),
    ("§themes LIKE '%xyzzy%'", "the themes are ban-win, "),
    (
        "§themes LIKE 'quiet-key'",
        "themes are asked for one by one",
    ),
    (
        "§themes LIKE '%echo%decoy%'",
        "themes are asked for one by one",
    ),
    (
        "themes = §'quiet-key'",
        "themes is a list of themes and 'quiet-key' is a text: write themes LIKE '%quiet-key%'",
    ),
    (
        "themes IS DISTINCT FROM §NULL",
        "themes is a list of themes and NULL is NULL: write themes LIKE",
    ),
    (
        "§NULL IS DISTINCT FROM themes",
        "write themes LIKE '%quiet-key%'",
    ),
    (
        "CASE WHEN plies > 3 THEN §themes END IS NULL",
        "write themes LIKE '%quiet-key%'",
    ),
    ("themes IN (§'decoy')", "write themes LIKE '%quiet-key%'"),
    ("LENGTH(§themes) > 3", "LENGTH needs a text"),
    ("§themes", "a condition is true or false"),
    // Names and words.
    ("§plise > 3", "unknown column 'plise': did you mean plies"),
    ("§PLIES > 3", "did you mean plies"),
    ("§n_wining = 1", "did you mean n_winning"),
    (
        "§quite_another_thing",
        "'tesuji features' lists all columns",
    ),
    ("plies > 3\nAND §plise > 3", "did you mean plies"),
    (
        "outcome = §'victory'",
        "outcome is never 'victory': its words are 'draw', 'loss', 'win'",
    ),
    ("outcome <> §'Win'", "did you mean 'win'?"),
    ("§'lost' = outcome", "did you mean 'loss'?"),
    (
        "soundness = §'dualfreetree'",
        "did you mean 'dualFreeTree'?",
    ),
    ("outcome IN ('win', §'los')", "did you mean 'loss'?"),
    ("outcome NOT IN (§'wins')", "did you mean 'win'?"),
    ("outcome IS DISTINCT FROM §'wi'", "did you mean 'win'?"),
    (
        "CASE outcome WHEN §'wim' THEN TRUE END",
        "did you mean 'win'?",
    ),
    ("UPPER(outcome) = §'win'", "did you mean 'WIN'?"),
    // Types.
    (
        "§plies + 1",
        "plies + 1 is a number, but a condition is true or false",
    ),
    ("§outcome", "outcome is a text"),
    ("§'win'", "'win' is a text"),
    ("§1", "1 is a number"),
    ("§NULL", "never true"),
    ("plies > 3 AND §plies", "plies is a number"),
    ("only_move OR §plies", "OR needs a condition"),
    ("NOT §plies", "NOT needs a condition"),
    ("outcome > §3", "outcome is a text and 3 is a number"),
    ("plies = §'win'", "plies is a number and 'win' is a text"),
    ("plies = §'3'", "write 3 without quotes"),
    ("only_move = §1", "write only_move or NOT only_move"),
    ("§only_move < TRUE", "have no order"),
    (
        "plies IN (1, 2, §'a')",
        "plies is a number and this is a text",
    ),
    ("§plies LIKE '3%'", "LIKE needs a text"),
    ("§outcome + 1 = 2", "arithmetic needs numbers"),
    ("ABS(§outcome) = 2", "ABS needs numbers"),
    ("LENGTH(§plies) = 2", "LENGTH needs a text"),
    (
        "CASE WHEN only_move THEN 1 ELSE §'x' END = 1",
        "1 is a number and 'x' is a text",
    ),
    // NULL and IS.
    ("plies = §NULL", "write plies IS NULL"),
    ("plies <> §NULL", "IS NOT NULL"),
    ("plies IN (1, §NULL)", "in the list of IN stand"),
    ("plies IS §3", "after IS come NULL"),
    ("only_move IS §TRUE", "write its name or NOT before it"),
    // Comparisons in a row.
    ("3 < plies §< 5", "join them by AND, or set parentheses"),
    ("plies > 3 §IS NULL", "set parentheses"),
    // Other dialects and languages.
    ("plies §== 3", "write ="),
    ("plies > 3 §&& only_move", "write AND"),
    ("plies > 3 §|| only_move", "write OR"),
    ("§!only_move", "write NOT"),
    ("plies §≥ 3", "write >="),
    ("plies§::int > 3", "types cannot be converted"),
    ("§CAST(plies AS INT) > 3", "types cannot be converted"),
    ("plies §// 2 > 3", "FLOOR(a / b)"),
    ("plies > §1e3", "write all its digits"),
    ("plies > §.5", "write 0.5"),
    ("plies > §1.", "one point and digits"),
    (
        "plies > §99999999999999999999",
        "is larger than 9223372036854775807",
    ),
    ("plies > §INTERVAL '1 day'", "there are no dates"),
    ("§IFNULL(plies, 3) > 3", "COALESCE"),
    ("outcome §ILIKE 'w%'", "LOWER(a) LIKE"),
    ("outcome LIKE 'w%' §ESCAPE '!'", "no escape character"),
    // Functions.
    ("§QUANTILE_CONT(plies, 0.5) > 1", "one position at a time"),
    ("§CORR(plies, n_moves) > 1", "CORR is an aggregate"),
    ("plies = §MAX(plies)", "write GREATEST(a, b)"),
    (
        "§GREATEST() > 1",
        "GREATEST needs one argument or more, found 0",
    ),
    ("§abs(plies, 3) > 1", "abs needs one argument, found 2"),
    ("§lenght(outcome) > 3", "did you mean LENGTH?"),
    (
        "§no_such_function(plies) = 1",
        "the functions are ABS, CEIL, CEILING, COALESCE",
    ),
    ("§ROW_NUMBER() OVER () = 1", "window function"),
    ("plies IN (§SELECT plies FROM t)", "would read other data"),
    ("§EXISTS (SELECT 1) ", "would read other data"),
];

#[test]
fn a_refusal_names_the_place_and_the_remedy() {
    let catalogue = catalogue();
    for (marked, words) in REFUSED {
        let (before, after) = marked.split_once('§').unwrap();
        let text = format!("{before}{after}");
        let error = Condition::new(&text, &catalogue).expect_err(&text);
        let message = error.to_string();
        assert_eq!(error.at, before.chars().count(), "{text}: {message}");
        assert!(message.contains(words), "{text}: {message}");
        // The mark stands below the place.
        let mark = message.lines().last().unwrap();
        let at = mark.chars().count() - 1;
        let shown = message.lines().nth(1).unwrap().chars().nth(at);
        let marked = after.chars().next();
        assert_eq!(shown, marked, "{message}");
    }
}

#[test]
fn sound_conditions_find_what_they_say() {
    let count = |condition: &str| find(&TINY, condition, &[], None).matched;
    let all = count("TRUE");
    let short = count("plies = 1");
    assert!(0 < short && short < all && all < TINY.0.slots());
    // Pairs that say the same.
    for (one, other) in [
        ("plies = 1", "\"plies\" = 1"),
        ("plies = 1", "plies=1 and(true)"),
        ("plies = 1", "plies in (1)"),
        ("plies = 1", "not plies <> 1"),
        ("plies = 1", "1 - - 1 = plies + +1"),
        ("plies = 1", "plies BETWEEN 1 AND 1 AND TRUE"),
        ("plies = 1", "NOT plies NOT IN (1, 1.0)"),
        ("plies = 1", "plies / 2 = 0.5"),
        ("plies = 1", "plies * 2 + 3 * 2 = 8"),
        ("plies = 1", "-plies = 5 % -3"),
        ("plies = 1", "CASE plies WHEN 1 THEN TRUE ELSE FALSE END"),
        (
            "plies = 1",
            "CASE WHEN plies > 1 THEN FALSE WHEN plies = 1 THEN TRUE END",
        ),
        (
            "plies = 1",
            "LEAST(plies, 2) = GREATEST(NULL, 1) AND COALESCE(plies, 1) = 1 AND plies IS NOT NULL",
        ),
        ("plies IS NULL", "outcome = 'draw'"),
        ("plies IS NULL", "plies IS NOT DISTINCT FROM NULL"),
        ("plies IS NULL", "COALESCE(plies, -1) = -1"),
        ("plies > 1 OR plies IS NULL", "plies IS DISTINCT FROM 1"),
        ("plies > 1", "NOT plies = 1"),
        (
            "outcome IN ('win', 'loss')",
            "outcome LIKE '%_%s%' OR outcome LIKE 'w_n'",
        ),
        (
            "outcome IN ('win', 'loss')",
            "LENGTH(outcome) = 3 OR UPPER(outcome) = 'LOSS'",
        ),
        ("outcome = 'win'", "outcome > 'loss'"),
        (
            "outcome = 'win' OR outcome = 'loss' AND plies > 2",
            "outcome = 'win' OR (outcome = 'loss' AND plies > 2)",
        ),
        (
            "NOT (only_move OR plies = 1)",
            "NOT only_move AND NOT plies = 1",
        ),
        ("FLOOR(plies / 2) = 1", "plies IN (2, 3)"),
        (
            "CEILING(plies / 2.0) = 1 AND MOD(plies, 2) = 0",
            "plies = 2",
        ),
        ("ROUND(plies / 4) = 2", "plies BETWEEN 6 AND 10"),
        ("SIGN(plies - 2) = -1", "ABS(plies - 1) = 0"),
        ("NULLIF(plies, 1) IS NULL", "plies = 1 OR outcome = 'draw'"),
    ] {
        let found = count(one);
        assert!(found > 0 && found < all, "{one} finds {found}");
        assert_eq!(found, count(other), "{one} and {other}");
    }
}

#[test]
fn no_text_takes_long() {
    let catalogue = catalogue();
    let nested = |open: &str, within: &str, close: &str, times: usize| {
        format!("{}{within}{}", open.repeat(times), close.repeat(times))
    };
    let mut texts = vec![
        "NOT(".repeat(40),
        "BETWEEN ".repeat(16),
        "plies BETWEEN ".repeat(1000),
        "CAST(".repeat(50),
        "ABS(".repeat(10_000),
        "CASE ".repeat(10_000),
        "CASE WHEN ".repeat(6_000),
        "((((((((".repeat(8_000),
        "'".repeat(60_001),
        "\"".repeat(60_001),
        "a".repeat(65_000),
        "9".repeat(65_000),
        "% ".repeat(30_000),
        "\u{1f600}".repeat(16_000),
        format!("{}plies > 1", " ".repeat(65_000)),
        format!("outcome LIKE '{}'", "%a_".repeat(20_000)),
        format!("plies IN ({}3)", "3,".repeat(30_000)),
        format!("plies > 1{}", "+1".repeat(198)),
        format!("plies > 1{}", "+1".repeat(30_000)),
        format!("COALESCE({}plies) > 1", "plies,".repeat(2_000)),
        format!("GREATEST({}plies) > 1", "n_moves,".repeat(4_000)),
        format!(
            "CASE {}END = 'x'",
            "WHEN only_move THEN outcome ".repeat(1_000)
        ),
        format!("CASE {}END", "WHEN outcome = 'win' THEN TRUE ".repeat(500)),
    ];
    for times in [30, 60, 64, 65, 5_000] {
        texts.push(nested("NOT(", "only_move", ")", times));
        texts.push(nested("NOT ", "only_move", "", times));
        texts.push(nested("(", "only_move", ")", times));
        texts.push(nested("- ", "1 > plies", "", times));
        texts.push(nested("ABS(", "plies", ")", times) + " > 1");
        texts.push(nested("UPPER(LOWER(", "outcome", "))", times) + " = 'WIN'");
        texts.push(nested("COALESCE(outcome, ", "outcome", ")", times) + " = 'win'");
        texts.push(nested("CASE WHEN TRUE THEN ", "plies", " END", times) + " > 1");
        texts.push(nested("plies BETWEEN 1 AND (", "plies", ")", times));
    }
    let mut sound = 0;
    for text in texts {
        let begun = Instant::now();
        let shown: String = text.chars().take(40).collect();
        match Condition::new(&text, &catalogue) {
            Ok(condition) => {
                sound += 1;
                let row = |column| vec![FeatureValue::flag(column % 2 == 1); 3];
                let answers = condition.test(3, row);
                assert!(
                    answers.iter().all(|&answer| answer == answers[0]),
                    "{shown}"
                );
            }
            Err(error) => assert!(error.to_string().len() < 600, "{shown}: {error}"),
        }
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(1), "{shown}: {took:?}");
    }
    assert!(sound > 20, "{sound} are sound");
}

#[test]
fn the_longest_and_deepest_condition_has_a_bound() {
    let catalogue = catalogue();
    let message = |text: &str| Condition::new(text, &catalogue).unwrap_err().to_string();
    let long = format!("plies > 1{}", " ".repeat(1 << 16));
    assert!(message(&long).contains("longer than 65536 bytes"));
    let deep = format!("{}only_move{}", "(".repeat(64), ")".repeat(64));
    assert!(message(&deep).contains("within each other"));
    assert!(Condition::new(&deep[1..deep.len() - 1], &catalogue).is_ok());
    let many = "plies > 1 OR ".repeat(1023) + "only_move";
    assert!(Condition::new(&many, &catalogue).is_ok());
    let many = "plies > 1 OR ".repeat(1024) + "plies > 1";
    assert!(message(&many).contains("more than 4096 parts"));
}

#[test]
fn the_conditions_on_the_page_are_sound() {
    let catalogue = catalogue();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/filters/README.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (_, after) = page.split_once("```sql\n").unwrap();
    let (conditions, _) = after.split_once("```").unwrap();
    let conditions: Vec<_> = conditions.lines().collect();
    assert!(conditions.len() >= 4);
    for condition in conditions {
        Condition::new(condition, &catalogue).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Themes are asked for as the column of puzzles has them.
#[test]
fn themes_are_found_as_puzzles_have_them() {
    let condition = "outcome = 'win' AND plies = 9";
    let all = rows(condition);
    // Fewer than are kept, so that none is missing.
    assert!(all.len() < 200);
    // The part of a name, and a text that is in the names that it stands for.
    for (part, text) in [
        ("quiet-key", "quiet-key"),
        ("switch_ack", "switchback"),
        ("key", "key"),
        ("o", "o"),
    ] {
        let has = |row: &&PuzzleRow| row.themes.contains(text);
        let expected: Vec<_> = all.iter().filter(has).collect();
        let with = rows(&format!("{condition} AND themes LIKE '%{part}%'"));
        assert_eq!(with.iter().collect::<Vec<_>>(), expected, "{part}");
        let without = rows(&format!("{condition} AND themes NOT LIKE '%{part}%'"));
        assert_eq!(with.len() + without.len(), all.len(), "{part}");
    }
}

/// The puzzles of a condition, by slot.
fn rows(condition: &str) -> Vec<PuzzleRow> {
    let mut rows =
        super::every_game::finds("ostle:3x3,pieces=2,losses=2", condition, "unrestricted");
    rows.sort_by_key(|row| row.slot);
    rows
}
