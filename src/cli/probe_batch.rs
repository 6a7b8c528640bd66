//! `tesuji probe --batch`: many positions, one a line.

use std::io::{BufWriter, stdin, stdout};

use anyhow::Result;

use super::progress::ProgressBar;
use crate::session::{BatchError, Evaluating, answer_lines};

/// Answers the positions (or slots) on standard input.
pub fn probe_batch(game: &dyn Evaluating, slots: bool) -> Result<()> {
    let progress = ProgressBar::new();
    let out = BufWriter::with_capacity(1 << 20, stdout().lock());
    let answered = answer_lines(game, slots, stdin().lock(), out, &progress);
    answered.map_err(|error| match error {
        BatchError::Line { number, source } => {
            anyhow::Error::new(source).context(format!("line {number} of standard input"))
        }
        error => error.into(),
    })?;
    progress.finish();
    Ok(())
}
