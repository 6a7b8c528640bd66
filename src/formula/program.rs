//! Programs as data.

use super::bits::Term;
use super::diagram::Diagram;
use super::hash::Displaced;
use super::magic::Magic;
use super::orders::Ordered;
use super::residues::Table;

/// What a program does, with its constants.
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
    /// Win, block, or the first free square of an order.
    Orders(Ordered),
    /// A table of distances modulo 6 and a look two moves ahead.
    Residues(Table),
}

/// A program that answers every state of a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    form: Form,
}

impl Program {
    /// A program of a form.
    #[must_use]
    pub const fn new(form: Form) -> Self {
        Self { form }
    }

    /// What it does.
    #[must_use]
    pub const fn form(&self) -> &Form {
        &self.form
    }

    /// The name of its family.
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

    /// The lengths of all its constants in bits, tables included.
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

    /// The answer for a state, `None` from programs that need the game's rules.
    #[must_use]
    pub fn answer(&self, n: u64) -> Option<u64> {
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
