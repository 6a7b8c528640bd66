//! The rules in words.

use super::Dobutsu;
use super::setup::Try;
use crate::game::{RuleExample, RuleInWords};

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
