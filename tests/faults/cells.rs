//! Cells of tables of puzzles: what a spreadsheet would run does not leave again, and what is
//! wrong is named by line and column.

use std::fs;
use std::path::Path;

use csv::{StringRecord, Terminator, WriterBuilder};

use crate::common::program::{ok, refused};

const GAME: &str = "ostle:3x3,pieces=2,losses=2";

/// The header of mined puzzles and one row.
fn mined(here: &Path) -> (StringRecord, StringRecord) {
    let filter = ["--filter", "longest-wins", "--draw", "0", "--limit", "1"];
    ok(&[&["mine", GAME], &filter[..]].concat(), here);
    let path = here.join("output/longest-wins/puzzles.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    (header, reader.records().next().unwrap().unwrap())
}

/// Writes `bad.csv`, in which one field of the row is another.
fn with_field(here: &Path, mined: &(StringRecord, StringRecord), column: &str, field: &str) {
    for (name, end) in [
        ("bad.csv", Terminator::Any(b'\n')),
        ("bad-crlf.csv", Terminator::CRLF),
    ] {
        let mut writer = WriterBuilder::new();
        let writer = writer.terminator(end).from_path(here.join(name));
        let mut writer = writer.unwrap();
        let (header, row) = mined;
        writer.write_record(header).unwrap();
        let fields = header.iter().zip(row);
        let fields = fields.map(|(name, old)| if name == column { field } else { old });
        writer.write_record(fields).unwrap();
        writer.flush().unwrap();
    }
}

#[test]
fn no_formula_gets_out_of_a_table_of_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mined = mined(here);
    for bad in ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\u{1b}[2J"] {
        for column in ["stipulation", "key", "solution", "filter", "themes"] {
            with_field(here, &mined, column, bad);
            for name in ["bad.csv", "bad-crlf.csv"] {
                let message = refused(&["export", "--puzzles", name, "-o", "x.csv"], here);
                let named = format!("{name}: line 2: the column '{column}' begins with");
                assert!(message.contains(&named), "{message}");
                assert!(!message.contains('\u{1b}'));
            }
        }
    }
    assert!(!fs::exists(here.join("x.csv")).unwrap());
}

#[test]
fn a_field_of_another_type_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mined = mined(here);
    for (column, field) in [
        ("plies", "many"),
        ("plies", "99999999999999999999"),
        ("n_moves", "-1"),
        ("difficulty", "nan"),
        ("slot", "1.5"),
    ] {
        with_field(here, &mined, column, field);
        for name in ["bad.csv", "bad-crlf.csv"] {
            let message = refused(&["book", name, "-o", "b.html"], here);
            let named = format!("{name}: line 2: the column '{column}' is '{field}', which is not");
            assert!(message.contains(&named), "{message}");
        }
    }
}

#[test]
fn a_number_that_would_leave_as_another_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mined = mined(here);
    for (column, most) in [
        ("n_tries", 2_147_483_647_u64),
        ("line_look_ahead", 2_147_483_647),
        ("variations", 9_223_372_036_854_775_807),
        ("slot", 9_223_372_036_854_775_807),
    ] {
        with_field(here, &mined, column, &(most + 1).to_string());
        for name in ["bad.csv", "bad-crlf.csv"] {
            let message = refused(&["export", "--puzzles", name, "-o", "x.csv"], here);
            let named = format!("{name}: line 2: the column '{column}' is {}", most + 1);
            assert!(message.contains(&named), "{message}");
            assert!(message.contains(&format!("at most {most}")), "{message}");
        }
        // The reader takes this for a number as well.
        with_field(here, &mined, column, &format!("0x{:x}", most + 1));
        let message = refused(&["export", "--puzzles", "bad.csv", "-o", "x.csv"], here);
        assert!(message.contains(&format!("at most {most}")), "{message}");
    }
    with_field(here, &mined, "n_tries", "2147483647");
    ok(&["export", "--puzzles", "bad.csv", "-o", "x.csv"], here);
    let written = fs::read_to_string(here.join("x.csv")).unwrap();
    assert!(written.contains(",2147483647,"));
}
