//! Mining games with hidden information: positions are generated, solved one by one, and
//! measured.
//!
//! Conditions on the board are tested before a position is solved, and conditions on the
//! solution afterwards. The result depends only on the seed and the numbers of the
//! positions, not on the number of threads, and a later run can continue where another
//! ended.

mod columns;
mod find;
mod row;
mod scan;
mod supply;

pub use columns::{catalogue, values};
pub use find::HiddenFind;
pub use row::{row, score, stipulation};
pub use scan::{HiddenScan, Selection, Yield, admits, mine};
pub use supply::Supply;
