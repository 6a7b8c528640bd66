//! Problems with hidden information: AND/OR search over belief states.
//!
//! A *metaposition*, or belief state, is the set of all states that look the same to the
//! attacker. The attacker chooses a try that is quiet in none of them. In states where the
//! try is a foul, he tries again. In states where it stands, the defender makes every
//! legal reply, and the clues that the attacker hears divide the resulting states into new
//! metapositions. All of them must be won. A try that is a foul in every state gives no
//! information and is never made. A try that stands counts as one ply, and so does the
//! reply; a foul counts as none.
//!
//! A solution has the fewest plies and, for that number of plies, the fewest fouls allowed.
//! The best line belongs to the solution of least `Cost`: fewest plies, then fewest fouls
//! on the line, then least left over, with the defender maximizing. The fouls *on the line*
//! may therefore be fewer than the fouls that must be *allowed*.
//!
//! [`Mode::Reference`] is the algorithm of M. Sakuta, H. Iida, *Solving problems with
//! uncertainty*: iterative deepening over plies and, within each, over allowed fouls,
//! without a transposition table. [`Mode::Fast`] gives the same answers. Its transposition
//! table is keyed by the sum of the hashes of the states (M. Sakuta, *Deterministic solving
//! of problems with uncertainty*, who found that XOR collides), and it prunes a
//! metaposition if one of its states could not be won even with perfect information. The
//! idea of checking a belief state one state at a time is from S. Russell, J. Wolfe,
//! *Efficient belief-state AND-OR search* (2005). [`Mode::ProofNumber`] gives them too, by
//! df-pn over metapositions.

mod best;
mod proof_number;
mod search;
mod solve;
mod tree;
mod umpire;

pub(crate) use best::seen;
pub(crate) use search::MOST_FOULS;
pub use search::{Limits, Mode, SearchError};
pub use solve::{BeliefSolution, Level, Statistics, solve};
pub use tree::{Announcement, AttackerTurn, LineStep, TreeStats};
pub use umpire::Heard;
pub(crate) use umpire::Umpire;
