//! The rules in words.

use super::setup::{Captures, Entry, Futile, Rules};
use crate::game::{RuleExample, RuleInWords};

/// The sample problem of the paper, and a problem with a foul.
const SAMPLE: &str = "8S/9/9/6RSk/8r/9/8P/6L2/9 b - 1";

/// The rules with these settings, as they are printed in a book.
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
    vec![
        RuleInWords::new(
            "Hidden moves",
            "The men move as in shogi. Black, the attacker, knows the position at first. After that he sees only his own men. All men that are neither on the board nor in Black's hand are in White's.",
            RuleExample::Initial,
        ),
        RuleInWords::new(
            "Checks",
            "Every move of Black's must be a check. White, who sees everything, answers with any legal move.",
            RuleExample::Position(SAMPLE, "2d1e"),
        ),
        RuleInWords::new(
            "What is heard",
            format!(
                "An umpire tells Black of his own move whether it is check or mate, and {captured}; and of White's move the square on which a man of Black's vanishes, and whether it gives check."
            ),
            RuleExample::None,
        ),
        RuleInWords::new(
            "Fouls",
            "A move that something unseen forbids is a foul: a slide past a man, a drop on one, a pawn drop that mates, or the own king left in check. It is not made, and Black moves again.",
            RuleExample::Position("5S2k/9/8P/9/9/9/9/9/9 b BS 1", "S*2b"),
        ),
        RuleInWords::new("The task", mate, RuleExample::None),
    ]
}
