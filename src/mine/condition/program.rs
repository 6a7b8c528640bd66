//! A compiled condition: operations on whole columns.
//!
//! Every operation reads registers and writes one. A register holds a column of values, or
//! a single value that stands for all rows. Nothing fails: what has no value is NULL.
//!
//! A column with one value stands for any number of rows, so each operation takes columns of
//! equal length or of length one. A value that is not valid is NULL; what stands there is
//! any number.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::parser::{Arithmetic, Comparison};
use crate::game::FeatureValue;

pub(super) type Register = usize;

/// Rows that are worked on at a time, so that registers stay in the processor's cache.
const CHUNK: usize = 1024;

/// An operation on the values of registers. Texts are numbers of their lists of words.
#[derive(Debug, Clone)]
pub(super) enum Operation {
    /// A value for all rows; `None` is NULL.
    Flag(Option<bool>),
    Integer(Option<i64>),
    Decimal(Option<f64>),
    /// The values of a column of the condition, by its place among them.
    LoadFlags(usize),
    LoadIntegers(usize),
    ToDecimals,
    FlagsToIntegers,
    /// Of values of one type.
    Arithmetic(Arithmetic),
    Compare(Comparison),
    And,
    Or,
    Not,
    /// Whether a value is NULL.
    Missing,
    /// What a table has for a number.
    LookUpFlags(Arc<[bool]>),
    LookUpIntegers(Arc<[i64]>),
    LookUpDecimals(Arc<[f64]>),
    /// Whether a number is in a sorted list.
    AmongIntegers(Arc<[i64]>),
    AmongDecimals(Arc<[f64]>),
    OfInteger(fn(i64) -> Option<i64>),
    OfDecimal(fn(f64) -> f64),
    /// The second value where the first, a flag, is true; elsewhere the third.
    Choose,
}

/// Operations, the last of which yields flags.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// As it is written.
    pub text: String,
    /// Each with the registers that it reads.
    operations: Vec<(Operation, Vec<Register>)>,
    /// The columns that it takes, in order: indices into the catalogue.
    pub columns: Vec<usize>,
    /// The registers that no later operation reads, for each operation.
    done: Vec<Vec<Register>>,
}

impl Program {
    /// A program of operations, of which each writes the register of its number.
    pub(super) fn new(
        text: &str,
        operations: Vec<(Operation, Vec<Register>)>,
        columns: Vec<usize>,
    ) -> Self {
        let mut read_later = vec![false; operations.len()];
        let mut done = vec![Vec::new(); operations.len()];
        for (number, (_, of)) in operations.iter().enumerate().rev() {
            for &register in of {
                if !std::mem::replace(&mut read_later[register], true) {
                    done[number].push(register);
                }
            }
        }
        Self {
            text: text.to_owned(),
            operations,
            columns,
            done,
        }
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
        for ((operation, of), done) in self.operations.iter().zip(&self.done) {
            let of: Vec<_> = of.iter().map(|&register| &registers[register]).collect();
            registers.push(step(operation, &of, columns, rows.clone()));
            for &register in done {
                registers[register] = Column::new(Values::Flags(Vec::new()), Vec::new());
            }
        }
        let last = registers.pop().expect("a condition is not empty");
        let holds = zip(last.flags(), &last.valid, |flag, valid| flag & valid);
        // There may be one answer for all.
        for (answer, holds) in answers.iter_mut().zip(holds.iter().cycle()) {
            *answer &= holds;
        }
    }
}

fn step(
    operation: &Operation,
    of: &[&Column],
    columns: &[&[FeatureValue]],
    rows: Range<usize>,
) -> Column {
    match (operation, of) {
        (Operation::Flag(flag), _) => Column::one(*flag, Values::Flags),
        (Operation::Integer(number), _) => Column::one(*number, Values::Integers),
        (Operation::Decimal(number), _) => Column::one(*number, Values::Decimals),
        (Operation::LoadFlags(column), _) => {
            load(&columns[*column][rows], |number| number != 0, Values::Flags)
        }
        (Operation::LoadIntegers(column), _) => {
            load(&columns[*column][rows], i64::from, Values::Integers)
        }
        (Operation::ToDecimals, [a]) => {
            a.with(Values::Decimals(map(a.integers(), |number| number as f64)))
        }
        (Operation::FlagsToIntegers, [a]) => a.with(Values::Integers(map(a.flags(), i64::from))),
        (Operation::Arithmetic(operation), [a, b]) => match &a.values {
            Values::Decimals(_) => decimals(*operation, a, b),
            _ => integers(*operation, a, b),
        },
        (Operation::Compare(how), [a, b]) => {
            let values = match (&a.values, &b.values) {
                (Values::Flags(a), Values::Flags(b)) => compare(*how, a, b, |a, b| a.cmp(&b)),
                (Values::Decimals(a), Values::Decimals(b)) => compare(*how, a, b, order),
                _ => compare(*how, a.integers(), b.integers(), |a, b| a.cmp(&b)),
            };
            Column::new(values, both(a, b))
        }
        (Operation::And, [a, b]) => logic(a, b, true),
        (Operation::Or, [a, b]) => logic(a, b, false),
        (Operation::Not, [a]) => a.with(Values::Flags(map(a.flags(), |flag| !flag))),
        (Operation::Missing, [a]) => {
            let flags = map(&a.valid, |valid| !valid);
            let valid = vec![true; flags.len()];
            Column::new(Values::Flags(flags), valid)
        }
        (Operation::LookUpFlags(table), [a]) => look_up(a, table, Values::Flags),
        (Operation::LookUpIntegers(table), [a]) => look_up(a, table, Values::Integers),
        (Operation::LookUpDecimals(table), [a]) => look_up(a, table, Values::Decimals),
        (Operation::AmongIntegers(list), [a]) => {
            let is_among = |number| list.binary_search(&number).is_ok();
            a.with(Values::Flags(map(a.integers(), is_among)))
        }
        (Operation::AmongDecimals(list), [a]) => {
            let is_among = |number| list.binary_search_by(|&it| order(it, number)).is_ok();
            a.with(Values::Flags(map(a.decimals(), is_among)))
        }
        (Operation::OfInteger(function), [a]) => {
            where_there(map(a.integers(), function), &a.valid, Values::Integers)
        }
        (Operation::OfDecimal(function), [a]) => {
            a.with(Values::Decimals(map(a.decimals(), function)))
        }
        (Operation::Choose, [a, b, c]) => choose(a, b, c),
        _ => unreachable!("the compiler gives each operation as many registers as it reads"),
    }
}

#[derive(Debug, Clone)]
enum Values {
    Flags(Vec<bool>),
    Integers(Vec<i64>),
    Decimals(Vec<f64>),
}

/// Values and which of them are there.
#[derive(Debug, Clone)]
struct Column {
    values: Values,
    /// False for NULL.
    valid: Vec<bool>,
}

impl Column {
    const fn new(values: Values, valid: Vec<bool>) -> Self {
        Self { values, valid }
    }

    fn flags(&self) -> &[bool] {
        match &self.values {
            Values::Flags(flags) => flags,
            _ => unreachable!("the compiler has checked that these are flags"),
        }
    }

    fn integers(&self) -> &[i64] {
        match &self.values {
            Values::Integers(numbers) => numbers,
            _ => unreachable!("the compiler has checked that these are whole numbers"),
        }
    }

    fn decimals(&self) -> &[f64] {
        match &self.values {
            Values::Decimals(numbers) => numbers,
            _ => unreachable!("the compiler has checked that these are decimal numbers"),
        }
    }

    /// Values that are there where those of this column are.
    fn with(&self, values: Values) -> Self {
        Self::new(values, self.valid.clone())
    }

    /// One value for all rows.
    fn one<T: Default>(value: Option<T>, values: fn(Vec<T>) -> Values) -> Self {
        where_there(vec![value], &[true], values)
    }
}

fn map<A: Copy, B>(a: &[A], function: impl Fn(A) -> B) -> Vec<B> {
    a.iter().map(|&a| function(a)).collect()
}

/// Applies a function to each pair of values; a single value is paired with all.
fn zip<A: Copy, B: Copy, C>(a: &[A], b: &[B], function: impl Fn(A, B) -> C) -> Vec<C> {
    match (a, b) {
        (&[a], b) => b.iter().map(|&b| function(a, b)).collect(),
        (a, &[b]) => a.iter().map(|&a| function(a, b)).collect(),
        _ => a.iter().zip(b).map(|(&a, &b)| function(a, b)).collect(),
    }
}

/// Where both values are there.
fn both(a: &Column, b: &Column) -> Vec<bool> {
    zip(&a.valid, &b.valid, |a, b| a & b)
}

/// Results where there are some, and what they are made of is there too.
fn where_there<T: Default>(
    results: Vec<Option<T>>,
    valid: &[bool],
    values: impl FnOnce(Vec<T>) -> Values,
) -> Column {
    let there = results.iter().zip(valid);
    Column {
        valid: there.map(|(it, &valid)| it.is_some() & valid).collect(),
        values: values(results.into_iter().map(Option::unwrap_or_default).collect()),
    }
}

/// The values of a feature, converted.
fn load<T: Default>(
    rows: &[FeatureValue],
    value: impl Fn(i32) -> T,
    values: impl FnOnce(Vec<T>) -> Values,
) -> Column {
    let convert = |row: &FeatureValue| row.get().map_or_else(T::default, &value);
    Column {
        values: values(rows.iter().map(convert).collect()),
        valid: rows.iter().map(|row| row.get().is_some()).collect(),
    }
}

/// Whole numbers; what is not a whole number of 64 bits is NULL.
fn integers(operation: Arithmetic, a: &Column, b: &Column) -> Column {
    let function: fn(i64, i64) -> Option<i64> = match operation {
        Arithmetic::Plus => i64::checked_add,
        Arithmetic::Minus => i64::checked_sub,
        Arithmetic::Times => i64::checked_mul,
        Arithmetic::Divide => i64::checked_div,
        Arithmetic::Modulo => modulo,
    };
    let results = zip(a.integers(), b.integers(), function);
    where_there(results, &both(a, b), Values::Integers)
}

/// The remainder, with the sign of the divisor; `None` for a divisor of zero.
fn modulo(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    let rest = a.wrapping_rem(b);
    let turned = rest != 0 && (rest < 0) != (b < 0);
    Some(if turned { rest + b } else { rest })
}

fn decimals(operation: Arithmetic, a: &Column, b: &Column) -> Column {
    let (valid, a, b) = (both(a, b), a.decimals(), b.decimals());
    let values = match operation {
        Arithmetic::Plus => zip(a, b, |a, b| a + b),
        Arithmetic::Minus => zip(a, b, |a, b| a - b),
        Arithmetic::Times => zip(a, b, |a, b| a * b),
        Arithmetic::Divide => zip(a, b, |a, b| a / b),
        Arithmetic::Modulo => zip(a, b, |a, b| a - b * (a / b).floor()),
    };
    Column::new(Values::Decimals(values), valid)
}

fn compare<T: Copy>(
    comparison: Comparison,
    a: &[T],
    b: &[T],
    order: impl Fn(T, T) -> Ordering,
) -> Values {
    Values::Flags(match comparison {
        Comparison::Equal => zip(a, b, |a, b| order(a, b).is_eq()),
        Comparison::Unequal => zip(a, b, |a, b| order(a, b).is_ne()),
        Comparison::Less => zip(a, b, |a, b| order(a, b).is_lt()),
        Comparison::AtMost => zip(a, b, |a, b| order(a, b).is_le()),
        Comparison::Greater => zip(a, b, |a, b| order(a, b).is_gt()),
        Comparison::AtLeast => zip(a, b, |a, b| order(a, b).is_ge()),
    })
}

/// The order of decimal numbers; what is not a number equals itself and comes last.
pub(super) fn order(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b)
        .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// AND, or with `neutral` false OR: a flag that is not neutral decides; otherwise NULL if one is
/// NULL.
fn logic(a: &Column, b: &Column, neutral: bool) -> Column {
    let flags = |column: &Column| {
        zip(column.flags(), &column.valid, |flag, valid| {
            (valid && flag != neutral, valid && flag == neutral)
        })
    };
    let (a, b) = (flags(a), flags(b));
    let results = zip(&a, &b, |(a_decides, a_agrees), (b_decides, b_agrees)| {
        let decided = a_decides | b_decides;
        (decided != neutral, decided || a_agrees && b_agrees)
    });
    let (flags, valid) = results.into_iter().unzip();
    Column::new(Values::Flags(flags), valid)
}

/// What a table has for each number; NULL for a number that it does not have.
fn look_up<T: Copy + Default>(
    a: &Column,
    table: &[T],
    values: impl FnOnce(Vec<T>) -> Values,
) -> Column {
    let find = |number: i64| table.get(usize::try_from(number).ok()?).copied();
    where_there(map(a.integers(), find), &a.valid, values)
}

/// `b` where `a` is true, elsewhere `c`.
fn choose(a: &Column, b: &Column, c: &Column) -> Column {
    let first = zip(a.flags(), &a.valid, |flag, valid| flag & valid);
    let values = match (&b.values, &c.values) {
        (Values::Flags(b), Values::Flags(c)) => Values::Flags(chosen(&first, b, c)),
        (Values::Integers(b), Values::Integers(c)) => Values::Integers(chosen(&first, b, c)),
        (Values::Decimals(b), Values::Decimals(c)) => Values::Decimals(chosen(&first, b, c)),
        _ => unreachable!("the compiler has made the types equal"),
    };
    Column::new(values, chosen(&first, &b.valid, &c.valid))
}

fn chosen<T: Copy>(first: &[bool], b: &[T], c: &[T]) -> Vec<T> {
    let pairs = zip(b, c, |b, c| (b, c));
    zip(first, &pairs, |first, (b, c)| if first { b } else { c })
}
