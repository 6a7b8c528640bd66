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

use super::refused;
use super::token::{Placed, Token, tokens};
use super::tree::{At, Comparison, Literal, Node, Part, Tree, literal};
use super::{DEEPEST, LONGEST, MOST_NODES, fault};
use crate::game::NotationError;

/// Parses a condition.
///
/// # Errors
/// If the text is not a condition of the grammar, or is too long or too deep. The message
/// names the place, what stands there and what is right.
pub(super) fn parse(text: &str) -> Result<Tree, NotationError> {
    if text.len() > LONGEST {
        let message =
            format!("the condition is longer than {LONGEST} bytes; write several filters");
        return Err(fault(text, LONGEST, message));
    }
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        next: 0,
        nodes: Vec::new(),
        depth: 0,
    };
    parser.condition()?;
    let over = parser.peek();
    if over.token != Token::End {
        return Err(refused::left_over(text, over, parser.before()));
    }
    Ok(Tree {
        nodes: parser.nodes,
    })
}

pub(super) struct Parser<'t> {
    pub text: &'t str,
    pub tokens: Vec<Placed>,
    pub next: usize,
    nodes: Vec<Node>,
    depth: usize,
}

impl Parser<'_> {
    pub fn peek(&self) -> &Placed {
        &self.tokens[self.next]
    }

    fn before(&self) -> Option<&Placed> {
        self.tokens[..self.next].last()
    }

    pub fn take(&mut self) -> Placed {
        let taken = self.peek().clone();
        if taken.token != Token::End {
            self.next += 1;
        }
        taken
    }

    /// Takes a keyword if it comes next.
    pub fn took(&mut self, keyword: &str) -> bool {
        let comes = self.peek().token.is(keyword);
        self.next += usize::from(comes);
        comes
    }

    pub fn took_sign(&mut self, sign: &str) -> bool {
        let comes = matches!(self.peek().token, Token::Sign(next) if next == sign);
        self.next += usize::from(comes);
        comes
    }

    /// An error at the next token.
    pub fn unexpected(&self, expected: &str) -> NotationError {
        let here = self.peek();
        let found = here.token.found(&self.text[here.start..here.end]);
        fault(self.text, here.start, format!("{found}, but {expected}"))
    }

    pub fn expect(&mut self, keyword: &str, after: &str) -> Result<(), NotationError> {
        if self.took(keyword) {
            return Ok(());
        }
        Err(self.unexpected(&format!("{keyword} must follow {after}")))
    }

    pub fn expect_sign(&mut self, sign: &str, after: &str) -> Result<(), NotationError> {
        if self.took_sign(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("{sign} must follow {after}")))
    }

    /// Adds a node whose text begins at `first` and ends before the next token; messages
    /// point to `start`.
    pub fn add(&mut self, part: Part, start: usize, first: usize) -> Result<At, NotationError> {
        if self.nodes.len() == MOST_NODES {
            let message = format!(
                "the condition has more than {MOST_NODES} parts; use IN and BETWEEN, or write several filters"
            );
            return Err(fault(self.text, start, message));
        }
        let end = self.before().map_or(first, |before| before.end);
        self.nodes.push(Node {
            part,
            start,
            text: first..end,
        });
        Ok(self.nodes.len() - 1)
    }

    /// Reads something that may contain itself.
    pub fn deeper<T>(
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

    pub fn condition(&mut self) -> Result<At, NotationError> {
        self.deeper(|parser| {
            let first = parser.peek().start;
            let mut left = parser.conjunction()?;
            while parser.peek().token.is("OR") {
                let start = parser.take().start;
                let right = parser.conjunction()?;
                left = parser.add(Part::Or(left, right), start, first)?;
            }
            Ok(left)
        })
    }

    fn conjunction(&mut self) -> Result<At, NotationError> {
        let first = self.peek().start;
        let mut left = self.negation()?;
        while self.peek().token.is("AND") {
            let start = self.take().start;
            let right = self.negation()?;
            left = self.add(Part::And(left, right), start, first)?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<At, NotationError> {
        if !self.peek().token.is("NOT") {
            return self.predicate();
        }
        let start = self.take().start;
        let negated = self.deeper(Self::negation)?;
        self.add(Part::Not(negated), start, start)
    }

    fn predicate(&mut self) -> Result<At, NotationError> {
        let first = self.peek().start;
        let left = self.sum()?;
        let start = self.peek().start;
        let part = if let Some(comparison) = self.comparison() {
            Part::Comparison(comparison, left, self.sum()?)
        } else if self.took("IS") {
            return self.is(left, start, first);
        } else {
            let negated = self.took("NOT");
            let part = if self.took("BETWEEN") {
                let low = self.sum()?;
                self.expect("AND", "the first bound of BETWEEN")?;
                Part::Between(left, low, self.sum()?)
            } else if self.took("IN") {
                Part::In(left, self.list()?)
            } else if self.took("LIKE") {
                Part::Like(left, self.pattern()?)
            } else if negated {
                return Err(
                    self.unexpected("after a value, NOT begins NOT IN, NOT LIKE or NOT BETWEEN")
                );
            } else {
                return Ok(left);
            };
            let whole = self.add(part, start, first)?;
            return self.negated(whole, negated, start, first);
        };
        let whole = self.add(part, start, first)?;
        self.alone(whole)
    }

    /// What follows IS.
    fn is(&mut self, left: At, start: usize, first: usize) -> Result<At, NotationError> {
        let negated = self.took("NOT");
        let part = if self.took("NULL") {
            Part::Missing(left)
        } else if self.took("DISTINCT") {
            self.expect("FROM", "IS DISTINCT")?;
            Part::Distinct(left, self.sum()?)
        } else {
            return Err(self.unexpected(
                "after IS come NULL, NOT NULL or DISTINCT FROM; for a column that is true or false, write its name or NOT before it",
            ));
        };
        let whole = self.add(part, start, first)?;
        self.negated(whole, negated, start, first)
    }

    /// A comparison, negated by a NOT within it, that nothing follows.
    fn negated(
        &mut self,
        mut whole: At,
        negated: bool,
        start: usize,
        first: usize,
    ) -> Result<At, NotationError> {
        if negated {
            whole = self.add(Part::Not(whole), start, first)?;
        }
        self.alone(whole)
    }

    /// Refuses a second comparison after the first, which readers and other engines would
    /// group differently.
    fn alone(&mut self, whole: At) -> Result<At, NotationError> {
        let here = self.peek().start;
        let next = &self.peek().token;
        if ["IS", "IN", "LIKE", "BETWEEN"]
            .iter()
            .any(|word| next.is(word))
            || self.comparison().is_some()
        {
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

    /// The list of IN.
    fn list(&mut self) -> Result<Vec<(Literal, usize)>, NotationError> {
        self.expect_sign("(", "IN")?;
        let mut list = Vec::new();
        loop {
            let start = self.peek().start;
            let negative = self.took_sign("-");
            let literal = match (self.take().token, negative) {
                (Token::Integer(number), true) => Literal::Integer(-number),
                (Token::Decimal(number), true) => Literal::Decimal(-number),
                (token, false) => literal(&token).unwrap_or(Literal::Null),
                _ => Literal::Null,
            };
            if literal == Literal::Null {
                let word = self.text[start..]
                    .split(|c: char| !c.is_alphanumeric())
                    .next();
                if let Some(error) = word.and_then(|word| refused::value(self.text, start, word)) {
                    return Err(error);
                }
                let message = "in the list of IN stand numbers, texts, TRUE and FALSE; write conditions on NULL or columns apart, joined by OR";
                return Err(fault(self.text, start, message));
            }
            list.push((literal, start));
            if self.took_sign(",") {
                continue;
            }
            self.expect_sign(")", "the list of IN")?;
            return Ok(list);
        }
    }

    fn pattern(&mut self) -> Result<String, NotationError> {
        let Token::Text(pattern) = self.peek().token.clone() else {
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
}
