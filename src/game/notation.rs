//! Errors in texts, and boards that are too large.

use thiserror::Error;

/// An error in a text in some notation, with its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message} (character {})\n{}", .at + 1, pointed(.input, *.at))]
pub struct NotationError {
    /// The text.
    pub input: String,
    /// The place, in characters from zero.
    pub at: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl NotationError {
    /// Creates an error with a `message` about `input`, at character number `at`, from
    /// zero; the length of the input means its end. The message should say what to do.
    pub fn new(input: &str, at: usize, message: impl Into<String>) -> Self {
        Self {
            input: input.to_owned(),
            at: at.min(input.chars().count()),
            message: message.into(),
        }
    }
}

/// A text with a caret under a character. Under a long text it is of no use, so only a window of the
/// text is shown, with control characters made visible.
fn pointed(text: &str, at: usize) -> String {
    let shown = text.chars();
    let shown = shown.map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let shown: Vec<char> = shown.collect();
    let start = at.saturating_sub(60);
    let end = shown.len().min(at + 40);
    let window: String = shown[start..end].iter().collect();
    let lead = if start > 0 { "..." } else { "" };
    let tail = if end < shown.len() { "..." } else { "" };
    let indent = " ".repeat(lead.len() + at - start);
    format!("  {lead}{window}{tail}\n  {indent}^")
}

/// A row of a board as FEN has it: what stands on its squares, and a number for free squares side
/// by side.
pub(crate) fn fen_row<T: AsRef<str>>(squares: impl Iterator<Item = Option<T>>) -> String {
    let squares: Vec<_> = squares.collect();
    let runs = squares.chunk_by(|a, b| a.is_none() && b.is_none());
    let written = runs.map(|run| match &run[0] {
        Some(man) => man.as_ref().to_owned(),
        None => run.len().to_string(),
    });
    written.collect()
}

/// The words of a text, each with the place of its first character.
pub(crate) fn words(text: &str, is_between: impl Fn(char) -> bool) -> Vec<(usize, &str)> {
    let (mut words, mut at) = (Vec::new(), 0);
    for word in text.split(is_between) {
        if !word.is_empty() {
            words.push((at, word));
        }
        at += word.chars().count() + 1;
    }
    words
}

/// The board is too large for the operation. The message names the game and says what to
/// do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SizeError(String);

impl SizeError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}
