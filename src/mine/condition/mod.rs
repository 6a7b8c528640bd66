//! Conditions: what a filter asks of a position.
//!
//! A condition is an expression of SQL over the columns of one position. The page on filters
//! (`filters/README.md`) has its grammar. It is parsed into a tree, checked against the
//! columns, their types and their words, and compiled into operations on whole columns of
//! values, so that testing many positions costs a few nanoseconds each.
//!
//! # Meaning
//!
//! - Numbers of columns are whole. `+`, `-`, `*`, `%` of whole numbers are whole, of 64 bits;
//!   what does not fit is NULL. `/` always makes a decimal number, and dividing by zero makes
//!   an infinite one. A decimal number with a whole one makes a decimal number.
//! - `%` has the sign of the divisor; of whole numbers, `a % 0` is NULL.
//! - A value that is not a number (`0 / 0`) equals itself and is greater than all numbers.
//! - NULL makes NULL of arithmetic and comparisons. `AND`, `OR` and `NOT` follow the logic of
//!   three values. A position is admitted if the condition is true, not if it is NULL.
//! - Texts are compared as they are, upper and lower case apart, by their characters.
//!
//! # Limits
//!
//! A condition has at most 64 KiB, 4096 parts and 64 levels of parentheses, signs, NOT,
//! functions and CASE. So the time and memory for any text are bounded, and the stack is.

mod compile;
mod parser;
mod program;
mod token;

use std::collections::{BTreeMap, BTreeSet};

use self::program::Program;
use super::columns::Catalogue;
use crate::game::{FeatureValue, NotationError};

/// The longest condition, in bytes.
const LONGEST: usize = 1 << 16;

const MOST_NODES: usize = 1 << 12;

const DEEPEST: usize = 64;

/// A condition on the columns of a game.
#[derive(Debug, Clone)]
pub struct Condition {
    /// Those that are joined by AND.
    parts: Vec<Program>,
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// If the text is not of the grammar, names an unknown column or word, or its types do
    /// not fit. The message has the place and what would be right.
    pub fn new(text: &str, catalogue: &Catalogue) -> Result<Self, NotationError> {
        let nodes = parser::parse(text, &compile::signatures())?;
        let parts = parser::conjuncts(&nodes).into_iter();
        let parts = parts.map(|range| compile::compile(text, &nodes, range, catalogue));
        Ok(Self {
            parts: parts.collect::<Result<_, _>>()?,
        })
    }

    /// The columns that it takes: indices into the catalogue, in ascending order.
    pub fn columns(&self) -> Vec<usize> {
        let parts = self.parts.iter();
        let all: BTreeSet<_> = parts.flat_map(|part| &part.columns).copied().collect();
        all.into_iter().collect()
    }

    /// The parts, joined by AND, for whose columns `wanted` holds. The whole condition is true
    /// exactly where this and the parts that are left out are. Without such a part it is true
    /// everywhere. `wanted` is given the columns of each part.
    pub fn parts_with(&self, mut wanted: impl FnMut(&[usize]) -> bool) -> Self {
        let parts = self.parts.iter().filter(|part| wanted(&part.columns));
        Self {
            parts: parts.cloned().collect(),
        }
    }

    /// Whether it has no parts and is true everywhere.
    pub const fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The parts, joined by AND, that are not true of one row, as they are written, with their columns.
    pub(super) fn unmet(
        &self,
        value: impl Fn(usize) -> FeatureValue,
    ) -> impl Iterator<Item = (&str, &[usize])> {
        let parts = self.parts.iter().filter(move |part| {
            let alone = Self {
                parts: vec![(*part).clone()],
            };
            alone.test(1, |column| vec![value(column)]) == [false]
        });
        parts.map(|part| (&*part.text, &*part.columns))
    }

    /// Tests which of `count` rows satisfy the condition. `values` returns the values of a
    /// column, one for each row; it is asked for each column once at most.
    ///
    /// # Panics
    /// If `values` returns another number of values.
    pub fn test(
        &self,
        count: usize,
        mut values: impl FnMut(usize) -> Vec<FeatureValue>,
    ) -> Vec<bool> {
        let mut answers = vec![true; count];
        let mut known: BTreeMap<usize, Vec<FeatureValue>> = BTreeMap::new();
        for part in &self.parts {
            if !answers.contains(&true) {
                break;
            }
            for &column in &part.columns {
                known.entry(column).or_insert_with(|| values(column));
            }
            let taken = part.columns.iter().map(|column| &known[column][..]);
            part.test(&taken.collect::<Vec<_>>(), &mut answers);
        }
        answers
    }
}

/// What people write who know other dialects of SQL.
const DIALECTS: &str = include_str!("dialects.txt");

/// The words or signs of one kind there, with what to write instead.
fn of_dialects(kind: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = DIALECTS.lines().filter_map(|line| line.split_once("  "));
    let lines = lines.filter(move |(of, _)| *of == kind);
    lines.map(|(_, rest)| rest.split_once("  ").unwrap_or((rest, "")))
}

/// An error at a byte of a condition.
fn fault(text: &str, at: usize, message: impl Into<String>) -> NotationError {
    let at = text.get(..at).map_or(0, |before| before.chars().count());
    // On one line, so that the mark is below the place.
    NotationError::new(&text.replace(['\n', '\r', '\t'], " "), at, message)
}
