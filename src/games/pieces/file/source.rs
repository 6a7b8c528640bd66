//! Files of rules in TOML: their text, their faults, and values that say how to write them.

use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error, SeqAccess, Visitor};
use toml::Spanned;

use crate::game::{Board, NotationError};
use crate::games::pieces::rules::Squares;
use crate::games::settings::SetupError;

/// The most bytes of a file of rules: fifty times those that come with the program.
pub(super) const MOST_BYTES: usize = 1 << 16;

/// What TOML says of a value that should be one of a few names.
const NO_NAME: &str = "wanted string or table";

pub(super) fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, SetupError> {
    if text.len() > MOST_BYTES {
        let bytes = text.len();
        return Err(SetupError::Refused(format!(
            "it has {bytes} bytes, and rules have at most {MOST_BYTES}; leave out what is no rule"
        )));
    }
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let mut message = error.to_string();
        if let Some(at) = error.span().filter(|_| error.message() == NO_NAME) {
            // The error about an empty name lists those that are known.
            let named = [&text[..at.start], "''", &text[at.end..]].concat();
            let error = toml::from_str::<T>(&named).err();
            let names = error.as_ref().map_or("", toml::de::Error::message);
            if let Some((_, names)) = names.split_once("expected ") {
                message = message.replace(NO_NAME, &format!("expected {names}"));
            }
        }
        SetupError::Refused(message.trim_end().to_owned())
    })
}

/// The text of a file, for the numbers of lines.
#[derive(Clone, Copy)]
pub(super) struct Source<'t>(pub &'t str);

impl Source<'_> {
    pub(super) fn fault<T>(
        self,
        span: Range<usize>,
        field: &str,
        message: impl fmt::Display,
    ) -> Result<T, SetupError> {
        let before = self.0.bytes().take(span.start);
        let line = before.filter(|&byte| byte == b'\n').count() + 1;
        Err(SetupError::Refused(format!(
            "line {line}, {field}: {message}"
        )))
    }

    /// An error if something is wrong.
    pub(super) fn refuse(
        self,
        wrong: bool,
        span: Range<usize>,
        field: &str,
        message: impl fmt::Display,
    ) -> Result<(), SetupError> {
        if wrong {
            self.fault(span, field, message)
        } else {
            Ok(())
        }
    }

    /// An error at a value, if there is one and it is not what it would be without the key.
    pub(super) fn without_effect<T: PartialEq + Default>(
        self,
        field: &str,
        value: Option<&Spanned<T>>,
        message: &str,
    ) -> Result<(), SetupError> {
        match value {
            Some(value) if *value.get_ref() != T::default() => {
                self.fault(value.span(), field, message)
            }
            _ => Ok(()),
        }
    }

    /// Squares by their names, as the side sees them that begins.
    pub(super) fn squares(
        self,
        field: &str,
        names: &Spanned<List<String>>,
        board: Board,
    ) -> Result<Squares, SetupError> {
        let set = (names.get_ref().0.iter())
            .try_fold(0, |set, name| Ok(set | 1 << board.read_name(name)?));
        set.or_else(|error: NotationError| self.fault(names.span(), field, error.message))
    }
}

/// What is written, or what holds without it.
pub(super) fn value_of<T: Copy + Default>(written: Option<&Spanned<T>>) -> T {
    written.map_or_else(T::default, |value| *value.get_ref())
}

#[derive(Clone, Copy)]
pub(super) struct Whole(i64);

impl Whole {
    /// The number, if it is one of 1 to `last`.
    pub(super) fn up_to(self, last: u8) -> Option<u8> {
        let number = u8::try_from(self.0).ok();
        number.filter(|number| (1..=last).contains(number))
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_i64(Self(0))
    }
}

impl Visitor<'_> for Whole {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, such as 3")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self, E> {
        Ok(Self(number))
    }
}

/// A list. What is none is refused with words that say how to write one.
pub(super) struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_seq(Self::default())
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a list: values in brackets, or sections that begin with two brackets as in [[goal]]",
        )
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self, A::Error> {
        let elements = std::iter::from_fn(|| from.next_element().transpose());
        elements.collect::<Result<_, _>>().map(Self)
    }
}
