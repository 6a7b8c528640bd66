//! What a game must offer to be mined.

use crate::game::{Backward, Features, MoveEffects, MovesBySlot, Passing, Symmetric};

/// Games that can be mined.
pub trait Minable: MovesBySlot + Features + Passing + MoveEffects + Symmetric + Backward {}

impl<G> Minable for G where G: MovesBySlot + Features + Passing + MoveEffects + Symmetric + Backward {}
