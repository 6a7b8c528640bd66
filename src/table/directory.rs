//! The directory of a table: where its blocks are.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::Description;
use super::format::{BLOCK_SLOTS, ENTRY, PREAMBLE};

/// The location of a block in the file.
#[derive(Debug)]
pub(super) struct Entry {
    pub slots: Range<u64>,
    pub bytes: Range<usize>,
    pub checksum: u64,
    pub checked: AtomicBool,
}

/// The number of blocks of a table.
pub(super) fn count_of_blocks(description: &Description) -> u64 {
    let layers = description.layers.iter();
    layers
        .map(|layer| (layer.end - layer.first).div_ceil(BLOCK_SLOTS))
        .sum()
}

/// Reads the directory: the location of every block, and the index of the first block of
/// each layer. `end` is the offset at which the blocks end.
pub(super) fn read_directory(
    directory: &[u8],
    description: &Description,
    end: usize,
) -> Result<(Vec<Entry>, Vec<usize>), String> {
    let count = count_of_blocks(description);
    if directory.len() as u64 != count.saturating_mul(ENTRY as u64) {
        return Err(format!(
            "the directory of {count} blocks has {} bytes",
            directory.len()
        ));
    }
    let mut blocks = Vec::new();
    let mut firsts = Vec::new();
    let mut entries = directory.chunks_exact(ENTRY);
    let mut offset = PREAMBLE;
    for layer in &description.layers {
        firsts.push(blocks.len());
        let mut first = layer.first;
        while first < layer.end {
            let entry = entries.next().ok_or("the directory is too short")?;
            let length = u32::from_le_bytes(entry[..4].try_into().expect("four bytes")) as usize;
            let checksum = u64::from_le_bytes(entry[4..].try_into().expect("eight bytes"));
            let slots = first..layer.end.min(first + BLOCK_SLOTS);
            let past = || format!("block {} extends past the end of the blocks", blocks.len());
            let block_end = offset.checked_add(length).ok_or_else(past)?;
            if block_end > end {
                return Err(past());
            }
            let bytes = offset..block_end;
            first = slots.end;
            offset = bytes.end;
            blocks.push(Entry {
                slots,
                bytes,
                checksum,
                checked: AtomicBool::new(false),
            });
        }
    }
    if offset != end {
        return Err(format!(
            "the blocks end at byte {offset}, but the footer starts at byte {end}"
        ));
    }
    Ok((blocks, firsts))
}

/// A block as error messages name it.
pub(super) fn part(number: usize, entry: &Entry) -> String {
    format!(
        "block {number}, slots {} to {},",
        entry.slots.start, entry.slots.end
    )
}
