//! Reading checkpoints. No section is used before its checksum has been verified.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::super::format::ENTRY;
use super::super::write::Written;
use super::{
    AHEAD, CHECKPOINT_MARK, CHECKPOINT_VERSION, Checkpoint, CheckpointError, Found, Head,
    PartialGroup, STRETCH, StageHead,
};
use crate::base::files::open_ours;
use crate::solve::{Stage, WordWidth, Words};

/// The longest possible section in bytes; a greater length indicates damage.
const LONGEST_SECTION: u64 = 1 << 36;

impl Checkpoint {
    /// Reads the checkpoint at `path`; `None` if there is no such file. `room` makes room for
    /// the working records of a group (its number, and whether it is solved by rows).
    ///
    /// # Errors
    /// If it cannot be read, or any part of it is damaged.
    pub fn read<W: WordWidth>(
        path: &Path,
        room: impl FnOnce(usize, bool) -> io::Result<Words<W>>,
    ) -> Result<Option<Found<W>>, CheckpointError> {
        let Some((mut reader, head, written)) = open(path)? else {
            return Ok(None);
        };
        let begun = match &head.stage {
            Some(stage) => Some(reader.stage(head.groups, stage, room)?),
            None => None,
        };
        reader.end()?;
        Ok(Some((Self { head, written }, begun)))
    }

    /// Reads only the head of the checkpoint at `path`; `None` if there is no such file.
    ///
    /// # Errors
    /// If it cannot be read, or its head is damaged.
    pub fn peek(path: &Path) -> Result<Option<Head>, CheckpointError> {
        Ok(open(path)?.map(|(_, head, _)| head))
    }
}

struct Reader<'p> {
    source: BufReader<File>,
    path: &'p Path,
    at: u64,
    number: usize,
}

fn open(path: &Path) -> Result<Option<(Reader<'_>, Head, Written)>, CheckpointError> {
    let Some(file) = open_ours(path)? else {
        return Ok(None);
    };
    let mut reader = Reader {
        source: BufReader::with_capacity(1 << 20, file),
        path,
        at: 0,
        number: 0,
    };
    let mut magic = [0; 8];
    reader.fill(&mut magic)?;
    if magic != CHECKPOINT_MARK {
        return Err(reader.damaged("does not have the magic number of a checkpoint"));
    }
    let json = reader.section()?;
    let head: Head = serde_json::from_slice(&json)
        .map_err(|e| reader.damaged(&format!("cannot be parsed: {e}")))?;
    if !(1..=CHECKPOINT_VERSION).contains(&head.version) {
        return Err(reader.damaged(&format!("has the unsupported version {}", head.version)));
    }
    let directory = reader.section()?;
    let leaves = reader.section()?;
    if directory.len() % ENTRY != 0 || leaves.len() != directory.len() / ENTRY * 16 {
        return Err(reader.damaged("does not match the directory"));
    }
    let written = Written {
        next: head.next,
        offset: head.offset,
        directory,
        leaves: numbers(&leaves, u128::from_le_bytes),
    };
    Ok(Some((reader, head, written)))
}

/// Splits `bytes` into numbers of `N` bytes each.
fn numbers<const N: usize, T>(bytes: &[u8], read: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|&chunk| read(chunk))
        .collect()
}

impl Reader<'_> {
    fn damaged(&self, what: &str) -> CheckpointError {
        CheckpointError::Damaged {
            path: self.path.to_owned(),
            part: format!("section {}", self.number),
            from: self.at,
            what: what.to_owned(),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CheckpointError> {
        self.source.read_exact(bytes).map_err(|source| {
            if source.kind() == io::ErrorKind::UnexpectedEof {
                self.damaged("is truncated")
            } else {
                CheckpointError::Io {
                    path: self.path.to_owned(),
                    action: "read",
                    source,
                }
            }
        })
    }

    fn section(&mut self) -> Result<Vec<u8>, CheckpointError> {
        self.number += 1;
        let (mut length, mut checksum) = ([0; 8], [0; 8]);
        self.fill(&mut length)?;
        self.fill(&mut checksum)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_SECTION {
            return Err(self.damaged("has an impossible length"));
        }
        // Grows with the bytes read, so that a false length cannot exhaust memory.
        let mut bytes = Vec::new();
        let read = (&mut self.source).take(length).read_to_end(&mut bytes);
        read.map_err(|source| CheckpointError::Io {
            path: self.path.to_owned(),
            action: "read",
            source,
        })?;
        if bytes.len() as u64 != length {
            return Err(self.damaged("is truncated"));
        }
        if xxh3_64(&bytes) != u64::from_le_bytes(checksum) {
            return Err(self.damaged("does not match its checksum"));
        }
        self.at += 16 + length;
        Ok(bytes)
    }

    fn stage<W: WordWidth>(
        &mut self,
        group: usize,
        head: &StageHead,
        room: impl FnOnce(usize, bool) -> io::Result<Words<W>>,
    ) -> Result<PartialGroup<W>, CheckpointError> {
        let due = numbers(&self.section()?, u64::from_le_bytes);
        let symmetric = numbers(&self.section()?, |entry: [u8; 12]| {
            let (slot, floor) = entry.split_at(8);
            let floor = u32::from_le_bytes(floor.try_into().expect("four bytes"));
            (
                u64::from_le_bytes(slot.try_into().expect("eight bytes")),
                u16::try_from(floor).ok(),
            )
        });
        let mut words = room(group, head.rows).map_err(|source| CheckpointError::Io {
            path: self.path.to_owned(),
            action: "allocate memory for the working records of",
            source,
        })?;
        let count = words.view().len();
        if head.words != count as u64 {
            return Err(self.damaged("has the records of another group"));
        }
        let stretches: Vec<_> = (0..count).step_by(STRETCH).collect();
        for some in stretches.chunks(AHEAD) {
            let packed: Vec<_> = some
                .iter()
                .map(|_| self.section())
                .collect::<Result<_, _>>()?;
            let records: Option<Vec<_>> = packed
                .par_iter()
                .zip(some)
                .map(|(bytes, from)| unpack::<W>(bytes, STRETCH.min(count - from)))
                .collect();
            let records = records
                .ok_or_else(|| self.damaged("or a section before it does not decompress"))?;
            for (&from, bits) in some.iter().zip(records) {
                words.write(from, &bits);
            }
        }
        let stage = Stage {
            group,
            depth: head.depth,
            furthest: head.furthest,
            irregular: head.irregular,
            rows: head.rows,
            due,
            symmetric,
        };
        Ok((stage, words))
    }

    fn end(&mut self) -> Result<(), CheckpointError> {
        match self.source.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(self.damaged("is followed by extra bytes")),
            Err(source) => Err(CheckpointError::Io {
                path: self.path.to_owned(),
                action: "read",
                source,
            }),
        }
    }
}

/// The working records of a section; `None` if it does not hold `count`.
fn unpack<W: WordWidth>(bytes: &[u8], count: usize) -> Option<Vec<u64>> {
    let size = count * size_of::<W::Atom>();
    let planes = zstd::bulk::decompress(bytes, size).ok()?;
    if planes.len() != size {
        return None;
    }
    let mut records = vec![0; count];
    for (plane, bytes) in planes.chunks(count).enumerate() {
        for (bits, &byte) in records.iter_mut().zip(bytes) {
            *bits |= u64::from(byte) << (8 * plane);
        }
    }
    Some(records)
}
