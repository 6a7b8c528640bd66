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
//! line is that of the solution of least [`Cost`]: fewest plies, then fewest fouls on
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
mod memory;
mod perfect_information;
mod search;
mod set;
mod solve;
mod tree;
mod tree_stats;

pub use memory::MOST_FOULS;
pub use search::{Mode, SearchError};
pub use solve::{BeliefSolution, Level, Limits, Statistics, solve};
pub use tree::{Announcement, AttackerTurn, Cost, LineStep};
pub use tree_stats::TreeStats;
