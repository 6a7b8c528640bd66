//! The parameters of the game, their spec text, and the initial position.

use thiserror::Error;

use super::Dobutsu;
use super::geometry::{Kind, bit};
use super::position::{Army, Position};
use crate::game::NotationError;

/// Invalid parameters.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct SetupError(#[from] NotationError);

/// When a lion on the far rank has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Try {
    /// As soon as it arrives on a square where it cannot be taken.
    #[default]
    Safe,
    /// When the other side has made a move and has not taken it.
    Held,
}

/// The animals besides the lions, by their names in specs and in the order of
/// [`Kind::animal`].
pub(super) const ANIMALS: [&str; 3] = ["giraffe", "elephant", "chick"];

const SETTINGS: &str = "known are pieces=, drops=no and try=held";

/// The rules, apart from the numbering of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rules {
    /// Whether each side begins with a giraffe, an elephant and a chick.
    pub animals: [bool; 3],
    /// Whether captured men go to the hand; otherwise they leave the game.
    pub drops: bool,
    /// When a lion on the far rank has won.
    pub try_rule: Try,
}

impl Rules {
    /// The game as it is sold.
    pub const PUBLISHED: Self = Self {
        animals: [true; 3],
        drops: true,
        try_rule: Try::Safe,
    };

    /// The number of men besides the lions at the beginning.
    pub fn men(self) -> u8 {
        self.animals.iter().map(|&has| 2 * u8::from(has)).sum()
    }

    /// The initial position.
    pub fn initial(self) -> Position {
        let mut men = [0; 4];
        for (kind, square) in [(Kind::Elephant, 0), (Kind::Giraffe, 2), (Kind::Chick, 4)] {
            if self.animals[kind.animal()] {
                men[kind as usize] = bit(square);
            }
        }
        let own = Army {
            lion: 1,
            men,
            hand: [0; 3],
        };
        let opp = Position { own, opp: own }.turned().own;
        Position { own, opp }
    }
}

impl Dobutsu {
    /// Reads a spec: `dobutsu`, optionally with `:` and settings separated by commas:
    /// `pieces=lion+chick` (each side begins with these animals only), `drops=no` (captured
    /// animals leave the game), `try=held` (a lion on the far rank wins when the other side
    /// has not taken it with its next move).
    ///
    /// # Errors
    /// If the text is malformed.
    pub fn from_spec(spec: &str) -> Result<Self, SetupError> {
        let fault = |at: usize, message: String| SetupError(NotationError::new(spec, at, message));
        let Some(settings) = spec.strip_prefix("dobutsu") else {
            return Err(fault(
                0,
                "a spec of this game begins with 'dobutsu'".to_owned(),
            ));
        };
        let mut rules = Rules::PUBLISHED;
        if settings.is_empty() {
            return Ok(Self::new(rules));
        }
        let Some(list) = settings.strip_prefix(':') else {
            let message = "expected ':' after 'dobutsu'; e.g. dobutsu:pieces=lion+chick";
            return Err(fault("dobutsu".len(), message.to_owned()));
        };
        let mut at = "dobutsu:".len();
        let mut seen = Vec::new();
        for item in list.split(',') {
            let key = item.split_once('=').map_or(item, |(key, _)| key);
            if seen.contains(&key) {
                return Err(fault(
                    at,
                    "this setting is given twice; leave one out".to_owned(),
                ));
            }
            seen.push(key);
            match item.split_once('=') {
                Some(("drops", "no")) => rules.drops = false,
                Some(("try", "held")) => rules.try_rule = Try::Held,
                Some(("pieces", names)) => {
                    rules.animals = read_animals(names)
                        .map_err(|(place, message)| fault(at + "pieces=".len() + place, message))?;
                }
                Some(("drops", _)) => {
                    return Err(fault(
                        at + "drops=".len(),
                        "expected 'no'; without this setting, captured animals are dropped again"
                            .to_owned(),
                    ));
                }
                Some(("try", _)) => {
                    return Err(fault(
                        at + "try=".len(),
                        "expected 'held'; without this setting, a lion wins when it arrives safely"
                            .to_owned(),
                    ));
                }
                _ => return Err(fault(at, format!("unknown setting; {SETTINGS}"))),
            }
            at += item.chars().count() + 1;
        }
        Ok(Self::new(rules))
    }
}

/// Reads names of animals joined by `+`. An error has its place.
fn read_animals(names: &str) -> Result<[bool; 3], (usize, String)> {
    let (mut animals, mut lion, mut at) = ([false; 3], false, 0);
    for name in names.split('+') {
        let place = ANIMALS.iter().position(|known| *known == name);
        let has = match place {
            Some(place) => &mut animals[place],
            None if name == "lion" => &mut lion,
            None => {
                let message = "animals are lion, giraffe, elephant and chick, with + between them";
                return Err((at, message.to_owned()));
            }
        };
        if *has {
            return Err((at, format!("the {name} is given twice; each side has one")));
        }
        *has = true;
        at += name.chars().count() + 1;
    }
    if lion {
        Ok(animals)
    } else {
        Err((0, "each side has a lion; begin with lion".to_owned()))
    }
}

/// The spec of a game: all settings that differ from the published game.
pub(super) fn format_spec(rules: Rules) -> String {
    let mut settings = Vec::new();
    if rules.animals != [true; 3] {
        let named = ANIMALS.iter().zip(rules.animals).filter(|(_, has)| *has);
        let names: Vec<&str> = std::iter::once("lion")
            .chain(named.map(|(name, _)| *name))
            .collect();
        settings.push(format!("pieces={}", names.join("+")));
    }
    if !rules.drops {
        settings.push("drops=no".to_owned());
    }
    if rules.try_rule == Try::Held {
        settings.push("try=held".to_owned());
    }
    if settings.is_empty() {
        "dobutsu".to_owned()
    } else {
        format!("dobutsu:{}", settings.join(","))
    }
}
