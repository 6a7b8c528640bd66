//! The rules in words.

use super::Ostle;
use crate::game::{Repetition, RuleExample, RuleInWords};

/// The rules of a board, as they are printed in a book.
pub(super) fn rules(game: &Ostle) -> Vec<RuleInWords> {
    let (files, ranks) = (game.grid().width(), game.grid().height());
    let (pieces, losses) = (game.pieces(), game.losses());
    let lost = match losses {
        1 => "a piece".to_owned(),
        losses => format!("{losses} pieces"),
    };
    let equal = match game.repetition {
        Repetition::Exact => {
            "No position may equal the one two plies before: a move that takes back the opponent's last move is forbidden."
        }
        Repetition::UpToSymmetry => {
            "The first move that leads back to the position of two plies before, or to a rotation or a mirror image of it, is forbidden."
        }
        Repetition::AllImages => {
            "No move may lead back to the position of two plies before, nor to a rotation or a mirror image of it."
        }
    };
    let (or_hole, hole) = if game.has_fixed_hole() {
        let text = "Nobody moves the hole.";
        ("", RuleInWords::new("The hole", text, RuleExample::None))
    } else {
        let text = "Either side may move the hole, but only onto an empty square of the board.";
        let example = RuleExample::Kind("hole");
        (
            ", or the hole,",
            RuleInWords::new("The hole", text, example),
        )
    };
    vec![
        RuleInWords::new(
            "Start",
            format!(
                "The board has {ranks} ranks and {files} files. Each side begins with {pieces} pieces on its home rank, and there is one hole. Black begins; the sides take turns and may not pass."
            ),
            RuleExample::Initial,
        ),
        RuleInWords::new(
            "Moves",
            format!("A turn moves one own piece{or_hole} one square up, down, left or right."),
            RuleExample::Kind("quiet"),
        ),
        RuleInWords::new(
            "Pushing",
            "A piece may move onto an occupied square: it pushes the piece there one square on, which pushes the next, and so on.",
            RuleExample::Kind("push"),
        ),
        RuleInWords::new(
            "Losing pieces",
            "A piece that leaves the board or comes to the hole is removed. A side may give up its own pieces.",
            RuleExample::Kind("capture"),
        ),
        hole,
        RuleInWords::new(
            "The end",
            format!(
                "A side that has lost {lost} has lost the game, no matter who made the move. Endless play is a draw."
            ),
            RuleExample::None,
        ),
        RuleInWords::new("No taking back", equal, RuleExample::None),
        RuleInWords::new(
            "Notation",
            "Files have letters from the left, ranks numbers from below. A move is the square of the piece or the hole that moves and its direction: b2U moves what is on b2 up, and D, L and R are down, left and right.",
            RuleExample::None,
        ),
    ]
}
