//! The types of values.

use super::words::Words;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Always NULL, which takes any type.
    Null,
    Flag,
    Integer,
    Decimal,
    /// One of these words.
    Text(Words),
    /// The names of the themes, which only LIKE can ask for.
    Themes,
}

impl Kind {
    /// What a value of the type is, for messages.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Flag => "true or false",
            Self::Integer | Self::Decimal => "a number",
            Self::Text(_) => "a text",
            Self::Themes => "a list of themes",
        }
    }

    /// Whether it may stand where a number must.
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Null | Self::Integer | Self::Decimal)
    }

    /// The type that values of both can be converted to; `None` if there is none.
    pub fn common(&self, other: &Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Null, kind) | (kind, Self::Null) => kind.clone(),
            (Self::Flag, Self::Flag) => Self::Flag,
            (Self::Integer, Self::Integer) => Self::Integer,
            (Self::Integer | Self::Decimal, Self::Integer | Self::Decimal) => Self::Decimal,
            // In alphabetical order, so that the numbers of words compare as the words do.
            (Self::Text(a), Self::Text(b)) => Self::Text(Words::merged([a, b])),
            _ => return None,
        })
    }
}
