//! Problems with hidden information, searched as AND/OR trees of metapositions.
//!
//! A *metaposition* is the set of all states that look the same to the attacker. The
//! attacker chooses a try that is quiet in none of them; where it is a foul, he tries
//! again; where it stands, the defender makes every legal reply at once, and what the
//! attacker hears splits the result. All parts must be won. A try that is a foul in every
//! state tells nothing and is not made. A try that stands is a ply, and so are the
//! replies; a foul is none.
//!
//! A solution has the fewest plies, and for those the fewest fouls allowed. The best
//! line is that of the solution of least [`Worth`]: fewest plies, then fewest fouls on
//! the line, then least left over, the defender choosing the worst. So the fouls that
//! must be *allowed* may be more than those *on the line*.
//!
//! [`Mode::Reference`] is the algorithm of M. Sakuta, H. Iida, *Solving problems with
//! uncertainty*: iterative deepening over plies and, within, over allowed fouls, with
//! nothing remembered. [`Mode::Fast`] gives the same answers with a table over sums of
//! hashes of states (M. Sakuta, *Deterministic solving of problems with uncertainty*, who
//! found XOR to collide) and leaves out a metaposition when some state of it could not be
//! won even in sight (the idea of checking a belief state one state at a time is that of
//! S. Russell, J. Wolfe, *Efficient belief-state AND-OR search*, 2005).

mod best;
mod clairvoyant;
mod facts;
mod memory;
mod search;
mod set;
mod solve;
mod tree;

pub use facts::Facts;
pub use memory::MOST_FOULS;
pub use solve::{Level, Limits, Solved, Statistics, solve};
pub use tree::{Stands, Step, Turn, Worth};

use thiserror::Error;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// With a table and the condition of sight.
    #[default]
    Fast,
    /// As the paper has it.
    Reference,
}

/// Why a search gives no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// Stopped on request.
    #[error("stopped before the end, as asked")]
    Cancelled,
    /// It took more effort than was allowed.
    #[error("the search gave up after {steps} steps, as asked")]
    Effort {
        /// Metapositions and positions looked at that were allowed.
        steps: u64,
    },
    /// There is no room for the metapositions on the way.
    #[error(
        "memory is short: the search would hold {positions} positions at once; allow more with --memory, or less depth or fewer fouls"
    )]
    Memory {
        /// Positions that would be held.
        positions: usize,
    },
}
