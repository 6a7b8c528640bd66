//! The SQL engine of Polars as a twin.

use std::cell::Cell;

use polars::prelude::{DataFrame, IntoLazy, NamedFrom, Series, col};
use proptest::prelude::*;

use super::expression::{FLAGS, NUMBERS, Part, Row, TEXTS, WORDS};
use super::{admitted, random};

/// The rows as a frame.
fn frame(rows: &[Row]) -> DataFrame {
    let mut series = Vec::new();
    for column in 0..2 {
        let numbers: Vec<_> = rows.iter().map(|row| row.numbers[column]).collect();
        let flags: Vec<_> = rows.iter().map(|row| row.flags[column]).collect();
        let word = |row: &Row| row.words[column].map(|word| WORDS[word]);
        let words: Vec<_> = rows.iter().map(word).collect();
        series.push(Series::new(NUMBERS[column].into(), numbers).into());
        series.push(Series::new(FLAGS[column].into(), flags).into());
        series.push(Series::new(TEXTS[column].into(), words).into());
    }
    DataFrame::new(rows.len(), series).unwrap()
}

/// The rows that the engine selects.
fn selected(condition: &str, rows: &[Row]) -> Result<Vec<bool>, String> {
    let told = |error: polars::error::PolarsError| error.to_string();
    let expression = polars::sql::sql_expr(condition).map_err(told)?;
    // Conditions without columns get one for each row.
    let every = col(FLAGS[0]).is_null();
    let every = every.clone().or(every.not());
    let frame = frame(rows)
        .lazy()
        .select([every.and(expression).alias("answer")]);
    let frame = frame.collect().map_err(told)?;
    let answers = frame
        .column("answer")
        .and_then(|answers| answers.bool().cloned());
    let answers = answers.map_err(told)?;
    Ok(answers.iter().map(|answer| answer == Some(true)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_condition_admits_the_rows_that_the_sql_engine_selects(
        condition in random::condition(3),
        rows in random::rows(),
    ) {
        // The engine computes with 32 bits, which it lets overflow.
        let fits = |row: &Row| {
            let large = Cell::new(false);
            let _ = Part::value(&condition, row, &large);
            !large.get()
        };
        let rows: Vec<Row> = rows.into_iter().filter(fits).collect();
        prop_assume!(!rows.is_empty());
        let selected = selected(&condition.text(true), &rows);
        let text = condition.text(false);
        prop_assert_eq!(Ok(admitted(&text, &rows)), selected, "{}", text);
    }
}
