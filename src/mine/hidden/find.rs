//! Finds of mining, with their solutions.

use crate::game::{FeatureValue, Hidden};
use crate::solve::belief::BeliefSolution;

/// A position that a filter admits.
#[derive(Debug)]
pub struct HiddenFind<G: Hidden> {
    /// Its number in the supply.
    pub number: u64,
    /// The position.
    pub state: G::State,
    /// Its solution.
    pub solved: BeliefSolution<G::Move, G::Clue>,
    /// The values of all columns.
    pub values: Vec<FeatureValue>,
    /// How many finds with the same best line were left out in favour of it.
    pub similar: u64,
}

impl<G: Hidden> HiddenFind<G> {
    /// The key that similar finds share: the best line, up to symmetry; `None` if it is too
    /// short to distinguish puzzles.
    pub(super) fn line_key(&self, game: &G) -> Option<String> {
        (self.solved.plies() > 2).then(|| game.canonical_words(&line_in_words(game, &self.solved)))
    }
}

// A derived implementation would require `G: Clone`.
impl<G: Hidden> Clone for HiddenFind<G> {
    fn clone(&self) -> Self {
        Self {
            number: self.number,
            state: self.state.clone(),
            solved: self.solved.clone(),
            values: self.values.clone(),
            similar: self.similar,
        }
    }
}

/// The best line in notation.
pub(super) fn line_in_words<G: Hidden>(
    game: &G,
    solved: &BeliefSolution<G::Move, G::Clue>,
) -> String {
    let line = solved.line();
    let words: Vec<_> = line.iter().map(|step| step.in_words(game)).collect();
    words.join(" ")
}
