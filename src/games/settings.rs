//! What specs say of a game: its settings, and the digest of a file that they name.

use std::borrow::Borrow;
use std::str::FromStr;

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::game::NotationError;

/// Why the settings of a game, or its file, are refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The spec is wrong at some place.
    #[error(transparent)]
    Text(#[from] NotationError),
    /// A value is out of range, or a file of rules is wrong. The message says what fits.
    #[error("{0}")]
    Refused(String),
    /// A graph or rules are not those whose digest stands in the spec.
    #[error("{0}")]
    Changed(String),
}

/// One of the settings after the name of a game, which are separated by commas.
#[derive(Clone, Copy)]
pub(super) struct Setting<'s> {
    spec: &'s str,
    /// Where it begins, in characters.
    at: usize,
    pub text: &'s str,
    /// What stands before `=`; everything, if there is none.
    pub key: &'s str,
    /// What stands behind `=`.
    pub value: Option<&'s str>,
}

/// The settings of a spec such as `name:key=value,key=value`. None may be given twice.
pub(super) fn read<'s>(
    spec: &'s str,
    name: &str,
    example: &str,
) -> Result<Vec<Setting<'s>>, NotationError> {
    let fault = |at, message: String| Err(NotationError::new(spec, at, message));
    let Some(rest) = spec.strip_prefix(name) else {
        return fault(0, format!("a spec of this game begins with '{name}'"));
    };
    let Some(list) = rest.strip_prefix(':') else {
        return match rest.chars().next() {
            None => Ok(Vec::new()),
            Some(found) => {
                let message =
                    format!("expected ':' after '{name}', found '{found}'; e.g. {example}");
                fault(name.chars().count(), message)
            }
        };
    };
    let mut at = name.chars().count() + 1;
    let mut found: Vec<Setting> = Vec::new();
    for text in list.split(',') {
        let setting = Setting::new(spec, at, text);
        if found.iter().any(|other| other.key == setting.key) {
            return Err(setting.twice());
        }
        found.push(setting);
        at += text.chars().count() + 1;
    }
    Ok(found)
}

impl<'s> Setting<'s> {
    /// The setting that begins at a character of a spec.
    pub(super) fn new(spec: &'s str, at: usize, text: &'s str) -> Self {
        let parts = text.split_once('=');
        let (key, value) = parts.map_or((text, None), |(key, value)| (key, Some(value)));
        Self {
            spec,
            at,
            text,
            key,
            value,
        }
    }

    pub(super) fn fault(&self, message: impl Into<String>) -> NotationError {
        NotationError::new(self.spec, self.at, message)
    }

    /// What is wrong with its value, from a character of it on.
    pub(super) fn wrong_value(&self, offset: usize, message: impl Into<String>) -> NotationError {
        let value = self.at + self.key.chars().count() + 1;
        NotationError::new(self.spec, value + offset, message)
    }

    pub(super) fn twice(&self) -> NotationError {
        self.fault("this setting is given twice; leave one out")
    }

    /// A number, which begins at a character of the setting.
    pub(super) fn number(&self, at: usize, digits: &str) -> Result<u8, NotationError> {
        number(digits).ok_or_else(|| {
            NotationError::new(self.spec, self.at + at, "expected a number up to 255 here")
        })
    }

    pub(crate) fn number_given(&self) -> Result<u8, NotationError> {
        self.number(self.key.chars().count() + 1, self.value.unwrap_or(""))
    }

    /// The value, one of some names.
    pub(super) fn named<T: Copy>(
        &self,
        names: &[(&str, T)],
        expected: &str,
    ) -> Result<T, NotationError> {
        let known = |(name, _): &&(&str, T)| Some(*name) == self.value;
        let found = names.iter().find(known).map(|(_, meaning)| *meaning);
        found.ok_or_else(|| self.wrong_value(0, expected))
    }
}

/// A number of digits alone: std takes a plus sign, too.
pub(super) fn number<T: FromStr>(digits: &str) -> Option<T> {
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// The rows and columns of `RxC`.
pub(super) fn size(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once('x')?;
    number(rows).zip(number(columns))
}

/// The spec of a game with these settings.
pub(super) fn spec<S: Borrow<str>>(name: &str, settings: &[S]) -> String {
    match &settings.join(",")[..] {
        "" => name.to_owned(),
        settings => format!("{name}:{settings}"),
    }
}

/// A short digest of what decides how a game is played.
pub(super) fn digest(signature: &str) -> String {
    format!("{:08x}", xxh3_64(signature.as_bytes()) >> 32)
}

/// The path of a file, and the digest if one follows it after `#`.
pub(super) fn split_digest(name: &str) -> (&str, Option<&str>) {
    let digits = |text: &str| {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        text.len() == 8 && text.bytes().all(digit)
    };
    match name.rsplit_once('#') {
        Some((path, digest)) if digits(digest) => (path, Some(digest)),
        _ => (name, None),
    }
}
