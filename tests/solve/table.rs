//! Tables: what is written is read, and whatever is damaged is noticed.

use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Record, Value};
use tesuji::game::{Moves, Next, Ranked};
use tesuji::games::ostle::Ostle;
use tesuji::table::{BLOCK_SLOTS, Encoding, Table, TableError, ValueWidth, Verified, verify};

use crate::common::{self, game, records, with_threads, write};

const SPEC: &str = "ostle:3x3,pieces=2,losses=2";
const NAME: &str = "damaged.tsj";

fn kinds() -> [(ValueWidth, Encoding); 4] {
    [
        (ValueWidth::NARROW, Encoding::Raw),
        (ValueWidth::NARROW, Encoding::Packed),
        (ValueWidth::WIDE, Encoding::Raw),
        (ValueWidth::WIDE, Encoding::Packed),
    ]
}

fn whole(game: &Ostle, encoding: Encoding) -> Vec<u8> {
    write(game, &records(game), ValueWidth::WIDE, encoding).0
}

fn check(game: &Ostle, bytes: Vec<u8>) -> Result<Verified, TableError> {
    let table = Table::from_bytes(bytes, Path::new(NAME))?;
    verify(&table, game, &NoProgress)
}

/// Opens a table and reads all of it.
fn read(bytes: Vec<u8>) -> Result<(), TableError> {
    let table = Table::from_bytes(bytes, Path::new(NAME))?;
    (0..table.blocks()).try_for_each(|number| table.block(number).map(|_| ()))
}

#[test]
fn records_are_read_back_and_the_fingerprint_is_that_of_the_content() {
    let game = game(SPEC);
    let records = records(&game);
    let mut fingerprints = Vec::new();
    for (width, encoding) in kinds() {
        let (bytes, fingerprint) = write(&game, &records, width, encoding);
        let table = Table::from_bytes(bytes, Path::new(NAME)).unwrap();
        assert_eq!(table.description.fingerprint, fingerprint);
        assert_eq!(table.description.game, SPEC);
        let mut read = Vec::new();
        for number in 0..table.blocks() {
            let block = table.block(number).unwrap();
            assert_eq!(block.slots.start, read.len() as u64);
            read.extend(block.records());
        }
        assert!(read == records);
        for (slot, record) in (0..).zip(&records) {
            assert_eq!(table.record(slot).unwrap(), *record);
        }
        let past = table.record(game.slots()).unwrap_err();
        assert!(past.to_string().contains("is out of range"), "{past}");
        let found = verify(&table, &game, &NoProgress).unwrap();
        assert_eq!((found.flawed, found.fingerprint_holds), (0, true));
        assert_eq!(found.records, game.slots());
        fingerprints.push(fingerprint);
    }
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 1, "{fingerprints:?}");
    let (other, record) = {
        let mut other = records.clone();
        let slot = other.iter().position(|r| r.best() == Value::DRAW).unwrap();
        other[slot] = Record::new(Value::CHECKMATE, Value::CHECKMATE, Record::NO_MOVE);
        (other, slot)
    };
    let (_, changed) = write(&game, &other, ValueWidth::WIDE, Encoding::Raw);
    assert_ne!(changed, fingerprints[0], "slot {record} does not count");
}

#[test]
fn files_are_the_same_for_one_thread_and_for_two() {
    // The larger game has several blocks.
    for spec in [SPEC, "ostle:4x4,pieces=3,losses=2"] {
        let game = game(spec);
        for encoding in [Encoding::Raw, Encoding::Packed] {
            let [one, two] = [1, 2].map(|threads| {
                let all = || write(&game, &records(&game), ValueWidth::WIDE, encoding);
                with_threads(threads, all)
            });
            assert_eq!(one.1, two.1);
            assert!(one.0 == two.0, "{spec} {encoding:?}");
        }
    }
    let game = game("ostle:4x4,pieces=3,losses=2");
    assert!(game.slots() > 2 * BLOCK_SLOTS);
}

#[test]
fn every_damaged_byte_is_noticed_and_its_part_named() {
    let game = game(SPEC);
    for encoding in [Encoding::Raw, Encoding::Packed] {
        let bytes = whole(&game, encoding);
        let footer = u64::from_le_bytes(bytes[16..24].try_into().unwrap());
        let footer = usize::try_from(footer).unwrap();
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= [0x01, 0xff, 0x80][at % 3];
            let error = read(bytes).expect_err("damage is accepted");
            let text = error.to_string();
            let part = match at {
                0..8 => "not a tesuji table",
                8..48 => "the preamble",
                _ if at < footer => "block ",
                _ => "the footer",
            };
            assert!(text.contains(NAME) && text.contains(part), "{at}: {text}");
            if let Some((_, rest)) = text.split_once("(bytes ") {
                let (range, _) = rest.split_once(')').unwrap();
                let (from, to) = range.split_once(" to ").unwrap();
                let range = from.parse().unwrap()..to.parse().unwrap();
                assert!(range.contains(&at) || at < 48, "{at}: {text}");
            }
        }
    }
}

#[test]
fn tables_cut_short_or_grown_are_refused() {
    let game = game(SPEC);
    for encoding in [Encoding::Raw, Encoding::Packed] {
        let bytes = whole(&game, encoding);
        for length in 0..bytes.len() {
            let text = Table::from_bytes(bytes[..length].to_vec(), Path::new(NAME))
                .expect_err("a cut table is accepted")
                .to_string();
            assert!(text.contains(NAME), "{text}");
            if length >= 8 {
                assert!(text.contains(&format!("has {length} bytes")), "{text}");
            }
        }
        for more in [1, 12, 4096] {
            let mut bytes = bytes.clone();
            bytes.resize(bytes.len() + more, 0);
            let error = Table::from_bytes(bytes, Path::new(NAME)).unwrap_err();
            assert!(
                error.to_string().contains("truncated or extended"),
                "{error}"
            );
        }
    }
}

#[test]
fn another_games_table_is_refused() {
    let game = game(SPEC);
    let bytes = whole(&game, Encoding::Raw);
    let other = common::game("ostle:3x3,pieces=2,losses=1");
    match check(&other, bytes) {
        Err(error) => {
            let expected = format!("is a table of '{SPEC}', not of 'ostle:3x3,pieces=2,losses=1'");
            assert!(error.to_string().contains(&expected), "{error}");
        }
        result => panic!("{result:?}"),
    }
}

#[test]
fn files_that_are_no_tables_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let random: Vec<u8> = (0..5000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    for name in [path("random", &random), path("empty", &[])] {
        let error = Table::open(&name).unwrap_err();
        assert!(
            error.to_string().contains("is not a tesuji table"),
            "{error}"
        );
        assert!(error.to_string().contains(name.to_str().unwrap()));
    }
    for name in [folder.path().to_owned(), folder.path().join("missing")] {
        let error = Table::open(&name).unwrap_err();
        assert!(error.to_string().contains(name.to_str().unwrap()));
    }
    // A sound one opens by the same way.
    let game = game(SPEC);
    let mut file = tempfile::NamedTempFile::new_in(&folder).unwrap();
    file.write_all(&whole(&game, Encoding::Packed)).unwrap();
    let table = Table::open(file.path()).unwrap();
    assert_eq!(verify(&table, &game, &NoProgress).unwrap().flawed, 0);
}

#[test]
fn a_single_wrong_record_is_found() {
    let game = game(SPEC);
    let right = records(&game);
    let wrong_value = |record: Record| match record.best().outcome() {
        Outcome::Draw => Value::CHECKMATE,
        _ => Value::DRAW,
    };
    for slot in (0..right.len()).step_by(7) {
        if right[slot].is_vacant() {
            continue;
        }
        let value = wrong_value(right[slot]);
        let mut wrong = right.clone();
        wrong[slot] = Record::new(value, value, Record::NO_MOVE);
        let (bytes, _) = write(&game, &wrong, ValueWidth::WIDE, Encoding::Packed);
        let found = check(&game, bytes).unwrap();
        // The checksums are right; only the game tells.
        assert!(found.fingerprint_holds && found.flawed >= 1);
        let flaw = found.flaws.iter().find(|flaw| flaw.slot == slot as u64);
        if let Some(flaw) = flaw {
            assert_eq!(flaw.stored, wrong[slot]);
            // What is derived is right, unless a move leads to a mirror image of
            // the position itself and so to the wrong record.
            let state = game.unrank(slot as u64).unwrap();
            let loops = game.moves(&state).into_iter().any(|mv| {
                matches!(game.play(&state, mv), Next::State(next) if game.rank(&next) == slot as u64)
            });
            assert!(loops || flaw.derived == right[slot], "{flaw}");
            assert!(flaw.to_string().starts_with(&format!("slot {slot}:")));
        } else {
            assert!(found.flawed > found.flaws.len() as u64, "slot {slot}");
        }
    }
    // Not only the value counts: the only move and the second value do too.
    let slot = right.iter().position(|r| r.only_move().is_some()).unwrap();
    let of = right[slot];
    for wrong in [
        Record::new(of.best(), of.second(), of.only_move().unwrap() ^ 1),
        Record::new(of.best(), of.best(), Record::NO_MOVE),
    ] {
        let mut records = right.clone();
        records[slot] = wrong;
        let (bytes, _) = write(&game, &records, ValueWidth::WIDE, Encoding::Raw);
        let found = check(&game, bytes).unwrap();
        assert!(found.flaws.iter().any(|flaw| flaw.slot == slot as u64));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_refused(mut bytes in proptest::collection::vec(any::<u8>(), 0..400), magic: bool) {
        if magic {
            bytes.splice(0..0, *b"\x89TSJ\r\n\x1a\n");
        }
        prop_assert!(Table::from_bytes(bytes, Path::new(NAME)).is_err());
    }
}
