//! What is in a book, as inert data.

use std::collections::HashSet;

use thiserror::Error;

use crate::draw::{Cell, Diagram, Glyph, MAX_SIDE, Point};

/// What stands on the title page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Front {
    /// The title.
    pub title: String,
    /// A line below it; may be empty.
    pub subtitle: String,
    /// Who made the book; may be empty.
    pub author: String,
    /// The game that is played.
    pub game: String,
}

/// The board that all problems share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// Number of columns, 1 to [`MAX_SIDE`].
    pub columns: u8,
    /// Number of rows, likewise.
    pub rows: u8,
}

/// A theme of problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// Its name, as it is shown.
    pub name: String,
    /// What it means; may be empty.
    pub meaning: String,
}

/// What a move or a position is worth to the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// A win in so many plies.
    Wins(u16),
    /// A draw.
    Draws,
    /// A loss in so many plies.
    Loses(u16),
}

/// A move as a picture of a board shows it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Act {
    /// The move in the game's notation.
    pub name: String,
    /// The cell on which it begins.
    pub from: Cell,
    /// The point at which it is aimed.
    pub to: Point,
    /// Everything that leaves its cell, and where it comes to.
    pub slides: Vec<(Cell, Point)>,
    /// The place among the slides of what leaves the board.
    pub lost: Option<usize>,
    /// What comes onto the board.
    pub appears: Vec<OnBoard>,
}

/// Something on a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OnBoard {
    /// Where.
    pub cell: Cell,
    /// How it is drawn.
    pub glyph: Glyph,
    /// What it is in words.
    pub words: String,
}

/// What follows a choice and the reply to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Nothing: the game is over, or the choice was not good enough.
    Over,
    /// The next turn of the solver, by its place.
    Turn(usize),
    /// More than the book holds.
    Cut,
}

/// A legal move of the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub act: Act,
    /// What it is worth to the solver, itself counted.
    pub worth: Worth,
    /// The best reply, if the game goes on.
    pub reply: Option<Act>,
    /// What follows.
    pub then: Then,
}

/// A position with the solver to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Everything on the board.
    pub board: Vec<OnBoard>,
    /// All legal moves.
    pub choices: Vec<Choice>,
    /// The move that the rules forbid; nothing slides in it.
    pub banned: Option<Act>,
}

/// A problem that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Play {
    /// The turns of the solver; the first is the problem.
    pub turns: Vec<Turn>,
    /// The main line, both sides.
    pub line: Vec<Act>,
}

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// A name of its own in the book.
    pub id: String,
    /// What is asked.
    pub task: String,
    /// The side to move.
    pub side: String,
    /// The other side.
    pub other: String,
    /// Plies to the end of the game; 0 if it is drawn.
    pub plies: u16,
    /// Names of its themes.
    pub themes: Vec<String>,
    /// How hard it is: more is harder.
    pub difficulty: u32,
    /// The position in the game's notation.
    pub position: String,
    /// The position as a picture, without caption.
    pub diagram: Diagram,
    /// Hints, each saying more than the one before.
    pub hints: Vec<String>,
    /// The solution, line by line; spaces at the beginning indent.
    pub solution: Vec<String>,
    /// The problem to be played.
    pub play: Play,
}

/// What cannot be made a book of.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookError {
    /// Nothing to print.
    #[error("a book needs at least one problem")]
    Empty,
    /// A board without cells, or too large.
    #[error("a board needs 1 to {MAX_SIDE} columns and rows, not {} by {}", .0.columns, .0.rows)]
    Size(Board),
    /// Two problems of one name.
    #[error("two problems are called '{0}'; give each a name of its own, or leave one out")]
    Twice(String),
    /// A problem that names a turn it has not got, or has none.
    #[error("problem '{id}' has no turn {turn}")]
    NoTurn {
        /// The problem.
        id: String,
        /// The turn's place.
        turn: usize,
    },
    /// Something that stands or ends too far from the board.
    #[error("problem '{id}' has something off the board, or further than beside it")]
    OffBoard {
        /// The problem.
        id: String,
    },
}

/// A book: every problem has its own name, and all that its play mentions exists.
#[derive(Debug, Clone)]
pub struct Book {
    pub(super) front: Front,
    pub(super) board: Board,
    pub(super) themes: Vec<Theme>,
    pub(super) problems: Vec<Problem>,
}

impl Book {
    /// A book of problems in this order.
    ///
    /// # Errors
    /// [`BookError`] if there is no problem, two have one name, or a problem's play
    /// mentions what is not there.
    pub fn new(
        front: Front,
        board: Board,
        themes: Vec<Theme>,
        problems: Vec<Problem>,
    ) -> Result<Self, BookError> {
        if problems.is_empty() {
            return Err(BookError::Empty);
        }
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&board.columns) || !sides.contains(&board.rows) {
            return Err(BookError::Size(board));
        }
        let mut names = HashSet::new();
        for problem in &problems {
            if !names.insert(problem.id.as_str()) {
                return Err(BookError::Twice(problem.id.clone()));
            }
            board.check(problem)?;
        }
        Ok(Self {
            front,
            board,
            themes,
            problems,
        })
    }
}

impl Board {
    fn has(&self, cell: Cell) -> bool {
        cell.column < self.columns && cell.row < self.rows
    }

    fn has_near(&self, point: Point) -> bool {
        let near = |value: i8, side: u8| (-1..=i16::from(side)).contains(&i16::from(value));
        near(point.column, self.columns) && near(point.row, self.rows)
    }

    fn takes(&self, act: &Act) -> bool {
        self.has(act.from)
            && self.has_near(act.to)
            && act
                .slides
                .iter()
                .all(|&(from, to)| self.has(from) && self.has_near(to))
            && act.lost.is_none_or(|lost| lost < act.slides.len())
            && act.appears.iter().all(|thing| self.has(thing.cell))
    }

    fn check(&self, problem: &Problem) -> Result<(), BookError> {
        let turns = &problem.play.turns;
        let no_turn = |turn| BookError::NoTurn {
            id: problem.id.clone(),
            turn,
        };
        if turns.is_empty() {
            return Err(no_turn(0));
        }
        let mut acts = problem.play.line.iter().all(|act| self.takes(act));
        for turn in turns {
            acts &= turn.board.iter().all(|thing| self.has(thing.cell));
            acts &= turn.banned.iter().all(|act| self.takes(act));
            for choice in &turn.choices {
                acts &= self.takes(&choice.act);
                acts &= choice.reply.iter().all(|act| self.takes(act));
                if let Then::Turn(next) = choice.then
                    && next >= turns.len()
                {
                    return Err(no_turn(next));
                }
            }
        }
        if acts {
            Ok(())
        } else {
            Err(BookError::OffBoard {
                id: problem.id.clone(),
            })
        }
    }
}
