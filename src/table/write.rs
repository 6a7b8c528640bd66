//! Writing tables, block by block in the order of slots.

use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::block::pack;
use super::error::{Result, TableError};
use super::format::{
    Description, Encoding, MAGIC, PREAMBLE, UNFINISHED, VERSION, ValueWidth, fingerprint,
    logical_bytes,
};
use crate::base::threads;
use crate::base::value::{Narrow, Record, Value};
use crate::game::Ranked;

/// Number of blocks encoded in parallel before they are written.
const AHEAD: usize = 64;

/// Writes a table to a file or to memory.
///
/// The preamble is written last, so that an unfinished file is not a valid table. Callers
/// that write to disk should also use a temporary name.
///
/// ```
/// use std::{io::Cursor, path::Path};
/// use tesuji::base::{value::Wide, progress::NoProgress};
/// use tesuji::games::pieces::Pieces;
/// use tesuji::solve::Solver;
/// use tesuji::table::{Encoding, Table, TableError, TableWriter, ValueWidth};
///
/// let (game, name) = (Pieces::shipped("tictactoe")?, Path::new("tictactoe"));
/// let (width, packed) = (ValueWidth::WIDE, Encoding::Packed);
/// let mut writer = TableWriter::new(Cursor::new(vec![]), name, &game, width, packed, 3)?;
/// let mut solver = Solver::<_, Wide>::new(&game);
/// while let Some(group) = solver.solve_next(&NoProgress)? {
///     let records = |slots| Ok::<_, TableError>(group.records(slots));
///     writer.append(group.slots().end, records, |_| ())?;
/// }
/// let (sink, fingerprint, _) = writer.finish()?;
/// let table = Table::from_bytes(sink.into_inner(), name)?;
/// assert_eq!(table.description.fingerprint, fingerprint);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TableWriter<W> {
    /// What the table is written to.
    pub sink: W,
    /// Names the table in error messages.
    path: PathBuf,
    description: Description,
    /// The progress so far, for [`resume`](Self::resume).
    pub written: Written,
    level: i32,
}

/// The progress of a [`TableWriter`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The next slot to write.
    pub next: u64,
    /// Number of bytes written.
    pub offset: u64,
    pub(super) directory: Vec<u8>,
    pub(super) leaves: Vec<u128>,
}

struct Encoded {
    bytes: Vec<u8>,
    checksum: u64,
    leaf: u128,
}

impl<W: Write + Seek> TableWriter<W> {
    /// Starts a table of `game`. `path` names it in error messages. `level` is the
    /// compression level of [`Encoding::Packed`] (1 to 22).
    ///
    /// # Errors
    /// If writing to the sink fails.
    pub fn new<G: Ranked>(
        mut sink: W,
        path: &Path,
        game: &G,
        values: ValueWidth,
        encoding: Encoding,
        level: i32,
    ) -> Result<Self> {
        let mut preamble = [0; PREAMBLE];
        preamble[..UNFINISHED.len()].copy_from_slice(&UNFINISHED);
        sink.write_all(&preamble)
            .map_err(TableError::io(path, "write"))?;
        let written = Written {
            next: 0,
            offset: PREAMBLE as u64,
            directory: Vec::new(),
            leaves: Vec::new(),
        };
        Self::resume(sink, path, game, values, encoding, level, written)
    }

    /// Continues a table that a writer with the same settings has left after `written`.
    /// Anything in the sink beyond that is overwritten.
    ///
    /// # Errors
    /// If the sink cannot seek.
    pub fn resume<G: Ranked>(
        mut sink: W,
        path: &Path,
        game: &G,
        values: ValueWidth,
        encoding: Encoding,
        level: i32,
        written: Written,
    ) -> Result<Self> {
        sink.seek(SeekFrom::Start(written.offset))
            .map_err(TableError::io(path, "write"))?;
        Ok(Self {
            sink,
            path: path.to_owned(),
            description: Description::of(game, values, encoding),
            written,
            level,
        })
    }

    /// Appends the layers up to the slot `end`, starting where the last call stopped.
    /// `records` returns all records of a block; `advance` is called with the number of slots
    /// written since its last call.
    ///
    /// # Errors
    /// If writing fails, a value does not fit the width of the table, or `records` fails.
    pub fn append<E: From<TableError> + Send>(
        &mut self,
        end: u64,
        records: impl Fn(Range<u64>) -> Result<Vec<Record>, E> + Sync,
        advance: impl Fn(u64),
    ) -> Result<(), E> {
        let layers = self.description.layers.iter();
        let layers = layers.filter(|layer| layer.first >= self.written.next && layer.end <= end);
        let layers: Vec<_> = layers.cloned().collect();
        for layer in layers {
            for batch in layer.blocks().collect::<Vec<_>>().chunks(AHEAD) {
                let (description, level, path) = (&self.description, self.level, &self.path);
                let encoded = threads::map(batch, |slots| {
                    Ok::<_, E>(encode(description, level, path, &records(slots.clone())?)?)
                });
                for block in encoded {
                    self.write_block(&block?)?;
                }
                advance(batch.iter().map(|slots| slots.end - slots.start).sum());
            }
            self.written.next = layer.end;
        }
        Ok(())
    }

    fn write_block(&mut self, block: &Encoded) -> Result<()> {
        let written = self.sink.write_all(&block.bytes);
        written.map_err(TableError::io(&self.path, "write"))?;
        let length = u32::try_from(block.bytes.len()).expect("a block has less than 4 GiB");
        let directory = &mut self.written.directory;
        directory.extend_from_slice(&length.to_le_bytes());
        directory.extend_from_slice(&block.checksum.to_le_bytes());
        self.written.offset += u64::from(length);
        self.written.leaves.push(block.leaf);
        Ok(())
    }

    /// Completes the table. Returns the sink, the fingerprint, and the length of the table
    /// in bytes.
    ///
    /// # Errors
    /// If slots are missing or writing fails.
    ///
    /// # Panics
    /// Never: a description can always be written as JSON.
    pub fn finish(mut self) -> Result<(W, String, u64)> {
        let (written, slots) = (self.written.next, self.description.slots());
        if written != slots {
            let what = format_args!("only {written} of {slots} slots were written");
            return Err(TableError::invalid(&self.path, what));
        }
        self.description.fingerprint = fingerprint(&self.description.game, &self.written.leaves);
        let mut footer =
            serde_json::to_vec(&self.description).expect("a description is plain data");
        let described = u32::try_from(footer.len()).expect("a description is short");
        footer.extend_from_slice(&self.written.directory);
        let mut preamble = Vec::with_capacity(PREAMBLE);
        preamble.extend_from_slice(&MAGIC);
        preamble.extend_from_slice(&VERSION.to_le_bytes());
        preamble.extend_from_slice(&described.to_le_bytes());
        preamble.extend_from_slice(&self.written.offset.to_le_bytes());
        preamble.extend_from_slice(&(footer.len() as u64).to_le_bytes());
        preamble.extend_from_slice(&xxh3_64(&footer).to_le_bytes());
        preamble.extend_from_slice(&xxh3_64(&preamble).to_le_bytes());
        let failed = || TableError::io(&self.path, "write");
        self.sink.write_all(&footer).map_err(failed())?;
        self.sink.seek(SeekFrom::Start(0)).map_err(failed())?;
        self.sink.write_all(&preamble).map_err(failed())?;
        self.sink.flush().map_err(failed())?;
        let end = self.written.offset + footer.len() as u64;
        Ok((self.sink, self.description.fingerprint, end))
    }
}

/// Fills a plane with the codes of one value of each record. The error is the first value
/// that does not fit.
fn fill(
    plane: &mut [u8],
    width: usize,
    records: &[Record],
    value: impl Fn(Record) -> Value,
) -> Result<(), Value> {
    if width == 1 {
        for (code, &record) in plane.iter_mut().zip(records) {
            let value = value(record);
            [*code, _] = value.resized::<Narrow>().ok_or(value)?.code().to_le_bytes();
        }
    } else {
        for (code, &record) in plane.as_chunks_mut().0.iter_mut().zip(records) {
            *code = value(record).code().to_le_bytes();
        }
    }
    Ok(())
}

fn encode(
    description: &Description,
    level: i32,
    path: &Path,
    records: &[Record],
) -> Result<Encoded> {
    let width = usize::from(description.value_bytes);
    let count = records.len();
    let mut planes = vec![0; count * (2 * width + 1)];
    let (best, rest) = planes.split_at_mut(count * width);
    let (second, only) = rest.split_at_mut(count * width);
    for (record, only) in records.iter().zip(only) {
        *only = record.only_move().unwrap_or(Record::NO_MOVE);
    }
    fill(best, width, records, Record::best)
        .and_then(|()| fill(second, width, records, Record::second))
        .map_err(|value| {
            let what = format_args!("the value '{value}' does not fit in one byte");
            TableError::invalid(path, what)
        })?;
    let bytes = match description.encoding {
        Encoding::Raw => planes,
        Encoding::Packed => zstd::bulk::compress(&pack(&planes, count, width), level)
            .map_err(TableError::io(path, "compress a block of"))?,
    };
    let logical: Vec<[u8; 5]> = records.iter().copied().map(logical_bytes).collect();
    Ok(Encoded {
        checksum: xxh3_64(&bytes),
        leaf: xxh3_128(logical.as_flattened()),
        bytes,
    })
}
