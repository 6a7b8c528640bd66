//! The working records of a group: shared words in memory, 32 or 64 bits for each, or narrow ones
//! packed row by row.
#![expect(
    clippy::cast_possible_truncation,
    reason = "records of narrow values have 32 bits"
)]

use std::fmt::Debug;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::{array, io};

use memmap2::MmapMut;

use super::memory::{AtomicWord, WordArray, zeroed};
use super::work::Work;
use super::work::packed::PACKING;
use crate::base::cpu::{Cpu, CpuTask, PACKED, PackedBytes, PackedWords, Portable, dispatch};
use crate::base::value::{Narrow, Wide, Width};
use crate::game::MostMoves;

/// The working records of the positions of a group, in the order of their slots.
#[derive(Debug)]
pub enum Words {
    /// Of narrow values.
    Narrow(WordArray<AtomicU32>),
    /// Of wide values.
    Wide(WordArray<AtomicU64>),
    /// Of narrow values, packed row by row.
    Packed(Vec<PackedLayer>),
}

/// The packed records of the rows of a layer.
#[derive(Debug)]
pub struct PackedLayer {
    /// The index in the group of its first record.
    first: usize,
    /// Number of records of a row.
    columns: usize,
    rows: usize,
    map: MmapMut,
}

/// The rows of a layer: how many, and how many records each has.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowsOf {
    pub rows: usize,
    pub columns: usize,
}

impl Words {
    /// Packed records of layers that follow each other.
    pub(super) fn packed(layers: impl IntoIterator<Item = RowsOf>) -> io::Result<Self> {
        let mut first = 0;
        let layer = |RowsOf { rows, columns }| {
            let layer = PackedLayer {
                first,
                columns,
                rows,
                map: zeroed(rows, row_bytes(columns))?,
            };
            first += rows * columns;
            Ok(layer)
        };
        let layers: io::Result<Vec<_>> = layers.into_iter().map(layer).collect();
        layers.map(Self::Packed)
    }

    /// The records by layer, in runs of `run` rows; `layers` has the records of each layer, and
    /// their number in a row. Rows have no wide values.
    pub(super) fn runs(
        &mut self,
        layers: &[(Range<usize>, usize)],
        run: usize,
    ) -> Vec<Vec<RunWords<'_>>> {
        match self {
            Self::Narrow(words) => {
                let words = &*words;
                let runs = |(layer, columns): &(Range<usize>, usize)| {
                    let runs = words[layer.clone()].chunks(run * columns);
                    runs.map(RunWords::Plain).collect()
                };
                layers.iter().map(runs).collect()
            }
            Self::Wide(_) => Vec::new(),
            Self::Packed(packed) => {
                let runs = packed.iter_mut().map(|layer| {
                    let bytes = row_bytes(layer.columns);
                    let all = layer.map[..layer.rows * bytes].chunks_mut(run * bytes);
                    all.map(RunWords::Packed).collect()
                });
                runs.collect()
            }
        }
    }

    pub(crate) fn write(&mut self, from: usize, bits: &[u64]) {
        let to = from + bits.len();
        match self {
            Self::Narrow(words) => store::<Narrow>(&words[from..to], bits),
            Self::Wide(words) => store::<Wide>(&words[from..to], bits),
            Self::Packed(layers) => {
                let mut room: PackedWords = array::from_fn(|_| AtomicU32::default());
                for piece in pieces(layers, from, bits.len()) {
                    let block = &mut layers[piece.layer].map[piece.bytes];
                    let block = block.as_mut_array().expect("the bytes of a block");
                    Portable.unpack(block, &mut room, PACKING);
                    store::<Narrow>(&room[piece.within], &bits[piece.taken]);
                    Portable.pack(&mut room, block, PACKING);
                }
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Narrow(words) => words.len(),
            Self::Wide(words) => words.len(),
            Self::Packed(layers) => layers.last().map_or(0, |last| last.records().end),
        }
    }

    /// Bytes of the bits of a record.
    pub(crate) const fn bytes(&self) -> usize {
        match self {
            Self::Wide(_) => 8,
            Self::Narrow(_) | Self::Packed(_) => 4,
        }
    }

    /// Whether a solver that knows distances up to `furthest` can have records of these bits.
    pub(crate) fn can_have(&self, bits: &[u64], furthest: u16) -> bool {
        let mut bits = bits.iter().copied();
        match self {
            Self::Wide(_) => bits.all(|bits| Work::<Wide>::from_bits(bits).is_possible(furthest)),
            _ => bits.all(|bits| Work::<Narrow>::from_bits(bits).is_possible(furthest)),
        }
    }

    /// Copies the bits of the records from index `from` on.
    pub(crate) fn read(&self, from: usize, bits: &mut [u64]) {
        let to = from + bits.len();
        match self {
            Self::Narrow(words) => load::<Narrow>(&words[from..to], bits),
            Self::Wide(words) => load::<Wide>(&words[from..to], bits),
            Self::Packed(layers) => {
                let mut room: PackedWords = array::from_fn(|_| AtomicU32::default());
                for piece in pieces(layers, from, bits.len()) {
                    let block = layers[piece.layer].map[piece.bytes].as_array();
                    dispatch(Unpack {
                        bytes: block.expect("the bytes of a block"),
                        words: &mut room,
                    });
                    load::<Narrow>(&room[piece.within], &mut bits[piece.taken]);
                }
            }
        }
    }
}

fn load<W: WordWidth>(words: &[W::Atom], bits: &mut [u64]) {
    for (bits, word) in bits.iter_mut().zip(words) {
        *bits = W::load(word);
    }
}

fn store<W: WordWidth>(words: &[W::Atom], bits: &[u64]) {
    for (&bits, word) in bits.iter().zip(words) {
        W::store(word, bits);
    }
}

struct Unpack<'r> {
    bytes: &'r PackedBytes,
    words: &'r mut PackedWords,
}

impl CpuTask for Unpack<'_> {
    type Output = ();

    #[inline]
    fn run<C: Cpu>(self, cpu: C) {
        cpu.unpack(self.bytes, self.words, PACKING);
    }
}

struct Piece {
    layer: usize,
    /// The bytes of the block, in its layer.
    bytes: Range<usize>,
    /// The places asked for.
    within: Range<usize>,
    /// The same places among all records asked for.
    taken: Range<usize>,
}

/// The blocks that hold `count` records from index `from` on.
fn pieces(layers: &[PackedLayer], from: usize, count: usize) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut at, end) = (from, from + count);
    while at < end {
        let layer = layers
            .iter()
            .position(|layer| layer.records().contains(&at))
            .expect("no record is asked for that is not there");
        let (columns, number) = (layers[layer].columns, at - layers[layer].first);
        let (row, column) = (number / columns, number % columns);
        let (block, start) = (column / PACKED, column % PACKED);
        let len = PACKED.min(columns - block * PACKED);
        let stop = len.min(start + end - at);
        let byte = row * row_bytes(columns) + block * PACKED_BYTES;
        found.push(Piece {
            layer,
            bytes: byte..byte + PACKED_BYTES,
            within: start..stop,
            taken: at - from..at - from + (stop - start),
        });
        at += stop - start;
    }
    found
}

/// Number of bytes of a block of [`PACKED`] packed working records.
pub(super) const PACKED_BYTES: usize = size_of::<PackedBytes>();

/// Number of bytes of a packed row: of whole blocks.
pub(super) const fn row_bytes(columns: usize) -> usize {
    columns.div_ceil(PACKED) * PACKED_BYTES
}

impl PackedLayer {
    const fn records(&self) -> Range<usize> {
        self.first..self.first + self.rows * self.columns
    }
}

/// The records of some rows that follow each other, to be changed.
pub(super) enum RunWords<'a> {
    Plain(&'a [AtomicU32]),
    Packed(&'a mut [u8]),
}

/// A width of values, with the word that holds a working record of that width: 32 bits
/// for [`Narrow`] values, 64 for [`Wide`] ones.
///
/// Words are shared between threads and accessed with relaxed ordering.
pub trait WordWidth: Width {
    /// The word.
    type Atom: AtomicWord;

    /// Whether words of this width have room for these counts. Words of [`Wide`] always do.
    fn holds(most: MostMoves) -> bool {
        u32::from(most.numbers) <= 1 << Work::<Self>::NUMBER_BITS
            && u32::from(most.within) < 1 << Work::<Self>::COUNT_BITS
    }

    /// Reads a word.
    fn load(atom: &Self::Atom) -> u64;
    /// Writes a word.
    fn store(atom: &Self::Atom, bits: u64);
    /// Replaces `old` by `new`. As with `compare_exchange_weak`, this may fail although
    /// the word is `old`.
    ///
    /// # Errors
    /// The current bits, if the word was not replaced.
    fn replace(atom: &Self::Atom, old: u64, new: u64) -> Result<(), u64>;

    /// The words, of at most 64, that match one of two patterns, as a bit set. A word
    /// matches the pattern `(mask, bits)` if `word & mask == bits`.
    fn matching<C: Cpu>(cpu: C, atoms: &[Self::Atom], patterns: [(u64, u64); 2]) -> u64;

    /// The working records that are these words.
    fn records_of(words: WordArray<Self::Atom>) -> Words;
    /// The words of working records; `None` if they are not of this width, or packed.
    fn words_of(records: &Words) -> Option<&[Self::Atom]>;
}

impl WordWidth for Narrow {
    type Atom = AtomicU32;

    #[inline(always)]
    fn load(atom: &AtomicU32) -> u64 {
        atom.load(Relaxed).into()
    }

    #[inline(always)]
    fn store(atom: &AtomicU32, bits: u64) {
        atom.store(bits as u32, Relaxed);
    }

    #[inline(always)]
    fn replace(atom: &AtomicU32, old: u64, new: u64) -> Result<(), u64> {
        atom.compare_exchange_weak(old as u32, new as u32, Relaxed, Relaxed)
            .map_or_else(|now| Err(now.into()), |_| Ok(()))
    }

    #[inline(always)]
    fn matching<C: Cpu>(cpu: C, atoms: &[AtomicU32], patterns: [(u64, u64); 2]) -> u64 {
        cpu.matching(atoms, patterns.map(|(mask, is)| (mask as u32, is as u32)))
    }

    fn records_of(words: WordArray<AtomicU32>) -> Words {
        Words::Narrow(words)
    }

    fn words_of(records: &Words) -> Option<&[AtomicU32]> {
        match records {
            Words::Narrow(words) => Some(words),
            Words::Wide(_) | Words::Packed(_) => None,
        }
    }
}

impl WordWidth for Wide {
    type Atom = AtomicU64;

    #[inline(always)]
    fn load(atom: &AtomicU64) -> u64 {
        atom.load(Relaxed)
    }

    #[inline(always)]
    fn store(atom: &AtomicU64, bits: u64) {
        atom.store(bits, Relaxed);
    }

    #[inline(always)]
    fn replace(atom: &AtomicU64, old: u64, new: u64) -> Result<(), u64> {
        atom.compare_exchange_weak(old, new, Relaxed, Relaxed)
            .map(|_| ())
    }

    #[inline(always)]
    fn matching<C: Cpu>(_cpu: C, atoms: &[AtomicU64], patterns: [(u64, u64); 2]) -> u64 {
        let [(first, is), (second, or)] = patterns;
        atoms.iter().enumerate().fold(0, |found, (place, atom)| {
            let bits = Self::load(atom);
            found | u64::from(bits & first == is || bits & second == or) << place
        })
    }

    fn records_of(words: WordArray<AtomicU64>) -> Words {
        Words::Wide(words)
    }

    fn words_of(records: &Words) -> Option<&[AtomicU64]> {
        match records {
            Words::Wide(words) => Some(words),
            Words::Narrow(_) | Words::Packed(_) => None,
        }
    }
}
