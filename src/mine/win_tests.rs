//! What filters ask of the winning moves of a position, as far as positions that are lost tell.

use super::columns::{Catalogue, Tier, WINNING, outcome_word, play};
use super::predicate::Predicate;
use crate::base::value::Outcome;
use crate::game::FeatureValue;

/// The most limits that are tested.
pub(super) const MOST_LIMITS: usize = 8;

/// The most moves of a position, whose numbers have eight bits.
pub(super) const MOST_MOVES: usize = 255;

/// Filters that admit no unrestricted state with more winning moves of some kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WinLimit {
    /// The kinds, one bit each; `u32::MAX` for all moves.
    kinds: u32,
    /// The most winning moves to positions that are lost whatever is forbidden there.
    pub most: u8,
    /// Whether it holds for all winning moves, also for those to positions that are lost only
    /// because the reply that takes the move back is forbidden.
    pub for_all: bool,
    /// The filters, one bit each.
    pub filters: u64,
}

impl WinLimit {
    /// Whether moves of these kinds count.
    #[inline]
    pub const fn has(&self, kinds: u32) -> bool {
        self.kinds == u32::MAX || kinds & self.kinds != 0
    }
}

/// What several filters ask of winning moves.
#[derive(Debug, Clone, Default)]
pub(super) struct WinTests {
    limits: Vec<WinLimit>,
    /// The filters that admit only states in which the side to move would win if it passed.
    passes: u64,
}

impl WinTests {
    /// The tests of filters, without those of some kinds of moves.
    pub fn new(predicates: &[&Predicate], catalogue: &Catalogue, without: u32) -> Self {
        let mut tests = Self::default();
        for (bit, predicate) in predicates.iter().enumerate() {
            let kinds = catalogue
                .steps()
                .iter()
                .filter(|step| step.tier == Tier::Kind);
            let kinds = (0..)
                .zip(kinds)
                .filter(|(kind, _)| without >> kind & 1 == 0);
            for (kind, step) in kinds {
                let bounds = bounds(predicate, step.columns.start + WINNING);
                tests.limit(1 << kind, bounds.map(|(_, most)| most), true, bit);
            }
            let play = catalogue.of_tier(Tier::Play).start;
            let winning = bounds(predicate, play + play::WINNING);
            // What wins by a ban leads to a position that is not lost.
            let by_ban = bounds(predicate, play + play::WINNING_BY_BAN);
            let least = by_ban.map_or(0, |(least, _)| least);
            tests.limit(
                u32::MAX,
                winning.map(|(_, most)| most.saturating_sub(least)),
                least == 0,
                bit,
            );
            let passed = catalogue.of_tier(Tier::Pass).start;
            let [win, draw, loss] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(outcome_word);
            if predicate.admitted(passed, &[win, draw, loss, FeatureValue::NONE])
                == [true, false, false, false]
            {
                tests.passes |= 1 << bit;
            }
        }
        tests
    }

    fn limit(&mut self, kinds: u32, most: Option<usize>, for_all: bool, bit: usize) {
        let most = most.filter(|&most| most < MOST_MOVES).map(u8::try_from);
        let Some(Ok(most)) = most else {
            return;
        };
        let known = |of: &WinLimit| (of.kinds, of.most, of.for_all) == (kinds, most, for_all);
        if let Some(place) = self.limits.iter().position(known) {
            self.limits[place].filters |= 1 << bit;
        } else if self.limits.len() < MOST_LIMITS {
            self.limits.push(WinLimit {
                kinds,
                most,
                for_all,
                filters: 1 << bit,
            });
        }
    }

    /// The limits, at most [`MOST_LIMITS`].
    #[inline]
    pub fn limits(&self) -> &[WinLimit] {
        &self.limits
    }

    /// The filters that admit only states in which the side to move would win if it passed.
    #[inline]
    pub const fn passes(&self) -> u64 {
        self.passes
    }

    /// The filters whose limits may refuse a position; `once` says that at most one of its moves
    /// wins.
    #[inline]
    pub fn limited(&self, once: bool) -> u64 {
        let limits = self.limits.iter().filter(|limit| !once || limit.most == 0);
        limits.fold(0, |set, limit| set | limit.filters)
    }

    /// The filters that have a test.
    #[inline]
    pub fn asking(&self) -> u64 {
        self.passes | self.limited(false)
    }

    /// The kinds of moves that limits are on, one bit each; `u32::MAX` for all moves.
    pub fn kinds(&self) -> u32 {
        self.limits.iter().fold(0, |set, limit| set | limit.kinds)
    }
}

/// The least and the greatest count that the parts of a filter's condition on this column alone
/// admit; `None` if they admit none.
fn bounds(predicate: &Predicate, column: usize) -> Option<(usize, usize)> {
    let counts: Vec<_> = (0..=MOST_MOVES).map(FeatureValue::count).collect();
    let admitted = predicate.admitted(column, &counts);
    let least = admitted.iter().position(|&admitted| admitted)?;
    let most = admitted.iter().rposition(|&admitted| admitted)?;
    Some((least, most))
}
