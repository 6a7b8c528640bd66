//! What a game must offer to be mined.

use crate::game::{Features, Playable, Retrograde, Symmetric};

/// Games that can be mined.
pub trait Minable: Retrograde + Features + Playable + Symmetric {}

impl<G> Minable for G where G: Retrograde + Features + Playable + Symmetric {}
