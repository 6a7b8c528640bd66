//! Counts from which frequencies are made.

use std::collections::BTreeMap;

use super::class::{CONTEXTS, Class, Context};
use super::leaf::Bound;

/// Number of contexts of a move: how many moves there are to choose from, if not more.
pub(super) const CHOICES: usize = 16;

/// How often symbols occur, by context.
pub(super) type Counted<K, S> = BTreeMap<(K, S), u64>;

/// Counts from which the frequencies of a layer are made.
#[derive(Debug)]
pub(super) struct Counts {
    /// By context: each class with its count. The lists are short.
    pub classes: Vec<Vec<(Class, u64)>>,
    /// By number of choices: places of moves.
    pub moves: Counted<u8, u16>,
    /// By class: codes of second values.
    pub seconds: Counted<Class, u16>,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            classes: vec![Vec::new(); CONTEXTS],
            moves: Counted::new(),
            seconds: Counted::new(),
        }
    }
}

impl Counts {
    /// Counts the class of a leaf.
    pub fn class(&mut self, context: Context, class: Class) {
        add_class(&mut self.classes[context.number()], class, 1);
    }

    /// Counts the bound of a leaf; its move is number `at` of `choices`.
    pub fn bound(&mut self, class: Class, bound: Bound, at: usize, choices: usize) {
        let at = u16::try_from(at).unwrap_or(u16::MAX);
        *self.moves.entry((choice(choices), at)).or_default() += 1;
        *self
            .seconds
            .entry((class, bound.second.code()))
            .or_default() += 1;
    }

    /// Adds other counts.
    pub fn add(mut self, other: Self) -> Self {
        fn add<K: Ord, S: Ord>(sum: &mut Counted<K, S>, other: Counted<K, S>) {
            for (key, count) in other {
                *sum.entry(key).or_default() += count;
            }
        }
        for (sum, other) in self.classes.iter_mut().zip(other.classes) {
            for (class, count) in other {
                add_class(sum, class, count);
            }
        }
        add(&mut self.moves, other.moves);
        add(&mut self.seconds, other.seconds);
        self
    }
}

fn add_class(counted: &mut Vec<(Class, u64)>, class: Class, more: u64) {
    match counted.iter_mut().find(|(known, _)| *known == class) {
        Some((_, count)) => *count += more,
        None => counted.push((class, more)),
    }
}

/// The context of a move.
pub(super) fn choice(choices: usize) -> u8 {
    u8::try_from(choices.min(CHOICES - 1)).unwrap_or(0)
}
