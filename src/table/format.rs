//! Constants of the format, and the fingerprint.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::base::value::{Narrow, Record, Wide, Width};
use crate::game::Ranked;

/// Number of slots of a block, and of a leaf of the fingerprint.
pub const BLOCK_SLOTS: u64 = 1 << 16;

pub(super) const MAGIC: [u8; 8] = *b"\x89TSJ\r\n\x1a\n";
/// The magic number of an unfinished table.
pub(super) const UNFINISHED: [u8; 8] = *b"\x89TSP\r\n\x1a\n";
/// The magic numbers of a table, finished and unfinished.
pub(crate) const TABLE_MARKS: [[u8; 8]; 2] = [MAGIC, UNFINISHED];
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
pub(super) fn fingerprint(spec: &str, leaves: &[u128]) -> String {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    hasher.update(spec.as_bytes());
    for leaf in leaves {
        hasher.update(&leaf.to_le_bytes());
    }
    format!("{:032x}", hasher.digest128())
}

/// How the blocks of a table are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Uncompressed: the largest files, and the fastest access.
    Raw,
    /// Without what other fields imply (see the [format](super)), and each block compressed
    /// with Zstandard.
    Packed,
}

/// The width of the values in a table, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueWidth(u8);

#[expect(clippy::cast_possible_truncation, reason = "1 and 2 fit a byte")]
impl ValueWidth {
    /// One byte per value, see [`Narrow`].
    pub const NARROW: Self = Self(Narrow::BYTES as u8);
    /// Two bytes per value, see [`Wide`].
    pub const WIDE: Self = Self(Wide::BYTES as u8);
}

/// A layer as stored in a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerDescription {
    /// Its name, see [`Layer::name`](crate::game::Layer::name).
    pub name: String,
    /// Its first slot.
    pub first: u64,
    /// The slot after its last one.
    pub end: u64,
}

impl LayerDescription {
    /// The slots of its blocks, in order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<u64>> {
        let number = (self.end - self.first).div_ceil(BLOCK_SLOTS);
        let starts = (0..number).map(move |block| self.first + block * BLOCK_SLOTS);
        starts.map(move |start| start..self.end.min(start + BLOCK_SLOTS))
    }
}

/// The JSON object in a table's footer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The program and version that wrote the table.
    pub writer: String,
    /// The spec of the game.
    pub game: String,
    /// Number of bytes of a value: 1 or 2.
    pub value_bytes: u8,
    /// How blocks are stored.
    pub encoding: Encoding,
    /// The layers, in the order of their slots.
    pub layers: Vec<LayerDescription>,
    /// The fingerprint, as 32 hexadecimal digits.
    pub fingerprint: String,
}

impl Description {
    /// The description of a table of `game` whose fingerprint is not known yet.
    pub(super) fn of(game: &impl Ranked, values: ValueWidth, encoding: Encoding) -> Self {
        let layers = game.layers().iter().map(|layer| LayerDescription {
            name: layer.name.clone(),
            first: layer.slots.start,
            end: layer.slots.end,
        });
        Self {
            writer: concat!("tesuji ", env!("CARGO_PKG_VERSION")).to_owned(),
            game: game.spec(),
            value_bytes: values.0,
            encoding,
            layers: layers.collect(),
            fingerprint: String::new(),
        }
    }

    /// Number of slots.
    pub fn slots(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.end)
    }
}

#[derive(Debug)]
pub(super) struct Entry {
    pub slots: Range<u64>,
    pub bytes: Range<usize>,
    pub checksum: u64,
    pub checked: AtomicBool,
}

/// Checks the description, and reads the directory: the location of every block, and the index
/// of the first block of each layer. `end` is the offset at which the blocks end.
pub(super) fn read_directory(
    directory: &[u8],
    description: &Description,
    end: usize,
) -> Result<(Vec<Entry>, Vec<usize>), String> {
    let bytes = description.value_bytes;
    if !(1..=2).contains(&bytes) {
        return Err(format!("values of {bytes} bytes are not supported"));
    }
    let mut next = 0;
    for LayerDescription { name, first, end } in &description.layers {
        if *first != next || end < first {
            return Err(format!("layer {name} does not follow the previous layer"));
        }
        next = *end;
    }
    let layers = description.layers.iter();
    let counts = layers.map(|layer| (layer.end - layer.first).div_ceil(BLOCK_SLOTS));
    let count: u64 = counts.sum();
    if directory.len() as u64 != count.saturating_mul(ENTRY as u64) {
        return Err(format!(
            "the directory of {count} blocks has {} bytes",
            directory.len()
        ));
    }
    let mut blocks = Vec::new();
    let mut firsts = Vec::new();
    let mut entries = directory.as_chunks::<ENTRY>().0.iter();
    let mut offset = PREAMBLE;
    for layer in &description.layers {
        firsts.push(blocks.len());
        for (slots, entry) in layer.blocks().zip(&mut entries) {
            let [a, b, c, d, checksum @ ..] = *entry;
            let length = u32::from_le_bytes([a, b, c, d]) as usize;
            let past = || format!("block {} extends past the end of the blocks", blocks.len());
            let block_end = offset.checked_add(length).ok_or_else(past)?;
            if block_end > end {
                return Err(past());
            }
            let bytes = offset..block_end;
            offset = bytes.end;
            blocks.push(Entry {
                slots,
                bytes,
                checksum: u64::from_le_bytes(checksum),
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
