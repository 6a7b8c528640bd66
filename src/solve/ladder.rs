//! All values of one width in the mover's order, so that the best of many is a
//! maximum of small numbers: comparing values themselves takes branches, and the
//! first pass compares billions.

use crate::base::value::{Value, Width};

/// The order of values, and what each is worth one move earlier.
pub(crate) struct Ladder<W> {
    /// By code: the step of the value of a move to a state of that value.
    through: Vec<Step>,
    /// By code: the value's own step.
    steps: Vec<Step>,
    /// By step.
    values: Vec<Value<W>>,
}

/// A value's place in the order, 0 for none at all.
pub(crate) type Step = u32;

/// The step of a value that is too long to be told one move earlier.
pub(crate) const TOO_LONG: Step = Step::MAX;

impl<W: Width> Ladder<W> {
    pub fn new() -> Self {
        let mut values: Vec<_> = (0..=W::DRAW)
            .map(Value::from_code)
            .filter(|value: &Value<W>| !value.is_vacant())
            .collect();
        values.sort_unstable();
        let mut steps = vec![0; usize::from(W::DRAW) + 1];
        for (step, value) in (1..).zip(&values) {
            steps[usize::from(value.code())] = step;
        }
        let through: Vec<Step> = (0..=W::DRAW)
            .map(|code| match Value::<W>::from_code(code).through_move() {
                Some(value) => steps[usize::from(value.code())],
                None => TOO_LONG,
            })
            .collect();
        Self {
            through,
            steps,
            values,
        }
    }

    /// The step of the value of a move to a state whose value has this code.
    #[inline]
    pub fn through_move(&self, code: u16) -> Step {
        self.through[usize::from(code)]
    }

    /// The step of a value.
    #[inline]
    pub fn step(&self, value: Value<W>) -> Step {
        self.step_of_code(value.code())
    }

    /// The step of the value of a code.
    #[inline]
    pub fn step_of_code(&self, code: u16) -> Step {
        self.steps[usize::from(code)]
    }

    /// The value of a step, `None` for step 0.
    #[inline]
    pub fn value(&self, step: Step) -> Option<Value<W>> {
        let at = usize::try_from(step).ok()?.checked_sub(1)?;
        self.values.get(at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::{Narrow, Wide};

    fn climbs<W: Width>() {
        let ladder = Ladder::<W>::new();
        let mut codes: Vec<u16> = (0..=W::DRAW).collect();
        codes.retain(|&code| !Value::<W>::from_code(code).is_vacant());
        for pair in codes.windows(2) {
            let told = |code| Value::<W>::from_code(code).through_move();
            let (Some(a), Some(b)) = (told(pair[0]), told(pair[1])) else {
                continue;
            };
            let steps = (ladder.through_move(pair[0]), ladder.through_move(pair[1]));
            assert_eq!(steps.0.cmp(&steps.1), a.cmp(&b));
            assert_eq!(
                (ladder.value(steps.0), ladder.value(steps.1)),
                (Some(a), Some(b))
            );
        }
        assert_eq!(ladder.through_move(W::LONGEST), TOO_LONG);
        assert_eq!(ladder.value(0), None);
    }

    #[test]
    fn steps_are_in_the_order_of_values() {
        climbs::<Narrow>();
        climbs::<Wide>();
    }
}
