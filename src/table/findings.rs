//! What verification finds.

use std::fmt;

use crate::base::value::Record;

/// The most flaws that a verification lists.
pub(super) const LISTED: usize = 20;

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// Number of records checked.
    pub records: u64,
    /// The first records that do not follow from their children, at most 20.
    pub flaws: Vec<Flaw>,
    /// Number of all such records.
    pub flawed: u64,
    /// Whether the fingerprint in the description matches the content.
    pub fingerprint_holds: bool,
}

/// A record that does not follow from its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flaw {
    /// The slot.
    pub slot: u64,
    /// The record in the table.
    pub stored: Record,
    /// The record derived from those of the children.
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
                "{} by move {number} only, else {}",
                record.best(),
                record.second()
            ),
            None => record.best().to_string(),
        };
        write!(
            f,
            "slot {slot}: stored '{}', but derived '{}' from its children",
            show(stored),
            show(derived)
        )
    }
}
