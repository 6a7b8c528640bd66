//! A program of the family `diagram`.

use crate::formula::measure::Bits;
use crate::game::Digit;

/// A reduced, ordered decision diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// The digits in the order in which the diagram branches on them.
    digits: Vec<Digit>,
    /// The nodes of each digit: where each value of the digit leads.
    levels: Vec<Vec<Vec<To>>>,
    /// Where every evaluation begins.
    root: To,
    answers: u8,
}

/// Where a branch leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::formula) enum To {
    /// An answer.
    Answer(u8),
    /// A node: its level, and its index there.
    Node(usize, usize),
}

impl Diagram {
    /// A diagram that branches on the digits in this order. `levels` has for each digit
    /// its nodes, and for each of them where each value of the digit leads.
    pub(in crate::formula) const fn new(
        digits: Vec<Digit>,
        levels: Vec<Vec<Vec<To>>>,
        root: To,
        answers: u8,
    ) -> Self {
        Self {
            digits,
            levels,
            root,
            answers,
        }
    }

    /// The answer for state `n`.
    #[must_use]
    pub fn answer(&self, n: u64) -> u64 {
        let mut at = self.root;
        loop {
            match at {
                To::Answer(answer) => return answer.into(),
                To::Node(level, node) => at = self.levels[level][node][self.digits[level].of(n)],
            }
        }
    }

    /// The number of nodes, answers not counted.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// The digits in the order in which the diagram branches on them.
    #[must_use]
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The nodes from the bottom of the diagram to its top, the root last: for each the
    /// index of its digit, and where its values lead. Answers have the first numbers,
    /// then come the nodes in this order.
    pub(in crate::formula) fn listed(&self) -> Vec<(usize, Vec<usize>)> {
        let answers = usize::from(self.answers);
        // The first number of each level.
        let mut first = vec![0; self.levels.len()];
        let mut next = answers;
        for (level, nodes) in self.levels.iter().enumerate().rev() {
            first[level] = next;
            next += nodes.len();
        }
        let number = |to: &To| match to {
            To::Answer(answer) => usize::from(*answer),
            To::Node(level, node) => first[*level] + node,
        };
        let levels = self.levels.iter().enumerate().rev();
        levels
            .flat_map(|(level, nodes)| {
                nodes
                    .iter()
                    .map(move |node| (level, node.iter().map(number).collect()))
            })
            .collect()
    }

    /// The number of the root, as [`listed`](Self::listed) numbers answers and nodes.
    pub(in crate::formula) fn first(&self) -> usize {
        match self.root {
            To::Answer(answer) => usize::from(answer),
            To::Node(..) => usize::from(self.answers) + self.nodes() - 1,
        }
    }

    /// The number of bits that the number of an answer or a node takes.
    pub(in crate::formula) fn width(&self) -> u32 {
        let count = usize::from(self.answers) + self.nodes();
        (usize::BITS - (count - 1).leading_zeros()).max(1)
    }

    /// For each digit the number of nodes, listed from the bottom, that come before its
    /// own, and the number of their entries.
    pub(in crate::formula) fn bounds(&self) -> Vec<(usize, usize)> {
        let mut bounds = vec![(0, 0); self.levels.len()];
        let (mut nodes, mut entries) = (0, 0);
        for (level, of_level) in self.levels.iter().enumerate().rev() {
            bounds[level] = (nodes, entries);
            nodes += of_level.len();
            entries += of_level.len() * self.digits[level].radix();
        }
        bounds
    }

    /// Where each value of each node leads, packed node by node from the bottom.
    pub(in crate::formula) fn packed(&self) -> Bits {
        let width = self.width();
        let mut bits = Bits::default();
        for (_, next) in self.listed() {
            for to in next {
                bits.push(to as u64, width);
            }
        }
        bits
    }

    /// The total length of the constants in bits: the packed nodes, and for each digit
    /// where its nodes begin.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        self.packed().len() + self.levels.len() as u64 * u64::from(self.width())
    }
}
