//! The rules in words.

use super::goals::{Corners, Goal};
use super::rules::{Adjacency, Movement, NoMoves, Rules, Start};
use crate::base::text::plural;
use crate::game::{RuleExample, RuleInWords};

/// The rules of a game from a file, as they are printed in a book.
pub(super) fn rules(rules: &Rules) -> Vec<RuleInWords> {
    let men = plural_men(rules.men);
    let (rows, columns) = (rules.rows, rules.columns);
    let board = format!(
        "{} is played on a board of {rows} rows and {columns} columns.",
        rules.title
    );
    let start = match rules.start {
        Start::Drop { not_first: 0 } => format!(
            "The board is empty at first. Black begins, and the sides take turns to put their {men} on free squares."
        ),
        Start::Drop { .. } => format!(
            "The board is empty at first. Black begins, and the sides take turns to put their {men} on free squares; some squares are forbidden to the first man."
        ),
        Start::Placed { .. } => {
            format!("Each side begins with {men}. Black begins, and the sides take turns.")
        }
    };
    let how = match rules.movement {
        Movement::Step => "A turn moves one own man to a free neighbouring square.",
        Movement::Slide => {
            "A turn moves one own man in a direction as far as it can go over free squares."
        }
        Movement::Fly => "A turn moves one own man to any free square.",
    };
    let after = match rules.start {
        Start::Drop { .. } => "When all men are on the board: ",
        Start::Placed { .. } => "",
    };
    let neighbours = match (rules.movement, rules.adjacency) {
        (Movement::Fly, _) => "",
        (_, Adjacency::Orthogonal) => " Men move along rows and columns.",
        (_, Adjacency::Diagonal) => " Men move along diagonals.",
        (_, Adjacency::Both) => " Men move along rows, columns and diagonals.",
        (_, Adjacency::Alquerque) => {
            " Men move along the lines of the board: rows and columns, and diagonals from the corners and every second square."
        }
    };
    let goals: Vec<String> = rules.goals.iter().copied().map(goal).collect();
    let stuck = match rules.no_moves {
        NoMoves::Lose => "A side that is to move and cannot loses.",
        NoMoves::Draw => "If the side to move cannot, the game is a draw.",
        NoMoves::Win => "A side that is to move and cannot wins.",
    };
    vec![
        RuleInWords::new("Start", format!("{board} {start}"), RuleExample::Initial),
        RuleInWords::new(
            "Moves",
            format!("{after}{how}{neighbours}"),
            RuleExample::Kind("quiet"),
        ),
        RuleInWords::new(
            "The end",
            format!(
                "Whoever has {} wins. {stuck} Endless play is a draw.",
                goals.join(", or ")
            ),
            RuleExample::Kind("threat"),
        ),
    ]
}

fn plural_men(men: u8) -> String {
    match men {
        1 => "man".to_owned(),
        men => plural(men.into(), "man").replace("mans", "men"),
    }
}

/// What wins.
fn goal(goal: Goal) -> String {
    match goal {
        Goal::Line { length, directions } => {
            let ways = [
                (directions.horizontal, "a row"),
                (directions.vertical, "a column"),
                (directions.diagonal, "a diagonal"),
            ];
            let ways = ways.iter().filter(|(has, _)| *has).map(|(_, name)| *name);
            format!(
                "{length} men side by side in {}",
                ways.collect::<Vec<_>>().join(" or ")
            )
        }
        Goal::Square(Corners::Unit) => "four men in a square of two by two".to_owned(),
        Goal::Square(Corners::Upright) => {
            "four men on the corners of a square whose sides run along rows and columns".to_owned()
        }
        Goal::Square(Corners::Any) => {
            "four men on the corners of a square of any size and tilt".to_owned()
        }
    }
}
