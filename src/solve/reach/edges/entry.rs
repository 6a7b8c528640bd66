//! How soon a position can be reached, in one word: the plies to its first state, the
//! move forbidden in that state, and the plies to the first state in which a different
//! move or none is forbidden.
//!
//! That is enough to say, for every move, how soon it can be played from the position.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

#[cfg(test)]
use super::super::counts::NEVER;

/// Stands for a move number where nothing is forbidden.
pub(super) const NOTHING: u8 = u8::MAX;

/// What is known about one position. If `first` equals `second`, `forbidden` has no
/// meaning, as it depends on the order of events of the same distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Plies to the first state.
    pub first: u8,
    /// Plies to the first state in which a different move, or none, is forbidden.
    pub second: u8,
    /// The move forbidden in the first state, or [`NOTHING`].
    pub forbidden: u8,
}

impl Entry {
    /// An entry from its stored bits; zero is a position never reached.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        let [first, second, forbidden, _] = (!bits).to_le_bytes();
        Self {
            first,
            second,
            forbidden,
        }
    }

    /// The bits to store.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        !u32::from_le_bytes([self.first, self.second, self.forbidden, u8::MAX])
    }

    /// A position reached with nothing forbidden.
    pub const fn free(distance: u8) -> Self {
        Self {
            first: distance,
            second: distance,
            forbidden: NOTHING,
        }
    }

    /// The entry after the position is also reached with a move forbidden, or [`NOTHING`].
    #[inline(always)]
    pub const fn enter(self, distance: u8, forbidden: u8) -> Self {
        let mut new = self;
        if forbidden == NOTHING {
            if distance < self.first {
                return Self::free(distance);
            }
            if distance < self.second {
                new.second = distance;
            }
        } else if distance < self.first {
            let same = forbidden == self.forbidden && self.first < self.second;
            new.first = distance;
            new.forbidden = forbidden;
            new.second = if same { self.second } else { self.first };
        } else if distance < self.second && forbidden != self.forbidden {
            new.second = distance;
        }
        new
    }

    /// Plies to the first state in which a move may be played.
    #[inline(always)]
    pub const fn before_move(self, number: u8) -> u8 {
        if number == self.forbidden {
            self.second
        } else {
            self.first
        }
    }

    /// Whether, at this distance, all moves except `forbidden` are possible for the first
    /// time, and whether `forbidden` is.
    #[inline(always)]
    pub const fn fires(self, distance: u8) -> (bool, bool) {
        (self.first == distance, self.second == distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_the_minimum_over_states() {
        // All sequences of four events, compared with the definition.
        let events: Vec<(u8, u8)> = (3..6)
            .flat_map(|distance| [0, 1, 2, NOTHING].map(|forbidden| (distance, forbidden)))
            .collect();
        for code in 0..events.len().pow(4) {
            let mut entry = Entry::from_bits(0);
            assert_eq!(entry, Entry::free(NEVER));
            let mut entered = Vec::new();
            // Distances increase, except for the first event, which may be from a later
            // group.
            for place in 0..4 {
                entered.push(events[code / events.len().pow(place) % events.len()]);
            }
            entered[1..].sort_unstable_by_key(|&(distance, _)| distance);
            for &(distance, forbidden) in &entered {
                entry = Entry::from_bits(entry.enter(distance, forbidden).bits());
            }
            for number in 0..4 {
                let allowed = entered
                    .iter()
                    .filter(|&&(_, forbidden)| forbidden != number);
                let soonest = allowed.map(|&(distance, _)| distance).min();
                assert_eq!(
                    entry.before_move(number),
                    soonest.unwrap_or(NEVER),
                    "{entered:?}"
                );
            }
        }
    }
}
