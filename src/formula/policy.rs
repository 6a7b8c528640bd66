//! What a program must answer.

use thiserror::Error;

/// A state and the answers that are right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The state's number.
    pub code: u64,
    /// The best moves, bit `i` being move number `i`; all bits if any answer is right.
    pub best: u16,
    /// The legal moves.
    pub legal: u16,
}

impl Entry {
    /// Whether every answer is as good.
    #[must_use]
    pub const fn is_free(&self) -> bool {
        self.best == u16::MAX
    }
}

/// Why entries make no policy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// There is nothing to answer.
    #[error("a policy needs at least one state")]
    Empty,
    /// Two states have one number.
    #[error("two states have the number {0}")]
    Twice(u64),
    /// No answer is right.
    #[error("no answer is right in state {0}")]
    Unanswerable(u64),
    /// More kinds of answers than there is room for.
    #[error("there are {0} answers; a policy has 1 to 16")]
    Answers(u8),
}

/// The best moves in every state of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    entries: Vec<Entry>,
    answers: u8,
}

impl Policy {
    /// A policy of these entries, with moves numbered from 0 up to `answers`.
    ///
    /// # Errors
    /// If there is no entry, two have the same number, or one has no right answer.
    pub fn new(mut entries: Vec<Entry>, answers: u8) -> Result<Self, PolicyError> {
        if !(1..=16).contains(&answers) {
            return Err(PolicyError::Answers(answers));
        }
        entries.sort_by_key(|entry| entry.code);
        let twice = entries.windows(2).find(|pair| pair[0].code == pair[1].code);
        if let Some(pair) = twice {
            return Err(PolicyError::Twice(pair[0].code));
        }
        let known = u16::MAX >> (16 - answers);
        let wrong = entries.iter().find(|entry| entry.best & known == 0);
        if let Some(entry) = wrong {
            return Err(PolicyError::Unanswerable(entry.code));
        }
        if entries.is_empty() {
            return Err(PolicyError::Empty);
        }
        Ok(Self { entries, answers })
    }

    /// The entries in the order of their numbers.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries in which not every answer is right.
    pub fn bound(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_free())
    }

    /// Moves are numbered from 0 to one less than this.
    #[must_use]
    pub const fn answers(&self) -> u8 {
        self.answers
    }

    /// Bits of an answer.
    #[must_use]
    pub fn width(&self) -> u32 {
        (u8::BITS - (self.answers - 1).leading_zeros()).max(1)
    }

    /// Whether an answer to an entry is right.
    #[must_use]
    pub fn is_right(entry: &Entry, answer: u64) -> bool {
        answer < 16 && (entry.is_free() || entry.best >> answer & 1 == 1)
    }
}
