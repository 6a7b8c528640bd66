//! Damaged and forged tables: damage is found, and nothing that a table says makes a
//! reader panic, loop, or take what it cannot pay for.

use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use tesuji::analysis::{Analysis, Solution};
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Record, Value};
use tesuji::game::{Game, Ranked};
use tesuji::games::ostle::Ostle;
use tesuji::mine::{Catalogue, Filter, Predicate, Scope, Solved, puzzles};
use tesuji::table::{Encoding, Table, TableError, TableOracle, ValueWidth, verify};
use xxhash_rust::xxh3::xxh3_64;

use crate::chance::{Chance, flipped, times};
use crate::common::{game, records, scan, write};

const SPEC: &str = "ostle:3x3,pieces=2,losses=2";
/// With several blocks and layers.
const LARGER: &str = "ostle:4x4,pieces=3,losses=2";
const NAME: &str = "forged.tsj";
const ENCODINGS: [Encoding; 2] = [Encoding::Raw, Encoding::Packed];

fn open(bytes: Vec<u8>) -> Result<Table, TableError> {
    Table::from_bytes(bytes, Path::new(NAME))
}

fn filter(predicate: &str) -> Filter {
    let text = format!("name = \"x\"\ntitle = \"x\"\ntext = \"x\"\npredicate = \"{predicate}\"");
    Filter::parse(&text, "x.toml").unwrap()
}

/// What a user gets to see of a table: what is found, each with its solution.
fn mined(game: &Ostle, table: &Table) -> Result<String, String> {
    let filter = filter("plies > 3 OR outcome = 'draw'");
    let predicate = Predicate::new(&filter, &Catalogue::new(game)).unwrap();
    let tasks = [(&predicate, Some(20))];
    let mut scans =
        scan(game, table, &tasks, &Scope::all(), &NoProgress).map_err(|e| e.to_string())?;
    let scan = scans.remove(0);
    let mut told = scan.matched.to_string();
    let source = Solved::new(table, game).map_err(|e| e.to_string())?;
    let rows = puzzles(game, &source, &filter, scan, None, &NoProgress);
    for (row, _) in rows.map_err(|e| e.to_string())? {
        let _ = write!(told, "{row:?}");
    }
    Ok(told)
}

/// Every value, as 'probe' tells it.
fn probed(game: &Ostle, table: &Table) -> Result<String, String> {
    let oracle = TableOracle::new(table, game).map_err(|e| e.to_string())?;
    let mut told = String::new();
    for slot in (0..game.slots()).step_by(37) {
        let Some(state) = game.unrank(slot) else {
            continue;
        };
        let analysis = Analysis::new(game, &oracle, &state).map_err(|e| e.to_string())?;
        for rated in analysis.rated {
            let _ = write!(told, "{} {} ", game.format_move(rated.mv), rated.value);
        }
    }
    Ok(told)
}

#[test]
fn every_flipped_bit_and_every_cut_is_found() {
    let mut chance = Chance::new("damaged tables");
    for spec in [SPEC, LARGER] {
        let game = game(spec);
        let records = records(&game);
        // Verifying the larger one takes a while.
        let (flips, cuts) = if spec == SPEC {
            (1000, 200)
        } else {
            (times(30), 200)
        };
        for encoding in ENCODINGS {
            let (bytes, _) = write(&game, &records, ValueWidth::NARROW, encoding);
            for _ in 0..flips {
                let (bit, damaged) = flipped(&bytes, &mut chance);
                let verified = open(damaged).and_then(|t| verify(&t, &game, &NoProgress));
                let error = verified.expect_err(&format!("{spec} {encoding:?}: bit {bit}"));
                assert!(error.to_string().contains(NAME), "{error}");
            }
            for _ in 0..cuts {
                let length = chance.below(bytes.len());
                let cut = open(bytes[..length].to_vec());
                let error = cut.err().unwrap_or_else(|| panic!("cut to {length} bytes"));
                assert!(error.to_string().contains(NAME), "{error}");
            }
        }
    }
}

#[test]
fn what_is_told_of_a_damaged_table_is_right_or_an_error() {
    let mut chance = Chance::new("damaged tables that are used");
    let game = game(SPEC);
    let records = records(&game);
    for encoding in ENCODINGS {
        let (bytes, _) = write(&game, &records, ValueWidth::NARROW, encoding);
        let sound = open(bytes.clone()).unwrap();
        let right = (mined(&game, &sound), probed(&game, &sound));
        let mut opened = 0;
        for _ in 0..1000 {
            let (bit, damaged) = flipped(&bytes, &mut chance);
            let Ok(table) = open(damaged) else { continue };
            opened += 1;
            let (mined, probed) = (mined(&game, &table), probed(&game, &table));
            assert!(mined.is_err() || mined == right.0, "bit {bit}");
            assert!(probed.is_err() || probed == right.1, "bit {bit}");
        }
        assert!(opened > 10, "no damage was in a block");
    }
}

/// The place of the footer and the length of the description in it.
fn footer(bytes: &[u8]) -> (usize, usize) {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    let described = u32::from_le_bytes(bytes[12..16].try_into().unwrap());
    (
        usize::try_from(number(16)).unwrap(),
        usize::try_from(described).unwrap(),
    )
}

/// Gives a file the checksums of what it says; those of blocks too, unless the directory
/// was changed on purpose.
fn forge(mut bytes: Vec<u8>, blocks: bool) -> Vec<u8> {
    let (from, described) = footer(&bytes);
    if blocks {
        let mut offset = 48;
        for at in (from + described..bytes.len()).step_by(12) {
            let length = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
            let sum = xxh3_64(&bytes[offset..offset + length]);
            bytes[at + 4..at + 12].copy_from_slice(&sum.to_le_bytes());
            offset += length;
        }
    }
    let length = (bytes.len() - from) as u64;
    bytes[24..32].copy_from_slice(&length.to_le_bytes());
    let sum = xxh3_64(&bytes[from..]);
    bytes[32..40].copy_from_slice(&sum.to_le_bytes());
    let sum = xxh3_64(&bytes[..40]);
    bytes[40..48].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// A table with another description in place of its own.
fn described(bytes: &[u8], change: impl Fn(&str) -> String) -> Vec<u8> {
    let (from, length) = footer(bytes);
    let text = std::str::from_utf8(&bytes[from..from + length]).unwrap();
    let text = change(text);
    let mut forged = bytes[..from].to_vec();
    forged[12..16].copy_from_slice(&u32::try_from(text.len()).unwrap().to_le_bytes());
    forged.extend_from_slice(text.as_bytes());
    forged.extend_from_slice(&bytes[from + length..]);
    forge(forged, false)
}

/// Uses a table in every way; only the time counts, and that nothing panics.
fn used(game: &Ostle, table: &Table) {
    let begun = Instant::now();
    for number in 0..table.blocks() {
        let _ = table.block(number).map(|block| block.records().count());
    }
    for slot in [0, 1, game.slots() - 1, game.slots(), u64::MAX] {
        let _ = table.record(slot);
    }
    let _ = (mined(game, table), probed(game, table));
    let _ = verify(table, game, &NoProgress);
    let _ = tesuji::table::statistics(table, game, &NoProgress);
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn forged_footers_are_refused_or_harmless() {
    let mut chance = Chance::new("forged footers");
    let game = game(SPEC);
    let (bytes, _) = write(&game, &records(&game), ValueWidth::NARROW, Encoding::Packed);
    assert!(open(forge(bytes.clone(), true)).is_ok());
    let (from, _) = footer(&bytes);
    let mut opened = 0;
    for _ in 0..times(600) {
        let mut forged = bytes.clone();
        for _ in 0..=chance.below(2) {
            let bit = 8 * from + chance.below(8 * (bytes.len() - from));
            forged[bit / 8] ^= 1 << (bit % 8);
        }
        if let Ok(table) = open(forge(forged, false)) {
            opened += 1;
            used(&game, &table);
        }
    }
    assert!(opened > 0, "no forgery was let in, so none was tried");
    // Lengths and offsets of the preamble, of any size.
    for at in [12, 16, 24] {
        for number in [
            0,
            1,
            47,
            48,
            bytes.len() as u64,
            u64::from(u32::MAX),
            u64::MAX,
        ] {
            let mut forged = bytes.clone();
            forged[at..at + 4].copy_from_slice(&number.to_le_bytes()[..4]);
            if at > 12 {
                forged[at + 4..at + 8].copy_from_slice(&number.to_le_bytes()[4..]);
            }
            let sum = xxh3_64(&forged[..40]);
            forged[40..48].copy_from_slice(&sum.to_le_bytes());
            if forged[12..32] != bytes[12..32] {
                let error = open(forged).unwrap_err().to_string();
                assert!(error.contains(NAME), "{error}");
            }
        }
    }
}

#[test]
fn forged_descriptions_are_refused_or_harmless() {
    let game = game(SPEC);
    let (bytes, _) = write(&game, &records(&game), ValueWidth::NARROW, Encoding::Packed);
    let (raw, _) = write(&game, &records(&game), ValueWidth::WIDE, Encoding::Raw);
    let huge = u64::MAX.to_string();
    let slots = game.slots().to_string();
    let pairs = [
        ("\"value_bytes\":2", "\"value_bytes\":200"),
        ("\"value_bytes\":2", "\"value_bytes\":0"),
        ("\"value_bytes\":2", "\"value_bytes\":1"),
        ("\"value_bytes\":1", "\"value_bytes\":2"),
        ("\"value_bytes\":1", "\"value_bytes\":3"),
        ("\"packed\"", "\"raw\""),
        ("\"raw\"", "\"packed\""),
        (slots.as_str(), huge.as_str()),
        (slots.as_str(), "0"),
        ("\"first\":0", "\"first\":18446744073709551615"),
        (
            "\"layers\":[",
            "\"layers\":[{\"name\":\"x\",\"first\":0,\"end\":0},",
        ),
    ];
    let mut changed = 0;
    for sound in [&bytes, &raw] {
        for (old, new) in pairs {
            let forged = described(sound, |text| text.replace(old, new));
            changed += usize::from(forged != *sound);
            if let Ok(table) = open(forged) {
                used(&game, &table);
            }
        }
        // As deep as may be.
        let deep = described(sound, |_| "[".repeat(1 << 20));
        assert!(
            open(deep)
                .unwrap_err()
                .to_string()
                .contains("cannot be read")
        );
        let long = described(sound, |text| {
            text.replace(SPEC, &format!("ostle:{}", "9".repeat(1 << 20)))
        });
        let error = open(long).and_then(|table| verify(&table, &game, &NoProgress));
        let error = error.unwrap_err().to_string();
        assert!(error.contains("is a table of"), "{error}");
    }
    assert!(changed >= pairs.len(), "{changed}");
}

#[test]
fn tables_of_other_versions_are_named() {
    let game = game(SPEC);
    let (bytes, _) = write(&game, &records(&game), ValueWidth::NARROW, Encoding::Packed);
    for (version, said) in [
        (0, "unsupported table format 0"),
        (2, "dense tables are no longer read; solve the game again"),
        (3, "unsupported table format 3"),
    ] {
        let mut other = bytes.clone();
        other[8] = version;
        let error = open(forge(other, false)).unwrap_err().to_string();
        assert!(error.contains(NAME) && error.contains(said), "{error}");
    }
}

#[test]
fn forged_blocks_are_refused_or_found_out() {
    let mut chance = Chance::new("forged blocks");
    let game = game(SPEC);
    let (bytes, _) = write(&game, &records(&game), ValueWidth::NARROW, Encoding::Packed);
    let (from, _) = footer(&bytes);
    let mut opened = 0;
    for _ in 0..times(40) {
        let mut forged = bytes.clone();
        let bit = 8 * 48 + chance.below(8 * (from - 48));
        forged[bit / 8] ^= 1 << (bit % 8);
        let table = open(forge(forged, true)).unwrap();
        used(&game, &table);
        match verify(&table, &game, &NoProgress) {
            Err(error) => assert!(error.to_string().contains(NAME), "{error}"),
            Ok(found) => {
                opened += 1;
                // Bits that say nothing may be flipped, or else it shows.
                let same = (0..table.blocks()).all(|number| {
                    let sound = open(bytes.clone()).unwrap();
                    let [a, b] = [&table, &sound]
                        .map(|t| t.block(number).unwrap().records().collect::<Vec<_>>());
                    a == b
                });
                let noticed = found.flawed > 0 || !found.fingerprint_holds;
                assert!(same || noticed, "bit {bit}");
            }
        }
    }
    assert!(opened > 0, "no forged block could be read");
}

#[test]
fn bombs_do_not_go_off() {
    let game = game(SPEC);
    let (bytes, _) = write(&game, &records(&game), ValueWidth::NARROW, Encoding::Packed);
    let (from, described) = footer(&bytes);
    // A gigabyte of zeros where a few kilobytes should be.
    let zeros = vec![0; 1 << 30];
    let bomb = zstd::bulk::compress(&zeros, 1).unwrap();
    drop(zeros);
    assert!(bomb.len() < 1 << 20);
    let first = from + described;
    let length = u32::from_le_bytes(bytes[first..first + 4].try_into().unwrap()) as usize;
    let mut forged = bytes[..48].to_vec();
    forged.extend_from_slice(&bomb);
    forged.extend_from_slice(&bytes[48 + length..]);
    let moved = (from - length + bomb.len()) as u64;
    forged[16..24].copy_from_slice(&moved.to_le_bytes());
    let entry = usize::try_from(moved).unwrap() + described;
    forged[entry..entry + 4].copy_from_slice(&u32::try_from(bomb.len()).unwrap().to_le_bytes());
    let table = open(forge(forged, true)).unwrap();
    let begun = Instant::now();
    let error = table.block(0).unwrap_err().to_string();
    assert!(error.contains("does not decompress"), "{error}");
    assert!(
        begun.elapsed() < Duration::from_millis(100),
        "it was unpacked"
    );
}

#[test]
fn tables_full_of_lies_end_every_question() {
    let mut chance = Chance::new("lies");
    for spec in [
        SPEC,
        "ostle:rows=4,columns=3,pieces=2,losses=2,repetition=up-to-symmetry",
    ] {
        let game = game(spec);
        let right = records(&game);
        for round in 0..times(4) {
            // All records at random, or one in ten.
            let lies: Vec<Record> = right
                .iter()
                .map(|&record| {
                    if record.is_vacant() || round % 2 == 1 && chance.below(10) > 0 {
                        return record;
                    }
                    let codes = [chance.next(), chance.next()].map(|bits| match bits % 4 {
                        0 => u16::try_from(bits >> 48).unwrap(),
                        _ => u16::try_from(bits >> 58).unwrap(),
                    });
                    let [best, second] = codes.map(Value::from_code);
                    Record::new(best, second, u8::try_from(chance.below(256)).unwrap())
                })
                .collect();
            let (bytes, _) = write(&game, &lies, ValueWidth::WIDE, Encoding::Raw);
            let table = open(bytes).unwrap();
            used(&game, &table);
            let oracle = TableOracle::new(&table, &game).unwrap();
            for slot in (0..game.slots()).step_by(101) {
                if let Some(state) = game.unrank(slot) {
                    let _ = Solution::new(&game, &oracle, &state, 200);
                }
            }
            let found = verify(&table, &game, &NoProgress).unwrap();
            assert!(found.flawed > 0, "lies are taken for the truth");
        }
    }
}
