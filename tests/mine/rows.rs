//! Puzzles as rows: how they are ranked, and what becomes of them in files.

use std::fs;
use std::io::Cursor;
use std::sync::LazyLock;

use polars::prelude::{AnyValue, ParquetReader, SerReader};
use tesuji::base::progress::NoProgress;
use tesuji::export::{read_csv, write_csv, write_parquet};
use tesuji::game::{FeatureValue, Game, Symmetric};
use tesuji::games::ostle::{Ostle, State};
use tesuji::mine::PuzzleRow;
use tesuji::mine::{Catalogue, Filter, Predicate, Scan, Scope, Solved, measure, puzzles};
use tesuji::table::Table;

use crate::common::program::{ok, refused};
use crate::common::{self, files, scan};

static WIDE: LazyLock<(Ostle, Table)> = LazyLock::new(|| {
    let game = common::game("ostle:4x4,pieces=3,losses=2");
    let table = common::table(&game);
    (game, table)
});

/// What a filter with these further lines keeps for puzzles.
fn found(lines: &str) -> (Filter, Scan<State>) {
    let (game, table) = &*WIDE;
    let text = format!("name = 'made'\ntitle = ''\ntext = ''\n{lines}");
    let filter = Filter::parse(&text, "made.toml").unwrap();
    let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
    let tasks = [(&predicate, filter.scanned(filter.limit))];
    let mut scans = scan(game, table, &tasks, &Scope::all(), &NoProgress).unwrap();
    (filter, scans.remove(0))
}

/// The rows of all finds, in their order.
fn rows_of(scan: Scan<State>) -> Vec<PuzzleRow> {
    let (game, table) = &*WIDE;
    let filter = Filter::parse("name = 'a-1'\npredicate = 'TRUE'", "a-1.toml").unwrap();
    let solved = Solved::new(table, game).unwrap();
    let rows = puzzles(game, &solved, &filter, scan, None, &NoProgress).unwrap();
    rows.into_iter().map(|(row, _)| row).collect()
}

/// Rows of a few finds: won, lost and drawn.
fn rows() -> Vec<PuzzleRow> {
    let rows = ["win", "loss", "draw"].map(|outcome| {
        let lines = format!("predicate = \"outcome = '{outcome}'\"\norder = ['-plies']\nlimit = 4");
        rows_of(found(&lines).1)
    });
    rows.concat()
}

fn csv_of(rows: &[PuzzleRow]) -> String {
    let mut bytes = Vec::new();
    write_csv(&mut bytes, rows).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn rows_come_back_from_csv_as_they_were() {
    let rows = rows();
    for outcome in ["win", "loss", "draw"] {
        let mut some = rows.iter().filter(|row| row.outcome == outcome).peekable();
        assert!(some.peek().is_some(), "{outcome}");
        let empty = outcome == "draw";
        assert!(some.all(|row| row.plies.is_none() == empty));
    }
    let text = csv_of(&rows);
    assert!(text.contains(",draw,,,"));
    assert_eq!(read_csv(text.as_bytes()).unwrap(), rows);
    assert_eq!(read_csv(csv_of(&[]).as_bytes()).unwrap(), []);
}

#[test]
fn tables_of_earlier_versions_are_read() {
    let rows = rows();
    let text = csv_of(&rows);
    for (new, old) in [(",n_best,", ",n_shortest,"), (",slot,", ",table_index,")] {
        let old = text.replacen(new, old, 1);
        assert_ne!(old, text);
        assert_eq!(read_csv(old.as_bytes()).unwrap(), rows);
    }
    // They had no profiles.
    let profiles = [",line_look_ahead", ",line_lure_run", ",line_solved_at"];
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = reader.headers().unwrap().clone();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let old = |name: &str| !profiles.contains(&format!(",{name}").as_str());
    let kept = |record: &csv::StringRecord| -> csv::StringRecord {
        let cells = record.iter().zip(&names).filter(|(_, name)| old(name));
        cells.map(|(cell, _)| cell).collect()
    };
    writer.write_record(&kept(&names)).unwrap();
    for record in reader.records() {
        writer.write_record(&kept(&record.unwrap())).unwrap();
    }
    let before = String::from_utf8(writer.into_inner().unwrap()).unwrap();
    let unprofiled: Vec<PuzzleRow> = rows
        .iter()
        .cloned()
        .map(|row| PuzzleRow {
            line_look_ahead: None,
            line_lure_run: None,
            line_solved_at: None,
            ..row
        })
        .collect();
    assert_ne!(unprofiled, rows);
    assert_eq!(read_csv(before.as_bytes()).unwrap(), unprofiled);
    // They wrote `-` where nothing is forbidden.
    let position = &rows[0].position;
    let old = text.replacen(&format!("{position},,"), &format!("{position},-,"), 1);
    assert_ne!(old, text);
    assert_eq!(read_csv(old.as_bytes()).unwrap(), rows);
    // Not both.
    let more = ["n_shortest"].into_iter().chain(std::iter::repeat("1"));
    let lines = text.lines().zip(more);
    let both: Vec<String> = lines
        .map(|(line, cell)| format!("{line},{cell}\n"))
        .collect();
    let message = read_csv(both.concat().as_bytes()).unwrap_err().to_string();
    assert!(message.contains("n_best"), "{message}");
}

#[test]
fn rows_have_the_profiles_of_their_lines() {
    let (game, table) = &*WIDE;
    let catalogue = Catalogue::new(game);
    let names = ["line_look_ahead", "line_lure_run", "line_solved_at"];
    let wanted = names.map(|name| catalogue.find(name).unwrap());
    for (outcome, shortlist) in [("win", "shortlist = 40\n"), ("draw", ""), ("loss", "")] {
        let lines = format!(
            "predicate = \"outcome = '{outcome}' AND n_moves > 6\"\norder = ['-plies']\nlimit = 12\n{shortlist}"
        );
        let (filter, scan) = found(&lines);
        let source = Solved::new(table, game).unwrap();
        let rows = puzzles(game, &source, &filter, scan, Some(12), &NoProgress).unwrap();
        assert_eq!(rows.len(), 12);
        let states: Vec<State> = rows.iter().map(|(_, state)| *state).collect();
        let columns = measure(game, table, &catalogue, &wanted, &states).unwrap();
        for ((row, _), columns) in rows.iter().zip(columns) {
            let of_row = [row.line_look_ahead, row.line_lure_run, row.line_solved_at];
            let of_row = of_row
                .map(|it| it.map_or(FeatureValue::NONE, |it| FeatureValue::count(it as usize)));
            assert_eq!(columns, of_row, "{}", row.position);
            assert_eq!(row.line_look_ahead.is_none(), outcome == "loss");
        }
        let hard = rows.iter().filter(|(row, _)| row.line_look_ahead > Some(0));
        assert_eq!(hard.count() > 0, outcome != "loss");
    }
}

#[test]
fn damaged_csv_is_refused_with_line_and_field() {
    let rows = &rows()[..2];
    let text = csv_of(rows);
    let refused = |text: &str| read_csv(text.as_bytes()).expect_err(text).to_string();
    let index = rows[1].slot;
    let fingerprint = &rows[1].table_fingerprint;
    let cell = format!(",{index},{fingerprint}");
    for wrong in ["x", "-1", "1.5", "99999999999999999999999", ""] {
        let wrong = text.replacen(&cell, &format!(",{wrong},{fingerprint}"), 1);
        let message = refused(&wrong);
        let named = message.starts_with("line 3: ") && message.contains("'slot'");
        assert!(named, "{message}");
    }
    assert!(refused("").contains("puzzle_id"));
    let message = refused(&format!("{text}a,b,c\n"));
    assert!(message.starts_with("line 4: 3 fields"), "{message}");
    let header: Vec<_> = text.lines().next().unwrap().split(',').collect();
    for (at, name) in header.iter().enumerate() {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.has_headers(false).from_reader(text.as_bytes());
        let mut writer = csv::Writer::from_writer(Vec::new());
        for record in reader.records() {
            let record = record.unwrap();
            let cells = record.iter().enumerate().filter(|&(here, _)| here != at);
            writer.write_record(cells.map(|(_, cell)| cell)).unwrap();
        }
        let without = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let message = refused(&without);
        assert!(message.contains(name), "{name}: {message}");
        let message = refused(&text.replacen(name, "colour", 1));
        assert!(message.contains(name), "{name}: {message}");
        // A column of one's own is kept wherever it stands.
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.has_headers(false).from_reader(text.as_bytes());
        let mut writer = csv::Writer::from_writer(Vec::new());
        for (line, record) in reader.records().enumerate() {
            let record = record.unwrap();
            let mut cells: Vec<_> = record.iter().collect();
            cells.insert(at, if line == 0 { "colour" } else { " red " });
            writer.write_record(cells).unwrap();
        }
        let read = read_csv(&writer.into_inner().unwrap()[..]).unwrap();
        assert_eq!(read.len(), rows.len());
        for (read, row) in read.into_iter().zip(rows) {
            assert_eq!(read.own("colour"), " red ");
            let own = Vec::new();
            assert_eq!(PuzzleRow { own, ..read }, *row);
        }
    }
}

#[test]
fn a_shortlist_is_ranked_by_score_and_similar_puzzles_count_for_the_best() {
    let (game, table) = &*WIDE;
    let lines = "predicate = \"outcome = 'win' AND plies BETWEEN 5 AND 9\"\norder = ['-n_winning', '-plies']\nlimit = 12\nshortlist = 300\ndistinct = true";
    let (filter, scan) = found(lines);
    assert_eq!(filter.scanned(filter.limit), Some(300));
    let mut rows = rows_of(scan.clone());
    let found = puzzles(
        game,
        &Solved::new(table, game).unwrap(),
        &filter,
        scan,
        filter.limit,
        &NoProgress,
    )
    .unwrap();
    assert_eq!((rows.len(), found.len()), (300, 12));
    // Stable: equal scores stay in the filter's order.
    rows.sort_by_key(|row| std::cmp::Reverse(row.score));
    let line = |row: &PuzzleRow| {
        let moves = row.solution.split(' ');
        let moves: Vec<_> = moves.map(|mv| game.parse_move(mv).unwrap()).collect();
        game.canonical_line(&moves)
    };
    let mut similar = 0;
    for (row, _) in &found {
        let first = rows
            .iter()
            .position(|other| line(other) == line(row))
            .unwrap();
        assert_eq!(rows[first].position, row.position);
        let alike = rows.iter().filter(|other| line(other) == line(row)).count();
        assert_eq!(row.similar, alike as u64 - 1);
        similar += row.similar;
        let (before, rest) = rows.split_at(first);
        // All better ones are among the found, or similar to one of them.
        assert!(
            before
                .iter()
                .all(|other| found.iter().any(|(row, _)| line(row) == line(other)))
        );
        assert!(rest.iter().all(|other| other.score <= row.score));
    }
    assert!(similar > 0, "nothing is similar: the test is empty");
    let scores: Vec<_> = found.iter().map(|(row, _)| row.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b) && scores.first() > scores.last());
    let wrong = format!(
        "name = 'best'\ntitle = ''\ntext = ''\n{}",
        lines.replace("shortlist = 300", "shortlist = 11")
    );
    let message = Filter::parse(&wrong, "best.toml").unwrap_err().to_string();
    assert!(
        message.contains("best.toml") && message.contains("shortlist"),
        "{message}"
    );
}

#[test]
fn parquet_has_the_cells_of_the_csv() {
    for rows in [rows(), Vec::new()] {
        let mut bytes = Vec::new();
        write_parquet(&mut bytes, &rows).unwrap();
        let frame = ParquetReader::new(Cursor::new(bytes)).finish().unwrap();
        let csv = csv_of(&rows);
        let mut csv = csv::Reader::from_reader(csv.as_bytes());
        let names = csv.headers().unwrap().clone();
        assert!(frame.get_column_names().into_iter().eq(&names));
        assert_eq!(frame.height(), rows.len());
        for (place, row) in csv.records().enumerate() {
            for (name, cell) in names.iter().zip(&row.unwrap()) {
                let found = match frame.column(name).unwrap().get(place).unwrap() {
                    AnyValue::Null => String::new(),
                    AnyValue::String(text) => text.to_owned(),
                    AnyValue::Int32(number) => number.to_string(),
                    AnyValue::Int64(number) => number.to_string(),
                    other => panic!("no column has values such as {other:?}"),
                };
                assert_eq!(found, cell, "{name}");
            }
        }
    }
}

#[test]
fn the_name_of_a_file_says_its_format() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("all.csv"), csv_of(&rows())).unwrap();
    let export = |more: &[&'static str]| [&["export", "--puzzles", "all.csv"], more].concat();
    for name in ["p.csv", "p.jsonl", "p.parquet"] {
        ok(&export(&["-o", name]), here);
    }
    let start = |name| fs::read(here.join(name)).unwrap()[..4].to_vec();
    assert_eq!(start("p.csv"), b"puzz");
    assert_eq!(start("p.jsonl"), b"{\"pu");
    assert_eq!(start("p.parquet"), b"PAR1");
    ok(&export(&["-o", "p", "--format", "jsonl"]), here);
    assert_eq!(start("p"), b"{\"pu");
    for (more, named) in [
        (
            &["-o", "x.csv", "--format", "parquet"][..],
            "x.csv is the name of a csv file",
        ),
        (&["-o", "x"], "or --format"),
        (&["-o", "x.txt"], "or --format"),
        (
            &["-o", "x.parquet", "--columns", "plies"],
            "--columns is for puzzles as CSV",
        ),
        (
            &["-o", "x.csv", "--columns", "key,plies,key"],
            "column 'key' is there twice",
        ),
    ] {
        let message = refused(&export(more), here);
        assert!(message.contains(named), "{message}");
    }
    assert_eq!(files(here).len(), 5);
}

#[test]
fn of_puzzles_with_one_solution_the_first_is_kept() {
    let game = &WIDE.0;
    let scan = found("predicate = \"outcome = 'win' AND plies BETWEEN 3 AND 5\"\nlimit = 400").1;
    let rows = rows_of(scan);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("all.csv"), csv_of(&rows)).unwrap();
    let args = [
        "export",
        "--puzzles",
        "all.csv",
        "--distinct",
        "--format",
        "csv",
        "-o",
        "few.csv",
    ];
    ok(&args, here);
    let kept = read_csv(fs::File::open(here.join("few.csv")).unwrap()).unwrap();
    // The same by comparing every two solutions under every symmetry of the board.
    let squares = &game.grid.symmetries;
    let line = |row: &PuzzleRow| -> Vec<_> {
        let moves = row.solution.split(' ');
        moves.map(|text| game.parse_move(text).unwrap()).collect()
    };
    let alike = |a: &PuzzleRow, b: &PuzzleRow| {
        let (a, b) = (line(a), line(b));
        squares.iter().any(|symmetry| {
            a.len() == b.len()
                && a.iter().zip(&b).all(|(a, b)| {
                    symmetry.square(a.from) == b.from
                        && symmetry.direction(a.direction) == b.direction
                })
        })
    };
    let mut expected: Vec<PuzzleRow> = Vec::new();
    for row in rows {
        if !expected.iter().any(|before| alike(before, &row)) {
            expected.push(row);
        }
    }
    assert!(kept.len() > 20 && kept.len() < 400, "{}", kept.len());
    assert_eq!(kept, expected);
}
