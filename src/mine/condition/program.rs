//! A compiled condition: operations on whole columns.
//!
//! Every operation reads registers and writes one. A register holds a column of values, or
//! a single value that stands for all rows. Nothing fails: what has no value is NULL.

use std::ops::Range;
use std::sync::Arc;

use super::kernels::{self, Column, Values};
use super::parser::{Arithmetic, Comparison};
use crate::game::FeatureValue;

pub(super) type Register = usize;

/// Rows that are worked on at a time, so that registers stay in the processor's cache.
const CHUNK: usize = 1024;

/// An operation on columns. Texts are numbers of their lists of words.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    /// A value for all rows; `None` is NULL.
    Flag(Option<bool>),
    Integer(Option<i64>),
    Decimal(Option<f64>),
    /// The values of a column of the condition, by its place among them.
    LoadFlags(usize),
    LoadIntegers(usize),
    ToDecimals(Register),
    FlagsToIntegers(Register),
    Integers(Arithmetic, Register, Register),
    Decimals(Arithmetic, Register, Register),
    CompareIntegers(Comparison, Register, Register),
    CompareDecimals(Comparison, Register, Register),
    And(Register, Register),
    Or(Register, Register),
    Not(Register),
    /// Whether a value is NULL.
    Missing(Register),
    /// What a table has for a number.
    LookUpFlags(Register, Arc<[bool]>),
    LookUpIntegers(Register, Arc<[i64]>),
    /// Whether a number is in a sorted list.
    AmongIntegers(Register, Arc<[i64]>),
    AmongDecimals(Register, Arc<[f64]>),
    OfInteger(fn(i64) -> Option<i64>, Register),
    OfDecimal(fn(f64) -> f64, Register),
    /// The second value where the first, a flag, is true; elsewhere the third.
    Choose(Register, Register, Register),
}

impl Operation {
    fn reads(&self) -> [Option<Register>; 3] {
        match *self {
            Self::Flag(_)
            | Self::Integer(_)
            | Self::Decimal(_)
            | Self::LoadFlags(_)
            | Self::LoadIntegers(_) => [None; 3],
            Self::ToDecimals(a)
            | Self::FlagsToIntegers(a)
            | Self::Not(a)
            | Self::Missing(a)
            | Self::LookUpFlags(a, _)
            | Self::LookUpIntegers(a, _)
            | Self::AmongIntegers(a, _)
            | Self::AmongDecimals(a, _)
            | Self::OfInteger(_, a)
            | Self::OfDecimal(_, a) => [Some(a), None, None],
            Self::Integers(_, a, b)
            | Self::Decimals(_, a, b)
            | Self::CompareIntegers(_, a, b)
            | Self::CompareDecimals(_, a, b)
            | Self::And(a, b)
            | Self::Or(a, b) => [Some(a), Some(b), None],
            Self::Choose(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }
}

/// Operations, the last of which yields flags.
#[derive(Debug, Clone)]
pub(super) struct Program {
    operations: Vec<Operation>,
    /// The registers that no later operation reads, for each operation.
    done: Vec<Vec<Register>>,
}

impl Program {
    /// A program of operations, of which each writes the register of its number.
    pub(super) fn new(operations: Vec<Operation>) -> Self {
        let mut last: Vec<usize> = (0..operations.len()).collect();
        for (number, operation) in operations.iter().enumerate() {
            for register in operation.reads().into_iter().flatten() {
                last[register] = number;
            }
        }
        let mut done = vec![Vec::new(); operations.len()];
        for (register, &number) in last.iter().enumerate() {
            if number != register {
                done[number].push(register);
            }
        }
        Self { operations, done }
    }

    /// Clears the answer of each row for which the condition is not true. `columns` are the
    /// values of the condition's columns, each as many as there are answers.
    pub(super) fn test(&self, columns: &[&[FeatureValue]], answers: &mut [bool]) {
        let mut from = 0;
        for answers in answers.chunks_mut(CHUNK) {
            let rows = from..from + answers.len();
            from = rows.end;
            if answers.iter().any(|&answer| answer) {
                self.test_chunk(columns, rows, answers);
            }
        }
    }

    fn test_chunk(&self, columns: &[&[FeatureValue]], rows: Range<usize>, answers: &mut [bool]) {
        let mut registers: Vec<Column> = Vec::with_capacity(self.operations.len());
        for (operation, done) in self.operations.iter().zip(&self.done) {
            let value = step(operation, &registers, columns, rows.clone());
            registers.push(value);
            for &register in done {
                registers[register] = Column::none();
            }
        }
        let Some(Column {
            values: Values::Flags(flags),
            valid,
        }) = registers.pop()
        else {
            unreachable!("the compiler ends with flags");
        };
        if let [flag] = flags[..] {
            let holds = flag && valid[0];
            for answer in answers {
                *answer &= holds;
            }
        } else {
            for ((answer, flag), valid) in answers.iter_mut().zip(flags).zip(valid) {
                *answer &= flag & valid;
            }
        }
    }
}

fn step(
    operation: &Operation,
    registers: &[Column],
    columns: &[&[FeatureValue]],
    rows: Range<usize>,
) -> Column {
    let at = |register: &Register| &registers[*register];
    match operation {
        Operation::Flag(flag) => Column::one(*flag, Values::Flags),
        Operation::Integer(number) => Column::one(*number, Values::Integers),
        Operation::Decimal(number) => Column::one(*number, Values::Decimals),
        Operation::LoadFlags(column) => {
            kernels::load(&columns[*column][rows], |number| number != 0, Values::Flags)
        }
        Operation::LoadIntegers(column) => {
            kernels::load(&columns[*column][rows], i64::from, Values::Integers)
        }
        Operation::ToDecimals(a) => kernels::to_decimals(at(a)),
        Operation::FlagsToIntegers(a) => kernels::flags_to_integers(at(a)),
        Operation::Integers(operation, a, b) => kernels::integers(*operation, at(a), at(b)),
        Operation::Decimals(operation, a, b) => kernels::decimals(*operation, at(a), at(b)),
        Operation::CompareIntegers(how, a, b) => kernels::compare_integers(*how, at(a), at(b)),
        Operation::CompareDecimals(how, a, b) => kernels::compare_decimals(*how, at(a), at(b)),
        Operation::And(a, b) => kernels::logic(at(a), at(b), true),
        Operation::Or(a, b) => kernels::logic(at(a), at(b), false),
        Operation::Not(a) => kernels::not(at(a)),
        Operation::Missing(a) => kernels::missing(at(a)),
        Operation::LookUpFlags(a, table) => kernels::look_up(at(a), table, Values::Flags),
        Operation::LookUpIntegers(a, table) => kernels::look_up(at(a), table, Values::Integers),
        Operation::AmongIntegers(a, list) => kernels::among_integers(at(a), list),
        Operation::AmongDecimals(a, list) => kernels::among_decimals(at(a), list),
        Operation::OfInteger(function, a) => kernels::of_integer(*function, at(a)),
        Operation::OfDecimal(function, a) => kernels::of_decimal(*function, at(a)),
        Operation::Choose(a, b, c) => kernels::choose(at(a), at(b), at(c)),
    }
}
