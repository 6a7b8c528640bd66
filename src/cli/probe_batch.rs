//! `tesuji probe --batch`: many positions, one a line.

use std::io::{BufRead, BufWriter, Read, Write, stdin, stdout};

use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;

use super::progress::Progress;
use crate::session::{Asked, Evaluating};

/// Lines that are answered together.
const CHUNK: usize = 1 << 12;

/// Bytes of a line at most. The notations of all games are shorter.
const MOST_BYTES: u64 = 1 << 14;

/// Reads positions (or slots) from standard input, one a line, and writes a JSON object a
/// line with the values of all their moves. Lines without text are passed over.
pub fn probe_batch(game: &dyn Evaluating, slots: bool) -> Result<()> {
    let progress = Progress::new();
    let mut lines = Lines {
        source: stdin().lock(),
        number: 0,
    };
    let mut out = BufWriter::with_capacity(1 << 20, stdout().lock());
    loop {
        // What stands before a line that cannot be read is answered all the same.
        let (mut chunk, mut failed) = (Vec::new(), None);
        while chunk.len() < CHUNK && failed.is_none() {
            match lines.next() {
                Ok(Some(line)) => chunk.push(line),
                Ok(None) => break,
                Err(error) => failed = Some(error),
            }
        }
        let more = chunk.len() == CHUNK;
        let asked = chunk
            .iter()
            .map(|(number, text)| asked(*number, text, slots));
        let (asked, wrong) = until_error(asked);
        let found = game.evaluate_batch(&asked, &progress)?;
        let found: Vec<_> = found
            .into_par_iter()
            .zip(&chunk)
            .map(|(found, (number, _))| {
                let found = found.with_context(|| place(*number))?;
                let mut text = serde_json::to_vec(&found)?;
                text.push(b'\n');
                Ok(text)
            })
            .collect();
        for line in found {
            match line {
                Ok(line) => out.write_all(&line)?,
                Err(error) => {
                    out.flush()?;
                    return Err(error);
                }
            }
        }
        if let Some(error) = wrong.or(failed) {
            out.flush()?;
            return Err(error);
        }
        if !more {
            break;
        }
    }
    out.flush()?;
    progress.finish();
    Ok(())
}

/// What a line asks about.
fn asked(number: u64, text: &str, slots: bool) -> Result<Asked<'_>> {
    if !slots {
        return Ok(Asked::Position(text));
    }
    let slot = text.parse().map_err(|_| {
        let start: String = text.chars().take(40).collect();
        anyhow!(
            "{}: '{start}' is not the number of a slot; give digits alone",
            place(number)
        )
    });
    Ok(Asked::Slot(slot?))
}

/// The values up to the first error, and that error.
fn until_error<T>(values: impl Iterator<Item = Result<T>>) -> (Vec<T>, Option<anyhow::Error>) {
    let mut found = Vec::new();
    for value in values {
        match value {
            Ok(value) => found.push(value),
            Err(error) => return (found, Some(error)),
        }
    }
    (found, None)
}

fn place(number: u64) -> String {
    format!("line {number} of standard input")
}

/// Lines of a text, numbered from 1.
struct Lines<R> {
    source: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line that is not empty, without the blanks around it, and its number.
    fn next(&mut self) -> Result<Option<(u64, String)>> {
        loop {
            self.number += 1;
            let place = || place(self.number);
            let mut bytes = Vec::new();
            let mut line = self.source.by_ref().take(MOST_BYTES + 1);
            let length = line.read_until(b'\n', &mut bytes).with_context(place)?;
            if length == 0 {
                return Ok(None);
            }
            if length as u64 > MOST_BYTES {
                bail!(
                    "{}: longer than {MOST_BYTES} bytes; give one position a line",
                    place()
                );
            }
            let text = String::from_utf8(bytes);
            let text = text.with_context(|| format!("{}: not UTF-8 text", place()))?;
            if !text.trim().is_empty() {
                return Ok(Some((self.number, text.trim().to_owned())));
            }
        }
    }
}
