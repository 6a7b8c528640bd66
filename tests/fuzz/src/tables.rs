//! What must hold of any bytes of a table.

use std::io::Cursor;
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use tesuji::base::progress::NoProgress;
use tesuji::game::Ranked;
use tesuji::games::ostle::Ostle;
use tesuji::table::{Encoding, Table, TableError, TableWriter, ValueWidth, solve_in_memory};
use xxhash_rust::xxh3::xxh3_64;

/// The table of a small game.
static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let game = Ostle::from_settings("ostle:3x3,pieces=2,losses=2", None).expect("a game");
    let sink = Cursor::new(Vec::new());
    let (width, packed) = (ValueWidth::WIDE, Encoding::Packed);
    let name = Path::new("base");
    let mut writer = TableWriter::new(sink, name, &game, width, packed, 3).expect("memory");
    let solved = solve_in_memory(&game, &NoProgress).expect("a small game");
    let record = |slot| solved.record(slot).expect("a sound block");
    let records = |slots: Range<u64>| Ok::<_, TableError>(slots.map(record).collect());
    let written = writer.append(game.slots(), records, |_| ());
    written.expect("memory");
    writer.finish().expect("memory").0.into_inner()
});

/// The place of a table's footer, and that of the directory.
fn footer(bytes: &[u8]) -> Option<(usize, usize)> {
    let number = |at: usize| {
        bytes
            .get(at..at + 8)?
            .try_into()
            .ok()
            .map(u64::from_le_bytes)
    };
    let from = usize::try_from(number(16)?).ok()?;
    let described = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?);
    Some((from, from.checked_add(described as usize)?))
}

/// Gives a table the checksums of its footer and preamble.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(content) = footer(&bytes).and_then(|(from, _)| bytes.get(from..)) {
        let sum = xxh3_64(content);
        bytes[32..40].copy_from_slice(&sum.to_le_bytes());
        let sum = xxh3_64(&bytes[..40]);
        bytes[40..48].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

fn read_all(bytes: Vec<u8>) {
    match Table::from_bytes(bytes, Path::new("x.tsj")) {
        Ok(table) => {
            for number in 0..table.blocks().min(1000) {
                if let Ok(block) = table.block(number) {
                    let slots = block.slots.clone();
                    assert_eq!(block.records().len() as u64, slots.end - slots.start);
                    let _ = table.record(slots.start);
                }
            }
            assert!(table.record(table.description.slots()).is_err());
        }
        Err(error) => assert!(error.to_string().contains("x.tsj")),
    }
}

/// A table's preamble and footer: the bytes as they are, and as changes to a sound table
/// (place, place, bits to flip) that then gets right checksums.
pub fn table(bytes: &[u8]) {
    read_all(bytes.to_vec());
    let mut changed = TABLE.clone();
    let (from, _) = footer(&changed).expect("a footer");
    for change in bytes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]]));
        // Most of the file are blocks, which have a check of their own.
        let place = place % (changed.len() - from + 32);
        let place = if place < 32 { place } else { from + place - 32 };
        changed[place] ^= change[2];
    }
    read_all(sealed(changed));
}

/// The stored bytes of a block, in a table with right checksums.
pub fn block(bytes: &[u8]) {
    let base = &*TABLE;
    let (from, directory) = footer(base).expect("a footer");
    let entry = &base[directory..directory + 4];
    let old = u32::from_le_bytes(entry.try_into().expect("four bytes")) as usize;
    // As they are, and as what is compressed.
    let packed = zstd::bulk::compress(bytes, 1).expect("memory");
    for stored in [bytes, &packed] {
        let mut forged = base[..48].to_vec();
        forged.extend_from_slice(stored);
        forged.extend_from_slice(&base[48 + old..]);
        let moved = |place: usize| place - old + stored.len();
        forged[16..24].copy_from_slice(&(moved(from) as u64).to_le_bytes());
        let entry = moved(directory);
        let length = u32::try_from(stored.len()).expect("a short input");
        forged[entry..entry + 4].copy_from_slice(&length.to_le_bytes());
        forged[entry + 4..entry + 12].copy_from_slice(&xxh3_64(stored).to_le_bytes());
        read_all(sealed(forged));
    }
}
