//! Mining games with hidden information: positions are made up, solved one by one, and
//! measured.
//!
//! Conditions on the board are tested before a position is solved, conditions on the
//! solution after. Everything depends on the seed and the numbers of the positions alone,
//! so that a run gives the same finds whatever the number of threads, and a later run can
//! go on where it ended.

mod columns;
mod find;
mod row;
mod scan;
mod supply;

pub use columns::{catalogue, values};
pub use find::Find;
pub use row::{row, score, stipulation};
pub use scan::{Task, Wanted, Yield, admits, mine};
pub use supply::Supply;
