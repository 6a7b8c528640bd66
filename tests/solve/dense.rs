//! Dense tables: every record comes back, however it is asked for.

use std::path::Path;

use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Record, Value};
use tesuji::game::{Game, Ranked, Repetition, Retrograde, Slot};
use tesuji::games::ostle::Ostle;
use tesuji::games::tictactoe::TicTacToe;
use tesuji::table::{
    Encoding, Table, TableError, TableWriter, ValueWidth, fields, solve_in_memory, verify,
};

use crate::common::{game, records, with_threads, write, write_dense};

const NAME: &str = "dense.tsj";

fn open(bytes: Vec<u8>) -> Table {
    Table::from_bytes(bytes, Path::new(NAME)).unwrap()
}

/// Boards with rows that have symmetries, captures, one and two losses.
const SPECS: [&str; 4] = [
    "ostle:3x3,pieces=2,losses=2",
    "ostle:rows=4,columns=3,pieces=2,losses=1",
    "ostle:rows=4,columns=3,pieces=3,losses=2",
    "ostle:4x4,pieces=2,losses=2",
];

/// Every so many slots are asked for one at a time, so that all boards take as long.
fn step(game: &Ostle) -> usize {
    1 + usize::try_from(game.slots()).unwrap() / 1500
}

fn both_readings() -> impl Iterator<Item = Ostle> {
    SPECS.into_iter().flat_map(|spec| {
        [Repetition::Exact, Repetition::UpToSymmetry]
            .map(|reading| Ostle::from_settings(spec, Some(reading)).unwrap())
    })
}

#[test]
fn every_record_comes_back() {
    for game in both_readings() {
        let records = records(&game);
        for width in [ValueWidth::NARROW, ValueWidth::WIDE] {
            let (raw, fingerprint) = write(&game, &records, width, Encoding::Raw);
            let (bytes, same) = write_dense(&game, &records, width).unwrap();
            assert_eq!(fingerprint, same, "{}", game.spec());
            let table = open(bytes);
            assert!(table.is_dense());
            assert_eq!(table.description().fingerprint, fingerprint);
            let whole = table.expanded(&game, &NoProgress).unwrap();
            for (slot, record) in (0..).zip(&records) {
                let found = whole.record(slot).unwrap();
                assert_eq!(found, *record, "{}, slot {slot}", game.spec());
            }
            for (slot, record) in (0..).zip(&records).step_by(step(&game)) {
                let found = table.record_in(&game, slot).unwrap();
                assert_eq!(found, *record, "{}, slot {slot}", game.spec());
            }
            // Byte for byte what was written.
            let mut writer = memory(&game, width, Encoding::Raw);
            table.expand_into(&game, &mut writer, &NoProgress).unwrap();
            assert!(writer.finish().unwrap().0.into_inner() == raw);
        }
    }
}

fn memory(
    game: &Ostle,
    width: ValueWidth,
    encoding: Encoding,
) -> TableWriter<std::io::Cursor<Vec<u8>>> {
    let sink = std::io::Cursor::new(Vec::new());
    TableWriter::new(sink, Path::new(NAME), game, width, encoding, 3).unwrap()
}

#[test]
fn every_state_has_its_value() {
    for game in both_readings() {
        let records = records(&game);
        let (bytes, _) = write_dense(&game, &records, ValueWidth::NARROW).unwrap();
        let table = open(bytes);
        for (slot, record) in (0..).zip(&records).step_by(3 * step(&game)) {
            let Some(cursor) = game.cursor(slot) else {
                continue;
            };
            // All moves, also those that no rule ever forbids.
            let mut numbers = vec![None];
            game.edges(cursor, |number, _| numbers.push(Some(number)));
            for forbidden in numbers {
                let state = Slot {
                    index: slot,
                    forbidden,
                };
                let found = table.value_in(&game, state).unwrap();
                let expected = record.without(forbidden);
                assert_eq!(found, expected, "{}, {state:?}", game.spec());
            }
        }
    }
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let game = game("ostle:4x4,pieces=3,losses=2");
    let records = records(&game);
    let written = || write_dense(&game, &records, ValueWidth::NARROW).unwrap();
    let bytes = [1, 2, 7].map(|threads| with_threads(threads, written));
    assert!(bytes[0] == bytes[1] && bytes[0] == bytes[2]);
    let whole = || {
        open(bytes[0].0.clone())
            .expanded(&game, &NoProgress)
            .unwrap()
    };
    let read = [1, 5].map(|threads| {
        let table = with_threads(threads, whole);
        (0..game.slots())
            .map(|slot| table.record(slot).unwrap())
            .collect::<Vec<_>>()
    });
    assert!(read[0] == records && read[1] == records);
}

#[test]
fn dense_is_smaller() {
    let game = game("ostle:4x4,pieces=3,losses=2");
    let records = records(&game);
    let (packed, _) = write(&game, &records, ValueWidth::NARROW, Encoding::Packed);
    let (dense, _) = write_dense(&game, &records, ValueWidth::NARROW).unwrap();
    assert!(
        3 * dense.len() < 2 * packed.len(),
        "{} {}",
        dense.len(),
        packed.len()
    );
    let bits = 8.0 * dense.len() as f64 / game.slots() as f64;
    let table = open(dense);
    let found = fields(&table, &game, 3, 1, &NoProgress).unwrap();
    let sum: f64 = found.iter().map(|field| field.bits).sum();
    // Preamble and description are no fields.
    assert!(sum < bits && bits - sum < 0.1, "{sum} of {bits}: {found:?}");
}

#[test]
fn what_does_not_follow_is_refused() {
    let game = game("ostle:3x3,pieces=2,losses=2");
    let records = records(&game);
    let wrong = |slot: usize, record: Record| {
        let mut records = records.clone();
        records[slot] = record;
        write_dense(&game, &records, ValueWidth::NARROW)
    };
    let won = records
        .iter()
        .position(|r| r.best().plies() == Some(5))
        .unwrap();
    let lost = records
        .iter()
        .position(|r| r.best().plies() == Some(6))
        .unwrap();
    let mate = records
        .iter()
        .position(|r| r.best() == Value::CHECKMATE)
        .unwrap();
    let draw = Record::new(Value::DRAW, Value::DRAW, Record::NO_MOVE);
    for slot in [won, lost, mate] {
        let error = wrong(slot, draw).unwrap_err();
        assert!(matches!(error, TableError::Underivable { .. }), "{error}");
        let error = wrong(slot, Record::VACANT).unwrap_err();
        assert!(matches!(error, TableError::Underivable { .. }), "{error}");
    }
    // Nor can a table be written so record by record.
    let mut writer = memory(&game, ValueWidth::NARROW, Encoding::Dense);
    let error = writer.append(
        game.slots(),
        |slot| records[usize::try_from(slot).unwrap()],
        |_| (),
    );
    assert!(matches!(error, Err(TableError::Dense { .. })));
}

#[test]
fn games_without_rows_are_refused() {
    let game = TicTacToe::default();
    let table = solve_in_memory(&game, &NoProgress).unwrap();
    let sink = std::io::Cursor::new(Vec::new());
    let (width, name) = (ValueWidth::WIDE, Path::new(NAME));
    let mut writer = TableWriter::new(sink, name, &game, width, Encoding::Dense, 0).unwrap();
    let error = table
        .write_dense(&game, &mut writer, &NoProgress)
        .unwrap_err();
    assert!(matches!(error, TableError::NoRows { .. }), "{error}");
    assert!(error.to_string().contains("leave out '--dense'"));
}

#[test]
fn what_needs_all_records_says_so() {
    let game = game("ostle:3x3,pieces=2,losses=2");
    let (bytes, _) = write_dense(&game, &records(&game), ValueWidth::NARROW).unwrap();
    let table = open(bytes);
    for error in [
        table.record(0).map(|_| ()).unwrap_err(),
        table.block(0).map(|_| ()).unwrap_err(),
        verify(&table, &game, &NoProgress).map(|_| ()).unwrap_err(),
    ] {
        assert!(matches!(error, TableError::Dense { .. }), "{error}");
    }
    let past = table.record_in(&game, game.slots()).unwrap_err();
    assert!(matches!(past, TableError::Slot { .. }), "{past}");
    let other = Ostle::from_settings("ostle:3x3,pieces=2,losses=1", None).unwrap();
    let error = table.record_in(&other, 0).unwrap_err();
    assert!(matches!(error, TableError::OtherGame { .. }), "{error}");
    let whole = table.expanded(&game, &NoProgress).unwrap();
    assert_eq!(verify(&whole, &game, &NoProgress).unwrap().flawed, 0);
}
