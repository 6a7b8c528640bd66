//! Rule settings, their notation, and the rules in words.

use super::Tsuitate;
use super::notation::sample;
use crate::game::{NotationError, RuleInWords};
use crate::games::settings;

/// Drops that only delay mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Futile {
    /// White may make them.
    #[default]
    Kept,
    /// White may not make them.
    Omitted,
}

/// How the capture of a promoted piece is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Captures {
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

impl Rules {
    /// The spec, without the settings that have their defaults.
    pub fn spec(self) -> String {
        let settings = [
            (self.futile == Futile::Omitted, "futile=omitted"),
            (self.captures == Captures::Promoted, "captures=promoted"),
            (self.entry == Entry::Escape, "entry=escape"),
        ];
        let given = settings.into_iter().filter(|(is_given, _)| *is_given);
        let given: Vec<_> = given.map(|(_, text)| text).collect();
        settings::spec("tsuitate", &given)
    }
}

impl Tsuitate {
    /// Creates the game with these settings.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            sample: sample(),
        }
    }

    /// Reads a spec such as `tsuitate` or `tsuitate:futile=omitted,captures=promoted`.
    ///
    /// # Errors
    /// If a setting is unknown or given twice.
    pub fn from_spec(spec: &str) -> Result<Self, NotationError> {
        let mut rules = Rules::default();
        for setting in settings::read(spec, "tsuitate", "tsuitate:futile=omitted")? {
            match setting.text {
                "futile=kept" | "captures=unpromoted" | "entry=nothing" => {}
                "futile=omitted" => rules.futile = Futile::Omitted,
                "captures=promoted" => rules.captures = Captures::Promoted,
                "entry=escape" => rules.entry = Entry::Escape,
                text => {
                    return Err(setting.fault(format!(
                        "unknown setting '{text}'; give futile=kept or omitted, captures=unpromoted or promoted, entry=nothing or escape"
                    )));
                }
            }
        }
        Ok(Self::new(rules))
    }
}

pub(super) fn rules(rules: Rules) -> Vec<RuleInWords> {
    let captured = match rules.captures {
        Captures::Unpromoted => "the kind of man that it takes, as it comes to hand",
        Captures::Promoted => "the kind of man that it takes, promoted or not",
    };
    let mut mate = "Black must mate whatever White replies, in the fewest moves and with no more fouls than the problem allows.".to_owned();
    if rules.futile == Futile::Omitted {
        mate += " White may not interpose where that only puts off mate.";
    }
    if rules.entry == Entry::Escape {
        mate += " White's king is safe in Black's camp, the three nearest ranks.";
    }
    let values = [("{captured}", captured), ("{mate}", &mate)];
    RuleInWords::listed(include_str!("rules.txt"), &values)
}
