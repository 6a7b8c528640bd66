//! The best moves of a game, which a program must answer.

use thiserror::Error;

/// A state and its right answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The state's number.
    pub code: u64,
    /// The best moves, bit `i` being move number `i`; all bits if any answer is right.
    pub best: u16,
    /// The legal moves, bit `i` being move number `i`.
    pub legal: u16,
}

impl Entry {
    /// Whether every answer is right.
    #[must_use]
    pub const fn is_free(&self) -> bool {
        self.best == u16::MAX
    }
}

/// Why a policy is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// There are no entries.
    #[error("a policy needs at least one state")]
    Empty,
    /// Two states have the same number.
    #[error("two states have the number {0}: give each its own")]
    Twice(u64),
    /// A state has no right answer.
    #[error("state {0} has no right answer")]
    Unanswerable(u64),
    /// The number of answers is not in 1..=16.
    #[error("invalid number of answers {0}: a policy has 1 to 16")]
    Answers(u8),
}

/// The best moves in every state of a game.
///
/// ```
/// use tesuji::formula::{Entry, Policy};
///
/// let entry = |code, best| Entry { code, best, legal: 0b111 };
/// let policy = Policy::new(vec![entry(7, 0b100), entry(3, 0b011)], 3)?;
/// assert_eq!(policy.width(), 2);
/// assert!(Policy::is_right(&policy.entries()[0], 1));
/// # Ok::<(), tesuji::formula::PolicyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    entries: Vec<Entry>,
    answers: u8,
}

impl Policy {
    /// A policy of these entries, with moves numbered from 0 to `answers - 1`.
    ///
    /// # Errors
    /// [`PolicyError`] if there is no entry, two have the same number, one has no right
    /// answer, or `answers` is not in 1..=16.
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

    /// The entries, sorted by the numbers of their states.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries in which not every answer is right.
    pub fn bound(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_free())
    }

    /// The number of different answers: one more than the greatest.
    #[must_use]
    pub const fn answers(&self) -> u8 {
        self.answers
    }

    /// The number of bits of an answer.
    #[must_use]
    pub fn width(&self) -> u32 {
        (u8::BITS - (self.answers - 1).leading_zeros()).max(1)
    }

    /// Whether an answer is right in the state of an entry.
    #[must_use]
    pub fn is_right(entry: &Entry, answer: u64) -> bool {
        answer < 16 && (entry.is_free() || entry.best >> answer & 1 == 1)
    }
}
