//! A condition as a tree, kept as a list in which parts come before the whole.

use std::ops::Range;

use super::token::Token;

/// The place of a node in its tree.
pub(super) type At = usize;

/// A part of a condition with its place in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub part: Part,
    /// The place in the text, in bytes, that messages point to.
    pub start: usize,
    /// Where its text begins and ends.
    pub text: Range<usize>,
}

/// A part of a condition. Nodes within it stand before it in the list.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Literal(Literal),
    /// The value of a column.
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
    Call(Function, Vec<At>),
    Case {
        /// What is compared with each `WHEN`; without it, they are conditions.
        operand: Option<At>,
        /// The `WHEN` and `THEN` of each arm.
        arms: Vec<(At, At)>,
        otherwise: Option<At>,
    },
}

/// A value that is written out.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Null,
    Flag(bool),
    Integer(i64),
    Decimal(f64),
    Text(String),
}

impl Literal {
    /// What it is, for messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Flag(_) => "true or false",
            Self::Integer(_) | Self::Decimal(_) => "a number",
            Self::Text(_) => "a text",
        }
    }
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// A function of the values of one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    Ceil,
    Coalesce,
    Floor,
    Greatest,
    Least,
    Length,
    Lower,
    Mod,
    NullIf,
    Round,
    Sign,
    Upper,
}

impl Function {
    /// All names, in alphabetical order.
    pub const NAMES: [(&'static str, Self); 14] = [
        ("ABS", Self::Abs),
        ("CEIL", Self::Ceil),
        ("CEILING", Self::Ceil),
        ("COALESCE", Self::Coalesce),
        ("FLOOR", Self::Floor),
        ("GREATEST", Self::Greatest),
        ("LEAST", Self::Least),
        ("LENGTH", Self::Length),
        ("LOWER", Self::Lower),
        ("MOD", Self::Mod),
        ("NULLIF", Self::NullIf),
        ("ROUND", Self::Round),
        ("SIGN", Self::Sign),
        ("UPPER", Self::Upper),
    ];

    /// The function of a name in any case of letters.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::NAMES.iter();
        let found = all.find(|(known, _)| name.eq_ignore_ascii_case(known));
        found.map(|&(_, function)| function)
    }

    /// The least and the greatest number of its arguments.
    pub const fn arguments(self) -> (usize, usize) {
        match self {
            Self::Coalesce | Self::Greatest | Self::Least => (1, usize::MAX),
            Self::Mod | Self::NullIf => (2, 2),
            Self::Abs
            | Self::Ceil
            | Self::Floor
            | Self::Length
            | Self::Lower
            | Self::Round
            | Self::Sign
            | Self::Upper => (1, 1),
        }
    }
}

/// A condition: its nodes, the last of which is the whole.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
}

impl Tree {
    /// The parts joined by AND at the top, in order. Each is a range of nodes, the last of
    /// which is the part.
    pub fn conjuncts(&self) -> Vec<Range<At>> {
        let mut parts = Vec::new();
        let mut open = vec![(0, self.nodes.len())];
        while let Some((start, end)) = open.pop() {
            match self.nodes[end - 1].part {
                Part::And(left, right) => {
                    open.push((left + 1, right + 1));
                    open.push((start, left + 1));
                }
                _ => parts.push(start..end),
            }
        }
        parts
    }
}

/// The literal that a token is.
pub(super) fn literal(token: &Token) -> Option<Literal> {
    Some(match token {
        Token::Integer(number) => Literal::Integer(*number),
        Token::Decimal(number) => Literal::Decimal(*number),
        Token::Text(text) => Literal::Text(text.clone()),
        word if word.is("TRUE") => Literal::Flag(true),
        word if word.is("FALSE") => Literal::Flag(false),
        word if word.is("NULL") => Literal::Null,
        _ => return None,
    })
}
