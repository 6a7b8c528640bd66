//! Rule settings, their notation, and the rules in words.

use super::Tsuitate;
use crate::game::{NotationError, RuleInWords};
use crate::games::settings;

/// The spec, without the settings that have their defaults.
pub(super) fn spec(game: &Tsuitate) -> String {
    let settings = [
        (game.omits_futile, "futile=omitted"),
        (game.tells_promoted, "captures=promoted"),
        (game.entry_escapes, "entry=escape"),
    ];
    let given = settings.into_iter().filter(|(is_given, _)| *is_given);
    let given: Vec<_> = given.map(|(_, text)| text).collect();
    settings::spec("tsuitate", &given)
}

impl Tsuitate {
    /// Reads a spec such as `tsuitate` or `tsuitate:futile=omitted,captures=promoted`.
    ///
    /// # Errors
    /// If a setting is unknown or given twice.
    pub fn from_spec(spec: &str) -> Result<Self, NotationError> {
        let mut game = Self::default();
        for setting in settings::read(spec, "tsuitate", "tsuitate:futile=omitted")? {
            match setting.text {
                "futile=kept" | "captures=unpromoted" | "entry=nothing" => {}
                "futile=omitted" => game.omits_futile = true,
                "captures=promoted" => game.tells_promoted = true,
                "entry=escape" => game.entry_escapes = true,
                text => {
                    return Err(setting.fault(format!(
                        "unknown setting '{text}'; give futile=kept or omitted, captures=unpromoted or promoted, entry=nothing or escape"
                    )));
                }
            }
        }
        Ok(game)
    }
}

pub(super) fn rules(game: &Tsuitate) -> Vec<RuleInWords> {
    let captured = if game.tells_promoted {
        "the kind of man that it takes, promoted or not"
    } else {
        "the kind of man that it takes, as it comes to hand"
    };
    let mut mate = "Black must mate whatever White replies, in the fewest moves and with no more fouls than the problem allows.".to_owned();
    if game.omits_futile {
        mate += " White may not interpose where that only puts off mate.";
    }
    if game.entry_escapes {
        mate += " White's king is safe in Black's camp, the three nearest ranks.";
    }
    let values = [("{captured}", captured), ("{mate}", &mate)];
    RuleInWords::listed(include_str!("rules.txt"), &values)
}
