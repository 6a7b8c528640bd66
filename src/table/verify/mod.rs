//! Verification of tables: all checksums, the fingerprint, and every record against those
//! of the position's children.
//!
//! Games whose positions stand in rows are verified row by row, all others edge by edge.

mod edges;
mod rows;
mod top;

use std::fmt;

use super::error::Result;
use super::format::fingerprint;
use super::read::Table;
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Record, Wide};
use crate::game::Retrograde;
use crate::solve::{Codes, WordWidth};

/// The most flaws that a verification lists.
const LISTED: usize = 20;

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

impl Verified {
    /// What the flaws of a table and the leaves of its fingerprint say.
    pub(super) fn of(table: &Table, mut flaws: Vec<Flaw>, leaves: &[u128]) -> Self {
        let description = &table.description;
        let flawed = flaws.len() as u64;
        flaws.truncate(LISTED);
        Self {
            records: description.slots(),
            flaws,
            flawed,
            fingerprint_holds: fingerprint(&description.game, leaves) == description.fingerprint,
        }
    }
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
        let show = |record: Record| {
            let (best, second) = (record.best(), record.second());
            match record.only_move() {
                Some(number) => format!("{best} by move {number} only, else {second}"),
                None => best.to_string(),
            }
        };
        let (slot, stored, derived) = (self.slot, show(self.stored), show(self.derived));
        write!(
            f,
            "slot {slot}: stored '{stored}', but derived '{derived}' from its children"
        )
    }
}

/// Verifies a table, group by group. At any time the records of one group and the best
/// values of the groups before it are in memory.
///
/// # Errors
/// If the table belongs to another game, a block is damaged, or memory runs out. Records
/// that are wrong are not errors, but part of the result.
pub fn verify<G: Retrograde>(table: &Table, game: &G, progress: &dyn Progress) -> Result<Verified> {
    table.expect_game(game)?;
    match table.description.value_bytes {
        1 => verify_width::<Narrow, G>(table, game, progress),
        _ => verify_width::<Wide, G>(table, game, progress),
    }
}

struct GroupCheck<'a> {
    table: &'a Table,
    number: usize,
    /// The best values of all groups before this one, which take those of this one.
    earlier: &'a mut Codes,
    flaws: &'a mut Vec<Flaw>,
    /// The leaves of the fingerprint, in order.
    leaves: &'a mut Vec<u128>,
    progress: &'a dyn Progress,
}

fn verify_width<W: WordWidth, G: Retrograde>(
    table: &Table,
    game: &G,
    progress: &dyn Progress,
) -> Result<Verified> {
    let (mut flaws, mut leaves) = (Vec::new(), Vec::new());
    let mut earlier = table.no_codes::<W, G>(game)?;
    for number in 0..game.groups() {
        let check = GroupCheck {
            table,
            number,
            earlier: &mut earlier,
            flaws: &mut flaws,
            leaves: &mut leaves,
            progress,
        };
        // Rows have narrow values only.
        if W::BYTES == 1 {
            game.by_rows(check)
                .unwrap_or_else(|check| check.by_edges::<G, W>(game))
        } else {
            check.by_edges::<G, W>(game)
        }?;
    }
    Ok(Verified::of(table, flaws, &leaves))
}
