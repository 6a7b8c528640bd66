//! What a run keeps for a later one, under a first line with its checksum.

use std::io::Read;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::existing::FileError;
use super::input::bounded;
use super::ours::{Mark, known, open_ours};

/// What the first line begins with.
pub(crate) const KEPT_MARK: Mark = *b"tesuji: ";

/// The most bytes that are read: 1 GiB.
const MOST: u64 = 1 << 30;

/// The content of a file from which [`kept`] reads this text.
pub(crate) fn sealed(text: &[u8]) -> Vec<u8> {
    [&first_line(text), text].concat()
}

/// The text of a [`sealed`] file; `None` if nothing is there.
pub(crate) fn kept(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    let Some(mut file) = open_ours(path)? else {
        return Ok(None);
    };
    known(&mut file, path, &[KEPT_MARK])?;
    let mut text = Vec::new();
    let read = bounded(file, MOST).read_to_end(&mut text);
    read.map_err(FileError::io(path, "read"))?;
    let first: Vec<u8> = text
        .drain(..text.len().min(first_line(&[]).len()))
        .collect();
    if first == first_line(&text) {
        return Ok(Some(text));
    }
    let why =
        "is damaged: it does not match its checksum; remove it, and run the same command again";
    Err(FileError::refused(path, why))
}

fn first_line(text: &[u8]) -> Vec<u8> {
    [&KEPT_MARK, format!("{:016x}\n", xxh3_64(text)).as_bytes()].concat()
}
