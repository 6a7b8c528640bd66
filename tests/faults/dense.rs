//! Damaged and forged dense tables: damage is found, and nothing that one says makes a reader
//! panic, loop, or take what it cannot pay for.

use std::path::Path;
use std::time::{Duration, Instant};

use tesuji::base::progress::NoProgress;
use tesuji::base::value::Record;
use tesuji::game::Ranked;
use tesuji::games::ostle::Ostle;
use tesuji::table::{Table, TableError, ValueWidth};
use xxhash_rust::xxh3::xxh3_64;

use crate::chance::{Chance, times};
use crate::common::{game, records, write_dense};

const SPEC: &str = "ostle:3x3,pieces=2,losses=1";
const NAME: &str = "forged.tsj";

fn open(bytes: Vec<u8>) -> Result<Table, TableError> {
    Table::from_bytes(bytes, Path::new(NAME))
}

fn all(game: &Ostle, table: &Table) -> Result<Vec<Record>, TableError> {
    let whole = table.expanded(game, &NoProgress)?;
    (0..game.slots()).map(|slot| whole.record(slot)).collect()
}

#[test]
fn every_flipped_byte_and_every_cut_is_found() {
    let game = game(SPEC);
    let records = records(&game);
    let (bytes, _) = write_dense(&game, &records, ValueWidth::NARROW).unwrap();
    assert!(all(&game, &open(bytes.clone()).unwrap()).unwrap() == records);
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        let table = open(damaged);
        let error = table.and_then(|table| all(&game, &table)).unwrap_err();
        assert!(error.to_string().contains(NAME), "byte {place}: {error}");
    }
    for length in 0..bytes.len() {
        let error = open(bytes[..length].to_vec()).err();
        let error = error.unwrap_or_else(|| panic!("cut to {length} bytes"));
        assert!(error.to_string().contains(NAME), "{error}");
    }
}

/// Where the footer begins, and the directory in it.
fn footer(bytes: &[u8]) -> (usize, usize) {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let described = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
    let from = usize::try_from(number(16)).unwrap();
    (from, from + usize::try_from(described).unwrap())
}

/// Gives a file the checksums of what it says.
fn sealed(mut bytes: Vec<u8>, blocks: usize) -> Vec<u8> {
    let (from, directory) = footer(&bytes);
    let mut offset = 48;
    for entry in 0..blocks {
        let at = directory + 12 * entry;
        let length = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let Some(block) = bytes.get(offset..offset + length) else {
            break;
        };
        let sum = xxh3_64(block);
        bytes[at + 4..at + 12].copy_from_slice(&sum.to_le_bytes());
        offset += length;
    }
    let sum = xxh3_64(&bytes[from..]);
    bytes[32..40].copy_from_slice(&sum.to_le_bytes());
    let sum = xxh3_64(&bytes[..40]);
    bytes[40..48].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[test]
fn forged_tables_are_refused_or_harmless() {
    let mut chance = Chance::new("forged dense tables");
    let game = game(SPEC);
    let records = records(&game);
    let (bytes, _) = write_dense(&game, &records, ValueWidth::NARROW).unwrap();
    let blocks = open(bytes.clone()).unwrap().blocks();
    let (from, _) = footer(&bytes);
    let (mut opened, mut decoded) = (0, 0);
    for round in 0..times(300) {
        let mut forged = bytes.clone();
        for _ in 0..=chance.below(2) {
            // Blocks and the rest in turn, which is much longer.
            let place = if round % 2 == 0 {
                48 + chance.below(from - 48)
            } else {
                from + chance.below(bytes.len() - from)
            };
            forged[place] ^= 1 << chance.below(8);
        }
        let Ok(table) = open(sealed(forged, blocks)) else {
            continue;
        };
        opened += 1;
        let begun = Instant::now();
        for slot in (0..game.slots()).step_by(7) {
            if let Err(error) = table.record_in(&game, slot) {
                assert!(error.to_string().contains(NAME), "{error}");
            } else {
                decoded += 1;
            }
        }
        // The fingerprint tells what is wrong, even if all checksums are right.
        if let Ok(found) = all(&game, &table) {
            assert!(found == records, "a forged table was believed");
        }
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
    assert!(
        opened > 0 && decoded > 0,
        "no forgery was let in, so none was tried"
    );
}

#[test]
fn forged_descriptions_are_refused() {
    let game = game(SPEC);
    let (bytes, _) = write_dense(&game, &records(&game), ValueWidth::NARROW).unwrap();
    let (from, directory) = footer(&bytes);
    let text = std::str::from_utf8(&bytes[from..directory]).unwrap();
    let end = game.layers()[0].slots.end;
    let split = format!("\"end\":1}},{{\"name\":\"x\",\"first\":1,\"end\":{end}}}");
    for (old, new) in [
        ("\"dense\"".to_owned(), "\"raw\"".to_owned()),
        ("\"dense\"".to_owned(), "\"packed\"".to_owned()),
        (format!("\"end\":{end}}}"), split),
        (game.layers()[0].name.clone(), "y".to_owned()),
    ] {
        let text = text.replacen(&old, &new, 1);
        let mut forged = bytes[..from].to_vec();
        forged[12..16].copy_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
        forged.extend_from_slice(text.as_bytes());
        forged.extend_from_slice(&bytes[directory..]);
        let length = (forged.len() - from) as u64;
        forged[24..32].copy_from_slice(&length.to_le_bytes());
        let table = open(sealed(forged, 0));
        let error = table.and_then(|table| all(&game, &table)).unwrap_err();
        assert!(
            matches!(error, TableError::Invalid { .. }),
            "{new}: {error}"
        );
    }
}
