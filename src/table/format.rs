//! Constants of the format, and the fingerprint.

use crate::base::value::Record;

/// Number of slots of a block, and of a leaf of the fingerprint.
pub const BLOCK_SLOTS: u64 = 1 << 16;

pub(super) const MAGIC: [u8; 8] = *b"\x89TSJ\r\n\x1a\n";
/// The magic number of an unfinished table.
pub(super) const UNFINISHED: [u8; 8] = *b"\x89TSP\r\n\x1a\n";
/// The magic numbers of a table, finished and unfinished.
pub const TABLE_MARKS: [[u8; 8]; 2] = [MAGIC, UNFINISHED];
pub(super) const VERSION: u32 = 1;
/// The version of dense tables, which are no longer read.
pub(super) const DENSE_VERSION: u32 = 2;
pub(super) const PREAMBLE: usize = 48;
pub(super) const ENTRY: usize = 12;

/// A record as it counts for the fingerprint.
pub(super) fn logical_bytes(record: Record) -> [u8; 5] {
    let best = record.best().code().to_le_bytes();
    let second = record.second().code().to_le_bytes();
    let only = record.only_move().unwrap_or(Record::NO_MOVE);
    [best[0], best[1], second[0], second[1], only]
}

/// The fingerprint of a table, from the hashes of its runs of slots.
pub(super) fn fingerprint(spec: &str, leaves: &[u128]) -> u128 {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hasher.update(spec.as_bytes());
    for leaf in leaves {
        hasher.update(&leaf.to_le_bytes());
    }
    hasher.digest128()
}
