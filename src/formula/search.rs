//! What searches for programs have in common.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::progress::Progress;

/// A search, round by round, that can be stopped, saved and resumed.
pub trait Search: Serialize + DeserializeOwned {
    /// What a program must do.
    type Aim;
    /// Whether a search that was read from a file may be this one, which is new.
    fn continues(&self, new: &Self, aim: &Self::Aim) -> bool;
    /// Whether all candidates are tried.
    fn is_finished(&self) -> bool;
    /// Tries some more candidates.
    fn advance(&mut self, aim: &Self::Aim, progress: &dyn Progress);
    /// Candidates tried, and how many there are.
    fn tried(&self) -> (u64, u64);
}
