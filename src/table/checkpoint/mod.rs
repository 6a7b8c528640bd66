//! Checkpoints of a solve: what has been written of the table so far, and the
//! group of layers that is being solved.
//!
//! # Format, version 1
//! Magic `89 54 53 43 0d 0a 1a 0a` (`.TSC` and line ends), then sections. Each is its
//! length (`u64`), its checksum (XXH3, 64 bits) and its bytes; numbers are
//! little-endian. The sections are a JSON object ([`Head`]), the table's directory and
//! leaves so far, and if a group is under way, the distances at which its chunks
//! have news (`u64` words), its symmetric positions (slot `u64`, code of the floor
//! `u32`, all ones for none), and its words: stretches of 262,144, sorted into
//! planes of bytes and compressed with Zstandard.

mod read;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use super::Encoding;
use super::write::Written;
use crate::solve::{Snapshot, Stage, WordArray, WordWidth};

const MAGIC: [u8; 8] = *b"\x89TSC\r\n\x1a\n";
/// Words of one section.
const STRETCH: usize = 1 << 18;
/// Sections that are compressed together.
const AHEAD: usize = 16;

/// Why a checkpoint cannot be written or read. Every variant names the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what it was when it was written.
    #[error("the checkpoint {} is damaged: {part} (from byte {from}) {what}; remove this file, and the same command goes on from what else was kept", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part, e.g. `section 3`.
        part: String,
        /// First byte of the part.
        from: u64,
        /// What is wrong with it.
        what: String,
    },
}

/// The JSON object at the head of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// Version of the format.
    pub version: u32,
    /// Spec of the game.
    pub game: String,
    /// Bytes of a value: 1 or 2.
    pub value_bytes: u8,
    /// How the table's blocks are stored.
    pub encoding: Encoding,
    /// Compression level.
    pub level: i32,
    /// Groups of layers whose records the table holds.
    pub groups: usize,
    /// The next slot that the table has to get.
    pub next: u64,
    /// Bytes of the table so far.
    pub offset: u64,
    /// The group under way, if any.
    pub stage: Option<StageHead>,
}

/// The group under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageHead {
    /// The distance that the next pass tells.
    pub depth: u16,
    /// The furthest distance known so far.
    pub furthest: u16,
    /// Whether some value is irregular.
    pub irregular: bool,
    /// Number of words.
    #[serde(rename = "cells")]
    pub words: u64,
}

/// The version written and read here.
pub const CHECKPOINT_VERSION: u32 = 1;

/// A group under way, with its words.
pub type PartialGroup<W> = (Stage, WordArray<<W as WordWidth>::Atom>);

/// A checkpoint, with the group under way if there is one.
pub type Found<W> = (Checkpoint, Option<PartialGroup<W>>);

/// A checkpoint without its words.
#[derive(Debug)]
pub struct Checkpoint {
    /// What it is a checkpoint of.
    pub head: Head,
    /// The state of the table's writer.
    pub(super) written: Written,
}

impl Checkpoint {
    /// Puts a checkpoint at `path`, in place of the one that may be there.
    ///
    /// # Errors
    /// If writing fails; an older checkpoint is then still there.
    pub fn write<W: WordWidth>(
        path: &Path,
        mut head: Head,
        written: &Written,
        snapshot: Option<&Snapshot<'_, W>>,
    ) -> Result<(), CheckpointError> {
        let io = |action| {
            move |source| CheckpointError::Io {
                path: path.to_owned(),
                action,
                source,
            }
        };
        head.stage = snapshot.map(|snapshot| StageHead {
            depth: snapshot.stage().depth,
            furthest: snapshot.stage().furthest,
            irregular: snapshot.stage().irregular,
            words: snapshot.words().len() as u64,
        });
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = path.with_file_name(name);
        let file = File::create(&new).map_err(io("write"))?;
        let mut sink = BufWriter::with_capacity(1 << 20, file);
        let mut put = || -> io::Result<()> {
            sink.write_all(&MAGIC)?;
            section(&mut sink, &serde_json::to_vec(&head)?)?;
            section(&mut sink, &written.directory)?;
            let leaves: Vec<u8> = written
                .leaves
                .iter()
                .flat_map(|l| l.to_le_bytes())
                .collect();
            section(&mut sink, &leaves)?;
            if let Some(snapshot) = snapshot {
                write_stage(&mut sink, snapshot)?;
            }
            sink.flush()?;
            sink.get_ref().sync_all()
        };
        let done = put().and_then(|()| fs::rename(&new, path));
        done.map_err(|source| {
            let _ = fs::remove_file(&new);
            io("write")(source)
        })
    }

    /// The state of the table's writer.
    #[must_use]
    pub fn written(self) -> Written {
        self.written
    }
}

fn section(sink: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    sink.write_all(&(bytes.len() as u64).to_le_bytes())?;
    sink.write_all(&xxh3_64(bytes).to_le_bytes())?;
    sink.write_all(bytes)
}

fn write_stage<W: WordWidth>(sink: &mut impl Write, snapshot: &Snapshot<'_, W>) -> io::Result<()> {
    let stage = snapshot.stage();
    let due: Vec<u8> = stage
        .due
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    section(sink, &due)?;
    let mut symmetric = Vec::with_capacity(stage.symmetric.len() * 12);
    for (slot, floor) in &stage.symmetric {
        symmetric.extend_from_slice(&slot.to_le_bytes());
        symmetric.extend_from_slice(&floor.map_or(u32::MAX, u32::from).to_le_bytes());
    }
    section(sink, &symmetric)?;
    let stretches: Vec<_> = snapshot.words().chunks(STRETCH).collect();
    for some in stretches.chunks(AHEAD) {
        let packed: Vec<_> = some
            .par_iter()
            .map(|words| {
                let mut planes = vec![0; size_of_val(*words)];
                for (at, word) in words.iter().enumerate() {
                    let bits = W::load(word).to_le_bytes();
                    for (plane, byte) in bits.iter().take(size_of::<W::Atom>()).enumerate() {
                        planes[plane * words.len() + at] = *byte;
                    }
                }
                zstd::bulk::compress(&planes, 1)
            })
            .collect::<io::Result<_>>()?;
        for bytes in packed {
            section(sink, &bytes)?;
        }
    }
    Ok(())
}
