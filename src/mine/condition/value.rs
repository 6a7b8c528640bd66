//! The grammar of values: sums, functions, CASE.

use super::fault;
use super::parser::Parser;
use super::refused;
use super::token::{Token, shortened};
use super::tree::{Arithmetic, At, Function, Part, literal};
use crate::game::NotationError;

impl Parser<'_> {
    pub(super) fn sum(&mut self) -> Result<At, NotationError> {
        let first = self.peek().start;
        let mut left = self.product()?;
        loop {
            let operation = match self.peek().token {
                Token::Sign("+") => Arithmetic::Plus,
                Token::Sign("-") => Arithmetic::Minus,
                _ => return Ok(left),
            };
            let start = self.take().start;
            let right = self.product()?;
            left = self.add(Part::Arithmetic(operation, left, right), start, first)?;
        }
    }

    fn product(&mut self) -> Result<At, NotationError> {
        let first = self.peek().start;
        let mut left = self.factor()?;
        loop {
            let operation = match self.peek().token {
                Token::Sign("*") => Arithmetic::Times,
                Token::Sign("/") => Arithmetic::Divide,
                Token::Sign("%") => Arithmetic::Modulo,
                _ => return Ok(left),
            };
            let start = self.take().start;
            let right = self.factor()?;
            left = self.add(Part::Arithmetic(operation, left, right), start, first)?;
        }
    }

    fn factor(&mut self) -> Result<At, NotationError> {
        let start = self.peek().start;
        if self.took_sign("+") {
            return self.deeper(Self::factor);
        }
        if self.took_sign("-") {
            let number = self.deeper(Self::factor)?;
            return self.add(Part::Negative(number), start, start);
        }
        self.value()
    }

    fn value(&mut self) -> Result<At, NotationError> {
        let start = self.peek().start;
        if self.took_sign("(") {
            let value = self.condition()?;
            self.expect_sign(")", "what stands in parentheses")?;
            return Ok(value);
        }
        if self.took("CASE") {
            return self.case(start);
        }
        let here = self.peek().clone();
        if let Some(literal) = literal(&here.token) {
            self.next += 1;
            return self.add(Part::Literal(literal), start, start);
        }
        let calls =
            matches!(&self.tokens.get(self.next + 1), Some(next) if next.token == Token::Sign("("));
        match here.token {
            Token::Quoted(name) => {
                self.next += 1;
                self.add(Part::Column { name, quoted: true }, start, start)
            }
            Token::Word(name) if calls && !refused::keyword(&name) => {
                let Some(function) = Function::named(&name) else {
                    return Err(refused::function(self.text, start, &name));
                };
                self.next += 2;
                let arguments = self.arguments(function, &name, start)?;
                self.add(Part::Call(function, arguments), start, start)
            }
            Token::Word(name) if !refused::keyword(&name) => {
                if let Some(error) = refused::value(self.text, start, &name) {
                    return Err(error);
                }
                self.next += 1;
                let quoted = false;
                self.add(Part::Column { name, quoted }, start, start)
            }
            _ => Err(self.unexpected("here must come a value: a column, a number, a text in single quotes, a function or a parenthesis")),
        }
    }

    /// The arguments of a function, after its parenthesis.
    fn arguments(
        &mut self,
        function: Function,
        name: &str,
        start: usize,
    ) -> Result<Vec<At>, NotationError> {
        let mut arguments = Vec::new();
        if !self.took_sign(")") {
            loop {
                arguments.push(self.condition()?);
                if !self.took_sign(",") {
                    break;
                }
            }
            self.expect_sign(")", "the arguments of a function")?;
        }
        let (least, most) = function.arguments();
        if (least..=most).contains(&arguments.len()) {
            return Ok(arguments);
        }
        let wanted = match (least, most) {
            (1, 1) => "one argument",
            (2, 2) => "two arguments",
            _ => "one argument or more",
        };
        let message = format!(
            "{} needs {wanted}, found {}",
            shortened(name),
            arguments.len()
        );
        Err(fault(self.text, start, message))
    }

    /// What follows CASE.
    fn case(&mut self, start: usize) -> Result<At, NotationError> {
        let operand = if self.peek().token.is("WHEN") {
            None
        } else {
            Some(self.condition()?)
        };
        let mut arms = Vec::new();
        while self.took("WHEN") {
            let when = self.condition()?;
            self.expect("THEN", "the condition of WHEN")?;
            arms.push((when, self.condition()?));
        }
        if arms.is_empty() {
            return Err(self.unexpected("WHEN must follow CASE"));
        }
        let otherwise = if self.took("ELSE") {
            Some(self.condition()?)
        } else {
            None
        };
        self.expect("END", "the arms of CASE")?;
        let part = Part::Case {
            operand,
            arms,
            otherwise,
        };
        self.add(part, start, start)
    }
}
