//! The grammar of conditions.
//!
//! ```text
//! condition  = conjunction { OR conjunction }
//! conjunction = negation { AND negation }
//! negation   = NOT negation | predicate
//! predicate  = sum [ sign sum
//!                  | [NOT] BETWEEN sum AND sum
//!                  | [NOT] IN ( literal { , literal } )
//!                  | [NOT] LIKE text
//!                  | IS [NOT] NULL
//!                  | IS [NOT] DISTINCT FROM sum ]
//! sum        = product { (+ | -) product }
//! product    = factor { (* | / | %) factor }
//! factor     = (- | +) factor | value
//! value      = literal | column | function ( condition { , condition } )
//!            | CASE [condition] { WHEN condition THEN condition } [ELSE condition] END
//!            | ( condition )
//! ```
//!
//! A sign is `=`, `<>`, `!=`, `<`, `<=`, `>` or `>=`. That a condition is one value among
//! others here, as in SQL, is put right by the check of types.

use std::ops::{Range, RangeInclusive};

use super::token::{
    Literal, Placed, Token, keyword, left_over, refuse_value, shortened, tokens, unknown_function,
};
use super::{DEEPEST, LONGEST, MOST_NODES, fault};
use crate::game::NotationError;

/// The name of a function, and how many arguments it takes.
pub(super) type Signature = (&'static str, RangeInclusive<usize>);

/// The nodes of a condition, the last of which is the whole.
pub(super) fn parse(text: &str, functions: &[Signature]) -> Result<Vec<Node>, NotationError> {
    if text.len() > LONGEST {
        let message =
            format!("the condition is longer than {LONGEST} bytes; write several filters");
        return Err(fault(text, LONGEST, message));
    }
    let mut parser = Parser {
        text,
        functions,
        tokens: tokens(text)?,
        next: 0,
        nodes: Vec::new(),
        depth: 0,
    };
    parser.condition()?;
    let over = parser.peek();
    if over.token != Token::End {
        return Err(left_over(text, over, parser.before()));
    }
    Ok(parser.nodes)
}

pub(super) struct Parser<'t> {
    pub text: &'t str,
    functions: &'t [Signature],
    pub tokens: Vec<Placed>,
    pub next: usize,
    nodes: Vec<Node>,
    depth: usize,
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> &Placed {
        &self.tokens[self.next]
    }

    fn before(&self) -> Option<&Placed> {
        self.tokens[..self.next].last()
    }

    pub(super) fn take(&mut self) -> Placed {
        let taken = self.peek().clone();
        if taken.token != Token::End {
            self.next += 1;
        }
        taken
    }

    /// Takes a keyword or a sign if it comes next.
    pub(super) fn took(&mut self, wanted: &str) -> bool {
        let comes = self.peek().token.is(wanted);
        self.next += usize::from(comes);
        comes
    }

    pub(super) fn unexpected(&self, expected: &str) -> NotationError {
        let here = self.peek();
        let found = here.token.found(&self.text[here.start..here.end]);
        fault(self.text, here.start, format!("{found}, but {expected}"))
    }

    pub(super) fn expect(&mut self, wanted: &str, after: &str) -> Result<(), NotationError> {
        if self.took(wanted) {
            return Ok(());
        }
        Err(self.unexpected(&format!("{wanted} must follow {after}")))
    }

    /// Adds a node whose text begins at `first` and ends before the next token; messages
    /// point to `start`.
    pub(super) fn add(
        &mut self,
        part: Expression,
        start: usize,
        first: usize,
    ) -> Result<At, NotationError> {
        if self.nodes.len() == MOST_NODES {
            let message = format!(
                "the condition has more than {MOST_NODES} parts; use IN and BETWEEN, or write several filters"
            );
            return Err(fault(self.text, start, message));
        }
        let end = self.before().map_or(first, |before| before.end);
        self.nodes.push(Node {
            part,
            text: first..end,
        });
        Ok(self.nodes.len() - 1)
    }

    /// Reads something that may contain itself.
    pub(crate) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, NotationError>,
    ) -> Result<T, NotationError> {
        if self.depth == DEEPEST {
            let message = format!(
                "more than {DEEPEST} parentheses, signs or NOT within each other; write the condition more simply"
            );
            return Err(fault(self.text, self.peek().start, message));
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Operands joined by operators of one rank, from the left.
    fn joined(
        &mut self,
        operand: fn(&mut Self) -> Result<At, NotationError>,
        operators: &[(&str, Joint)],
    ) -> Result<At, NotationError> {
        let first = self.peek().start;
        let mut left = operand(self)?;
        loop {
            let next = &self.peek().token;
            let Some((_, part)) = operators.iter().find(|(sign, _)| next.is(sign)) else {
                return Ok(left);
            };
            let start = self.take().start;
            let right = operand(self)?;
            left = self.add(part(left, right), start, first)?;
        }
    }

    pub(super) fn condition(&mut self) -> Result<At, NotationError> {
        let conjunction =
            |parser: &mut Self| parser.joined(Self::negation, &[("AND", Expression::And)]);
        self.deeper(|parser| parser.joined(conjunction, &[("OR", Expression::Or)]))
    }

    fn negation(&mut self) -> Result<At, NotationError> {
        if !self.peek().token.is("NOT") {
            return self.predicate();
        }
        let start = self.take().start;
        let negated = self.deeper(Self::negation)?;
        self.add(Expression::Not(negated), start, start)
    }

    fn predicate(&mut self) -> Result<At, NotationError> {
        let first = self.peek().start;
        let left = self.sum()?;
        let start = self.peek().start;
        let mut negated = false;
        let part = if let Some(comparison) = self.comparison() {
            Expression::Comparison(comparison, left, self.sum()?)
        } else if self.took("IS") {
            negated = self.took("NOT");
            if self.took("NULL") {
                Expression::Missing(left)
            } else if self.took("DISTINCT") {
                self.expect("FROM", "IS DISTINCT")?;
                Expression::Distinct(left, self.sum()?)
            } else {
                return Err(self.unexpected(
                    "after IS come NULL, NOT NULL or DISTINCT FROM; for a column that is true or false, write its name or NOT before it",
                ));
            }
        } else {
            negated = self.took("NOT");
            if self.took("BETWEEN") {
                let low = self.sum()?;
                self.expect("AND", "the first bound of BETWEEN")?;
                Expression::Between(left, low, self.sum()?)
            } else if self.took("IN") {
                Expression::In(left, self.list()?)
            } else if self.took("LIKE") {
                Expression::Like(left, self.pattern()?)
            } else if negated {
                return Err(
                    self.unexpected("after a value, NOT begins NOT IN, NOT LIKE or NOT BETWEEN")
                );
            } else {
                return Ok(left);
            }
        };
        let mut whole = self.add(part, start, first)?;
        if negated {
            whole = self.add(Expression::Not(whole), start, first)?;
        }
        // Readers and other engines would group a second comparison differently.
        let here = self.peek().start;
        let next = &self.peek().token;
        let mut words = ["IS", "IN", "LIKE", "BETWEEN"].iter();
        if words.any(|word| next.is(word)) || self.comparison().is_some() {
            let message = "a comparison follows a comparison: join them by AND, or set parentheses";
            return Err(fault(self.text, here, message));
        }
        Ok(whole)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let Token::Sign(sign) = self.peek().token else {
            return None;
        };
        let comparison = match sign {
            "=" => Comparison::Equal,
            "<>" | "!=" => Comparison::Unequal,
            "<" => Comparison::Less,
            "<=" => Comparison::AtMost,
            ">" => Comparison::Greater,
            ">=" => Comparison::AtLeast,
            _ => return None,
        };
        self.next += 1;
        Some(comparison)
    }

    fn list(&mut self) -> Result<Vec<(Literal, usize)>, NotationError> {
        self.expect("(", "IN")?;
        let mut list = Vec::new();
        loop {
            let start = self.peek().start;
            let negative = self.took("-");
            let literal = match (self.take().token, negative) {
                (Token::Literal(Literal::Integer(number)), true) => Literal::Integer(-number),
                (Token::Literal(Literal::Decimal(number)), true) => Literal::Decimal(-number),
                (token, false) => token.literal().unwrap_or(Literal::Null),
                _ => Literal::Null,
            };
            if literal == Literal::Null {
                let mut words = self.text[start..].split(|c: char| !c.is_alphanumeric());
                refuse_value(self.text, start, words.next().unwrap_or_default())?;
                let message = "in the list of IN stand numbers, texts, TRUE and FALSE; write conditions on NULL or columns apart, joined by OR";
                return Err(fault(self.text, start, message));
            }
            list.push((literal, start));
            if !self.took(",") {
                self.expect(")", "the list of IN")?;
                return Ok(list);
            }
        }
    }

    fn pattern(&mut self) -> Result<String, NotationError> {
        let Token::Literal(Literal::Text(pattern)) = self.peek().token.clone() else {
            return Err(self.unexpected(
                "after LIKE comes a text in single quotes, with % for any characters and _ for one",
            ));
        };
        self.next += 1;
        if self.peek().token.is("ESCAPE") {
            return Err(self.unexpected("the pattern of LIKE has no escape character"));
        }
        Ok(pattern)
    }

    fn sum(&mut self) -> Result<At, NotationError> {
        let operators: [(&str, Joint); 2] = [
            ("+", |a, b| Expression::Arithmetic(Arithmetic::Plus, a, b)),
            ("-", |a, b| Expression::Arithmetic(Arithmetic::Minus, a, b)),
        ];
        self.joined(Self::product, &operators)
    }

    fn product(&mut self) -> Result<At, NotationError> {
        let operators: [(&str, Joint); 3] = [
            ("*", |a, b| Expression::Arithmetic(Arithmetic::Times, a, b)),
            ("/", |a, b| Expression::Arithmetic(Arithmetic::Divide, a, b)),
            ("%", |a, b| Expression::Arithmetic(Arithmetic::Modulo, a, b)),
        ];
        self.joined(Self::factor, &operators)
    }

    fn factor(&mut self) -> Result<At, NotationError> {
        let start = self.peek().start;
        if self.took("+") {
            return self.deeper(Self::factor);
        }
        if self.took("-") {
            let number = self.deeper(Self::factor)?;
            return self.add(Expression::Negative(number), start, start);
        }
        self.value()
    }

    fn value(&mut self) -> Result<At, NotationError> {
        let start = self.peek().start;
        if self.took("(") {
            let value = self.condition()?;
            self.expect(")", "what stands in parentheses")?;
            return Ok(value);
        }
        if self.took("CASE") {
            return self.case(start);
        }
        let here = self.peek().clone();
        if let Some(literal) = here.token.literal() {
            self.next += 1;
            return self.add(Expression::Literal(literal), start, start);
        }
        let calls =
            matches!(&self.tokens.get(self.next + 1), Some(next) if next.token == Token::Sign("("));
        match here.token {
            Token::Quoted(name) => {
                self.next += 1;
                self.add(Expression::Column { name, quoted: true }, start, start)
            }
            Token::Word(name) if calls && !keyword(&name) => {
                let is_it = |(known, _): &Signature| name.eq_ignore_ascii_case(known);
                let Some(number) = self.functions.iter().position(is_it) else {
                    let known: Vec<_> = self.functions.iter().map(|(known, _)| *known).collect();
                    return Err(unknown_function(self.text, start, &name, &known));
                };
                self.next += 2;
                let arguments = self.arguments(&self.functions[number].1, &name, start)?;
                self.add(Expression::Call(number, arguments), start, start)
            }
            Token::Word(name) if !keyword(&name) => {
                refuse_value(self.text, start, &name)?;
                self.next += 1;
                let quoted = false;
                self.add(Expression::Column { name, quoted }, start, start)
            }
            _ => Err(self.unexpected("here must come a value: a column, a number, a text in single quotes, a function or a parenthesis")),
        }
    }

    fn arguments(
        &mut self,
        wanted: &RangeInclusive<usize>,
        name: &str,
        start: usize,
    ) -> Result<Vec<At>, NotationError> {
        let mut arguments = Vec::new();
        if !self.took(")") {
            loop {
                arguments.push(self.condition()?);
                if !self.took(",") {
                    break;
                }
            }
            self.expect(")", "the arguments of a function")?;
        }
        if wanted.contains(&arguments.len()) {
            return Ok(arguments);
        }
        let wanted = match *wanted.end() {
            1 => "one argument",
            2 => "two arguments",
            _ => "one argument or more",
        };
        let (name, found) = (shortened(name), arguments.len());
        let message = format!("{name} needs {wanted}, found {found}");
        Err(fault(self.text, start, message))
    }

    fn case(&mut self, start: usize) -> Result<At, NotationError> {
        let has_operand = !self.peek().token.is("WHEN");
        let operand = has_operand.then(|| self.condition()).transpose()?;
        let mut arms = Vec::new();
        while self.took("WHEN") {
            let when = self.condition()?;
            self.expect("THEN", "the condition of WHEN")?;
            arms.push((when, self.condition()?));
        }
        if arms.is_empty() {
            return Err(self.unexpected("WHEN must follow CASE"));
        }
        let otherwise = self.took("ELSE").then(|| self.condition()).transpose()?;
        self.expect("END", "the arms of CASE")?;
        let part = Expression::Case {
            operand,
            arms,
            otherwise,
        };
        self.add(part, start, start)
    }
}

/// The place of a node in its tree.
pub(super) type At = usize;

/// What an operator makes of its operands.
type Joint = fn(At, At) -> Expression;

/// A part of a condition with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub part: Expression,
    /// Where its text begins and ends.
    pub text: Range<usize>,
}

/// A part of a condition. Nodes within it stand before it in the list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    Literal(Literal),
    Column {
        name: String,
        /// Whether it stands in double quotes.
        quoted: bool,
    },
    Not(At),
    Negative(At),
    And(At, At),
    Or(At, At),
    Arithmetic(Arithmetic, At, At),
    Comparison(Comparison, At, At),
    /// `a IS NULL`.
    Missing(At),
    /// `a IS DISTINCT FROM b`.
    Distinct(At, At),
    /// `a BETWEEN b AND c`.
    Between(At, At, At),
    /// `a IN (...)`, with the places of the literals.
    In(At, Vec<(Literal, usize)>),
    /// `a LIKE '...'`.
    Like(At, String),
    /// A function, by its place among all, with its arguments.
    Call(usize, Vec<At>),
    Case {
        /// What is compared with each `WHEN`; without it, they are conditions.
        operand: Option<At>,
        /// The `WHEN` and `THEN` of each arm.
        arms: Vec<(At, At)>,
        otherwise: Option<At>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// The parts joined by AND at the top, in order. Each is a range of nodes, the last of which is the
/// part.
pub(super) fn conjuncts(nodes: &[Node]) -> Vec<Range<At>> {
    let mut parts = Vec::new();
    let mut open = vec![(0, nodes.len())];
    while let Some((start, end)) = open.pop() {
        match nodes[end - 1].part {
            Expression::And(left, right) => {
                open.push((left + 1, right + 1));
                open.push((start, left + 1));
            }
            _ => parts.push(start..end),
        }
    }
    parts
}
