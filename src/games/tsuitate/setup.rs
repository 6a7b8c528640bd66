//! Rule settings, their notation, and the rules in words.

use super::Tsuitate;
use crate::game::{NotationError, RuleInWords};
use crate::games::settings;

/// All settings. The default is the paper's reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rules {
    /// Whether White may not make drops that only delay mate.
    pub(super) omits_futile: bool,
    /// Whether the capture of a promoted piece is announced as such, not by its kind in hand.
    pub(super) tells_promoted: bool,
    /// Whether White is safe once its king enters Black's camp.
    pub(super) entry_escapes: bool,
}

impl Rules {
    /// The spec, without the settings that have their defaults.
    pub fn spec(self) -> String {
        let settings = [
            (self.omits_futile, "futile=omitted"),
            (self.tells_promoted, "captures=promoted"),
            (self.entry_escapes, "entry=escape"),
        ];
        let given = settings.into_iter().filter(|(is_given, _)| *is_given);
        let given: Vec<_> = given.map(|(_, text)| text).collect();
        settings::spec("tsuitate", &given)
    }
}

impl Tsuitate {
    /// Creates the game with these settings.
    pub const fn new(rules: Rules) -> Self {
        Self { rules }
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
                "futile=omitted" => rules.omits_futile = true,
                "captures=promoted" => rules.tells_promoted = true,
                "entry=escape" => rules.entry_escapes = true,
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
    let captured = if rules.tells_promoted {
        "the kind of man that it takes, promoted or not"
    } else {
        "the kind of man that it takes, as it comes to hand"
    };
    let mut mate = "Black must mate whatever White replies, in the fewest moves and with no more fouls than the problem allows.".to_owned();
    if rules.omits_futile {
        mate += " White may not interpose where that only puts off mate.";
    }
    if rules.entry_escapes {
        mate += " White's king is safe in Black's camp, the three nearest ranks.";
    }
    let values = [("{captured}", captured), ("{mate}", &mate)];
    RuleInWords::listed(include_str!("rules.txt"), &values)
}
