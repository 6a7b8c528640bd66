//! The words, numbers, texts and signs of a condition; and what other dialects of SQL have and
//! conditions have not, with what to write instead.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use super::{fault, of_dialects};
use crate::game::NotationError;
use crate::mine::error::nearest;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A keyword, a column or a function, as written.
    Word(String),
    /// A column in double quotes.
    Quoted(String),
    /// A number, or a text in single quotes.
    Literal(Literal),
    /// A sign, such as `<=`.
    Sign(&'static str),
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Null,
    Flag(bool),
    Integer(i64),
    Decimal(f64),
    Text(String),
}

impl Token {
    /// The literal that it is, also in words.
    pub(super) fn literal(&self) -> Option<Literal> {
        Some(match self {
            Self::Literal(literal) => literal.clone(),
            word if word.is("TRUE") => Literal::Flag(true),
            word if word.is("FALSE") => Literal::Flag(false),
            word if word.is("NULL") => Literal::Null,
            _ => return None,
        })
    }

    /// Whether it is this keyword, in any case of letters, or this sign.
    pub(super) fn is(&self, wanted: &str) -> bool {
        match self {
            Self::Word(word) => word.eq_ignore_ascii_case(wanted),
            Self::Sign(sign) => *sign == wanted,
            _ => false,
        }
    }

    /// What it is, for messages.
    pub(super) fn found(&self, text: &str) -> String {
        match self {
            Self::End => "the condition ends here".to_owned(),
            _ => format!("found {}", shortened(text)),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub token: Token,
    /// Place of its first byte.
    pub start: usize,
    /// Place after its last byte.
    pub end: usize,
}

/// The signs of the grammar. A longer one comes before its beginning.
const SIGNS: [&str; 15] = [
    "<>", "<=", ">=", "!=", "(", ")", ",", "=", "<", ">", "+", "-", "*", "/", "%",
];

/// Signs that people write and what to write instead. A longer one comes before its
/// beginning.
static OTHERS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| of_dialects("sign").collect());

/// Cuts a condition into tokens; the last is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, NotationError> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        }
        let rest = &text[start..];
        let (token, length) = if first.is_ascii_digit() {
            number(text, start)?
        } else if in_word(first) {
            let length = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
            if rest[length..].starts_with('\'') {
                let message = format!(
                    "{} before a quote: a text stands in single quotes alone",
                    shortened(&rest[..length])
                );
                return Err(fault(text, start, message));
            }
            (Token::Word(rest[..length].to_owned()), length)
        } else if first == '\'' || first == '"' {
            quoted(text, start, first)?
        } else if rest.len() > 1 && first == '.' && rest.as_bytes()[1].is_ascii_digit() {
            let message = "a number begins with a digit: write 0.5";
            return Err(fault(text, start, message));
        } else if let Some((sign, remedy)) = OTHERS
            .iter()
            .find(|(sign, _)| rest.starts_with(sign))
            .filter(|(sign, _)| *sign != "!" || !rest.starts_with("!="))
        {
            let message = format!("{sign} is not allowed: {remedy}");
            return Err(fault(text, start, message));
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Token::Sign(sign), sign.len())
        } else {
            let message = format!("unexpected character {first:?}");
            return Err(fault(text, start, message));
        };
        tokens.push(Placed {
            token,
            start,
            end: start + length,
        });
        start += length;
    }
    tokens.push(Placed {
        token: Token::End,
        start,
        end: start,
    });
    Ok(tokens)
}

/// A text of any length, cut to what a message can show.
pub(super) fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut shown: String = text.chars().take(SHOWN).map(visible).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A number and its length: digits, or digits, a point and digits.
fn number(text: &str, start: usize) -> Result<(Token, usize), NotationError> {
    let rest = &text[start..];
    let length = rest.find(|c: char| !(in_word(c) || c == '.'));
    let length = length.unwrap_or(rest.len());
    let number = &rest[..length];
    let odd = |message: &str| {
        let message = format!("{} is not a number: {message}", shortened(number));
        Err(fault(text, start, message))
    };
    if number.contains('_') {
        return odd("write its digits without _");
    }
    if number.chars().any(char::is_alphabetic) {
        return odd("write all its digits, and a space before a word");
    }
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) {
        return odd("write digits, or digits, one point and digits");
    }
    let literal = if whole.len() == number.len() {
        number.parse().ok().map(Literal::Integer)
    } else {
        number.parse().ok().map(Literal::Decimal)
    };
    let token = literal.map(|literal| (Token::Literal(literal), length));
    token.ok_or_else(|| {
        let message = format!("{} is larger than {}", shortened(number), i64::MAX);
        fault(text, start, message)
    })
}

/// What stands in quotes, and its length with them. A quote within is doubled.
fn quoted(text: &str, start: usize, quote: char) -> Result<(Token, usize), NotationError> {
    let mut content = String::new();
    let mut characters = text[start..].char_indices().skip(1).peekable();
    while let Some((place, c)) = characters.next() {
        if c != quote {
            content.push(c);
        } else if characters.next_if(|&(_, next)| next == quote).is_some() {
            content.push(quote);
        } else {
            let token = match quote {
                '\'' => Token::Literal(Literal::Text(content)),
                _ => Token::Quoted(content),
            };
            return Ok((token, place + 1));
        }
    }
    let message = format!("the quote {quote} is not closed");
    Err(fault(text, start, message))
}

/// The texts that a part of a condition can have as its value, by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words(Arc<[String]>);

impl Words {
    /// Words from anything, in this order.
    pub(super) fn new(words: impl IntoIterator<Item = String>) -> Self {
        Self(words.into_iter().collect())
    }

    /// All words of several lists, each once, in alphabetical order.
    pub(crate) fn merged<'a>(lists: impl IntoIterator<Item = &'a Self>) -> Self {
        let all = lists.into_iter().flat_map(|words| words.0.iter().cloned());
        Self::new(all.collect::<BTreeSet<_>>())
    }

    /// What a function has as its value for each word.
    pub(super) fn table<T>(&self, value: impl FnMut(&String) -> T) -> Arc<[T]> {
        self.0.iter().map(value).collect()
    }

    /// The number in a [merged](Self::merged) list of each word.
    pub(crate) fn numbers_in(&self, merged: &Self) -> Arc<[i64]> {
        self.table(|word| {
            let place = merged.0.binary_search(word).unwrap_or_default();
            i64::try_from(place).unwrap_or(i64::MAX)
        })
    }

    /// What is wrong with comparing these words with a text that is not among them; `None`
    /// if it is, or if no words are known.
    pub(crate) fn misses(&self, text: &str, whose: &str) -> Option<String> {
        if self.0.is_empty() || self.0.iter().any(|word| word == text) {
            return None;
        }
        let near = nearest(text, self.0.iter().map(String::as_str));
        let remedy = if let Some(near) = near.first() {
            format!("did you mean '{near}'?")
        } else {
            let quoted = self.0.iter().take(SHOWN).map(|word| format!("'{word}'"));
            let more = if self.0.len() > SHOWN { ", ..." } else { "" };
            let words = quoted.collect::<Vec<_>>().join(", ");
            format!("its words are {words}{more}")
        };
        let text = shortened(text);
        Some(format!("{whose} is never '{text}': {remedy}"))
    }
}

const SHOWN: usize = 30;

/// Whether a text matches a pattern of LIKE, in which `%` stands for any characters and `_`
/// for one.
pub(super) fn like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut here, mut at) = (0, 0);
    // After a %, the place to go on from if the rest does not match.
    let mut again = None;
    while here < text.len() {
        match pattern.get(at) {
            Some('%') => {
                again = Some((here, at + 1));
                at += 1;
            }
            Some(&wanted) if wanted == '_' || wanted == text[here] => {
                here += 1;
                at += 1;
            }
            _ => match again {
                Some((from, after)) => {
                    again = Some((from + 1, after));
                    (here, at) = (from + 1, after);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&wanted| wanted == '%')
}

/// The words of the grammar, which name a column only in double quotes.
const KEYWORDS: &str = "\
    AND BETWEEN CASE DISTINCT ELSE END FALSE FROM IN IS LIKE NOT NULL OR THEN TRUE WHEN";

fn has(words: &str, word: &str) -> bool {
    let mut words = words.split(' ');
    words.any(|known| word.eq_ignore_ascii_case(known))
}

pub(super) fn keyword(word: &str) -> bool {
    has(KEYWORDS, word)
}

/// Why a word is refused, and what to write instead, if it is known from other dialects.
fn reason(word: &str) -> Option<String> {
    let word = word.to_ascii_uppercase();
    let is = |kind| of_dialects(kind).any(|(words, _)| has(words, &word));
    let kinds = [
        ("aggregate", "an aggregate"),
        ("window", "a window function"),
    ];
    if let Some((_, what)) = kinds.into_iter().find(|(kind, _)| is(kind)) {
        let greatest = match word.as_str() {
            "MAX" => "; for the greatest of several values write GREATEST(a, b)",
            "MIN" => "; for the least of several values write LEAST(a, b)",
            _ => "",
        };
        return Some(format!(
            "{word} is {what} over many positions, but a condition is tested on one position at a time{greatest}"
        ));
    }
    if is("reader") || word.starts_with("READ_") {
        return Some(format!(
            "{} would read other data, but a condition sees only the columns of one position",
            shortened(&word)
        ));
    }
    let other = of_dialects("word").find(|(words, _)| has(words, &word));
    other.map(|(_, remedy)| format!("{word} is not available: {remedy}"))
}

/// Refuses a word that stands where a value must, and is known from other dialects as something
/// else than a function.
pub(super) fn refuse_value(text: &str, at: usize, word: &str) -> Result<(), NotationError> {
    if has("ARRAY INTERVAL DATE SELECT EXISTS", word) {
        return Err(fault(text, at, reason(word).unwrap_or_default()));
    }
    Ok(())
}

/// The error for a function that does not exist; `known` are those that do.
pub(super) fn unknown_function(text: &str, at: usize, name: &str, known: &[&str]) -> NotationError {
    let message = reason(name).unwrap_or_else(|| {
        let near = nearest(&name.to_ascii_uppercase(), known.iter().copied());
        let (shown, known) = (shortened(name), known.join(", "));
        match near.first() {
            Some(near) => format!("unknown function {shown}, did you mean {near}?"),
            None => format!("unknown function {shown}; the functions are {known}"),
        }
    });
    fault(text, at, message)
}

/// The error for what is left over after a condition.
pub(super) fn left_over(text: &str, over: &Placed, before: Option<&Placed>) -> NotationError {
    // A word that was taken for a column may be to blame, as in DATE '2020-01-01'.
    for placed in [Some(over), before].into_iter().flatten() {
        if let Token::Word(word) = &placed.token
            && let Some(message) = reason(word)
        {
            return fault(text, placed.start, message);
        }
    }
    let found = over.token.found(&text[over.start..over.end]);
    let number = before.is_some_and(|it| matches!(it.token, Token::Literal(Literal::Integer(_))));
    let remedy = match over.token {
        Token::Sign(")") => "no parenthesis is open here",
        Token::Sign(",") if number => "write numbers without separators, and lists as IN (...)",
        Token::Sign(",") => "a list stands in parentheses after IN",
        _ => "join conditions by AND or OR",
    };
    let message = format!("{found} after the end of the condition: {remedy}");
    fault(text, over.start, message)
}
