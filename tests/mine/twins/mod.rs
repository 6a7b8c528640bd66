//! Conditions against twins: a plain evaluation, row by row, and with the feature `polars` an
//! SQL engine.

mod expression;
mod random;
#[cfg(feature = "polars")]
mod sql;

use std::cell::Cell;

use proptest::prelude::*;
use tesuji::game::{Feature, FeatureValue};
use tesuji::mine::{Catalogue, Condition};

use expression::{FLAGS, NUMBERS, Part, Row, TEXTS, Value, WORDS};

/// The columns of the rows.
fn catalogue() -> Catalogue {
    let mut features = Vec::new();
    features.extend(NUMBERS.map(|name| Feature::number(name, "a number")));
    features.extend(FLAGS.map(|name| Feature::flag(name, "a flag")));
    features.extend(TEXTS.map(|name| Feature::word(name, WORDS, "a word")));
    Catalogue::of_rows(features)
}

fn cell(row: &Row, column: usize) -> FeatureValue {
    match column {
        0 | 1 => row.numbers[column].map_or(FeatureValue::NONE, FeatureValue::number),
        2 | 3 => row.flags[column - 2].map_or(FeatureValue::NONE, FeatureValue::flag),
        _ => row.words[column - 4].map_or(FeatureValue::NONE, FeatureValue::word),
    }
}

/// The rows that the condition admits.
fn admitted(text: &str, rows: &[Row]) -> Vec<bool> {
    let catalogue = catalogue();
    let condition = Condition::new(text, &catalogue).unwrap_or_else(|error| panic!("{error}"));
    condition.test(rows.len(), |column| {
        rows.iter().map(|row| cell(row, column)).collect()
    })
}

/// The rows that a plain evaluation admits.
fn expected(condition: &Part, rows: &[Row]) -> Vec<bool> {
    let large = Cell::new(false);
    let admits = |row| condition.value(row, &large) == Value::Flag(true);
    rows.iter().map(admits).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_condition_admits_the_rows_that_a_plain_evaluation_admits(
        condition in random::condition(3),
        rows in random::rows(),
    ) {
        let text = condition.text(false);
        prop_assert_eq!(admitted(&text, &rows), expected(&condition, &rows), "{}", text);
    }
}

#[test]
fn many_rows_are_tested_as_few_are() {
    let row = |(number, place): (i32, usize)| Row {
        numbers: [(number % 7 != 0).then_some(number % 13), Some(5)],
        flags: [Some(number % 3 == 0), None],
        words: [Some(place % 4), None],
    };
    let rows: Vec<_> = (0..5000).zip(0..).map(row).collect();
    for text in [
        "n > m",
        "n > m OR p",
        "p AND w <> 'loss'",
        "q IS NULL",
        "TRUE",
        "n / 2 > 2.4",
    ] {
        let all = admitted(text, &rows);
        assert!(all.len() == rows.len() && all.contains(&true), "{text}");
        for (rows, all) in rows.chunks(7).zip(all.chunks(7)) {
            assert_eq!(admitted(text, rows), all, "{text}");
        }
    }
}

#[test]
fn what_does_not_fit_into_64_bits_is_null() {
    let row = Row {
        numbers: [Some(i32::MAX), Some(-i32::MAX)],
        flags: [None; 2],
        words: [None; 2],
    };
    let rows = [row];
    for (text, holds) in [
        ("n * n > 0", true),
        ("n * n * n > 0", false),
        ("n * n * n IS NULL", true),
        ("n * n * n * 0 IS NULL", true),
        ("9223372036854775807 + n IS NULL", true),
        ("-9223372036854775807 - 1 < m", true),
        ("-9223372036854775807 - 2 IS NULL", true),
        ("-(-9223372036854775807 - 1) IS NULL", true),
        ("ABS(-9223372036854775807 - 1) IS NULL", true),
        ("(-9223372036854775807 - 1) % -1 = 0", true),
        ("n % 0 IS NULL", true),
        ("n / 0 > 9223372036854775807", true),
        ("m / 0 < 0", true),
        ("n * 1.0 * n * n > 9223372036854775807", true),
    ] {
        assert_eq!(admitted(text, &rows), [holds], "{text}");
    }
}
