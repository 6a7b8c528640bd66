//! Compiles comparisons.

use super::compile::{Compiler, Typed};
use super::kind::Kind;
use super::program::{Operation, Register};
use super::tree::{At, Comparison, Literal, Part};
use crate::game::NotationError;

impl Compiler<'_> {
    /// Refuses a comparison with NULL, which is never true.
    pub(super) fn refuse_null(&self, a: At, b: At) -> Result<(), NotationError> {
        for (null, other) in [(a, b), (b, a)] {
            if self.at(null).part == Part::Literal(Literal::Null) {
                let message = format!(
                    "a comparison with NULL is never true: write {} IS NULL or IS NOT NULL",
                    self.said(other)
                );
                return Err(self.error(null, message));
            }
        }
        Ok(())
    }

    /// Refuses a comparison with a text that is none of the other side's words.
    pub(super) fn check_words(
        &self,
        comparison: Comparison,
        a: At,
        b: At,
    ) -> Result<(), NotationError> {
        if !matches!(comparison, Comparison::Equal | Comparison::Unequal) {
            return Ok(());
        }
        for (literal, other) in [(a, b), (b, a)] {
            let is_literal = |at: At| matches!(self.at(at).part, Part::Literal(_));
            if let Part::Literal(Literal::Text(text)) = &self.at(literal).part
                && !is_literal(other)
                && let Kind::Text(words) = self.value(other).kind
                && let Some(message) = words.misses(text, &self.said(other))
            {
                return Err(self.error(literal, message));
            }
        }
        Ok(())
    }

    /// Two values compared.
    pub(super) fn compare(&mut self, of: Comparison, a: At, b: At) -> Result<Typed, NotationError> {
        let kind = self.common(&[a, b])?;
        let [left, right] = [a, b].map(|at| {
            let value = self.value(at);
            self.convert(&value, &kind)
        });
        if kind == Kind::Flag && !matches!(of, Comparison::Equal | Comparison::Unequal) {
            let message = format!("{} is true or false, which have no order", self.said(a));
            return Err(self.error(a, message));
        }
        Ok(self.compare_registers(of, &kind, left, right))
    }

    /// Two values of one type compared.
    pub(super) fn compare_registers(
        &mut self,
        of: Comparison,
        kind: &Kind,
        a: Register,
        b: Register,
    ) -> Typed {
        let operation = match kind {
            Kind::Decimal => Operation::CompareDecimals(of, a, b),
            Kind::Flag => {
                let a = self.emit(Operation::FlagsToIntegers(a));
                let b = self.emit(Operation::FlagsToIntegers(b));
                Operation::CompareIntegers(of, a, b)
            }
            _ => Operation::CompareIntegers(of, a, b),
        };
        self.typed(Kind::Flag, operation)
    }

    /// Two values compared, with NULL as a value of its own.
    pub(super) fn distinct(&mut self, a: At, b: At) -> Result<Typed, NotationError> {
        let unequal = self.compare(Comparison::Unequal, a, b)?.register;
        let [a, b] = [a, b].map(|at| {
            let register = self.value(at).register;
            self.emit(Operation::Missing(register))
        });
        let one = self.compare_registers(Comparison::Unequal, &Kind::Flag, a, b);
        let any = self.emit(Operation::Or(a, b));
        let operation = Operation::Choose(any, one.register, unequal);
        Ok(self.typed(Kind::Flag, operation))
    }
}
