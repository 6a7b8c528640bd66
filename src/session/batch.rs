//! Values of many positions, as data, and of positions that come a line each.

use std::io::{self, BufRead, Read, Write};
use std::iter;

use rayon::prelude::*;
use serde_json::json;
use thiserror::Error;

use super::{Asked, Evaluating, Result, SessionError};
use crate::base::progress::Progress;

/// Lines that are answered together.
const CHUNK: usize = 1 << 12;

/// Bytes of a line at most. The notations of all games are shorter.
const MOST_BYTES: u64 = 1 << 14;

/// Why lines were not answered to their end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A line cannot be read or answered. Those before it were.
    #[error("line {number}: {source}")]
    Line {
        /// Its number, from 1; lines without text count.
        number: u64,
        /// What is wrong with it.
        source: SessionError,
    },
    /// The game is not answered in batches, or its table cannot be used.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// An answer cannot be written.
    #[error("cannot write an answer")]
    Write(#[source] io::Error),
}

/// Reads positions, or slots, one a line, and writes a JSON object a line with the values of
/// all their moves, for a vacant slot one whose `position` is null. Lines without text are
/// passed over.
///
/// # Errors
/// The first line that has no answer ends the work; all before it are answered. The whole
/// fails as [`Evaluating::evaluate_batch`] does, or if nothing can be written.
pub fn answer_lines(
    game: &dyn Evaluating,
    slots: bool,
    source: impl BufRead,
    mut out: impl Write,
    progress: &dyn Progress,
) -> Result<(), BatchError> {
    let mut lines = Lines { source, number: 0 };
    loop {
        // What stands before a line that cannot be read is answered all the same.
        let mut failed = None;
        let read = iter::from_fn(|| lines.next().transpose());
        let read = read.map_while(|line| line.map_err(|error| failed = Some(error)).ok());
        let chunk: Vec<_> = read.take(CHUNK).collect();
        let more = chunk.len() == CHUNK;
        let questions = chunk.iter().map_while(|&(number, ref text)| {
            let question = asked(text, slots);
            let question = question.map_err(|source| BatchError::Line { number, source });
            question.map_err(|error| failed = Some(error)).ok()
        });
        let questions: Vec<_> = questions.collect();
        let found = game.evaluate_batch(&questions, progress)?;
        let found = found.into_par_iter().zip(&chunk);
        let found = found.map(|(found, &(number, _))| {
            let text = match found {
                Ok(found) => serde_json::to_vec(&found),
                Err(SessionError::NoPosition { slot, slots, .. }) if slot < slots => {
                    serde_json::to_vec(&json!({ "slot": slot, "position": null }))
                }
                Err(source) => return Err(BatchError::Line { number, source }),
            };
            let mut text = text.map_err(|error| BatchError::Write(error.into()))?;
            text.push(b'\n');
            Ok(text)
        });
        for line in found.collect::<Vec<_>>() {
            match line {
                Ok(line) => out.write_all(&line).map_err(BatchError::Write)?,
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        if failed.is_some() || !more {
            out.flush().map_err(BatchError::Write)?;
            return failed.map_or(Ok(()), Err);
        }
    }
}

fn asked(text: &str, slots: bool) -> Result<Asked<'_>> {
    if !slots {
        return Ok(Asked::Position(text));
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let slot = text.parse().ok().filter(|_| digits);
    slot.map(Asked::Slot).ok_or_else(|| {
        let text: String = text.chars().take(40).collect();
        SessionError::Refused(format!(
            "'{text}' is not the number of a slot; give digits alone"
        ))
    })
}

/// Lines of a text, numbered from 1.
struct Lines<R> {
    source: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// The next line that is not empty, without blanks or a byte order mark around it, and its number.
    fn next(&mut self) -> Result<Option<(u64, String)>, BatchError> {
        loop {
            self.number += 1;
            let number = self.number;
            let wrong = |why| BatchError::Line {
                number,
                source: SessionError::Refused(why),
            };
            let mut bytes = Vec::new();
            let mut line = self.source.by_ref().take(MOST_BYTES + 1);
            let read = line.read_until(b'\n', &mut bytes);
            let length = read.map_err(|error| wrong(format!("cannot be read: {error}")))?;
            if length == 0 {
                return Ok(None);
            }
            if length as u64 > MOST_BYTES {
                let why = format!("longer than {MOST_BYTES} bytes; give one position a line");
                return Err(wrong(why));
            }
            let text = String::from_utf8(bytes);
            let text = text.map_err(|error| wrong(format!("not UTF-8 text: {error}")))?;
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() {
                return Ok(Some((number, text.to_owned())));
            }
        }
    }
}
