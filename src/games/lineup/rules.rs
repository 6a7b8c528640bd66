//! The rules of a line-up game as plain data, and what must hold of them.

use std::fmt::Write;

use serde::Deserialize;

use crate::base::text::plural;
use crate::game::{Board, MostMoves, RuleExample, RuleInWords};

/// The most squares of a board: sets of squares are words of 64 bits.
pub(crate) const MOST_SQUARES: u32 = 64;

/// The most columns or rows, so that every square has a name of two or three letters.
pub(crate) const LONGEST_SIDE: u8 = 16;

/// The most numbers of moves: records number them in bytes, and 255 stands for no move.
const MOST_NUMBERS: u32 = 255;

/// Which squares a man can step to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Adjacency {
    /// Up to four neighbours, along rows and columns.
    Orthogonal,
    /// Up to four neighbours, along diagonals.
    Diagonal,
    /// Up to eight neighbours.
    Both,
    /// The lines of an alquerque board: all along rows and columns, and diagonals from
    /// every second square, beginning with the corners.
    Alquerque,
}

/// How a man moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Movement {
    /// To a free neighbour.
    Step,
    /// In the direction of a neighbour, over free squares, as far as it can.
    Slide,
    /// To any free square.
    Fly,
}

/// What a side gets that is to move and cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoMoves {
    /// It loses.
    Lose,
    /// The game is a draw.
    Draw,
    /// It wins.
    Win,
}

/// How the game begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With an empty board: the sides take turns to put their men on free squares, the
    /// first of them not on one of these squares.
    Drop {
        /// Squares that the first man may not go to.
        not_first: u64,
    },
    /// With all men on the board, Black to move.
    Placed {
        /// The squares of the side that begins.
        black: u64,
        /// The squares of the other side.
        white: u64,
    },
}

/// The rules of a line-up game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// What people call the game.
    pub title: String,
    /// Columns of the board, 1 to `LONGEST_SIDE`.
    pub columns: u8,
    /// Rows of the board, 1 to `LONGEST_SIDE`.
    pub rows: u8,
    /// Men of each side.
    pub men: u8,
    /// Which squares are neighbours.
    pub adjacency: Adjacency,
    /// How a man moves.
    pub movement: Movement,
    /// How the game begins.
    pub start: Start,
    /// What a side without a move gets.
    pub no_moves: NoMoves,
    /// What wins; one of them is enough.
    pub goals: Vec<Goal>,
}

/// A field of the rules, with what is wrong with it and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The field.
    pub field: &'static str,
    /// The number of the goal, from 0, if it is about one.
    pub goal: Option<usize>,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Fault {
    /// A fault.
    pub(super) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self {
            field,
            goal: None,
            message: message.into(),
        }
    }
}

impl Rules {
    /// The number of squares.
    pub(crate) fn squares(&self) -> u32 {
        u32::from(self.columns) * u32::from(self.rows)
    }

    /// Checks everything that can be checked before squares are numbered.
    pub(super) fn check(&self) -> Result<(), Fault> {
        for (field, side) in [("columns", self.columns), ("rows", self.rows)] {
            if !(1..=LONGEST_SIDE).contains(&side) {
                let message = format!("a board has 1 to {LONGEST_SIDE} {field}");
                return Err(Fault::new(field, message));
            }
        }
        let (squares, men) = (self.squares(), u32::from(self.men));
        if squares > MOST_SQUARES {
            let message = format!("a board of {squares} squares; at most {MOST_SQUARES} fit");
            return Err(Fault::new("rows", message));
        }
        if men == 0 || 2 * men >= squares {
            let most = squares.saturating_sub(1) / 2;
            let message = format!(
                "{squares} squares have room for 1 to {most} men a side, with one square left to move to"
            );
            return Err(Fault::new("men", message));
        }
        self.check_goals()?;
        let numbers = self.numbers();
        if numbers > MOST_NUMBERS {
            let message = format!(
                "the moves of {men} men a side take {numbers} numbers; at most {MOST_NUMBERS} can be solved, so take fewer men or squares"
            );
            return Err(Fault::new("men", message));
        }
        Ok(())
    }

    fn check_goals(&self) -> Result<(), Fault> {
        if self.goals.is_empty() {
            let message = "nothing wins: add a [[goal]] with line = 3 or square = \"unit\"";
            return Err(Fault::new("goal", message));
        }
        for (place, goal) in self.goals.iter().enumerate() {
            self.check_goal(*goal).map_err(|fault| Fault {
                goal: Some(place),
                ..fault
            })?;
        }
        Ok(())
    }

    fn check_goal(&self, goal: Goal) -> Result<(), Fault> {
        let (field, needs) = match goal {
            Goal::Line { length, directions } => {
                if length < 2 {
                    return Err(Fault::new("line", "a row has 2 men or more"));
                }
                if !(directions.horizontal || directions.vertical || directions.diagonal) {
                    let message = "give one direction or more, such as [\"orthogonal\"]";
                    return Err(Fault::new("directions", message));
                }
                ("line", length)
            }
            Goal::Square(_) => ("square", 4),
        };
        if needs > self.men {
            let message = format!(
                "this goal takes {needs} men, and a side has {}; give it more men, or make the goal smaller",
                self.men
            );
            return Err(Fault::new(field, message));
        }
        if self.sets(goal).is_empty() {
            let message = "this goal does not fit the board; give a larger board or a smaller goal";
            return Err(Fault::new(field, message));
        }
        Ok(())
    }

    /// The most neighbours of a square.
    const fn degree(&self) -> u32 {
        match self.adjacency {
            Adjacency::Orthogonal | Adjacency::Diagonal => 4,
            Adjacency::Both | Adjacency::Alquerque => 8,
        }
    }

    /// How many moves of men a position may have.
    pub(super) fn most_moves(&self) -> MostMoves {
        let men = u32::from(self.men);
        let moves = match self.movement {
            Movement::Fly => men * (self.squares() - 2 * men),
            Movement::Step | Movement::Slide => men * self.degree(),
        };
        // There are no more moves than numbers, of which the check has left 255 at most.
        let [within, numbers] =
            [moves, self.numbers()].map(|count| u8::try_from(count).unwrap_or(u8::MAX));
        MostMoves { within, numbers }
    }

    /// How many numbers the moves of all men of a side take.
    fn numbers(&self) -> u32 {
        u32::from(self.men) * self.codes()
    }

    /// How many numbers the moves of one man take.
    pub(super) fn codes(&self) -> u32 {
        match self.movement {
            Movement::Step | Movement::Slide => 8,
            Movement::Fly => self.squares(),
        }
    }

    /// Everything that decides how the game is played, in one line that is the same for
    /// rules that are the same.
    pub fn signature(&self) -> String {
        let mut text = format!(
            "{}x{} men {} {:?} {:?} {:?}",
            self.columns, self.rows, self.men, self.adjacency, self.movement, self.no_moves
        );
        let _ = match self.start {
            Start::Drop { not_first } => write!(text, " drop {not_first:x}"),
            Start::Placed { black, white } => write!(text, " start {black:x} {white:x}"),
        };
        let mut sets: Vec<u64> = self
            .goals
            .iter()
            .flat_map(|goal| self.sets(*goal))
            .collect();
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            let _ = write!(text, " {set:x}");
        }
        text
    }

    /// The sets of squares of a goal.
    pub(super) fn sets(&self, goal: Goal) -> Vec<u64> {
        goal_sets(self.columns, self.rows, goal)
    }
}

/// A set of directions in which men can stand in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directions {
    /// Along a row of the board.
    pub horizontal: bool,
    /// Along a column.
    pub vertical: bool,
    /// Along a diagonal.
    pub diagonal: bool,
}

/// Which four squares are the corners of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Corners {
    /// Neighbours: two by two.
    Unit,
    /// Of any size, with sides along rows and columns.
    Upright,
    /// Of any size and tilt.
    Any,
}

/// What wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// So many men in a row without a gap.
    Line {
        /// The number of men, 2 or more.
        length: u8,
        /// Where the row may run.
        directions: Directions,
    },
    /// Four men on the corners of a square.
    Square(Corners),
}

/// The sets of squares that a goal wins with, on a board of so many columns and rows.
pub(super) fn goal_sets(columns: u8, rows: u8, goal: Goal) -> Vec<u64> {
    let board = Board::new(columns, rows);
    let vectors: Vec<Vec<(i8, i8)>> = match goal {
        Goal::Line { length, directions } => {
            let steps = [
                (directions.horizontal, (1, 0)),
                (directions.vertical, (0, 1)),
                (directions.diagonal, (1, 1)),
                (directions.diagonal, (-1, 1)),
            ];
            let length = i8::try_from(length).unwrap_or(i8::MAX);
            let steps = steps.into_iter().filter(|(wanted, _)| *wanted);
            let row = |(_, (x, y))| {
                let men = 0..length;
                men.map(|man| (man * x, man * y)).collect()
            };
            // No board is as wide as this, and products of longer rows do not fit.
            if length > 16 {
                return Vec::new();
            }
            steps.map(row).collect()
        }
        Goal::Square(corners) => {
            let longest = i8::try_from(columns.max(rows)).unwrap_or(0);
            let sides = (1..longest).flat_map(|x| (0..longest).map(move |y| (x, y)));
            let sides = sides.filter(|&(x, y)| match corners {
                Corners::Unit => (x, y) == (1, 0),
                Corners::Upright => y == 0,
                Corners::Any => true,
            });
            sides
                .map(|(x, y)| vec![(0, 0), (x, y), (x - y, x + y), (-y, x)])
                .collect()
        }
    };
    let mut found = Vec::new();
    for first in 0..board.squares() {
        for vectors in &vectors {
            let mut men = vectors.iter().map(|&by| beside(board, first, by));
            let set = men.try_fold(0, |set, man| Some(set | 1_u64 << man?));
            found.extend(set);
        }
    }
    found
}

/// The square `right` columns to the right and `down` rows down, if it is on the board.
pub(super) fn beside(board: Board, square: u8, (right, down): (i8, i8)) -> Option<u8> {
    let (columns, rows) = board.size();
    let column = (square % columns).checked_add_signed(right)?;
    let row = (square / columns).checked_add_signed(down)?;
    (column < columns && row < rows).then(|| row * columns + column)
}

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
