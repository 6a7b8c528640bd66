//! Reading files by other people, which may be huge or have no end.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::base::threads::begin;

/// The most bytes of a file that is read into memory as one text: 16 MiB.
const MOST_TEXT: u64 = 1 << 24;

/// The most bytes of a table of text, or of a file of bytes: 256 MiB.
const MOST_TABLE: u64 = 1 << 28;

/// How long to wait for a program that writes to a pipe.
const PATIENCE: Duration = Duration::from_secs(5);

/// The most bytes between two line ends in a table of text: 1 MiB.
const MOST_LINE: u64 = 1 << 20;

/// The whole text of a file of at most 16 MiB: a filter, a style sheet, a graph, rules or a
/// program.
///
/// # Errors
/// If the file cannot be read, is longer, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    bounded(open(path)?, MOST_TEXT).read_to_string(&mut text)?;
    Ok(text)
}

/// The bytes of a file of at most 256 MiB: a font, or a text whose encoding is still to be found
/// out.
///
/// # Errors
/// If the file cannot be read, or is longer.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bounded(open(path)?, MOST_TABLE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file, or a pipe that another program writes to.
fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        let why = "it is a folder; name one of its files";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, why));
    }
    if kind.is_file() {
        return File::open(path);
    }
    let (sender, receiver) = channel();
    let owned = path.to_owned();
    begin(move || drop(sender.send(File::open(owned))))?;
    let late = |_| {
        Err(io::Error::other(
            "no program wrote to this pipe within 5 s; start that program first, or name a file",
        ))
    };
    receiver.recv_timeout(PATIENCE).unwrap_or_else(late)
}

/// A source with a limit of bytes; reading more is an error.
pub(super) const fn bounded(source: File, bytes: u64) -> impl Read {
    Bounded::new(source, bytes, bytes)
}

/// A file of text in lines, such as CSV: at most 256 MiB, with a line end at least once in
/// each MiB.
///
/// # Errors
/// If the file cannot be opened. Reading beyond a limit is an error too.
pub fn open_lines(path: &Path) -> io::Result<impl Read + use<>> {
    Ok(Bounded::new(open(path)?, MOST_TABLE, MOST_LINE))
}

/// The lines that a person types or another program writes, each of less than 1 MiB.
/// Reading beyond that is an error.
pub fn typed_lines(source: impl Read) -> impl Iterator<Item = io::Result<String>> {
    BufReader::new(Bounded::new(source, u64::MAX, MOST_LINE)).lines()
}

/// A reader that fails where its source has more bytes than it may have: in all, or without a line
/// end, in this order.
struct Bounded<R> {
    source: R,
    most: [u64; 2],
    left: [u64; 2],
}

impl<R> Bounded<R> {
    const fn new(source: R, bytes: u64, line: u64) -> Self {
        let most = [bytes, line];
        Self {
            source,
            most,
            left: most,
        }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let bytes = &buffer[..read];
        let after_end = bytes.iter().rev().position(|&byte| byte == b'\n');
        if after_end.is_some() {
            self.left[1] = self.most[1];
        }
        let taken = [read, after_end.unwrap_or(read)];
        for (place, how) in ["", " without a line end"].into_iter().enumerate() {
            let Some(rest) = self.left[place].checked_sub(taken[place] as u64) else {
                let message = format!("it has more than {} MiB{how}", self.most[place] >> 20);
                return Err(io::Error::other(message));
            };
            self.left[place] = rest;
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8], bytes: u64, line: u64) -> io::Result<usize> {
        let mut reader = Bounded::new(text, bytes, line);
        // Read in small pieces, so that lines are cut anywhere.
        let (mut piece, mut total) = ([0; 3], 0);
        loop {
            match reader.read(&mut piece)? {
                0 => return Ok(total),
                read => total += read,
            }
        }
    }

    #[test]
    fn what_is_too_long_is_an_error_not_a_short_text() {
        assert_eq!(all(b"ab\ncd\nef", 8, 5).unwrap(), 8);
        assert!(all(b"ab\ncd\nef", 7, 5).is_err());
        assert_eq!(all(b"abcdef\nabcdef", 99, 8).unwrap(), 13);
        assert!(all(b"abcdefghi\n", 99, 8).is_err());
    }
}
