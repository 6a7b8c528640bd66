//! Verification by rows and by edges, of narrow and of wide values, find the same wrong records,
//! and all of them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::ops::Range;
use std::path::Path;

use tesuji::base::progress::NoProgress;
use tesuji::base::random::SplitMix64;
use tesuji::base::value::{Record, Value};
use tesuji::game::{Ranked, Repetition};
use tesuji::games::ostle::Ostle;
use tesuji::table::{Encoding, Table, TableError, TableWriter, ValueWidth, verify};

use crate::common::{records, write};

/// Another record, most often one that differs a little.
fn altered(random: &mut SplitMix64, record: Record) -> Record {
    loop {
        let code = |value: Value, by: u64| {
            let code = u64::from(value.code());
            Value::from_code(u16::try_from((code + 64 + by - 2) % 64).unwrap())
        };
        let (best, second) = (record.best(), record.second());
        let only = record.only_move().unwrap_or(40);
        let changed = match random.next() % 4 {
            0 => Record::new(code(best, random.next() % 5), second, only),
            1 => Record::new(best, code(second, random.next() % 5), only),
            2 => Record::new(best, second, u8::try_from(random.next() % 100).unwrap()),
            _ => Record::new(Value::DRAW, second, only),
        };
        if changed != record {
            return changed;
        }
    }
}

/// A table, which is verified by rows if its values are narrow, and otherwise by edges.
fn table(game: &Ostle, records: &[Record], width: ValueWidth) -> Table {
    let bytes = write(game, records, width, Encoding::Raw).0;
    Table::from_bytes(bytes, Path::new("altered.tsj")).unwrap()
}

#[test]
fn every_wrong_record_is_found_by_rows_as_by_edges() {
    let boards = [
        (3, 3, 2, 2),
        (3, 4, 2, 2),
        (5, 3, 2, 1),
        (3, 3, 4, 3),
        (4, 4, 3, 2),
    ];
    let mut random = SplitMix64::new(2026);
    let (mut injected, mut vacant) = (0, 0);
    for (width, height, pieces, losses) in boards {
        for repetition in Repetition::ALL {
            let game = Ostle::new(width, height, pieces, losses, repetition).unwrap();
            let mut all = records(&game);
            let verified = |records: &[Record], width| {
                verify(&table(&game, records, width), &game, &NoProgress).unwrap()
            };
            for width in [ValueWidth::NARROW, ValueWidth::WIDE] {
                let found = verified(&all, width);
                assert_eq!(found.flawed, 0, "{}", tesuji::game::Game::spec(&game));
                assert!(found.fingerprint_holds);
                assert_eq!(found.records, game.slots());
            }
            let times = if game.slots() < 50_000 { 125 } else { 5 };
            for _ in 0..times {
                let slot = usize::try_from(random.next() % game.slots()).unwrap();
                let right = all[slot];
                injected += 1;
                // A vacant slot may hold a record, and a position none.
                all[slot] = match (right.is_vacant(), random.next() % 8) {
                    (true, _) => Record::new(Value::CHECKMATE, Value::DRAW, 4),
                    (false, 0) => Record::VACANT,
                    _ => altered(&mut random, right),
                };
                vacant += u64::from(right.is_vacant());
                let by_rows = verified(&all, ValueWidth::NARROW);
                let by_edges = verified(&all, ValueWidth::WIDE);
                let name = format!("{slot}: {right:?} became {:?}", all[slot]);
                assert!(by_rows.flawed > 0, "{name}");
                assert_eq!(by_rows, by_edges, "{name}");
                all[slot] = right;
            }
        }
    }
    assert_eq!(injected, 3 * (4 * 125 + 5));
    assert!(vacant > 20, "{vacant}");
}

/// Single wrong records among the 2,749,150,869 of the published game: `TESUJI_RAW` names its
/// table, written by `tesuji solve ostle --raw` or `tesuji repack --raw`.
#[test]
#[ignore = "takes minutes, 11 GB of memory and 8 GB of disk: TESUJI_RAW=ostle-raw.tsj cargo test --release --test solve whole_game -- --ignored --nocapture"]
fn a_few_wrong_records_are_found_in_the_whole_game() {
    let path = std::env::var_os("TESUJI_RAW").expect("TESUJI_RAW names the table");
    let right = Table::open(Path::new(&path)).unwrap();
    let game = Ostle::published(Repetition::Exact);
    right.expect_game(&game).unwrap();
    let mut random = SplitMix64::new(2027);
    let mut wrong = BTreeMap::new();
    while wrong.len() < 5 {
        let slot = random.next() % game.slots();
        let record = right.record(slot).unwrap();
        if !record.is_vacant() {
            wrong.insert(slot, altered(&mut random, record));
        }
    }
    let folder = tempfile::tempdir_in(Path::new(&path).parent().unwrap()).unwrap();
    let file = folder.path().join("wrong.tsj");
    let sink = BufWriter::with_capacity(1 << 20, File::create(&file).unwrap());
    let (width, raw) = (ValueWidth::NARROW, Encoding::Raw);
    let mut writer = TableWriter::new(sink, &file, &game, width, raw, 0).unwrap();
    let record = |slot| {
        let record = wrong.get(&slot).copied();
        record.unwrap_or_else(|| right.record(slot).unwrap())
    };
    let records = |slots: Range<u64>| Ok::<_, TableError>(slots.map(record).collect());
    writer.append(game.slots(), records, |_| ()).unwrap();
    let (sink, _, size) = writer.finish().unwrap();
    sink.into_inner().unwrap().set_len(size).unwrap();
    let table = Table::open(&file).unwrap();
    let found = verify(&table, &game, &NoProgress).unwrap();
    println!("{wrong:?}\n{found:?}");
    // Each is wrong itself, and those before it may no longer follow.
    assert!(found.flawed >= 5 && found.flawed < 1000, "{}", found.flawed);
    let first = found.flaws.first().expect("some are shown").slot;
    assert!(first <= *wrong.keys().next().unwrap());
}
