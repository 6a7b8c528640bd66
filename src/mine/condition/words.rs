//! The words that a text can be, known before any row is seen.

use std::sync::Arc;

use super::token::shortened;
use crate::mine::nearest::nearest;

/// The texts that a part of a condition can have as its value, by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words(Arc<[String]>);

impl Words {
    /// Words from anything, in this order.
    pub fn new(words: impl IntoIterator<Item = String>) -> Self {
        Self(words.into_iter().collect())
    }

    /// All words of several lists, each once, in alphabetical order.
    pub fn merged<'a>(lists: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all: Vec<String> = lists
            .into_iter()
            .flat_map(|words| words.0.iter().cloned())
            .collect();
        all.sort_unstable();
        all.dedup();
        Self::new(all)
    }

    /// The words, by number.
    pub fn list(&self) -> &[String] {
        &self.0
    }

    /// What a function has as its value for each word.
    pub fn table<T>(&self, value: impl FnMut(&String) -> T) -> Arc<[T]> {
        self.0.iter().map(value).collect()
    }

    /// The number in a [merged](Self::merged) list of each word.
    pub fn numbers_in(&self, merged: &Self) -> Arc<[i64]> {
        self.table(|word| {
            let place = merged.0.binary_search(word).unwrap_or_default();
            i64::try_from(place).unwrap_or(i64::MAX)
        })
    }

    /// What is wrong with comparing these words with a text that is not among them; `None`
    /// if it is, or if no words are known.
    pub fn misses(&self, text: &str, whose: &str) -> Option<String> {
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

/// How many words a message lists.
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
