//! Checks the types of a condition and compiles it.

use std::ops::{Range, RangeInclusive};

use indexmap::IndexMap;

use super::fault;
use super::parser::{Arithmetic, At, Comparison, Expression, Node, Signature};
use super::program::{Operation, Program, Register, order};
use super::token::{Literal, Words, like, shortened};
use crate::game::{Feature, FeatureKind, NotationError};
use crate::mine::columns::Catalogue;
use crate::mine::error::nearest;

#[derive(Debug, Clone)]
pub(super) struct Typed {
    pub kind: ValueType,
    pub register: Register,
}

/// Compiles a part of a condition: a range of the tree's nodes, the last of which must be
/// true or false.
pub(super) fn compile(
    text: &str,
    nodes: &[Node],
    range: Range<At>,
    catalogue: &Catalogue,
) -> Result<Program, NotationError> {
    let mut compiler = Compiler {
        text,
        nodes,
        first: range.start,
        catalogue,
        operations: Vec::new(),
        values: Vec::new(),
        loaded: IndexMap::new(),
    };
    for at in range.clone() {
        let value = compiler.node(at)?;
        compiler.values.push(value);
    }
    let whole = range.end - 1;
    let value = compiler.value(whole);
    if value.kind == ValueType::Null {
        let message = "the condition is NULL, which is never true".to_owned();
        return Err(compiler.error(whole, message));
    }
    if value.kind != ValueType::Flag {
        let said = compiler.said(whole);
        let remedy = match value.kind {
            ValueType::Text(_) => "compare it, as in outcome = 'win'",
            _ => "compare it, as in plies > 3",
        };
        let kind = value.kind.name();
        let message = format!("{said} is {kind}, but a condition is true or false: {remedy}");
        return Err(compiler.error(whole, message));
    }
    // The answer is what the last operation yields.
    if value.register + 1 != compiler.operations.len() {
        compiler.emit(Operation::And, &[value.register, value.register]);
    }
    let columns = compiler.loaded.into_keys().collect();
    let text = &text[nodes[whole].text.clone()];
    Ok(Program::new(text, compiler.operations, columns))
}

pub(super) struct Compiler<'a> {
    text: &'a str,
    nodes: &'a [Node],
    first: At,
    catalogue: &'a Catalogue,
    operations: Vec<(Operation, Vec<Register>)>,
    values: Vec<Typed>,
    /// The registers of columns, by index in the catalogue.
    loaded: IndexMap<usize, Register>,
}

impl Compiler<'_> {
    pub(super) fn at(&self, at: At) -> &Node {
        &self.nodes[at]
    }

    /// The value of a node before.
    pub(super) fn value(&self, at: At) -> Typed {
        self.values[at - self.first].clone()
    }

    /// The text of a node, for messages.
    pub(super) fn said(&self, at: At) -> String {
        shortened(&self.text[self.at(at).text.clone()])
    }

    pub(super) fn error(&self, at: At, message: String) -> NotationError {
        fault(self.text, self.at(at).text.start, message)
    }

    /// Adds an operation on the values of some registers.
    fn emit(&mut self, operation: Operation, of: &[Register]) -> Register {
        self.operations.push((operation, of.to_vec()));
        self.operations.len() - 1
    }

    fn typed(&mut self, kind: ValueType, operation: Operation, of: &[Register]) -> Typed {
        let register = self.emit(operation, of);
        Typed { kind, register }
    }

    /// A value converted to a type that it has in common with others.
    fn convert(&mut self, at: At, kind: &ValueType) -> Register {
        let value = self.value(at);
        match (&value.kind, kind) {
            (ValueType::Null, ValueType::Flag | ValueType::Decimal) => self.null(kind),
            (ValueType::Integer, ValueType::Decimal) => {
                self.emit(Operation::ToDecimals, &[value.register])
            }
            (ValueType::Text(from), ValueType::Text(to)) if from != to => {
                let table = from.numbers_in(to);
                self.emit(Operation::LookUpIntegers(table), &[value.register])
            }
            _ => value.register,
        }
    }

    /// The register of a condition.
    pub(super) fn flag(&mut self, at: At, whose: &str) -> Result<Register, NotationError> {
        if !matches!(self.value(at).kind, ValueType::Flag | ValueType::Null) {
            return Err(self.misfit(at, whose, "a condition; compare it, as in plies > 3"));
        }
        Ok(self.convert(at, &ValueType::Flag))
    }

    pub(super) fn number(&self, at: At, whose: &str) -> Result<Typed, NotationError> {
        let value = self.value(at);
        match value.kind {
            ValueType::Null | ValueType::Integer | ValueType::Decimal => Ok(value),
            _ => Err(self.misfit(at, whose, "numbers")),
        }
    }

    /// The error for a value of a type that something else needs.
    fn misfit(&self, at: At, whose: &str, needs: &str) -> NotationError {
        let (said, is) = (self.said(at), self.value(at).kind.name());
        self.error(at, format!("{said} is {is}, but {whose} needs {needs}"))
    }

    pub(super) fn common(&self, nodes: &[At]) -> Result<ValueType, NotationError> {
        let mut kind = ValueType::Null;
        let mut of = nodes[0];
        for &at in nodes {
            let this = self.value(at).kind;
            if this == ValueType::Themes {
                let other = nodes.iter().find(|&&other| other != at);
                return Err(self.mismatch(at, *other.unwrap_or(&at)));
            }
            kind = match kind.common(&this) {
                Some(kind) => kind,
                None => return Err(self.mismatch(of, at)),
            };
            if this != ValueType::Null {
                of = at;
            }
        }
        Ok(kind)
    }

    /// The error for two values that cannot be compared or stand for each other.
    fn mismatch(&self, a: At, b: At) -> NotationError {
        let (of_a, of_b) = (self.value(a).kind, self.value(b).kind);
        let remedy = match (&of_a, &of_b, &self.at(a).part, &self.at(b).part) {
            (kind @ ValueType::Themes, ..) | (_, kind @ ValueType::Themes, ..) => {
                kind.remedy().to_owned()
            }
            (ValueType::Flag, ..) => format!(": write {} or NOT {0}", self.said(a)),
            (_, ValueType::Flag, ..) => format!(": write {} or NOT {0}", self.said(b)),
            (_, ValueType::Text(_), _, Expression::Literal(Literal::Text(text)))
                if text.parse::<f64>().is_ok() =>
            {
                format!(": write {} without quotes", shortened(text))
            }
            _ => String::new(),
        };
        let (said_a, said_b) = (self.said(a), self.said(b));
        let (of_a, of_b) = (of_a.name(), of_b.name());
        let message = format!("{said_a} is {of_a} and {said_b} is {of_b}{remedy}");
        self.error(b, message)
    }

    fn node(&mut self, at: At) -> Result<Typed, NotationError> {
        // The nodes do not change here.
        let nodes = self.nodes;
        Ok(match &nodes[at].part {
            Expression::Literal(literal) => self.literal(literal),
            Expression::Column { name, quoted } => self.column(at, name, *quoted)?,
            &Expression::Not(negated) => {
                let negated = self.flag(negated, "NOT")?;
                self.typed(ValueType::Flag, Operation::Not, &[negated])
            }
            &Expression::And(a, b) => {
                let (a, b) = (self.flag(a, "AND")?, self.flag(b, "AND")?);
                self.typed(ValueType::Flag, Operation::And, &[a, b])
            }
            &Expression::Or(a, b) => {
                let (a, b) = (self.flag(a, "OR")?, self.flag(b, "OR")?);
                self.typed(ValueType::Flag, Operation::Or, &[a, b])
            }
            &Expression::Negative(number) => {
                self.of_number(number, "-", i64::checked_neg, |number| -number)?
            }
            &Expression::Arithmetic(operation, a, b) => self.arithmetic(operation, a, b)?,
            &Expression::Comparison(comparison, a, b) => {
                self.refuse_null(a, b)?;
                if matches!(comparison, Comparison::Equal | Comparison::Unequal) {
                    self.check_words(a, b)?;
                }
                self.compare(comparison, a, b)?
            }
            &Expression::Missing(of) => {
                let of = self.value(of).register;
                self.typed(ValueType::Flag, Operation::Missing, &[of])
            }
            &Expression::Distinct(a, b) => {
                self.check_words(a, b)?;
                self.distinct(a, b)?
            }
            &Expression::Between(value, low, high) => {
                self.common(&[value, low, high])?;
                let above = self.compare(Comparison::AtLeast, value, low)?.register;
                let below = self.compare(Comparison::AtMost, value, high)?.register;
                self.typed(ValueType::Flag, Operation::And, &[above, below])
            }
            Expression::In(value, list) => self.among(*value, list)?,
            Expression::Like(subject, pattern)
                if self.value(*subject).kind == ValueType::Themes =>
            {
                self.themes_like(*subject, pattern)?
            }
            Expression::Like(subject, pattern) => {
                let words = self.words(*subject, "LIKE")?;
                let table = words.table(|word| like(word, pattern));
                let subject = self.value(*subject).register;
                self.typed(ValueType::Flag, Operation::LookUpFlags(table), &[subject])
            }
            Expression::Call(number, arguments) => (FUNCTIONS[*number].2)(self, arguments)?,
            Expression::Case {
                operand,
                arms,
                otherwise,
            } => self.case(*operand, arms, *otherwise)?,
        })
    }

    fn literal(&mut self, literal: &Literal) -> Typed {
        let operation = match literal {
            Literal::Null => Operation::Integer(None),
            Literal::Flag(flag) => Operation::Flag(Some(*flag)),
            Literal::Integer(number) => Operation::Integer(Some(*number)),
            Literal::Decimal(number) => Operation::Decimal(Some(*number)),
            Literal::Text(_) => Operation::Integer(Some(0)),
        };
        self.typed(ValueType::of(literal), operation, &[])
    }

    fn column(&mut self, at: At, name: &str, quoted: bool) -> Result<Typed, NotationError> {
        let Some(column) = self.catalogue.find(name) else {
            if name == THEMES && themes(self.catalogue).next().is_some() {
                // Never NULL.
                return Ok(self.typed(ValueType::Themes, Operation::Flag(Some(false)), &[]));
            }
            return Err(self.error(at, unknown(name, quoted, self.catalogue)));
        };
        let feature = &self.catalogue.columns[column].feature;
        let (kind, load): (_, fn(usize) -> _) = match &feature.kind {
            FeatureKind::Word(words) if feature.unit == Feature::DECIMAL => {
                let numbers = words.iter().map(|word| word.parse().unwrap_or(f64::NAN));
                let look_up = Operation::LookUpDecimals(numbers.collect());
                let place = self.load(column, Operation::LoadIntegers);
                return Ok(self.typed(ValueType::Decimal, look_up, &[place]));
            }
            FeatureKind::Flag => (ValueType::Flag, Operation::LoadFlags),
            FeatureKind::Number => (ValueType::Integer, Operation::LoadIntegers),
            FeatureKind::Word(words) => {
                let words = Words::new(words.iter().cloned());
                (ValueType::Text(words), Operation::LoadIntegers)
            }
        };
        let register = self.load(column, load);
        Ok(Typed { kind, register })
    }

    fn load(&mut self, column: usize, load: fn(usize) -> Operation) -> Register {
        if let Some(&register) = self.loaded.get(&column) {
            return register;
        }
        let register = self.emit(load(self.loaded.len()), &[]);
        self.loaded.insert(column, register);
        register
    }

    /// Whether the position has a theme that a pattern `%...%` admits: one in whose name the part
    /// between the marks occurs.
    fn themes_like(&mut self, at: At, pattern: &str) -> Result<Typed, NotationError> {
        let catalogue = self.catalogue;
        let inside = pattern.strip_prefix('%');
        let inside = inside.and_then(|rest| rest.strip_suffix('%'));
        let Some(inside) =
            inside.filter(|inside| !inside.is_empty() && !inside.contains(['%', ' ']))
        else {
            let message = "themes are asked for one by one: write themes LIKE '%quiet-key%' AND themes LIKE '%decoy%'";
            return Err(self.error(at, message.to_owned()));
        };
        let found = themes(catalogue).filter(|(name, _)| like(name, pattern));
        let flags = found.map(|(_, column)| self.load(column, Operation::LoadFlags));
        let flags = flags.collect::<Vec<_>>().into_iter();
        if let Some(register) = flags.reduce(|any, has| self.emit(Operation::Or, &[any, has])) {
            let kind = ValueType::Flag;
            return Ok(Typed { kind, register });
        }
        let names: Vec<String> = themes(catalogue).map(|(name, _)| name).collect();
        let near = nearest(inside, names.iter().map(String::as_str));
        let remedy = match near.first() {
            Some(near) => format!("did you mean '%{near}%'?"),
            None => format!("the themes are {}", names.join(", ")),
        };
        let inside = shortened(inside);
        Err(self.error(at, format!("no theme has '{inside}' in its name: {remedy}")))
    }

    pub(super) fn arithmetic(
        &mut self,
        of: Arithmetic,
        a: At,
        b: At,
    ) -> Result<Typed, NotationError> {
        let (left, right) = (self.number(a, "arithmetic")?, self.number(b, "arithmetic")?);
        let decimal = left.kind == ValueType::Decimal || right.kind == ValueType::Decimal;
        let kind = if decimal || of == Arithmetic::Divide {
            ValueType::Decimal
        } else {
            ValueType::Integer
        };
        let of_both = [a, b].map(|at| self.convert(at, &kind));
        Ok(self.typed(kind, Operation::Arithmetic(of), &of_both))
    }

    pub(super) fn words(&self, at: At, whose: &str) -> Result<Words, NotationError> {
        match self.value(at).kind {
            ValueType::Text(words) => Ok(words),
            ValueType::Null => Ok(Words::new([])),
            _ => Err(self.misfit(at, whose, "a text")),
        }
    }

    /// Refuses a comparison with NULL, which is never true.
    pub(super) fn refuse_null(&self, a: At, b: At) -> Result<(), NotationError> {
        for (null, other) in [(a, b), (b, a)] {
            if self.at(null).part == Expression::Literal(Literal::Null) {
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
    fn check_words(&self, a: At, b: At) -> Result<(), NotationError> {
        for (literal, other) in [(a, b), (b, a)] {
            let is_literal = |at: At| matches!(self.at(at).part, Expression::Literal(_));
            if let Expression::Literal(Literal::Text(text)) = &self.at(literal).part
                && !is_literal(other)
                && let ValueType::Text(words) = self.value(other).kind
                && let Some(message) = words.misses(text, &self.said(other))
            {
                return Err(self.error(literal, message));
            }
        }
        Ok(())
    }

    pub(super) fn compare(&mut self, of: Comparison, a: At, b: At) -> Result<Typed, NotationError> {
        let (kind, both) = self.alike(&[a, b])?;
        if kind == ValueType::Flag && !matches!(of, Comparison::Equal | Comparison::Unequal) {
            let message = format!("{} is true or false, which have no order", self.said(a));
            return Err(self.error(a, message));
        }
        Ok(self.typed(ValueType::Flag, Operation::Compare(of), &both))
    }

    /// Two values compared, with NULL as a value of its own.
    pub(super) fn distinct(&mut self, a: At, b: At) -> Result<Typed, NotationError> {
        let unequal = self.compare(Comparison::Unequal, a, b)?.register;
        let [a, b] = [a, b].map(|at| self.emit(Operation::Missing, &[self.value(at).register]));
        let one = self.emit(Operation::Compare(Comparison::Unequal), &[a, b]);
        let any = self.emit(Operation::Or, &[a, b]);
        Ok(self.typed(ValueType::Flag, Operation::Choose, &[any, one, unequal]))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ValueType {
    /// Always NULL, which takes any type.
    Null,
    Flag,
    Integer,
    Decimal,
    Text(Words),
    /// The names of the themes, which only LIKE can ask for.
    Themes,
}

impl ValueType {
    fn of(literal: &Literal) -> Self {
        match literal {
            Literal::Null => Self::Null,
            Literal::Flag(_) => Self::Flag,
            Literal::Integer(_) => Self::Integer,
            Literal::Decimal(_) => Self::Decimal,
            Literal::Text(text) => Self::Text(Words::new([text.clone()])),
        }
    }

    /// What a value of the type is, for messages.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Flag => "true or false",
            Self::Integer | Self::Decimal => "a number",
            Self::Text(_) => "a text",
            Self::Themes => "a list of themes",
        }
    }

    /// What to write instead of what only other types can have.
    pub(super) const fn remedy(&self) -> &'static str {
        match self {
            Self::Themes => ": write themes LIKE '%quiet-key%', or theme_quiet_key",
            _ => "",
        }
    }

    /// The type that values of both can be converted to; `None` if there is none.
    pub(super) fn common(&self, other: &Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Null, kind) | (kind, Self::Null) => kind.clone(),
            (Self::Flag, Self::Flag) => Self::Flag,
            (Self::Integer, Self::Integer) => Self::Integer,
            (Self::Integer | Self::Decimal, Self::Integer | Self::Decimal) => Self::Decimal,
            // In alphabetical order, so that the numbers of words compare as the words do.
            (Self::Text(a), Self::Text(b)) => Self::Text(Words::merged([a, b])),
            _ => return None,
        })
    }
}

pub(super) fn unknown(name: &str, quoted: bool, catalogue: &Catalogue) -> String {
    let shown = shortened(name);
    let is_word = catalogue.columns.iter().any(|column| {
        matches!(&column.feature.kind, FeatureKind::Word(words) if words.iter().any(|word| word == name))
    });
    let near = catalogue.nearest(name);
    let remedy = if is_word {
        format!("write a text in single quotes: '{shown}'")
    } else if !near.is_empty() {
        format!("did you mean {}?", near.join(" or "))
    } else if catalogue.of_rows && !quoted {
        "puzzles have the columns of their file, stars, and flags such as theme_quiet_key"
            .to_owned()
    } else if name == THEMES {
        "this game has no themes".to_owned()
    } else if quoted {
        format!("double quotes name a column; write a text in single quotes: '{shown}'")
    } else {
        "'tesuji features' lists all columns".to_owned()
    };
    let marks = if quoted { "\"" } else { "'" };
    format!("unknown column {marks}{shown}{marks}: {remedy}")
}

/// The themes of a position as a text, as the column of puzzles has them: their names with
/// spaces between. Each is a flag of its own.
const THEMES: &str = "themes";

/// The beginning of the names of columns about one theme.
const THEME: &str = "theme_";

/// The themes of a game by name, such as `quiet-key`, with their columns.
fn themes(catalogue: &Catalogue) -> impl Iterator<Item = (String, usize)> {
    let columns = catalogue.columns.iter().enumerate();
    columns.filter_map(|(place, column)| {
        let name = column.feature.name.strip_prefix(THEME)?;
        Some((name.replace('_', "-"), place))
    })
}

pub(super) fn signatures() -> Vec<Signature> {
    let functions = FUNCTIONS.iter();
    functions.map(|(name, of, _)| (*name, of.clone())).collect()
}

/// A function of the values of one row: its name, the number of its arguments, and what makes
/// operations of it.
type Function = (
    &'static str,
    RangeInclusive<usize>,
    fn(&mut Compiler<'_>, &[At]) -> Result<Typed, NotationError>,
);

/// As many arguments as there are, but one.
const SOME: RangeInclusive<usize> = 1..=usize::MAX;

/// All functions, in alphabetical order.
static FUNCTIONS: [Function; 14] = [
    ("ABS", 1..=1, |it, of| {
        it.of_number(of[0], "ABS", i64::checked_abs, f64::abs)
    }),
    ("CEIL", 1..=1, |it, of| {
        it.of_number(of[0], "CEIL", Some, f64::ceil)
    }),
    ("CEILING", 1..=1, |it, of| {
        it.of_number(of[0], "CEIL", Some, f64::ceil)
    }),
    ("COALESCE", SOME, |it, of| {
        it.folded(of, |it, a, b| {
            let missing = it.emit(Operation::Missing, &[a]);
            it.emit(Operation::Choose, &[missing, b, a])
        })
    }),
    ("FLOOR", 1..=1, |it, of| {
        it.of_number(of[0], "FLOOR", Some, f64::floor)
    }),
    ("GREATEST", SOME, |it, of| {
        it.extreme(Comparison::AtLeast, "GREATEST", of)
    }),
    ("LEAST", SOME, |it, of| {
        it.extreme(Comparison::AtMost, "LEAST", of)
    }),
    ("LENGTH", 1..=1, |it, of| {
        let length = |word: &String| i64::try_from(word.chars().count()).unwrap_or(i64::MAX);
        let lengths = Operation::LookUpIntegers(it.words(of[0], "LENGTH")?.table(length));
        Ok(it.typed(ValueType::Integer, lengths, &[it.value(of[0]).register]))
    }),
    ("LOWER", 1..=1, |it, of| {
        it.of_text(of[0], "LOWER", |word| word.to_lowercase())
    }),
    ("MOD", 2..=2, |it, of| {
        it.arithmetic(Arithmetic::Modulo, of[0], of[1])
    }),
    ("NULLIF", 2..=2, |it, of| {
        let equal = it.compare(Comparison::Equal, of[0], of[1])?;
        let value = it.value(of[0]);
        let of = [equal.register, it.null(&value.kind), value.register];
        Ok(it.typed(value.kind, Operation::Choose, &of))
    }),
    ("ROUND", 1..=1, |it, of| {
        it.of_number(of[0], "ROUND", Some, f64::round_ties_even)
    }),
    ("SIGN", 1..=1, |it, of| {
        it.of_number(of[0], "SIGN", |n| Some(n.signum()), sign)
    }),
    ("UPPER", 1..=1, |it, of| {
        it.of_text(of[0], "UPPER", |word| word.to_uppercase())
    }),
];

impl Compiler<'_> {
    /// A value of a type, or NULL.
    fn null(&mut self, kind: &ValueType) -> Register {
        let null = match kind {
            ValueType::Flag => Operation::Flag(None),
            ValueType::Decimal => Operation::Decimal(None),
            ValueType::Null | ValueType::Integer | ValueType::Text(_) | ValueType::Themes => {
                Operation::Integer(None)
            }
        };
        self.emit(null, &[])
    }

    /// A function of a number, which has the number's type.
    fn of_number(
        &mut self,
        at: At,
        name: &str,
        of_integer: fn(i64) -> Option<i64>,
        of_decimal: fn(f64) -> f64,
    ) -> Result<Typed, NotationError> {
        let Typed { kind, register } = self.number(at, name)?;
        let (kind, function) = match kind {
            ValueType::Decimal => (kind, Operation::OfDecimal(of_decimal)),
            _ => (ValueType::Integer, Operation::OfInteger(of_integer)),
        };
        Ok(self.typed(kind, function, &[register]))
    }

    /// A function of a text, whose words are known.
    fn of_text(
        &mut self,
        at: At,
        name: &str,
        function: impl FnMut(&String) -> String,
    ) -> Result<Typed, NotationError> {
        let words = Words::new(self.words(at, name)?.table(function).iter().cloned());
        let register = self.value(at).register;
        let kind = ValueType::Text(words);
        Ok(Typed { kind, register })
    }

    /// The common type of some values, and the values converted to it.
    fn alike(&mut self, nodes: &[At]) -> Result<(ValueType, Vec<Register>), NotationError> {
        let kind = self.common(nodes)?;
        let registers = nodes.iter().map(|&at| self.convert(at, &kind)).collect();
        Ok((kind, registers))
    }

    /// Combines values two at a time, from the left.
    fn folded(
        &mut self,
        nodes: &[At],
        mut combine: impl FnMut(&mut Self, Register, Register) -> Register,
    ) -> Result<Typed, NotationError> {
        let (kind, registers) = self.alike(nodes)?;
        let rest = registers[1..].iter();
        let register = rest.fold(registers[0], |all, &next| combine(self, all, next));
        Ok(Typed { kind, register })
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
        self.folded(nodes, |compiler, a, b| {
            let better = compiler.emit(Operation::Compare(better), &[a, b]);
            let alone = compiler.emit(Operation::Missing, &[b]);
            let first = compiler.emit(Operation::Or, &[better, alone]);
            compiler.emit(Operation::Choose, &[first, a, b])
        })
    }

    pub(super) fn among(
        &mut self,
        at: At,
        list: &[(Literal, usize)],
    ) -> Result<Typed, NotationError> {
        let value = self.value(at);
        for (literal, start) in list {
            if let (ValueType::Text(words), Literal::Text(text)) = (&value.kind, literal) {
                match words.misses(text, &self.said(at)) {
                    Some(message) => return Err(fault(self.text, *start, message)),
                    None => continue,
                }
            }
            let of_literal = ValueType::of(literal);
            if value.kind.common(&of_literal).is_none() {
                let (said, kind) = (self.said(at), value.kind.name());
                let (literal, remedy) = (of_literal.name(), value.kind.remedy());
                let message = format!("{said} is {kind} and this is {literal}{remedy}");
                return Err(fault(self.text, *start, message));
            }
        }
        let (operation, register) = match &value.kind {
            ValueType::Text(words) => {
                let is_it =
                    |it: &Literal, word: &String| matches!(it, Literal::Text(text) if text == word);
                let is_in = |word: &String| list.iter().any(|(it, _)| is_it(it, word));
                (Operation::LookUpFlags(words.table(is_in)), value.register)
            }
            ValueType::Flag => {
                let has = |flag| list.iter().any(|(it, _)| *it == Literal::Flag(flag));
                let table = [has(false), has(true)].into();
                let numbers = self.emit(Operation::FlagsToIntegers, &[value.register]);
                (Operation::LookUpFlags(table), numbers)
            }
            ValueType::Null | ValueType::Integer | ValueType::Decimal | ValueType::Themes => {
                self.among_numbers(at, list)
            }
        };
        Ok(self.typed(ValueType::Flag, operation, &[register]))
    }

    fn among_numbers(&mut self, at: At, list: &[(Literal, usize)]) -> (Operation, Register) {
        let value = self.value(at);
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
            return (Operation::AmongIntegers(integers.into()), value.register);
        }
        decimals.sort_unstable_by(|&a, &b| order(a, b));
        let register = self.convert(at, &ValueType::Decimal);
        (Operation::AmongDecimals(decimals.into()), register)
    }

    /// The value of the first arm whose condition is true.
    pub(super) fn case(
        &mut self,
        operand: Option<At>,
        arms: &[(At, At)],
        otherwise: Option<At>,
    ) -> Result<Typed, NotationError> {
        let results = arms.iter().map(|&(_, then)| then).chain(otherwise);
        let (kind, registers) = self.alike(&results.collect::<Vec<At>>())?;
        let otherwise = registers.get(arms.len()).copied();
        let mut register = otherwise.unwrap_or_else(|| self.null(&kind));
        for (&(when, _), &then) in arms.iter().zip(&registers).rev() {
            let holds = match operand {
                Some(operand) => {
                    self.check_words(operand, when)?;
                    self.compare(Comparison::Equal, operand, when)?.register
                }
                None => self.flag(when, "WHEN")?,
            };
            register = self.emit(Operation::Choose, &[holds, then, register]);
        }
        Ok(Typed { kind, register })
    }
}

/// The sign of a number: -1, 0 or 1.
fn sign(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number.signum() }
}
