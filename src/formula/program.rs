//! Programs as data: the constants of each family, and what they answer.

use super::bits::Term;
use super::policy::{AnswerKind, length};
use crate::game::Digit;

/// A program with its constants, by family.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A multiplication and a shift for each bit of the answer.
    Bits(Vec<Term>),
    /// An index by multiplication and shift, and a packed table.
    Magic(Magic),
    /// A decision diagram.
    Diagram(Diagram),
    /// A perfect hash and a packed table.
    Hash(Displaced),
    /// Win, block, or take the first free square of an order.
    Orders(Ordered),
    /// A table of distances modulo 6 and a lookahead of two moves.
    Residues(Table),
}

/// A program that answers every state of a policy.
///
/// ```
/// use tesuji::{formula::{Form, Program, Term}, game::Language};
///
/// let program = Program::new(Form::Bits(vec![Term { a: 3, c: 1, s: 2 }]));
/// assert_eq!(program.answer(5), Some(0)); // 3 * (5 + 1) >> 2 & 1
/// assert!(program.source(Language::C).contains("3ULL * (n + 1) >> 2 & 1"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The constants, by family.
    pub form: Form,
    pub(super) returns: Returns,
}

/// What the constants of a program give, and what is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Returns {
    Answer(AnswerKind),
    /// A best move, which source code in Rust, C and Python makes: the answer is the next
    /// state.
    Made([String; 3]),
}

impl Program {
    /// A program of a form that answers with moves.
    pub const fn new(form: Form) -> Self {
        Self::answering(form, AnswerKind::Move)
    }

    /// A program of a form whose constants give answers of a kind.
    pub const fn answering(form: Form, kind: AnswerKind) -> Self {
        Self {
            form,
            returns: Returns::Answer(kind),
        }
    }

    /// The same program, but it makes its move and answers with the next state. `helpers`
    /// are functions `next_state` that ask `best_move`: Rust, C, Python.
    pub fn making_moves(self, helpers: [String; 3]) -> Self {
        Self {
            returns: Returns::Made(helpers),
            ..self
        }
    }

    /// The name of its family, as `tesuji formula --family` takes it.
    pub fn family(&self) -> &'static str {
        match &self.form {
            Form::Bits(_) => "bits",
            Form::Magic(_) => "magic",
            Form::Diagram(_) => "diagram",
            Form::Hash(_) => "hash",
            Form::Orders(orders) if orders.reached.is_some() => "orders",
            Form::Orders(_) => "orders-all",
            Form::Residues(_) => "residues",
        }
    }

    /// The total length of all constants in bits, tables included.
    pub fn constant_bits(&self) -> u64 {
        match &self.form {
            Form::Bits(terms) => {
                let lengths = terms.iter().map(|term| term.constant_bits());
                lengths.map(u64::from).sum()
            }
            // Multiplier, shift, mask and table.
            Form::Magic(magic) => {
                u64::from(length(magic.a) + length(magic.s.into()) + magic.index_bits)
                    + magic.table.len() as u64 * u64::from(magic.width)
            }
            Form::Diagram(diagram) => diagram.constant_bits(),
            // Displacements, table and the two multipliers.
            Form::Hash(hash) => {
                hash.displacements.len() as u64 * u64::from(hash.displacement_width)
                    + hash.table.len() as u64 * u64::from(hash.width)
                    + 128
            }
            // The index's constants and the orders, four bits a square.
            Form::Orders(orders) => {
                let index = match &orders.index {
                    Index::Term(term) => u64::from(term.constant_bits()),
                    Index::Program(program) => program.constant_bits(),
                };
                index + orders.orders.len() as u64 * 36
            }
            Form::Residues(table) => table.bytes.len() as u64 * 8,
        }
    }

    /// The answer for state `n`; `None` for programs that need the rules of the game.
    pub fn answer(&self, n: u64) -> Option<u64> {
        if matches!(self.returns, Returns::Made(_)) {
            return None;
        }
        match &self.form {
            Form::Bits(terms) => {
                let bits = terms.iter().enumerate();
                Some(bits.fold(0, |answer, (bit, term)| answer | term.of(n) << bit))
            }
            Form::Magic(magic) => Some(magic.answer(n)),
            Form::Diagram(diagram) => Some(diagram.answer(n)),
            Form::Hash(hash) => Some(hash.answer(n)),
            Form::Orders(_) | Form::Residues(_) => None,
        }
    }
}

/// Orders of squares, and how one of them is chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordered {
    /// How the order is chosen.
    pub index: Index,
    /// The orders: squares, the first choice first.
    pub orders: Vec<[u8; 9]>,
    /// Source code that looks up the squares: Rust, C, Python.
    pub helpers: [String; 3],
    /// The numbers of the states reached under its own play, if it is right in these alone.
    pub reached: Option<Vec<u64>>,
}

/// How the order is chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Index {
    /// One of two orders, by a bit.
    Term(Term),
    /// By a program of another family.
    Program(Box<Program>),
}

/// A program of the family `residues`: packed residues and a lookahead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Five residues a byte, as digits to base 3, the first one lowest.
    pub bytes: Vec<u8>,
    /// Source code that uses them: Rust, C, Python.
    pub helpers: [String; 3],
}

/// A reduced, ordered decision diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// The digits in the order in which the diagram branches on them.
    pub(super) digits: Vec<Digit>,
    /// The nodes of each digit: where each value of the digit leads.
    pub(super) levels: Vec<Vec<Vec<To>>>,
    pub(super) root: To,
    /// The number of different answers.
    pub(super) answers: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum To {
    Answer(u8),
    /// A node: its level, and its index there.
    Node(usize, usize),
}

impl Diagram {
    /// The answer for state `n`.
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
    pub(crate) fn nodes(&self) -> usize {
        self.levels.iter().map(Vec::len).sum()
    }

    /// Where each value of each node leads, node by node from the bottom of the diagram to
    /// its top, the root last. Answers have the first numbers, then come the nodes in this
    /// order.
    pub(super) fn listed(&self) -> Vec<u64> {
        let (answers, bounds) = (usize::from(self.answers), self.bounds());
        let number = |to: &To| match to {
            To::Answer(answer) => usize::from(*answer),
            To::Node(level, node) => answers + bounds[*level].0 + node,
        };
        let nodes = self.levels.iter().rev().flatten();
        nodes.flatten().map(|to| number(to) as u64).collect()
    }

    /// The number of the root, as [`listed`](Self::listed) numbers answers and nodes.
    pub(super) fn first(&self) -> usize {
        match self.root {
            To::Answer(answer) => usize::from(answer),
            To::Node(..) => usize::from(self.answers) + self.nodes() - 1,
        }
    }

    /// The number of bits that the number of an answer or a node takes.
    pub(super) fn width(&self) -> u32 {
        let count = usize::from(self.answers) + self.nodes();
        length(count as u64 - 1).max(1)
    }

    /// For each digit the number of nodes, listed from the bottom, that come before its
    /// own, and the number of their entries.
    pub(super) fn bounds(&self) -> Vec<(usize, usize)> {
        let mut bounds = vec![(0, 0); self.levels.len()];
        let (mut nodes, mut entries) = (0, 0);
        for (level, of_level) in self.levels.iter().enumerate().rev() {
            bounds[level] = (nodes, entries);
            nodes += of_level.len();
            entries += of_level.len() * self.digits[level].radix();
        }
        bounds
    }

    /// The total length of the constants in bits: where each value of each node leads, and
    /// for each digit where its nodes begin.
    pub(crate) fn constant_bits(&self) -> u64 {
        let entries: usize = self.levels.iter().flatten().map(Vec::len).sum();
        (entries + self.levels.len()) as u64 * u64::from(self.width())
    }
}

/// The multipliers of the 64-bit finalizer of `MurmurHash3`.
pub(super) const MIX: [u64; 2] = [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53];

/// A perfect hash by displacements, with a table of answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Displaced {
    /// The displacement of each bucket.
    pub displacements: Vec<u32>,
    /// The number of bits of a displacement.
    pub displacement_width: u32,
    /// The number of bits of an answer.
    pub width: u32,
    /// The answers by place.
    pub table: Vec<u64>,
}

fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 33).wrapping_mul(MIX[0]);
    let n = (n ^ n >> 33).wrapping_mul(MIX[1]);
    n ^ n >> 33
}

pub(super) fn bucket(n: u64, buckets: usize) -> usize {
    usize::try_from(mix(n) % buckets as u64).unwrap_or(0)
}

/// The place of state `n` in the table, given the displacement of its bucket.
pub(super) fn place(n: u64, displacement: u32, places: usize) -> usize {
    let n = mix(n.wrapping_add(u64::from(displacement + 1).wrapping_mul(MIX[0])));
    usize::try_from(n % places as u64).unwrap_or(0)
}

impl Displaced {
    /// The answer for state `n`.
    pub fn answer(&self, n: u64) -> u64 {
        let displacement = self.displacements[bucket(n, self.displacements.len())];
        self.table[place(n, displacement, self.table.len())]
    }
}

/// The program `table[a * n >> s & mask]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Magic {
    /// The multiplier.
    pub a: u64,
    /// The shift.
    pub s: u32,
    /// The number of bits of the index.
    pub index_bits: u32,
    /// The number of bits of an answer.
    pub width: u32,
    /// The answers by place.
    pub table: Vec<u64>,
}

impl Magic {
    /// The answer for state `n`; 0 beyond the end of the table.
    pub fn answer(&self, n: u64) -> u64 {
        let place = Self::index(self.a, self.s, self.index_bits, n);
        self.table.get(place).copied().unwrap_or(0)
    }

    /// The place of state `n`: `a * n >> s`, its lowest `index_bits` bits.
    #[inline]
    pub(super) fn index(a: u64, s: u32, index_bits: u32, n: u64) -> usize {
        let mask = (1_u64 << index_bits) - 1;
        usize::try_from(a.wrapping_mul(n) >> s & mask).unwrap_or(usize::MAX)
    }
}
