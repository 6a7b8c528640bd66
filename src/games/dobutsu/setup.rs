//! The parameters of the game, their spec text, the initial position, and the rules in words.

use super::Dobutsu;
use super::geometry::{Kind, bit};
use super::state::{Army, Position};
use crate::game::{NotationError, RuleExample, RuleInWords};
use crate::games::settings;

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
    pub(super) const PUBLISHED: Self = Self {
        animals: [true; 3],
        drops: true,
        try_rule: Try::Safe,
    };

    /// The number of men besides the lions at the beginning.
    pub(super) fn men(self) -> u8 {
        self.animals.iter().map(|&has| 2 * u8::from(has)).sum()
    }

    /// The initial position.
    pub(super) fn initial(self) -> Position {
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
    pub fn from_spec(spec: &str) -> Result<Self, NotationError> {
        let mut rules = Rules::PUBLISHED;
        for setting in settings::read(spec, "dobutsu", "dobutsu:pieces=lion+chick")? {
            match (setting.key, setting.value) {
                ("drops", Some(_)) => {
                    let expected =
                        "expected 'no'; without this setting, captured animals are dropped again";
                    rules.drops = setting.named(&[("no", false)], expected)?;
                }
                ("try", Some(_)) => {
                    let expected =
                        "expected 'held'; without this setting, a lion wins when it arrives safely";
                    rules.try_rule = setting.named(&[("held", Try::Held)], expected)?;
                }
                ("pieces", Some(names)) => {
                    let wrong = |(at, message): (usize, String)| setting.wrong_value(at, message);
                    rules.animals = read_animals(names).map_err(wrong)?;
                }
                _ => {
                    let known = "unknown setting; known are pieces=, drops=no and try=held";
                    return Err(setting.fault(known));
                }
            }
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

/// The rules, as they are printed in a book.
pub(super) fn rules(game: &Dobutsu) -> Vec<RuleInWords> {
    let rules = game.rules();
    let mut all = vec![
        RuleInWords::new(
            "Start",
            "The board has three files and four ranks. Sente, at the bottom, begins; the sides take turns and may not pass.",
            RuleExample::Initial,
        ),
        RuleInWords::new(
            "Moves",
            "A turn moves one own animal by one step. The lion steps in all eight directions, the giraffe straight, the elephant diagonally, the chick forward, and the hen straight or diagonally forward.",
            RuleExample::Kind("lion"),
        ),
    ];
    let taken = if rules.drops {
        "An animal that steps onto one of the other side takes it into the hand, a hen as a chick."
    } else {
        "An animal that steps onto one of the other side takes it from the game."
    };
    all.push(RuleInWords::new(
        "Taking",
        taken,
        RuleExample::Kind("capture"),
    ));
    if rules.drops {
        all.push(RuleInWords::new(
            "Drops",
            "Instead of a move, an animal is dropped from the hand on any empty square.",
            RuleExample::Kind("drop"),
        ));
    }
    all.push(RuleInWords::new(
        "Promotion",
        "A chick that steps onto the far rank becomes a hen, always. A chick that is dropped there does not.",
        RuleExample::Kind("promotion"),
    ));
    let try_rule = match rules.try_rule {
        Try::Safe => "as soon as it arrives where it cannot be taken",
        Try::Held => "when the other side has made a move and has not taken it",
    };
    all.push(RuleInWords::new(
        "The end",
        format!("A side that takes the lion wins. A lion on the far rank wins too, {try_rule}. A side that has no move loses, and endless play is a draw."),
        RuleExample::None,
    ));
    all
}
