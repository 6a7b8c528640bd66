//! Checks the types of a condition and compiles it.

use std::collections::HashMap;
use std::ops::Range;

use super::fault;
use super::kind::Kind;
use super::program::{Operation, Program, Register};
use super::themes;
use super::token::shortened;
use super::tree::{Arithmetic, At, Comparison, Literal, Node, Part, Tree};
use super::words::{Words, like};
use crate::game::{FeatureKind, NotationError};
use crate::mine::columns::Catalogue;

/// A value: its type, and the register that holds it.
#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub kind: Kind,
    pub register: Register,
}

/// Compiles a part of a condition: a range of the tree's nodes, the last of which must be
/// true or false. Returns the program and the columns that it takes, by their indices in
/// the catalogue.
///
/// # Errors
/// If a column or a word is unknown, or types do not fit.
pub(super) fn compile(
    text: &str,
    tree: &Tree,
    range: Range<At>,
    catalogue: &Catalogue,
) -> Result<(Program, Vec<usize>), NotationError> {
    let mut compiler = Compiler {
        text,
        tree,
        first: range.start,
        catalogue,
        operations: Vec::new(),
        values: Vec::new(),
        columns: Vec::new(),
        loaded: HashMap::new(),
    };
    for at in range.clone() {
        let value = compiler.node(at)?;
        compiler.values.push(value);
    }
    let whole = range.end - 1;
    let value = compiler.value(whole);
    if value.kind == Kind::Null {
        let message = "the condition is NULL, which is never true".to_owned();
        return Err(compiler.error(whole, message));
    }
    if value.kind != Kind::Flag {
        let said = compiler.said(whole);
        let remedy = match value.kind {
            Kind::Text(_) => "compare it, as in outcome = 'win'",
            _ => "compare it, as in plies > 3",
        };
        let message = format!(
            "{said} is {}, but a condition is true or false: {remedy}",
            value.kind.name()
        );
        return Err(compiler.error(whole, message));
    }
    // The answer is what the last operation yields.
    if value.register + 1 != compiler.operations.len() {
        compiler.emit(Operation::And(value.register, value.register));
    }
    Ok((Program::new(compiler.operations), compiler.columns))
}

pub(super) struct Compiler<'a> {
    text: &'a str,
    tree: &'a Tree,
    first: At,
    catalogue: &'a Catalogue,
    operations: Vec<Operation>,
    /// The values of the nodes so far.
    values: Vec<Typed>,
    columns: Vec<usize>,
    /// The registers of columns, by index in the catalogue.
    loaded: HashMap<usize, Register>,
}

impl Compiler<'_> {
    /// The node of a place.
    pub fn at(&self, at: At) -> &Node {
        &self.tree.nodes[at]
    }

    /// The value of a node before.
    pub fn value(&self, at: At) -> Typed {
        self.values[at - self.first].clone()
    }

    /// The text of a node, for messages.
    pub fn said(&self, at: At) -> String {
        shortened(&self.text[self.at(at).text.clone()])
    }

    /// An error at the text of a node.
    pub fn error(&self, at: At, message: String) -> NotationError {
        fault(self.text, self.at(at).text.start, message)
    }

    /// An error at a place of the text.
    pub fn error_at(&self, start: usize, message: String) -> NotationError {
        fault(self.text, start, message)
    }

    pub fn emit(&mut self, operation: Operation) -> Register {
        self.operations.push(operation);
        self.operations.len() - 1
    }

    pub fn typed(&mut self, kind: Kind, operation: Operation) -> Typed {
        let register = self.emit(operation);
        Typed { kind, register }
    }

    /// A value converted to a type that it has in common with others.
    pub fn convert(&mut self, value: &Typed, kind: &Kind) -> Register {
        match (&value.kind, kind) {
            (Kind::Null, Kind::Flag) => self.emit(Operation::Flag(None)),
            (Kind::Null, Kind::Decimal) => self.emit(Operation::Decimal(None)),
            (Kind::Integer, Kind::Decimal) => self.emit(Operation::ToDecimals(value.register)),
            (Kind::Text(from), Kind::Text(to)) if from != to => {
                let table = from.numbers_in(to);
                self.emit(Operation::LookUpIntegers(value.register, table))
            }
            _ => value.register,
        }
    }

    /// The register of a condition.
    pub fn flag(&mut self, at: At, whose: &str) -> Result<Register, NotationError> {
        let value = self.value(at);
        if !matches!(value.kind, Kind::Flag | Kind::Null) {
            let message = format!(
                "{} is {}, but {whose} needs a condition; compare it, as in plies > 3",
                self.said(at),
                value.kind.name()
            );
            return Err(self.error(at, message));
        }
        Ok(self.convert(&value, &Kind::Flag))
    }

    /// The value of a number.
    pub fn number(&self, at: At, whose: &str) -> Result<Typed, NotationError> {
        let value = self.value(at);
        if value.kind.is_number() {
            return Ok(value);
        }
        let message = format!(
            "{} is {}, but {whose} needs numbers",
            self.said(at),
            value.kind.name()
        );
        Err(self.error(at, message))
    }

    /// The common type of some values.
    pub fn common(&self, nodes: &[At]) -> Result<Kind, NotationError> {
        let mut kind = Kind::Null;
        let mut of = nodes[0];
        for &at in nodes {
            let this = self.value(at).kind;
            kind = match kind.common(&this) {
                Some(kind) => kind,
                None => return Err(self.mismatch(of, at)),
            };
            if this != Kind::Null {
                of = at;
            }
        }
        Ok(kind)
    }

    /// The error for two values that cannot be compared or stand for each other.
    fn mismatch(&self, a: At, b: At) -> NotationError {
        let (of_a, of_b) = (self.value(a).kind, self.value(b).kind);
        let remedy = match (&of_a, &of_b, &self.at(a).part, &self.at(b).part) {
            (kind @ Kind::Themes, ..) | (_, kind @ Kind::Themes, ..) => {
                themes::remedy(kind).to_owned()
            }
            (Kind::Flag, ..) => format!(": write {} or NOT {0}", self.said(a)),
            (_, Kind::Flag, ..) => format!(": write {} or NOT {0}", self.said(b)),
            (_, Kind::Text(_), _, Part::Literal(Literal::Text(text)))
                if text.parse::<f64>().is_ok() =>
            {
                format!(": write {} without quotes", shortened(text))
            }
            _ => String::new(),
        };
        let message = format!(
            "{} is {} and {} is {}{remedy}",
            self.said(a),
            of_a.name(),
            self.said(b),
            of_b.name()
        );
        self.error(b, message)
    }

    fn node(&mut self, at: At) -> Result<Typed, NotationError> {
        // The tree is not changed meanwhile.
        let tree = self.tree;
        Ok(match &tree.nodes[at].part {
            Part::Literal(literal) => self.literal(literal),
            Part::Column { name, quoted } => self.column(at, name, *quoted)?,
            &Part::Not(negated) => {
                let negated = self.flag(negated, "NOT")?;
                self.typed(Kind::Flag, Operation::Not(negated))
            }
            &Part::And(a, b) => {
                let (a, b) = (self.flag(a, "AND")?, self.flag(b, "AND")?);
                self.typed(Kind::Flag, Operation::And(a, b))
            }
            &Part::Or(a, b) => {
                let (a, b) = (self.flag(a, "OR")?, self.flag(b, "OR")?);
                self.typed(Kind::Flag, Operation::Or(a, b))
            }
            &Part::Negative(number) => {
                let number = self.number(number, "-")?;
                if number.kind == Kind::Decimal {
                    self.typed(Kind::Decimal, Operation::OfDecimal(|x| -x, number.register))
                } else {
                    let negate = Operation::OfInteger(i64::checked_neg, number.register);
                    self.typed(Kind::Integer, negate)
                }
            }
            &Part::Arithmetic(operation, a, b) => self.arithmetic(operation, a, b)?,
            &Part::Comparison(comparison, a, b) => {
                self.refuse_null(a, b)?;
                self.check_words(comparison, a, b)?;
                self.compare(comparison, a, b)?
            }
            &Part::Missing(of) => {
                let of = self.value(of).register;
                self.typed(Kind::Flag, Operation::Missing(of))
            }
            &Part::Distinct(a, b) => {
                self.check_words(Comparison::Equal, a, b)?;
                self.distinct(a, b)?
            }
            &Part::Between(value, low, high) => {
                self.common(&[value, low, high])?;
                let above = self.compare(Comparison::AtLeast, value, low)?.register;
                let below = self.compare(Comparison::AtMost, value, high)?.register;
                self.typed(Kind::Flag, Operation::And(above, below))
            }
            Part::In(value, list) => self.among(*value, list)?,
            Part::Like(subject, pattern) if self.value(*subject).kind == Kind::Themes => {
                self.themes_like(*subject, pattern)?
            }
            Part::Like(subject, pattern) => {
                let words = self.words(*subject, "LIKE")?;
                let table = words.table(|word| like(word, pattern));
                let subject = self.value(*subject).register;
                self.typed(Kind::Flag, Operation::LookUpFlags(subject, table))
            }
            Part::Call(function, arguments) => self.call(*function, arguments)?,
            Part::Case {
                operand,
                arms,
                otherwise,
            } => self.case(*operand, arms, *otherwise)?,
        })
    }

    fn literal(&mut self, literal: &Literal) -> Typed {
        match literal {
            Literal::Null => self.typed(Kind::Null, Operation::Integer(None)),
            Literal::Flag(flag) => self.typed(Kind::Flag, Operation::Flag(Some(*flag))),
            Literal::Integer(number) => {
                self.typed(Kind::Integer, Operation::Integer(Some(*number)))
            }
            Literal::Decimal(number) => {
                self.typed(Kind::Decimal, Operation::Decimal(Some(*number)))
            }
            Literal::Text(text) => {
                let words = Words::new([text.clone()]);
                self.typed(Kind::Text(words), Operation::Integer(Some(0)))
            }
        }
    }

    fn column(&mut self, at: At, name: &str, quoted: bool) -> Result<Typed, NotationError> {
        let Some(column) = self.catalogue.find(name) else {
            if name == themes::COLUMN && themes::columns(self.catalogue).next().is_some() {
                // Never NULL.
                return Ok(self.typed(Kind::Themes, Operation::Flag(Some(false))));
            }
            let message = super::names::unknown(name, quoted, self.catalogue);
            return Err(self.error(at, message));
        };
        let (kind, load): (_, fn(usize) -> _) = match &self.catalogue.columns()[column].feature.kind
        {
            FeatureKind::Flag => (Kind::Flag, Operation::LoadFlags),
            FeatureKind::Number => (Kind::Integer, Operation::LoadIntegers),
            FeatureKind::Word(words) => {
                let words = Words::new(words.iter().cloned());
                (Kind::Text(words), Operation::LoadIntegers)
            }
        };
        let register = self.load(column, load);
        Ok(Typed { kind, register })
    }

    /// The register of a column.
    fn load(&mut self, column: usize, load: fn(usize) -> Operation) -> Register {
        if let Some(&register) = self.loaded.get(&column) {
            return register;
        }
        self.columns.push(column);
        let register = self.emit(load(self.columns.len() - 1));
        self.loaded.insert(column, register);
        register
    }

    /// Whether the position has a theme whose name a pattern admits.
    fn themes_like(&mut self, at: At, pattern: &str) -> Result<Typed, NotationError> {
        let found = themes::like(pattern, self.catalogue);
        let columns = found.map_err(|message| self.error(at, message))?;
        let mut any = None;
        for column in columns {
            let has = self.load(column, Operation::LoadFlags);
            any = Some(any.map_or(has, |any| self.emit(Operation::Or(any, has))));
        }
        let register = any.unwrap_or_else(|| self.emit(Operation::Flag(Some(false))));
        let kind = Kind::Flag;
        Ok(Typed { kind, register })
    }

    pub fn arithmetic(&mut self, of: Arithmetic, a: At, b: At) -> Result<Typed, NotationError> {
        let (left, right) = (self.number(a, "arithmetic")?, self.number(b, "arithmetic")?);
        let decimal = left.kind == Kind::Decimal || right.kind == Kind::Decimal;
        let kind = if decimal || of == Arithmetic::Divide {
            Kind::Decimal
        } else {
            Kind::Integer
        };
        let (left, right) = (self.convert(&left, &kind), self.convert(&right, &kind));
        let operation = match kind {
            Kind::Decimal => Operation::Decimals(of, left, right),
            _ => Operation::Integers(of, left, right),
        };
        Ok(self.typed(kind, operation))
    }

    /// The words of a text.
    pub fn words(&self, at: At, whose: &str) -> Result<Words, NotationError> {
        match self.value(at).kind {
            Kind::Text(words) => Ok(words),
            Kind::Null => Ok(Words::new([])),
            kind => {
                let message = format!(
                    "{} is {}, but {whose} needs a text",
                    self.said(at),
                    kind.name()
                );
                Err(self.error(at, message))
            }
        }
    }
}
