//! A problem that was found, with its solution.

use crate::game::{FeatureValue, Hidden};
use crate::solve::belief::BeliefSolution;

/// A position that a filter admits.
#[derive(Debug)]
pub struct Find<G: Hidden> {
    /// Its number in the supply.
    pub number: u64,
    /// The position.
    pub state: G::State,
    /// Its solution.
    pub solved: BeliefSolution<G::Move, G::Clue>,
    /// All values.
    pub values: Vec<FeatureValue>,
    /// How many finds with the same best line were left out for it.
    pub similar: u64,
}

impl<G: Hidden> Find<G> {
    /// What it shares with similar finds: the best line, or its image. Nothing if that is
    /// too short to tell puzzles apart.
    pub(super) fn line_key(&self, game: &G) -> Option<String> {
        (self.solved.plies() > 2).then(|| game.canonical_words(&line_in_words(game, &self.solved)))
    }
}

// Derived, it would ask for games that can be cloned.
impl<G: Hidden> Clone for Find<G> {
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

/// The best line, step by step.
pub(super) fn line_in_words<G: Hidden>(
    game: &G,
    solved: &BeliefSolution<G::Move, G::Clue>,
) -> String {
    let line = solved.line();
    let words: Vec<_> = line.iter().map(|step| step.in_words(game)).collect();
    words.join(" ")
}
