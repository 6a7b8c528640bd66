//! The rules of a line-up game as plain data, and what must hold of them.

use std::fmt::Write;

use serde::Deserialize;

use super::goals::goal_sets;
pub use super::goals::{Corners, Directions, Goal};

/// The most squares of a board: sets of squares are words of 64 bits.
pub const MOST_SQUARES: u32 = 64;

/// The most columns or rows, so that every square has a name of two or three letters.
pub const LONGEST_SIDE: u8 = 16;

/// The most moves of men on the board: the solver counts them in six bits.
const MOST_MOVES: u32 = 63;

/// The most numbers of moves: records number them in seven bits.
const MOST_NUMBERS: u32 = 128;

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
    /// Columns of the board, 1 to [`LONGEST_SIDE`].
    pub columns: u8,
    /// Rows of the board, 1 to [`LONGEST_SIDE`].
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
pub struct Fault {
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
    #[must_use]
    pub fn squares(&self) -> u32 {
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
        let (free, degree) = (squares - 2 * men, self.degree());
        let moves = match self.movement {
            Movement::Fly => men * free,
            Movement::Step | Movement::Slide => men * degree,
        };
        let numbers = men * self.codes();
        if moves > MOST_MOVES || numbers > MOST_NUMBERS {
            let message = format!(
                "{men} men a side may have {moves} moves in a position, with numbers up to {numbers}; at most {MOST_MOVES} and {MOST_NUMBERS} can be solved, so take fewer men or squares"
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

    /// How many numbers the moves of one man take.
    pub(super) fn codes(&self) -> u32 {
        match self.movement {
            Movement::Step | Movement::Slide => 8,
            Movement::Fly => self.squares(),
        }
    }

    /// Everything that decides how the game is played, in one line that is the same for
    /// rules that are the same.
    #[must_use]
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
