//! Rule settings and their notation.

use thiserror::Error;

use super::{Tsuitate, notation};
use crate::game::NotationError;

/// Drops that only delay mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Futile {
    /// White may make them.
    #[default]
    Kept,
    /// White may not make them.
    Omitted,
}

/// How the capture of a promoted piece is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Captures {
    /// By the kind that it becomes in hand.
    #[default]
    Unpromoted,
    /// As a promoted piece.
    Promoted,
}

/// The effect of White's king entering Black's camp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Entry {
    /// No effect.
    #[default]
    Nothing,
    /// White is safe, and Black has failed.
    Escape,
}

/// All settings. The default is the paper's reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    pub(super) futile: Futile,
    pub(super) captures: Captures,
    pub(super) entry: Entry,
}

/// Invalid settings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// An unknown setting or value.
    #[error("{0}")]
    Setting(NotationError),
    /// A setting that is given twice.
    #[error("{0} is given twice; leave one out")]
    Twice(&'static str),
}

impl Rules {
    /// Whether White makes futile interpositions.
    #[must_use]
    pub const fn futile(self) -> Futile {
        self.futile
    }

    /// How captures of promoted pieces are announced.
    #[must_use]
    pub const fn captures(self) -> Captures {
        self.captures
    }

    /// The effect of entering Black's camp.
    #[must_use]
    pub const fn entry(self) -> Entry {
        self.entry
    }

    /// The spec, without the settings that have their defaults.
    #[must_use]
    pub fn spec(self) -> String {
        let mut settings = Vec::new();
        if self.futile == Futile::Omitted {
            settings.push("futile=omitted");
        }
        if self.captures == Captures::Promoted {
            settings.push("captures=promoted");
        }
        if self.entry == Entry::Escape {
            settings.push("entry=escape");
        }
        if settings.is_empty() {
            "tsuitate".to_owned()
        } else {
            format!("tsuitate:{}", settings.join(","))
        }
    }
}

impl Tsuitate {
    /// Creates the game with these settings.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            sample: notation::sample(),
        }
    }

    /// Reads a spec such as `tsuitate` or `tsuitate:futile=omitted,captures=promoted`.
    ///
    /// # Errors
    /// If a setting is unknown or given twice.
    pub fn from_spec(spec: &str) -> Result<Self, SetupError> {
        let mut rules = Rules::default();
        let Some((name, settings)) = spec.split_once(':') else {
            return Ok(Self::new(rules));
        };
        let mut at = name.chars().count() + 1;
        let mut seen: Vec<&str> = Vec::new();
        for setting in settings.split(',') {
            let key = match setting {
                "futile=kept" => "futile",
                "futile=omitted" => {
                    rules.futile = Futile::Omitted;
                    "futile"
                }
                "captures=unpromoted" => "captures",
                "captures=promoted" => {
                    rules.captures = Captures::Promoted;
                    "captures"
                }
                "entry=nothing" => "entry",
                "entry=escape" => {
                    rules.entry = Entry::Escape;
                    "entry"
                }
                _ => {
                    let message = format!(
                        "unknown setting '{setting}'; give futile=kept or omitted, captures=unpromoted or promoted, entry=nothing or escape"
                    );
                    return Err(SetupError::Setting(NotationError::new(spec, at, message)));
                }
            };
            if seen.contains(&key) {
                return Err(SetupError::Twice(key));
            }
            seen.push(key);
            at += setting.chars().count() + 1;
        }
        Ok(Self::new(rules))
    }
}
