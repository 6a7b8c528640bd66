//! Compiles functions, lists and CASE.

use super::compile::{Compiler, Typed, ValueType};
use super::parser::{Arithmetic, At, Comparison, Function, Literal};
use super::program::{Operation, Register, order};
use super::token::Words;
use crate::game::NotationError;

impl Compiler<'_> {
    /// A value of a type, or NULL.
    fn null(&mut self, kind: &ValueType) -> Register {
        self.emit(match kind {
            ValueType::Flag => Operation::Flag(None),
            ValueType::Decimal => Operation::Decimal(None),
            ValueType::Null | ValueType::Integer | ValueType::Text(_) | ValueType::Themes => {
                Operation::Integer(None)
            }
        })
    }

    /// A function of the values of one row.
    pub(super) fn call(
        &mut self,
        function: Function,
        arguments: &[At],
    ) -> Result<Typed, NotationError> {
        let first = arguments[0];
        Ok(match function {
            Function::Abs => self.of_number(first, "ABS", i64::checked_abs, Some(f64::abs))?,
            Function::Sign => self.of_number(first, "SIGN", |n| Some(n.signum()), Some(sign))?,
            Function::Ceil => self.of_number(first, "CEIL", Some, Some(f64::ceil))?,
            Function::Floor => self.of_number(first, "FLOOR", Some, Some(f64::floor))?,
            Function::Round => self.of_number(first, "ROUND", Some, Some(f64::round_ties_even))?,
            Function::Mod => self.arithmetic(Arithmetic::Modulo, first, arguments[1])?,
            Function::Length => {
                let words = self.words(first, "LENGTH")?;
                let length =
                    |word: &String| i64::try_from(word.chars().count()).unwrap_or(i64::MAX);
                let text = self.value(first).register;
                let operation = Operation::LookUpIntegers(text, words.table(length));
                self.typed(ValueType::Integer, operation)
            }
            Function::Lower => self.of_text(first, "LOWER", |word| word.to_lowercase())?,
            Function::Upper => self.of_text(first, "UPPER", |word| word.to_uppercase())?,
            Function::Coalesce => {
                let (kind, registers) = self.alike(arguments)?;
                self.folded(&kind, &registers, |compiler, a, b| {
                    let missing = compiler.emit(Operation::Missing(a));
                    compiler.emit(Operation::Choose(missing, b, a))
                })
            }
            Function::Greatest => self.extreme(Comparison::AtLeast, "GREATEST", arguments)?,
            Function::Least => self.extreme(Comparison::AtMost, "LEAST", arguments)?,
            Function::NullIf => {
                let equal = self.compare(Comparison::Equal, first, arguments[1])?;
                let value = self.value(first);
                let null = self.null(&value.kind);
                let operation = Operation::Choose(equal.register, null, value.register);
                self.typed(value.kind, operation)
            }
        })
    }

    /// A function of a number, which has the number's type.
    fn of_number(
        &mut self,
        at: At,
        name: &str,
        of_integer: fn(i64) -> Option<i64>,
        of_decimal: Option<fn(f64) -> f64>,
    ) -> Result<Typed, NotationError> {
        let number = self.number(at, name)?;
        Ok(match (&number.kind, of_decimal) {
            (ValueType::Decimal, Some(function)) => self.typed(
                ValueType::Decimal,
                Operation::OfDecimal(function, number.register),
            ),
            _ => self.typed(
                ValueType::Integer,
                Operation::OfInteger(of_integer, number.register),
            ),
        })
    }

    /// A function of a text, whose words are known.
    fn of_text(
        &mut self,
        at: At,
        name: &str,
        function: impl FnMut(&String) -> String,
    ) -> Result<Typed, NotationError> {
        let words = self.words(at, name)?;
        let words = Words::new(words.table(function).iter().cloned());
        let register = self.value(at).register;
        let kind = ValueType::Text(words);
        Ok(Typed { kind, register })
    }

    /// The common type of some values, and the values converted to it.
    fn alike(&mut self, nodes: &[At]) -> Result<(ValueType, Vec<Register>), NotationError> {
        let kind = self.common(nodes)?;
        let convert = |&at: &At| {
            let value = self.value(at);
            self.convert(&value, &kind)
        };
        let registers = nodes.iter().map(convert).collect();
        Ok((kind, registers))
    }

    /// Combines values two at a time, from the left.
    fn folded(
        &mut self,
        kind: &ValueType,
        registers: &[Register],
        mut combine: impl FnMut(&mut Self, Register, Register) -> Register,
    ) -> Typed {
        let mut register = registers[0];
        for &next in &registers[1..] {
            register = combine(self, register, next);
        }
        Typed {
            kind: kind.clone(),
            register,
        }
    }

    /// The greatest or the least of some values, without those that are NULL.
    fn extreme(
        &mut self,
        better: Comparison,
        name: &str,
        nodes: &[At],
    ) -> Result<Typed, NotationError> {
        for &at in nodes {
            self.number(at, name)?;
        }
        let (kind, registers) = self.alike(nodes)?;
        Ok(self.folded(&kind, &registers, |compiler, a, b| {
            let better = compiler.compare_registers(better, &kind, a, b).register;
            let alone = compiler.emit(Operation::Missing(b));
            let first = compiler.emit(Operation::Or(better, alone));
            compiler.emit(Operation::Choose(first, a, b))
        }))
    }

    pub(super) fn among(
        &mut self,
        at: At,
        list: &[(Literal, usize)],
    ) -> Result<Typed, NotationError> {
        let value = self.value(at);
        for (literal, start) in list {
            let fits = match (&value.kind, literal) {
                (ValueType::Null, _) | (ValueType::Flag, Literal::Flag(_)) => true,
                (ValueType::Integer | ValueType::Decimal, literal) => {
                    matches!(literal, Literal::Integer(_) | Literal::Decimal(_))
                }
                (ValueType::Text(words), Literal::Text(text)) => {
                    let misses = words.misses(text, &self.said(at));
                    if let Some(message) = misses {
                        return Err(self.error_at(*start, message));
                    }
                    true
                }
                _ => false,
            };
            if !fits {
                let (said, kind) = (self.said(at), value.kind.name());
                let (literal, remedy) = (literal.name(), value.kind.remedy());
                let message = format!("{said} is {kind} and this is {literal}{remedy}");
                return Err(self.error_at(*start, message));
            }
        }
        let operation = match &value.kind {
            ValueType::Text(words) => {
                let is_in = |word: &String| {
                    list.iter()
                        .any(|(literal, _)| matches!(literal, Literal::Text(text) if text == word))
                };
                Operation::LookUpFlags(value.register, words.table(is_in))
            }
            ValueType::Flag => {
                let has = |flag| {
                    list.iter()
                        .any(|(literal, _)| *literal == Literal::Flag(flag))
                };
                let table = [has(false), has(true)].into();
                let numbers = self.emit(Operation::FlagsToIntegers(value.register));
                Operation::LookUpFlags(numbers, table)
            }
            ValueType::Null | ValueType::Integer | ValueType::Decimal | ValueType::Themes => {
                self.among_numbers(&value, list)
            }
        };
        Ok(self.typed(ValueType::Flag, operation))
    }

    fn among_numbers(&mut self, value: &Typed, list: &[(Literal, usize)]) -> Operation {
        let mut integers = Vec::new();
        let mut decimals = Vec::new();
        for (literal, _) in list {
            match literal {
                Literal::Integer(number) => {
                    integers.push(*number);
                    decimals.push(*number as f64);
                }
                Literal::Decimal(number) => decimals.push(*number),
                Literal::Null | Literal::Flag(_) | Literal::Text(_) => {}
            }
        }
        if value.kind != ValueType::Decimal && integers.len() == decimals.len() {
            integers.sort_unstable();
            return Operation::AmongIntegers(value.register, integers.into());
        }
        decimals.sort_unstable_by(|&a, &b| order(a, b));
        let register = self.convert(value, &ValueType::Decimal);
        Operation::AmongDecimals(register, decimals.into())
    }

    /// The value of the first arm whose condition is true.
    pub(super) fn case(
        &mut self,
        operand: Option<At>,
        arms: &[(At, At)],
        otherwise: Option<At>,
    ) -> Result<Typed, NotationError> {
        let results = arms.iter().map(|&(_, then)| then).chain(otherwise);
        let results: Vec<At> = results.collect();
        let (kind, registers) = self.alike(&results)?;
        let mut value = match otherwise {
            Some(_) => registers[arms.len()],
            None => self.null(&kind),
        };
        for (&(when, _), &then) in arms.iter().zip(&registers).rev() {
            let holds = match operand {
                Some(operand) => {
                    self.check_words(Comparison::Equal, operand, when)?;
                    self.compare(Comparison::Equal, operand, when)?.register
                }
                None => self.flag(when, "WHEN")?,
            };
            value = self.emit(Operation::Choose(holds, then, value));
        }
        Ok(Typed {
            kind,
            register: value,
        })
    }
}

/// The sign of a number: -1, 0 or 1.
fn sign(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number.signum() }
}
