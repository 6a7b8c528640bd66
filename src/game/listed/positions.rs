//! Symmetries, columns, pieces and partial diagrams.

use super::super::{
    Editable, Feature, FeatureValue, Features, MoveEffect, MoveEffects, NotationError, Passing,
    Patterned, Ranked, Symmetric,
};
use super::{FiniteGame, Listed};

impl<G: FiniteGame> Symmetric for Listed<G> {
    fn canonical(&self, state: &G::State) -> G::State {
        self.game.canonical(state)
    }

    fn symmetries_kept(&self, state: &G::State) -> u32 {
        let all = 0..self.game.symmetries();
        let kept = all.filter(|&symmetry| self.game.image(state, symmetry) == *state);
        u32::try_from(kept.count()).unwrap_or(u32::MAX)
    }

    fn canonical_line(&self, line: &[G::Move]) -> Vec<G::Move> {
        let image = |symmetry| {
            let moves = line.iter().map(|&mv| self.game.image_of_move(mv, symmetry));
            moves.collect::<Vec<_>>()
        };
        let images = (0..self.game.symmetries()).map(image);
        images.min().unwrap_or_else(|| line.to_vec())
    }
}

impl<G: FiniteGame> Features for Listed<G> {
    fn features(&self) -> Vec<Feature> {
        self.game.features()
    }

    fn measure(&self, state: &G::State, wanted: &[usize], values: &mut Vec<FeatureValue>) {
        let measured = wanted.iter().map(|&place| self.game.measure(state, place));
        values.extend(measured);
    }
}

impl<G: FiniteGame> Passing for Listed<G> {
    fn passed(&self, state: &G::State) -> Option<G::State> {
        let passed = self.game.passed(state);
        passed.filter(|passed| self.is_listed(passed))
    }
}

impl<G: FiniteGame> MoveEffects for Listed<G> {
    fn move_effect(&self, state: &G::State, mv: G::Move) -> MoveEffect {
        self.game.move_effect(state, mv)
    }

    fn pieces_of(&self, state: &G::State) -> (Vec<u8>, Vec<u8>) {
        let (mut own, mut other) = (Vec::new(), Vec::new());
        let board = self.game.board();
        for thing in self.game.standing(state) {
            let number = board.square(thing.cell);
            match self.game.side_of(state, &thing) {
                Some(true) => own.push(number),
                Some(false) => other.push(number),
                None => {}
            }
        }
        (own, other)
    }
}

impl<G: FiniteGame> Editable for Listed<G> {
    fn things(&self, state: &G::State) -> Vec<(u8, String)> {
        self.game.things(state)
    }

    fn without(&self, state: &G::State, square: u8) -> Option<G::State> {
        let left = self.game.without(state, square);
        left.filter(|left| self.is_listed(left))
    }

    fn neighbours(&self, state: &G::State) -> Vec<(u8, u8, G::State)> {
        let mut found = self.game.neighbours(state);
        found.retain(|(_, _, state)| self.is_listed(state));
        found
    }

    fn name_of(&self, square: u8) -> String {
        self.game.square_name(square)
    }
}

impl<G: FiniteGame> Patterned for Listed<G> {
    type Pattern = String;

    fn parse_pattern(&self, text: &str) -> Result<String, NotationError> {
        let pattern = self.game.read_pattern(text)?;
        let mut furthest = 0;
        for state in self
            .listed()
            .into_iter()
            .flat_map(super::list::List::states)
        {
            for symmetry in 0..self.game.symmetries() {
                let image = self.game.format_state(&self.game.image(state, symmetry));
                match misfit(&pattern, &image) {
                    None => return Ok(pattern),
                    Some(at) => furthest = furthest.max(at),
                }
            }
        }
        let example = self.format(&self.game.initial());
        let message = format!(
            "no position matches from here on; a pattern is a position, such as {example}, with ? for letters that may be any"
        );
        Err(NotationError::new(text, furthest, message))
    }

    fn fit(&self, pattern: &String, state: &G::State) -> Option<G::State> {
        let images = (0..self.game.symmetries()).map(|symmetry| self.game.image(state, symmetry));
        let fitting = images.filter(|image| misfit(pattern, &self.format(image)).is_none());
        fitting.min()
    }
}

impl<G: FiniteGame> Listed<G> {
    /// Whether a position is reachable.
    fn is_listed(&self, state: &G::State) -> bool {
        self.rank(state) != u64::MAX
    }

    fn format(&self, state: &G::State) -> String {
        self.game.format_state(state)
    }
}

/// The place, in letters, at which a text first differs from a pattern; `None` if it
/// matches.
fn misfit(pattern: &str, text: &str) -> Option<usize> {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    (0..).find_map(|at| match (pattern.next(), text.next()) {
        (None, None) => Some(None),
        (Some('?'), Some(_)) => None,
        (Some(a), Some(b)) if a.eq_ignore_ascii_case(&b) => None,
        _ => Some(Some(at)),
    })?
}
