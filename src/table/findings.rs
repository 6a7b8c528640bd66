//! What verification finds.

use std::fmt;

use crate::base::value::Record;

/// The most flaws that a verification lists.
pub(super) const LISTED: usize = 20;

/// What verification found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Records derived anew.
    pub records: u64,
    /// Records that differ from their children's, and how many there are in all.
    pub flaws: Vec<Flaw>,
    /// Number of flaws, of which [`flaws`](Self::flaws) lists the first few.
    pub flawed: u64,
    /// Whether the fingerprint in the description is that of the content.
    pub fingerprint_holds: bool,
}

/// A record that does not follow from its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw {
    /// The slot.
    pub slot: u64,
    /// The record in the table.
    pub stored: Record,
    /// The record that the children's records give.
    pub derived: Record,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            slot,
            stored,
            derived,
        } = self;
        let show = |record: &Record| match record.only_move() {
            Some(number) => format!(
                "{} by move {number} alone, else {}",
                record.best(),
                record.second()
            ),
            None => record.best().to_string(),
        };
        write!(
            f,
            "slot {slot}: stored '{}', its children give '{}'",
            show(stored),
            show(derived)
        )
    }
}
