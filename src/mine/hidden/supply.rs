//! Where positions come from.

use crate::base::random::SplitMix64;
use crate::game::Generator;

/// How positions are made up.
#[derive(Debug, Clone)]
pub enum Supply<S> {
    /// At random.
    Random,
    /// Changes of these positions, in turn.
    Variations(Vec<S>),
    /// Backwards from random positions that are won at once, up to so many times an
    /// attacker's move and a reply.
    Backwards(usize),
}

/// Random positions looked at for one that is won at once.
const ATTEMPTS: usize = 64;

impl<S> Supply<S> {
    /// The position of a number; `None` if none came up.
    pub fn position<G: Generator<State = S>>(&self, game: &G, seed: u64, number: u64) -> Option<S> {
        let mut numbers = SplitMix64::new(seed);
        let mut numbers = SplitMix64::new(numbers.next() ^ number);
        match self {
            Self::Random => game.generate(numbers.next()),
            Self::Variations(seeds) => {
                let count = u64::try_from(seeds.len()).unwrap_or(u64::MAX).max(1);
                let place = usize::try_from(number % count).unwrap_or(0);
                game.vary(seeds.get(place)?, numbers.next())
            }
            Self::Backwards(moves) => {
                let won = |state: &S| {
                    let mut tries = Vec::new();
                    game.standing(state, &mut tries);
                    tries.iter().any(|&mv| game.wins(state, mv))
                };
                let mut state = (0..ATTEMPTS)
                    .find_map(|_| game.generate(numbers.next()).filter(|state| won(state)))?;
                for _ in 0..=numbers.below((*moves).max(1)) {
                    match game.predecessor(&state, numbers.next()) {
                        Some(before) => state = before,
                        None => break,
                    }
                }
                Some(state)
            }
        }
    }
}
