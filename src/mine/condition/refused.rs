//! What other dialects of SQL have and conditions have not, with what to write instead.

use super::token::{Placed, Token, shortened};
use super::{fault, of_dialects};
use crate::game::NotationError;
use crate::mine::error::nearest;

/// The words of the grammar, which name a column only in double quotes.
const KEYWORDS: &str = "\
    AND BETWEEN CASE DISTINCT ELSE END FALSE FROM IN IS LIKE NOT NULL OR THEN TRUE WHEN";

fn has(words: &str, word: &str) -> bool {
    words
        .split(' ')
        .any(|known| word.eq_ignore_ascii_case(known))
}

pub(super) fn keyword(word: &str) -> bool {
    has(KEYWORDS, word)
}

/// Why a word is refused, and what to write instead, if it is known from other dialects.
fn reason(word: &str) -> Option<String> {
    let word = word.to_ascii_uppercase();
    let one_at_a_time = |what: &str| {
        let greatest = match word.as_str() {
            "MAX" => "; for the greatest of several values write GREATEST(a, b)",
            "MIN" => "; for the least of several values write LEAST(a, b)",
            _ => "",
        };
        format!(
            "{word} is {what} over many positions, but a condition is tested on one position at a time{greatest}"
        )
    };
    let known = word.as_str();
    let is = |what| of_dialects(what).any(|(words, _)| has(words, known));
    if is("aggregate") {
        return Some(one_at_a_time("an aggregate"));
    }
    if is("window") {
        return Some(one_at_a_time("a window function"));
    }
    if is("reader") || known.starts_with("READ_") {
        return Some(format!(
            "{} would read other data, but a condition sees only the columns of one position",
            shortened(known)
        ));
    }
    let other = of_dialects("word").find(|(words, _)| has(words, known));
    other.map(|(_, remedy)| format!("{word} is not available: {remedy}"))
}

/// The error if a word stands where a value must, and is known from other dialects as
/// something else than a function.
pub(super) fn value(text: &str, at: usize, word: &str) -> Option<NotationError> {
    let never = has("ARRAY INTERVAL DATE SELECT EXISTS", word);
    never.then(|| fault(text, at, reason(word).unwrap_or_default()))
}

/// The error for a function that does not exist; `known` are those that do.
pub(super) fn function(text: &str, at: usize, name: &str, known: &[&str]) -> NotationError {
    let message = reason(name).unwrap_or_else(|| {
        let near = nearest(&name.to_ascii_uppercase(), known.iter().copied());
        match near.first() {
            Some(near) => format!("unknown function {}, did you mean {near}?", shortened(name)),
            None => format!(
                "unknown function {}; the functions are {}",
                shortened(name),
                known.join(", ")
            ),
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
    let number = matches!(before, Some(before) if matches!(before.token, Token::Integer(_)));
    let remedy = match over.token {
        Token::Sign(")") => "no parenthesis is open here",
        Token::Sign(",") if number => "write numbers without separators, and lists as IN (...)",
        Token::Sign(",") => "a list stands in parentheses after IN",
        _ => "join conditions by AND or OR",
    };
    let message = format!("{found} after the end of the condition: {remedy}");
    fault(text, over.start, message)
}
