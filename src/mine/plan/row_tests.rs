//! What filters ask that can be tested row by row, before positions are looked at one by one.

use super::Plan;
use crate::game::FeatureValue;
use crate::mine::columns::Tier;
use crate::mine::condition::Condition;
use crate::mine::minable::Minable;
use crate::mine::win_tests::WinTests;

/// What filters ask of the moves of one kind of an unrestricted state, and of nothing else.
pub(in crate::mine) struct KindTest {
    /// The bit of the kind.
    pub kind: u32,
    /// The first of the kind's columns.
    first: usize,
    /// The filters that ask, by number.
    conditions: Vec<(usize, Condition)>,
}

impl KindTest {
    /// The filters that do not refuse an unrestricted state in which so many moves are of the
    /// kind, and so many of them win, draw and lose; one bit each.
    pub fn passing(&self, counts: [usize; 4]) -> u64 {
        let refusing = self.conditions.iter().filter(|(_, condition)| {
            let value = |column: usize| vec![FeatureValue::count(counts[column - self.first])];
            !condition.test(1, value)[0]
        });
        refusing.fold(u64::MAX >> 1, |set, &(bit, _)| set & !(1 << bit))
    }
}

impl<G: Minable> Plan<'_, G> {
    /// What the filters ask of moves of these kinds alone.
    pub fn kind_tests(&self, kinds: u32) -> Vec<KindTest> {
        let steps = self.catalogue.steps().iter().enumerate();
        let kind_steps = steps.filter(|(_, step)| step.tier == Tier::Kind);
        let tests = kind_steps
            .enumerate()
            .filter(|(kind, _)| kinds >> kind & 1 == 1);
        let tests = tests.map(|(kind, (number, step))| KindTest {
            kind: 1 << kind,
            first: step.columns.start,
            conditions: (self.predicates.iter().enumerate())
                .filter_map(|(bit, predicate)| {
                    Some((bit, predicate.within(self.catalogue, number, |_| true)?))
                })
                .collect(),
        });
        tests.filter(|test| !test.conditions.is_empty()).collect()
    }

    /// What the filters ask of winning moves that are not of these kinds.
    pub fn win_tests(&self, without: u32) -> WinTests {
        WinTests::new(self.predicates, self.catalogue, without)
    }

    /// Whether columns need values of moves.
    pub fn needs_moves(&self) -> bool {
        self.needs_moves_besides(0)
    }

    /// Whether columns need values of moves other than those of these kinds.
    pub fn needs_moves_besides(&self, kinds: u32) -> bool {
        let kind_steps = || self.catalogue.steps().iter();
        let first_kind = kind_steps().position(|step| step.tier == Tier::Kind);
        self.needed.iter().any(|&column| {
            let step = self.catalogue.step_of(column);
            match self.catalogue.steps()[step].tier {
                Tier::Record | Tier::Board | Tier::Ban | Tier::Lure | Tier::Solution => false,
                Tier::Pass | Tier::Play => true,
                Tier::Kind => first_kind.is_none_or(|first| kinds >> (step - first) & 1 == 0),
            }
        })
    }
}
