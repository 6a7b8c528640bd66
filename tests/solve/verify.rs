//! Verification by rows and by edges find the same wrong records, and all of them.

use std::path::Path;

use tesuji::base::random::SplitMix64;
use tesuji::base::value::{Record, Value};
use tesuji::base::watch::Unwatched;
use tesuji::game::{Ranked, Repetition};
use tesuji::games::ostle::Ostle;
use tesuji::table::{Encoding, Table, ValueWidth, verify, verify_by_edges};

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
        for repetition in [Repetition::Exact, Repetition::UpToSymmetry] {
            let game = Ostle::new(width, height, pieces, losses, repetition).unwrap();
            let mut all = records(&game);
            let right = table(&game, &all, ValueWidth::WIDE);
            for found in [verify, verify_by_edges].map(|by| by(&right, &game, &Unwatched)) {
                let found = found.unwrap();
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
                let wrong = table(&game, &all, ValueWidth::WIDE);
                let by_rows = verify(&wrong, &game, &Unwatched).unwrap();
                let by_edges = verify_by_edges(&wrong, &game, &Unwatched).unwrap();
                let name = format!("{slot}: {right:?} became {:?}", all[slot]);
                assert!(by_rows.flawed > 0, "{name}");
                assert_eq!(by_rows, by_edges, "{name}");
                all[slot] = right;
            }
        }
    }
    assert_eq!(injected, 4 * 2 * 125 + 2 * 5);
    assert!(vacant > 20, "{vacant}");
}
