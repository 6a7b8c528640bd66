//! Damaged and forged checkpoints: damage is named, and nothing that a checkpoint says
//! makes a solve panic, loop, or end with a wrong table that passes for a right one.

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Narrow, Wide};
use tesuji::game::Game;
use tesuji::games::ostle::Ostle;
use tesuji::solve::{SnapshotSink, Solver, Stage, WordWidth, Words, room_for_records};
use tesuji::table::{
    CHECKPOINT_VERSION, Checkpoint, Encoding, Head, InMemoryError, Table, TableError, TableWriter,
    ValueWidth,
};
use xxhash_rust::xxh3::xxh3_64;

use crate::chance::{Chance, flipped, times};
use crate::common::program::{ok, refused};
use crate::common::{files, game, records};

const SPEC: &str = "ostle:rows=4,columns=3,pieces=3,losses=2";

/// Keeps every snapshot of a group up to a distance.
struct Recorder<'a> {
    path: &'a Path,
    head: Head,
    written: tesuji::table::Written,
    passes: usize,
}

impl SnapshotSink for Recorder<'_> {
    fn is_due(&self) -> bool {
        self.passes > 0
    }

    fn save(&mut self, stage: &Stage, records: &Words) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.passes -= 1;
        Checkpoint::write(
            self.path,
            self.head.clone(),
            &self.written,
            Some((stage, records)),
        )?;
        Ok(())
    }
}

/// A solve that was stopped within its last group: the table so far and two checkpoints,
/// one after the groups before, one within the last.
fn stopped(game: &Ostle, folder: &Path) -> Vec<u8> {
    stopped_as::<Narrow>(game, ValueWidth::NARROW, &folder.join("t"))
}

/// The same with values of a width, beside a table of this name.
fn stopped_as<W: WordWidth>(game: &Ostle, width: ValueWidth, name: &Path) -> Vec<u8> {
    let beside = |end: &str| PathBuf::from(format!("{}.{end}", name.display()));
    let (layers, pass) = (beside("layers"), beside("pass"));
    let mut solver = Solver::<_, W>::new(game);
    let groups = solver.groups();
    let sink = Cursor::new(Vec::new());
    let packed = Encoding::Packed;
    let mut writer = TableWriter::new(sink, name, game, width, packed, 3).unwrap();
    let head = |groups, writer: &TableWriter<Cursor<Vec<u8>>>| Head {
        version: CHECKPOINT_VERSION,
        game: game.spec(),
        value_bytes: u8::try_from(W::BYTES).unwrap(),
        encoding: Encoding::Packed,
        level: 3,
        groups,
        next: writer.written.next,
        offset: writer.written.offset,
        stage: None,
    };
    for group in 0..groups {
        let mut keeper = Recorder {
            path: &pass,
            head: head(group, &writer),
            written: writer.written.clone(),
            passes: if group + 1 == groups { 3 } else { 0 },
        };
        let solved = solver
            .solve_next_with_snapshots(&NoProgress, Some(&mut keeper))
            .unwrap()
            .unwrap();
        if group + 1 < groups {
            let records = |slots| Ok::<_, TableError>(solved.records(slots));
            writer.append(solved.slots().end, records, |_| ()).unwrap();
            let head = head(group + 1, &writer);
            Checkpoint::write(&layers, head, &writer.written, None).unwrap();
        }
    }
    let table = writer.sink.get_ref().clone();
    fs::write(beside("partial"), &table).unwrap();
    assert!(fs::metadata(&pass).unwrap().len() > 100);
    table
}

/// Takes up a checkpoint and solves to the end.
fn resumed(game: &Ostle, folder: &Path, checkpoint: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    resumed_within(None, game, folder, checkpoint)
}

/// Takes up a checkpoint and solves to the end in a bounded memory.
fn resumed_within(
    memory: Option<u64>,
    game: &Ostle,
    folder: &Path,
    checkpoint: &Path,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let room = |group, rows| room_for_records::<_, Narrow>(game, group, rows, memory);
    let (checkpoint, begun) = Checkpoint::read(checkpoint, room)?.ok_or("nothing there")?;
    let head = checkpoint.head.clone();
    let written = checkpoint.written;
    let partial = folder.join("t.partial");
    if fs::metadata(&partial)?.len() < head.offset {
        return Err("more was written than there is".into());
    }
    let width = ValueWidth::NARROW;
    let before = Table::unfinished(&partial, game, width, Encoding::Packed, &written)?;
    let codes = |slots, codes: &mut [u8]| Ok(before.best_codes(slots, codes)?);
    let groups = head.groups;
    let mut solver = Solver::<_, Narrow>::resume::<InMemoryError>(game, groups, codes, begun)?;
    if let Some(memory) = memory {
        solver = solver.within(memory);
    }
    let sink = Cursor::new(fs::read(&partial)?);
    let name = Path::new("t.tsj");
    let mut writer = TableWriter::resume(sink, name, game, width, Encoding::Packed, 3, written)?;
    while let Some(solved) = solver.solve_next(&NoProgress)? {
        let records = |slots| Ok::<_, TableError>(solved.records(slots));
        writer.append(solved.slots().end, records, |_| ())?;
    }
    let (sink, _, end) = writer.finish()?;
    let mut table = sink.into_inner();
    table.truncate(usize::try_from(end)?);
    Ok(table)
}

#[test]
fn every_flipped_bit_and_every_cut_is_named() {
    let mut chance = Chance::new("damaged checkpoints");
    let game = game(SPEC);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    stopped(&game, here);
    let whole = resumed(&game, here, &here.join("t.layers")).unwrap();
    assert!(resumed(&game, here, &here.join("t.pass")).unwrap() == whole);
    let packed = resumed_within(Some(0), &game, here, &here.join("t.pass"));
    assert!(packed.unwrap() == whole, "records are packed when read");
    let table = Table::from_bytes(whole, Path::new("t.tsj")).unwrap();
    for (slot, record) in (0..).zip(records(&game)) {
        assert_eq!(table.record(slot).unwrap(), record);
    }
    let room = |group, rows| room_for_records::<_, Narrow>(&game, group, rows, None);
    for name in ["t.layers", "t.pass"] {
        let bytes = fs::read(here.join(name)).unwrap();
        let damaged = here.join("damaged");
        let mut from = 8;
        for (number, section) in (1..).zip(sections(&bytes)) {
            let mut content = bytes.clone();
            content[from + 8] ^= 1;
            fs::write(&damaged, content).unwrap();
            let error = Checkpoint::read(&damaged, room).map(|_| ());
            let error = error.unwrap_err().to_string();
            let named = format!("section {number} (from byte {from}) does not match its checksum");
            assert!(error.contains(&named), "{error}");
            from += 16 + section.len();
        }
        for _ in 0..1000 {
            let (bit, content) = flipped(&bytes, &mut chance);
            fs::write(&damaged, content).unwrap();
            let error = Checkpoint::read(&damaged, room).map(|_| ());
            let error = error.expect_err(&format!("{name}: bit {bit}")).to_string();
            assert!(error.contains("damaged"), "{error}");
        }
        for _ in 0..200 {
            let length = chance.below(bytes.len());
            fs::write(&damaged, &bytes[..length]).unwrap();
            let error = Checkpoint::read(&damaged, room).map(|_| ());
            let error = error
                .expect_err(&format!("{name}: {length} bytes"))
                .to_string();
            assert!(error.contains("damaged"), "{error}");
        }
    }
}

#[test]
fn a_damaged_table_is_found_when_its_solve_goes_on() {
    let mut chance = Chance::new("damaged tables of stopped solves");
    let game = game(SPEC);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let table = stopped(&game, here);
    for _ in 0..times(50) {
        let (bit, damaged) = flipped(&table[48..], &mut chance);
        fs::write(here.join("t.partial"), [&table[..48], &damaged].concat()).unwrap();
        let error = resumed(&game, here, &here.join("t.layers")).map(|_| ());
        let error = error.expect_err(&format!("bit {bit}")).to_string();
        assert!(error.contains("is damaged"), "{error}");
    }
}

/// The sections of a checkpoint.
fn sections(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut sections = Vec::new();
    let mut rest = &bytes[8..];
    while !rest.is_empty() {
        let length = usize::try_from(u64::from_le_bytes(rest[..8].try_into().unwrap())).unwrap();
        sections.push(rest[16..16 + length].to_vec());
        rest = &rest[16 + length..];
    }
    sections
}

/// A checkpoint with the right checksums of these sections.
fn forged(sections: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"\x89TSC\r\n\x1a\n".to_vec();
    for section in sections {
        bytes.extend_from_slice(&(section.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&xxh3_64(section).to_le_bytes());
        bytes.extend_from_slice(section);
    }
    bytes
}

/// Whether the bytes of a table pass for a right one.
fn passes(table: Vec<u8>, game: &Ostle) -> bool {
    let found = Table::from_bytes(table, Path::new("t.tsj"))
        .and_then(|table| tesuji::table::verify(&table, game, &NoProgress));
    found.is_ok_and(|found| found.flawed == 0 && found.fingerprint_holds)
}

#[test]
fn forged_checkpoints_end_somehow_and_wrong_tables_are_found_out() {
    let mut chance = Chance::new("forged checkpoints");
    let game = game(SPEC);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    stopped(&game, here);
    let right = resumed(&game, here, &here.join("t.layers")).unwrap();
    let path = here.join("forged");
    let mut taken = 0;
    for name in ["t.layers", "t.pass"] {
        let parts = sections(&fs::read(here.join(name)).unwrap());
        assert!(forged(&parts) == fs::read(here.join(name)).unwrap());
        for number in 0..times(100) {
            let mut changed = parts.clone();
            let part = number % parts.len();
            if changed[part].is_empty() {
                continue;
            }
            if number % 7 == 0 {
                changed[part].truncate(chance.below(parts[part].len()));
            } else {
                changed[part] = flipped(&parts[part], &mut chance).1;
            }
            fs::write(&path, forged(&changed)).unwrap();
            let begun = Instant::now();
            let result = resumed(&game, here, &path);
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "section {part} of {name}"
            );
            let Ok(table) = result else { continue };
            taken += 1;
            assert!(
                table == right || !passes(table, &game),
                "section {part} of {name} was changed, and nobody sees it"
            );
        }
    }
    assert!(taken > 0, "no forged checkpoint was taken up");
}

#[test]
fn checkpoints_that_ask_for_everything_get_nothing() {
    let game = game(SPEC);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    stopped(&game, here);
    let right = resumed(&game, here, &here.join("t.layers")).unwrap();
    let parts = sections(&fs::read(here.join("t.pass")).unwrap());
    let text = String::from_utf8(parts[0].clone()).unwrap();
    let path = here.join("forged");
    let cells = text.split("\"cells\":").nth(1).unwrap();
    let cells: String = cells.chars().take_while(char::is_ascii_digit).collect();
    for number in [
        "0",
        "1",
        "70000000000",
        "4611686018427387904",
        "18446744073709551615",
    ] {
        let old = format!("\"cells\":{cells}");
        let text = text.replace(&old, &format!("\"cells\":{number}"));
        let mut changed = parts.clone();
        changed[0] = text.into_bytes();
        fs::write(&path, forged(&changed)).unwrap();
        let begun = Instant::now();
        assert!(resumed(&game, here, &path).is_err(), "{number} cells");
        assert!(begun.elapsed() < Duration::from_secs(2), "{number} cells");
    }
    for (old, new) in [
        ("\"groups\":", "\"groups\":9"),
        ("\"next\":", "\"next\":9"),
        ("\"offset\":", "\"offset\":9"),
        ("\"depth\":", "\"depth\":6"),
        ("\"furthest\":", "\"furthest\":6"),
    ] {
        let mut changed = parts.clone();
        changed[0] = text.replace(old, new).into_bytes();
        fs::write(&path, forged(&changed)).unwrap();
        let begun = Instant::now();
        let result = resumed(&game, here, &path);
        assert!(begun.elapsed() < Duration::from_secs(20), "{new}");
        if let Ok(table) = result {
            assert!(table == right || !passes(table, &game), "{new}");
        }
    }
    // A bomb in place of the cells.
    let mut changed = parts.clone();
    let last = changed.len() - 1;
    changed[last] = zstd::bulk::compress(&vec![0; 1 << 28], 1).unwrap();
    fs::write(&path, forged(&changed)).unwrap();
    let error = resumed(&game, here, &path).unwrap_err().to_string();
    assert!(error.contains("does not decompress"), "{error}");
}

#[test]
fn finished_blocks_are_compared_before_a_table_gets_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let name = here.join("t.tsj");
    let table = stopped_as::<Wide>(&game(SPEC), ValueWidth::WIDE, &name);
    let mut damaged = table.clone();
    damaged[200] ^= 1;
    fs::write(here.join("t.tsj.partial"), damaged).unwrap();
    let solve = ["solve", SPEC, "-o", "t.tsj"];
    let before = files(here);
    let message = refused(&solve, here);
    assert!(
        message.contains("t.tsj.partial is damaged: block 0"),
        "{message}"
    );
    assert!(message.contains("--restart"), "{message}");
    assert!(files(here) == before, "the checkpoints stay");
    fs::write(here.join("t.tsj.partial"), table).unwrap();
    ok(&solve, here);
    assert!(files(here).into_keys().eq([Path::new("t.tsj")]));
    ok(&["verify", "t.tsj"], here);
}

#[test]
fn values_that_no_solver_finds_are_refused() {
    const DRAW: u64 = 0xffff;
    // After two values of 16 bits, the number of a move and a count of 8 bits each.
    const DECIDED: u64 = 1 << 48;
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let name = here.join("t.tsj");
    stopped_as::<Wide>(&game(SPEC), ValueWidth::WIDE, &name);
    let pass = here.join("t.tsj.pass");
    let parts = sections(&fs::read(&pass).unwrap());
    let solve = ["solve", SPEC, "-o", "t.tsj"];
    let said = |changed: &[Vec<u8>]| {
        fs::write(&pass, forged(changed)).unwrap();
        let before = files(here);
        let message = refused(&solve, here);
        assert!(files(here) == before, "{message}");
        message
    };
    let planes = zstd::bulk::decompress(&parts[5], 1 << 24).unwrap();
    let count = planes.len() / 8;
    for bits in [
        0xea60,
        0xea60 | DECIDED,
        0x0bb8 | DECIDED,
        DRAW | DECIDED,
        4096,
        8,
    ] {
        let mut planes = planes.clone();
        let bits: u64 = bits | DRAW << 16;
        for (plane, byte) in bits.to_le_bytes().into_iter().enumerate() {
            planes[plane * count + count / 2] = byte;
        }
        let mut changed = parts.clone();
        changed[5] = zstd::bulk::compress(&planes, 1).unwrap();
        let message = said(&changed);
        assert!(message.contains("no solver finds"), "{bits:x}: {message}");
        assert!(message.contains("t.tsj.pass is damaged"), "{message}");
    }
    let mut changed = parts.clone();
    let head = String::from_utf8(parts[0].clone()).unwrap();
    changed[0] = head.replace("\"depth\":", "\"depth\":9").into_bytes();
    assert!(said(&changed).contains("--restart"));
    assert!(!parts[4].is_empty(), "the game has symmetric positions");
    for floor in [60_000u32, 4096] {
        let mut changed = parts.clone();
        changed[4][8..12].copy_from_slice(&floor.to_le_bytes());
        assert!(said(&changed).contains("--restart"));
    }
    fs::write(&pass, forged(&parts)).unwrap();
    ok(&solve, here);
}
