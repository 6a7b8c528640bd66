//! How soon a position can be entered, in one word: plies from the start to the
//! state that is entered soonest, the move forbidden there, and plies to the
//! soonest state in which another move or none is forbidden. That answers, for
//! every move, how soon the position can be entered so that the move may be made.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

/// Plies of what was never entered.
pub(super) const NEVER: u8 = u8::MAX;

/// Longest distance that an entry can hold.
pub(super) const LONGEST: u8 = NEVER - 1;

/// In place of a move number: nothing is forbidden.
pub(super) const NOTHING: u8 = u8::MAX;

/// What is known of one position. If `first` and `second` are equal, `forbidden`
/// says nothing: it then depends on the order of equal events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Plies to the soonest state.
    pub first: u8,
    /// Plies to the soonest state where not the same move is forbidden.
    pub second: u8,
    /// What is forbidden in the first.
    pub forbidden: u8,
}

impl Entry {
    /// From stored bits; zero is a position never entered.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        let [first, second, forbidden, _] = (!bits).to_le_bytes();
        Self {
            first,
            second,
            forbidden,
        }
    }

    /// Bits to store.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        !u32::from_le_bytes([self.first, self.second, self.forbidden, u8::MAX])
    }

    /// Entered with nothing forbidden.
    pub const fn free(distance: u8) -> Self {
        Self {
            first: distance,
            second: distance,
            forbidden: NOTHING,
        }
    }

    /// After the position is entered with a move forbidden, or [`NOTHING`].
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

    /// Plies to the soonest state in which a move may be made.
    #[inline(always)]
    pub const fn before_move(self, number: u8) -> u8 {
        if number == self.forbidden {
            self.second
        } else {
            self.first
        }
    }

    /// Which moves are first possible at a distance: all but the forbidden one,
    /// and that one.
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
        // All short sequences of events, in any order, against the definition.
        let events: Vec<(u8, u8)> = (3..6)
            .flat_map(|distance| [0, 1, 2, NOTHING].map(|forbidden| (distance, forbidden)))
            .collect();
        for code in 0..events.len().pow(4) {
            let mut entry = Entry::from_bits(0);
            assert_eq!(entry, Entry::free(NEVER));
            let mut entered = Vec::new();
            // Levels come in order but for the first event, which may be from above.
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
