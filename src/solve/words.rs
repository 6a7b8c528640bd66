//! The working records of a group: words in memory, or packed row by row.

use std::array;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;

use memmap2::MmapMut;

use super::memory::{WordArray, zeroed};
use super::word::WordWidth;
use crate::base::cpu::{Cpu, CpuTask, PACKED, Portable, dispatch};

/// The working records of the positions of a group, in the order of their slots.
#[derive(Debug)]
pub struct Words<W: WordWidth>(Kind<W>);

#[derive(Debug)]
enum Kind<W: WordWidth> {
    Plain(WordArray<W::Atom>),
    Packed(Vec<PackedLayer<W>>),
}

/// The working records of a group as they are at a moment.
#[derive(Debug)]
pub struct Records<'w, W: WordWidth>(View<'w, W>);

#[derive(Debug)]
enum View<'w, W: WordWidth> {
    Plain(&'w [W::Atom]),
    Packed(&'w [PackedLayer<W>]),
}

/// The packed records of the rows of a layer.
#[derive(Debug)]
pub(super) struct PackedLayer<W> {
    /// The index in the group of its first record.
    first: usize,
    /// Number of records of a row.
    columns: usize,
    rows: usize,
    map: MmapMut,
    width: PhantomData<W>,
}

/// The rows of a layer: how many, and how many records each has.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowsOf {
    pub rows: usize,
    pub columns: usize,
}

impl<W: WordWidth> Words<W> {
    /// Words for `len` records, all zero.
    ///
    /// # Errors
    /// If the operating system cannot provide the memory.
    pub(super) fn plain(len: usize) -> io::Result<Self> {
        WordArray::new(len).map(Self::of)
    }

    /// The records that are these words.
    pub(super) const fn of(words: WordArray<W::Atom>) -> Self {
        Self(Kind::Plain(words))
    }

    /// Packed records of layers that follow each other.
    ///
    /// # Errors
    /// If the operating system cannot provide the memory.
    pub(super) fn packed(layers: impl IntoIterator<Item = RowsOf>) -> io::Result<Self> {
        let mut first = 0;
        let layer = |RowsOf { rows, columns }| {
            let layer = PackedLayer {
                first,
                columns,
                rows,
                map: zeroed(rows, row_bytes::<W>(columns))?,
                width: PhantomData,
            };
            first += rows * columns;
            Ok(layer)
        };
        let layers: io::Result<Vec<_>> = layers.into_iter().map(layer).collect();
        layers.map(|layers| Self(Kind::Packed(layers)))
    }

    /// The records, to be read.
    pub(crate) fn view(&self) -> Records<'_, W> {
        Records(match &self.0 {
            Kind::Plain(words) => View::Plain(words),
            Kind::Packed(layers) => View::Packed(layers),
        })
    }

    /// Whether they are packed.
    pub(super) const fn is_packed(&self) -> bool {
        matches!(self.0, Kind::Packed(_))
    }

    /// The words, unless they are packed.
    pub(super) fn into_plain(self) -> Option<WordArray<W::Atom>> {
        match self.0 {
            Kind::Plain(words) => Some(words),
            Kind::Packed(_) => None,
        }
    }

    /// The records by layer: a part of the words, or packed rows.
    pub(super) fn layers_mut(&mut self, layers: &[Range<usize>]) -> Vec<LayerWords<'_, W>> {
        match &mut self.0 {
            Kind::Plain(words) => {
                let words = &*words;
                let part = |layer: &Range<usize>| LayerWords::Plain(&words[layer.clone()]);
                layers.iter().map(part).collect()
            }
            Kind::Packed(packed) => packed.iter_mut().map(LayerWords::Packed).collect(),
        }
    }

    /// Replaces the records from index `from` on.
    ///
    /// # Panics
    /// If there are not that many.
    pub(crate) fn write(&mut self, from: usize, bits: &[u64]) {
        match &mut self.0 {
            Kind::Plain(words) => {
                for (word, &bits) in words[from..from + bits.len()].iter().zip(bits) {
                    W::store(word, bits);
                }
            }
            Kind::Packed(layers) => {
                let mut room: [W::Atom; PACKED] = array::from_fn(|_| W::Atom::default());
                for piece in pieces(layers, from, bits.len()) {
                    let block = layers[piece.layer].block_mut(&piece);
                    W::unpack(Portable, block, &mut room);
                    let some = room[piece.within.clone()].iter();
                    for (&bits, word) in bits[piece.taken()].iter().zip(some) {
                        W::store(word, bits);
                    }
                    W::pack(Portable, &mut room, block);
                }
            }
        }
    }
}

impl<'w, W: WordWidth> Records<'w, W> {
    /// Records that are words.
    pub(super) const fn of_words(words: &'w [W::Atom]) -> Self {
        Self(View::Plain(words))
    }

    /// Number of records.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            View::Plain(words) => words.len(),
            View::Packed(layers) => layers.last().map_or(0, |last| last.records().end),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies the bits of the records from index `from` on.
    ///
    /// # Panics
    /// If there are not that many.
    pub(crate) fn read(&self, from: usize, bits: &mut [u64]) {
        match &self.0 {
            View::Plain(words) => {
                let words = &words[from..from + bits.len()];
                for (bits, word) in bits.iter_mut().zip(words) {
                    *bits = W::load(word);
                }
            }
            View::Packed(layers) => {
                let mut room: [W::Atom; PACKED] = array::from_fn(|_| W::Atom::default());
                for piece in pieces(layers, from, bits.len()) {
                    dispatch(Unpack::<W> {
                        bytes: layers[piece.layer].block(&piece),
                        words: &mut room,
                    });
                    let words = room[piece.within.clone()].iter();
                    for (bits, word) in bits[piece.taken()].iter_mut().zip(words) {
                        *bits = W::load(word);
                    }
                }
            }
        }
    }
}

struct Unpack<'r, W: WordWidth> {
    bytes: &'r [u8],
    words: &'r mut [W::Atom],
}

impl<W: WordWidth> CpuTask for Unpack<'_, W> {
    type Output = ();

    #[inline]
    fn run<C: Cpu>(self, cpu: C) {
        W::unpack(cpu, self.bytes, self.words);
    }
}

/// A part of a block.
struct Piece {
    layer: usize,
    row: usize,
    block: usize,
    /// The places asked for.
    within: Range<usize>,
    /// Number of records asked for before.
    before: usize,
}

impl Piece {
    const fn taken(&self) -> Range<usize> {
        self.before..self.before + (self.within.end - self.within.start)
    }
}

/// The blocks that hold `count` records from index `from` on.
fn pieces<W: WordWidth>(layers: &[PackedLayer<W>], from: usize, count: usize) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut at, end) = (from, from + count);
    while at < end {
        let layer = layers
            .iter()
            .position(|layer| layer.records().contains(&at))
            .expect("no record is asked for that is not there");
        let columns = layers[layer].columns;
        let (row, column) = layers[layer].place(at);
        let (block, start) = (column / PACKED, column % PACKED);
        let len = PACKED.min(columns - block * PACKED);
        let stop = len.min(start + end - at);
        found.push(Piece {
            layer,
            row,
            block,
            within: start..stop,
            before: at - from,
        });
        at += stop - start;
    }
    found
}

/// Number of bytes of a packed row: of whole blocks.
pub(super) const fn row_bytes<W: WordWidth>(columns: usize) -> usize {
    columns.div_ceil(PACKED) * W::PACKED_BYTES
}

impl<W: WordWidth> PackedLayer<W> {
    const fn records(&self) -> Range<usize> {
        self.first..self.first + self.rows * self.columns
    }

    fn bytes(&self, row: usize, block: usize) -> Range<usize> {
        let from = row * row_bytes::<W>(self.columns) + block * W::PACKED_BYTES;
        from..from + W::PACKED_BYTES
    }

    /// The row and the column of a record.
    const fn place(&self, index: usize) -> (usize, usize) {
        let number = index - self.first;
        (number / self.columns, number % self.columns)
    }

    fn block(&self, piece: &Piece) -> &[u8] {
        &self.map[self.bytes(piece.row, piece.block)]
    }

    fn block_mut(&mut self, piece: &Piece) -> &mut [u8] {
        let bytes = self.bytes(piece.row, piece.block);
        &mut self.map[bytes]
    }
}

/// The records of a layer, to be changed.
pub(super) enum LayerWords<'a, W: WordWidth> {
    Plain(&'a [W::Atom]),
    Packed(&'a mut PackedLayer<W>),
}

/// The records of some rows that follow each other, to be changed.
pub(super) enum RunWords<'a, W: WordWidth> {
    Plain(&'a [W::Atom]),
    Packed(&'a mut [u8]),
}

impl<'a, W: WordWidth> LayerWords<'a, W> {
    /// The records of runs of `run` rows of `columns` records.
    pub fn runs(self, columns: usize, run: usize) -> Vec<RunWords<'a, W>> {
        match self {
            Self::Plain(words) => words.chunks(run * columns).map(RunWords::Plain).collect(),
            Self::Packed(layer) => {
                let bytes = row_bytes::<W>(columns);
                let all = &mut layer.map[..layer.rows * bytes];
                all.chunks_mut(run * bytes).map(RunWords::Packed).collect()
            }
        }
    }
}
