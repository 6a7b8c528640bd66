//! Programs as data: the constants of each family, and what they answer.

mod diagram;
mod hash;
mod magic;

use super::bits::Term;
use super::measure::Bits;
use super::policy::AnswerKind;

pub use diagram::Diagram;
pub(super) use diagram::To;
pub use hash::Displaced;
pub(super) use hash::{MIX, bucket, place};
pub use magic::Magic;

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
    form: Form,
    returns: Returns,
}

/// What the constants of a program give, and what is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Returns {
    /// The answer, of this kind.
    Answer(AnswerKind),
    /// A best move, which source code in Rust, C and Python makes: the answer is the next
    /// state.
    Made([String; 3]),
}

impl Program {
    /// A program of a form that answers with moves.
    #[must_use]
    pub const fn new(form: Form) -> Self {
        Self::answering(form, AnswerKind::Move)
    }

    /// A program of a form whose constants give answers of a kind.
    #[must_use]
    pub const fn answering(form: Form, kind: AnswerKind) -> Self {
        Self {
            form,
            returns: Returns::Answer(kind),
        }
    }

    /// The same program, but it makes its move and answers with the next state. `helpers`
    /// are functions `next_state` that ask `best_move`: Rust, C, Python.
    #[must_use]
    pub fn making_moves(self, helpers: [String; 3]) -> Self {
        Self {
            returns: Returns::Made(helpers),
            ..self
        }
    }

    /// What the constants give, and what is made of it.
    pub(super) const fn returns(&self) -> &Returns {
        &self.returns
    }

    /// The constants, by family.
    #[must_use]
    pub const fn form(&self) -> &Form {
        &self.form
    }

    /// The name of its family, as `tesuji formula --family` takes it.
    #[must_use]
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
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        match &self.form {
            Form::Bits(terms) => terms
                .iter()
                .map(|term| u64::from(term.constant_bits()))
                .sum(),
            Form::Magic(magic) => magic.constant_bits(),
            Form::Diagram(diagram) => diagram.constant_bits(),
            Form::Hash(hash) => hash.constant_bits(),
            Form::Orders(orders) => orders.constant_bits(),
            Form::Residues(table) => table.constant_bits(),
        }
    }

    /// The answer for state `n`; `None` for programs that need the rules of the game.
    #[must_use]
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

impl Ordered {
    /// The total length in bits of the index's constants and of the orders, four bits a
    /// square.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        let index = match &self.index {
            Index::Term(term) => u64::from(term.constant_bits()),
            Index::Program(program) => program.constant_bits(),
        };
        index + self.orders.len() as u64 * 36
    }

    /// The orders, four bits a square, the first in the lowest bits.
    pub(super) fn packed(&self) -> Vec<u64> {
        let packed = self.orders.iter().map(|order| {
            let mut bits = Bits::default();
            for &square in order {
                bits.push(square.into(), 4);
            }
            bits.bytes()
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        });
        packed.collect()
    }
}

/// A program of the family `residues`: packed residues and a lookahead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Five residues a byte, as digits to base 3, the first one lowest.
    pub bytes: Vec<u8>,
    /// Source code that uses them: Rust, C, Python.
    pub helpers: [String; 3],
}

impl Table {
    /// The length of the table in bits.
    #[must_use]
    pub fn constant_bits(&self) -> u64 {
        self.bytes.len() as u64 * 8
    }
}
