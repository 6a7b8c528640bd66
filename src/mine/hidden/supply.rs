//! Sources of positions.

use crate::base::random::SplitMix64;
use crate::game::Generator;

/// How positions are generated.
#[derive(Debug, Clone)]
pub enum Supply<S> {
    /// At random.
    Random,
    /// Variations of these positions, in turn.
    Variations(Vec<S>),
    /// Retrograde from random positions that are won at once, by up to this many pairs of an
    /// attacker's move and a reply.
    Backwards(usize),
}

/// How many random positions to try for one that is won at once.
const ATTEMPTS: usize = 64;

impl<S> Supply<S> {
    /// The position with this number; `None` if there is none.
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
