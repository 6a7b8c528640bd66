//! A solution in words, in which every move that is named can be played.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

/// A move that is named in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextMove {
    /// Where its name stands, in bytes of the line.
    pub place: Range<usize>,
    /// The number of its ply.
    pub ply: usize,
}

/// A line of a solution.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextLine {
    text: String,
    moves: Vec<TextMove>,
}

impl TextLine {
    /// The line, indented by spaces.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The moves that are named, in order.
    #[must_use]
    pub fn moves(&self) -> &[TextMove] {
        &self.moves
    }

    /// The number of spaces before the first word.
    #[must_use]
    pub fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start().len()
    }

    /// Adds words that name no move.
    pub(super) fn say(&mut self, words: &str) {
        self.text += words;
    }

    /// Adds a space, except at the beginning of the line.
    pub(super) fn space(&mut self) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
    }

    /// Adds the name of a move.
    pub(super) fn name(&mut self, name: &str, ply: usize) {
        let begin = self.text.len();
        self.text += name;
        let place = begin..self.text.len();
        self.moves.push(TextMove { place, ply });
    }

    /// Adds another line after some words, without its indentation.
    pub fn append(&mut self, between: &str, other: &Self) {
        let indent = other.indent();
        self.text += between;
        let shift = self.text.len();
        self.text += &other.text[indent..];
        self.moves.extend(other.moves.iter().map(|named| TextMove {
            place: named.place.start - indent + shift..named.place.end - indent + shift,
            ply: named.ply,
        }));
    }

    /// The line with more indentation.
    pub(super) fn indented(self, spaces: usize) -> Self {
        let mut line = Self::default();
        line.say(&" ".repeat(spaces));
        line.append("", &self);
        line
    }
}

impl From<String> for TextLine {
    /// A line that names no move.
    fn from(text: String) -> Self {
        Self {
            text,
            moves: Vec::new(),
        }
    }
}

/// A ply of the play that a solution tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPly<M> {
    /// The number of the ply before it, which is smaller; `None` in the position to solve.
    pub after: Option<usize>,
    /// The move.
    pub mv: M,
}

/// A solution in words. Its [`Display`] is the lines, each with its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionText<M> {
    lines: Vec<TextLine>,
    plies: Vec<TextPly<M>>,
}

impl<M: Copy> SolutionText<M> {
    /// Lines with the plies that they name, without those that none leads to.
    pub(super) fn new(mut lines: Vec<TextLine>, plies: &[TextPly<M>]) -> Self {
        let mut used = vec![false; plies.len()];
        for named in lines.iter().flat_map(|line| &line.moves) {
            used[named.ply] = true;
        }
        for (ply, told) in plies.iter().enumerate().rev() {
            if let (true, Some(after)) = (used[ply], told.after) {
                used[after] = true;
            }
        }
        let mut numbers = vec![0; plies.len()];
        let mut kept = Vec::new();
        for (ply, told) in plies.iter().enumerate().filter(|&(ply, _)| used[ply]) {
            numbers[ply] = kept.len();
            kept.push(TextPly {
                after: told.after.map(|after| numbers[after]),
                mv: told.mv,
            });
        }
        for named in lines.iter_mut().flat_map(|line| &mut line.moves) {
            named.ply = numbers[named.ply];
        }
        Self { lines, plies: kept }
    }

    /// The lines.
    #[must_use]
    pub fn lines(&self) -> &[TextLine] {
        &self.lines
    }

    /// The plies that the lines name, and those that lead to them.
    #[must_use]
    pub fn plies(&self) -> &[TextPly<M>] {
        &self.plies
    }
}

impl<M> Display for SolutionText<M> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(formatter, "{}", line.text)?;
        }
        Ok(())
    }
}
