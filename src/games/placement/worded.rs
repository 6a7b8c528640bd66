//! The rules in words.

use super::{PlacementRules, Rules};
use crate::game::{RuleExample, RuleInWords};

/// The rules of a board, as they are printed in a book.
pub(super) fn rules(game: &PlacementRules) -> Vec<RuleInWords> {
    let (place, neighbours) = match &game.rules {
        Rules::Kings => (
            "square",
            "Squares are neighbours if a chess king could step from one to the other: a square in the middle of the board has eight.",
        ),
        Rules::Regio => (
            "square",
            "Squares that share a side are neighbours: a square in the middle of the board has four.",
        ),
        Rules::Graph(_) => ("vertex", "Vertices that an edge joins are neighbours."),
    };
    let turn = if game.colours > 1 {
        format!(
            "Both players make the same moves. A turn gives a {place} that has none a colour, one of {}, that no neighbour has.",
            game.colours
        )
    } else {
        format!(
            "Both players make the same moves. A turn takes a {place} that is free: neither it nor a neighbour of it has been taken. What is no longer free is hatched."
        )
    };
    let end = if game.misere {
        "Whoever makes the last move loses."
    } else {
        "Whoever cannot move loses: the last move wins."
    };
    let names = match &game.rules {
        Rules::Graph(_) => "A move is the name of the vertex.",
        _ => {
            "A move is the name of the square. Files have letters from the left, ranks numbers from below."
        }
    };
    vec![
        RuleInWords::new("Turns", turn, RuleExample::Initial),
        RuleInWords::new("Neighbours", neighbours, RuleExample::Kind("split")),
        RuleInWords::new("The end", end, RuleExample::Kind("lone")),
        RuleInWords::new("Notation", names, RuleExample::None),
    ]
}
