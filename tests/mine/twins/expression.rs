//! Random conditions: their text, and their value for a row, worked out node by node.
//!
//! The meaning is written down here a second time, from the page on filters: nothing of it
//! comes from the program.

use std::cell::Cell;
use std::cmp::Ordering;

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Flag(bool),
    Whole(i128),
    Decimal(f64),
    Text(String),
}

use Value::{Decimal, Flag, Null, Text, Whole};

/// A row: two numbers, two flags and two words.
#[derive(Debug, Clone)]
pub struct Row {
    pub numbers: [Option<i32>; 2],
    pub flags: [Option<bool>; 2],
    pub words: [Option<usize>; 2],
}

/// The words of a column, in no alphabetical order.
pub const WORDS: [&str; 4] = ["win", "Draw", "loss", "a_b"];

pub const NUMBERS: [&str; 2] = ["n", "m"];
pub const FLAGS: [&str; 2] = ["p", "q"];
pub const TEXTS: [&str; 2] = ["w", "v"];

/// A part of a condition.
#[derive(Debug, Clone)]
pub enum Part {
    Literal(Value),
    Number(usize),
    Flag(usize),
    Word(usize),
    Negative(Box<Part>),
    Arithmetic(&'static str, Box<Part>, Box<Part>),
    Comparison(&'static str, Box<Part>, Box<Part>),
    Logic(&'static str, Box<Part>, Box<Part>),
    Not(Box<Part>),
    Missing(Box<Part>, bool),
    Distinct(Box<Part>, Box<Part>, bool),
    Between(Box<Part>, Box<Part>, Box<Part>, bool),
    In(Box<Part>, Vec<Value>, bool),
    Like(Box<Part>, &'static str, bool),
    Call(&'static str, Vec<Part>),
    Case(Option<Box<Part>>, Vec<(Part, Part)>, Option<Box<Part>>),
}

fn literal(value: &Value) -> String {
    match value {
        Null => "NULL".to_owned(),
        Flag(flag) => if *flag { "TRUE" } else { "false" }.to_owned(),
        Whole(number) => number.to_string(),
        Decimal(number) => format!("{number:?}"),
        Text(text) => format!("'{}'", text.replace('\'', "''")),
    }
}

impl Part {
    /// Its text. `wide` writes lengths for an engine in which they have no sign, and lists
    /// for one in which they have one type.
    pub fn text(&self, wide: bool) -> String {
        let within = |part: &Self| {
            let text = part.text(wide);
            let alone = matches!(
                part,
                Self::Literal(_) | Self::Number(_) | Self::Flag(_) | Self::Word(_) | Self::Call(..)
            );
            if alone && !text.starts_with('-') {
                text
            } else {
                format!("({text})")
            }
        };
        let not = |negated: &bool| if *negated { "NOT " } else { "" };
        match self {
            Self::Literal(value) => literal(value),
            Self::Number(column) => NUMBERS[*column].to_owned(),
            Self::Flag(column) => FLAGS[*column].to_owned(),
            Self::Word(column) => format!("\"{}\"", TEXTS[*column]),
            Self::Negative(a) => format!("-{}", within(a)),
            // A product in a sum, and AND in OR, need no parentheses on the left.
            Self::Arithmetic(sign @ ("+" | "-"), a, b)
                if matches!(**a, Self::Arithmetic("+" | "-" | "*" | "/" | "%", ..)) =>
            {
                format!("{} {sign} {}", a.text(wide), within(b))
            }
            Self::Logic("OR", a, b) if matches!(**a, Self::Logic(..) | Self::Comparison(..)) => {
                format!("{} OR {}", a.text(wide), within(b))
            }
            Self::Arithmetic(sign, a, b)
            | Self::Comparison(sign, a, b)
            | Self::Logic(sign, a, b) => {
                format!("{} {sign} {}", within(a), within(b))
            }
            Self::Not(a) if matches!(**a, Self::Comparison(..)) => format!("NOT {}", a.text(wide)),
            Self::Not(a) => format!("NOT {}", within(a)),
            Self::Missing(a, negated) => format!("{} IS {}NULL", within(a), not(negated)),
            Self::Distinct(a, b, negated) => {
                format!(
                    "{} IS {}DISTINCT FROM {}",
                    within(a),
                    not(negated),
                    within(b)
                )
            }
            Self::Between(a, low, high, negated) => format!(
                "{} {}BETWEEN {} AND {}",
                within(a),
                not(negated),
                within(low),
                within(high)
            ),
            Self::In(a, list, negated) => {
                let decimals = wide && list.iter().any(|value| matches!(value, Decimal(_)));
                let written = |value: &Value| match value {
                    Whole(_) if decimals => format!("{}.0", literal(value)),
                    _ => literal(value),
                };
                let list: Vec<_> = list.iter().map(written).collect();
                format!("{} {}IN ({})", within(a), not(negated), list.join(", "))
            }
            Self::Like(a, pattern, negated) => {
                format!("{} {}LIKE '{pattern}'", within(a), not(negated))
            }
            Self::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|part| part.text(wide)).collect();
                let call = format!("{name}({})", arguments.join(", "));
                match (*name, wide) {
                    ("LENGTH", true) => format!("CAST({call} AS INT)"),
                    _ => call,
                }
            }
            Self::Case(operand, arms, otherwise) => {
                let mut text = "CASE ".to_owned();
                if let Some(operand) = operand {
                    text.extend([within(operand).as_str(), " "]);
                }
                for (when, then) in arms {
                    text.extend(["WHEN ", &within(when), " THEN ", &within(then), " "]);
                }
                if let Some(otherwise) = otherwise {
                    text.extend(["ELSE ", &within(otherwise), " "]);
                }
                text + "END"
            }
        }
    }

    /// Whether its values are decimal numbers.
    fn is_decimal(&self) -> bool {
        match self {
            Self::Literal(value) => matches!(value, Decimal(_)),
            Self::Negative(a) => a.is_decimal(),
            Self::Arithmetic(sign, a, b) => *sign == "/" || a.is_decimal() || b.is_decimal(),
            Self::Call("COALESCE" | "GREATEST" | "LEAST", arguments) => {
                arguments.iter().any(Self::is_decimal)
            }
            Self::Call(_, arguments) => arguments[0].is_decimal(),
            Self::Case(_, arms, otherwise) => {
                let mut arms = arms
                    .iter()
                    .map(|(_, then)| then)
                    .chain(otherwise.as_deref());
                arms.any(Self::is_decimal)
            }
            _ => false,
        }
    }

    /// Its value for a row. `large` is set if a whole number does not fit into 32 bits on
    /// the way.
    pub fn value(&self, row: &Row, large: &Cell<bool>) -> Value {
        match self.value_as_it_is(row, large) {
            value @ Whole(_) if self.is_decimal() => Decimal(decimal(&value)),
            value => value,
        }
    }

    fn value_as_it_is(&self, row: &Row, large: &Cell<bool>) -> Value {
        let of = |part: &Self| part.value(row, large);
        let whole = |number: Option<i128>| {
            let Some(number) = number else { return Null };
            large.set(large.get() || i32::try_from(number).is_err());
            // What 64 bits do not hold is NULL.
            i64::try_from(number).map_or(Null, |_| Whole(number))
        };
        let negate = |value: Value, negated: bool| match value {
            Flag(flag) => Flag(flag != negated),
            _ => Null,
        };
        match self {
            Self::Literal(value) => value.clone(),
            Self::Number(column) => row.numbers[*column].map_or(Null, |n| Whole(n.into())),
            Self::Flag(column) => row.flags[*column].map_or(Null, Flag),
            Self::Word(column) => row.words[*column].map_or(Null, |w| Text(WORDS[w].to_owned())),
            Self::Negative(a) => match of(a) {
                Whole(number) => whole(Some(-number)),
                Decimal(number) => Decimal(-number),
                _ => Null,
            },
            Self::Arithmetic(sign, a, b) => computed(sign, &of(a), &of(b), whole),
            Self::Comparison(sign, a, b) => compared(sign, &of(a), &of(b)),
            Self::Logic(word, a, b) => {
                let (a, b, decides) = (of(a), of(b), Flag(*word == "OR"));
                match (a == decides || b == decides, a == Null || b == Null) {
                    (true, _) => decides,
                    (false, true) => Null,
                    (false, false) => Flag(*word != "OR"),
                }
            }
            Self::Not(a) => negate(of(a), true),
            Self::Missing(a, negated) => Flag((of(a) == Null) != *negated),
            Self::Distinct(a, b, negated) => {
                let (a, b) = (of(a), of(b));
                let same = match (&a, &b) {
                    (Null, _) | (_, Null) => a == b,
                    _ => compared("=", &a, &b) == Flag(true),
                };
                Flag(same == *negated)
            }
            Self::Between(a, low, high, negated) => {
                let above = compared(">=", &of(a), &of(low));
                let below = compared("<=", &of(a), &of(high));
                let within = if above == Flag(false) || below == Flag(false) {
                    Flag(false)
                } else if above == Null || below == Null {
                    Null
                } else {
                    Flag(true)
                };
                negate(within, *negated)
            }
            Self::In(a, list, negated) => match of(a) {
                Null => Null,
                a => {
                    let found = list.iter().any(|b| compared("=", &a, b) == Flag(true));
                    Flag(found != *negated)
                }
            },
            Self::Like(a, pattern, negated) => match of(a) {
                Text(text) => {
                    let (text, pattern): (Vec<_>, Vec<_>) =
                        (text.chars().collect(), pattern.chars().collect());
                    Flag(like(&text, &pattern) != *negated)
                }
                _ => Null,
            },
            Self::Call(name, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(of).collect();
                called(name, &arguments)
            }
            Self::Case(operand, arms, otherwise) => {
                let operand = operand.as_ref().map(|operand| of(operand));
                for (when, then) in arms {
                    let holds = match &operand {
                        Some(operand) => compared("=", operand, &of(when)),
                        None => of(when),
                    };
                    if holds == Flag(true) {
                        return of(then);
                    }
                }
                otherwise.as_ref().map_or(Null, |otherwise| of(otherwise))
            }
        }
    }
}

fn decimal(value: &Value) -> f64 {
    match value {
        Whole(number) => *number as f64,
        Decimal(number) => *number,
        _ => unreachable!("a number"),
    }
}

fn computed(sign: &str, a: &Value, b: &Value, whole: impl Fn(Option<i128>) -> Value) -> Value {
    match (sign, a, b) {
        (_, Null, _) | (_, _, Null) | ("%", Whole(_), Whole(0)) => Null,
        ("+", Whole(a), Whole(b)) => whole(Some(a + b)),
        ("-", Whole(a), Whole(b)) => whole(Some(a - b)),
        ("*", Whole(a), Whole(b)) => whole(a.checked_mul(*b)),
        ("%", Whole(a), Whole(b)) => {
            let rest = a.rem_euclid(b.abs());
            whole(Some(if *b < 0 && rest > 0 { rest + b } else { rest }))
        }
        (sign, a, b) => {
            let (a, b) = (decimal(a), decimal(b));
            Decimal(match sign {
                "+" => a + b,
                "-" => a - b,
                "*" => a * b,
                "/" => a / b,
                _ => a - (a / b).floor() * b,
            })
        }
    }
}

fn compared(sign: &str, a: &Value, b: &Value) -> Value {
    let order = match (a, b) {
        (Null, _) | (_, Null) => return Null,
        (Whole(a), Whole(b)) => a.cmp(b),
        (Flag(a), Flag(b)) => a.cmp(b),
        (Text(a), Text(b)) => a.cmp(b),
        (a, b) => {
            let (a, b) = (decimal(a), decimal(b));
            // What is not a number is greater than all numbers.
            a.partial_cmp(&b).unwrap_or(match (a.is_nan(), b.is_nan()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                _ => Ordering::Less,
            })
        }
    };
    Flag(match sign {
        "=" => order.is_eq(),
        "<" => order.is_lt(),
        "<=" => order.is_le(),
        ">" => order.is_gt(),
        ">=" => order.is_ge(),
        _ => order.is_ne(),
    })
}

fn like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|from| like(&text[from..], rest)),
        [first, rest @ ..] => {
            text.first().is_some_and(|c| *first == '_' || c == first) && like(&text[1..], rest)
        }
    }
}

fn called(name: &str, arguments: &[Value]) -> Value {
    let there: Vec<&Value> = arguments.iter().filter(|value| **value != Null).collect();
    let best = |sign| {
        let mut best = (*there.first()?).clone();
        for value in &there {
            if compared(sign, value, &best) == Flag(true) {
                best = (*value).clone();
            }
        }
        Some(best)
    };
    match (name, arguments) {
        ("COALESCE", _) => there.first().map_or(Null, |&value| value.clone()),
        ("GREATEST", _) => best(">").unwrap_or(Null),
        ("LEAST", _) => best("<").unwrap_or(Null),
        ("NULLIF", [a, b]) if compared("=", a, b) == Flag(true) => Null,
        ("NULLIF", [a, _]) => a.clone(),
        (_, [Null, ..]) => Null,
        ("ABS", [Whole(number)]) => Whole(number.abs()),
        ("ABS", [Decimal(number)]) => Decimal(number.abs()),
        ("SIGN", [Whole(number)]) => Whole(number.signum()),
        ("SIGN", [Decimal(number)]) if *number == 0.0 => Decimal(0.0),
        ("SIGN", [Decimal(number)]) => Decimal(number.signum()),
        ("CEIL" | "FLOOR" | "ROUND", [Whole(number)]) => Whole(*number),
        ("CEIL", [Decimal(number)]) => Decimal(number.ceil()),
        ("FLOOR", [Decimal(number)]) => Decimal(number.floor()),
        ("ROUND", [Decimal(number)]) => {
            // Halves go to the even neighbour.
            let down = number.floor();
            let up = match (number - down).partial_cmp(&0.5) {
                Some(Ordering::Equal) => down % 2.0 != 0.0,
                Some(order) => order.is_gt(),
                None => false,
            };
            let rounded = if number.is_finite() && up {
                down + 1.0
            } else {
                down
            };
            // -0.5 rounds to -0.0, as in IEEE 754, which tells when something is divided by it.
            Decimal(rounded.copysign(*number))
        }
        ("LENGTH", [Text(text)]) => Whole(text.chars().count() as i128),
        ("LOWER", [Text(text)]) => Text(text.to_lowercase()),
        ("UPPER", [Text(text)]) => Text(text.to_uppercase()),
        other => unreachable!("{other:?}"),
    }
}
