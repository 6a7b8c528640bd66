//! What a game must offer to be mined.

use crate::game::{Accounts, Backward, Features, Passing, Survey, Symmetric};

/// Games that can be mined.
pub trait Minable: Survey + Features + Passing + Accounts + Symmetric + Backward {}

impl<G> Minable for G where G: Survey + Features + Passing + Accounts + Symmetric + Backward {}
