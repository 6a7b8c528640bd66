//! The content of a book, as inert data.

use std::collections::HashSet;

use thiserror::Error;

use super::play::Play;
use crate::analysis::Grade;
use crate::draw::{Diagram, MAX_SIDE};

/// The title page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Front {
    /// The title.
    pub title: String,
    /// The line below the title; may be empty.
    pub subtitle: String,
    /// The author; may be empty.
    pub author: String,
    /// The name of the game.
    pub game: String,
}

impl Front {
    /// A title page with no more than a title and the name of the game.
    pub fn new(title: impl Into<String>, game: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            subtitle: String::new(),
            author: String::new(),
            game: game.into(),
        }
    }
}

/// The size of the board, the same in all problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardSize {
    /// The number of columns, 1 to [`MAX_SIDE`].
    pub columns: u8,
    /// The number of rows, 1 to [`MAX_SIDE`].
    pub rows: u8,
}

/// A theme of problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// The name, as shown to readers.
    pub name: String,
    /// The explanation; may be empty.
    pub meaning: String,
}

/// What a composer says of a problem; each part may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credit {
    /// The title.
    pub title: String,
    /// The author.
    pub author: String,
    /// Where and when the problem was published first.
    pub source: String,
}

impl Credit {
    /// Author and source in one line.
    #[must_use]
    pub fn line(&self) -> String {
        let parts = [self.author.trim(), self.source.trim()];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// A rule of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What it is about, in a word or two.
    pub title: String,
    /// What it says.
    pub text: String,
    /// What shows it on a board.
    pub diagram: Option<Diagram>,
}

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The name, unique in the book.
    pub id: String,
    /// What its composer says of it.
    pub credit: Credit,
    /// The stipulation.
    pub task: String,
    /// The side to move.
    pub side: String,
    /// The other side.
    pub other: String,
    /// Plies to the end of the game, or to the end of a mate or swindle; 0 for a draw.
    pub plies: u16,
    /// The names of its themes.
    pub themes: Vec<String>,
    /// How far one must look ahead to solve it, if that is known.
    pub grade: Option<Grade>,
    /// Whether it is solved when the other side has made a mistake that was forced, and the
    /// worths of moves count plies to it.
    pub lured: bool,
    /// Whether it asks for a mate by checks, and plies count to the mating move, not to the end.
    pub mate: bool,
    /// The difficulty: greater is harder.
    pub difficulty: u32,
    /// The position in notation.
    pub position: String,
    /// The position as a diagram without captions.
    pub diagram: Diagram,
    /// Hints, each more specific than the one before.
    pub hints: Vec<String>,
    /// The lines of the solution, indented by spaces.
    pub solution: Vec<String>,
    /// All play that a reader of the web page can try.
    pub play: Play,
}

/// Why a book is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookError {
    /// There are no problems.
    #[error("a book needs at least one problem")]
    Empty,
    /// The board has no squares or more than [`MAX_SIDE`] columns or rows.
    #[error("invalid board size {}x{}: a board has 1 to {MAX_SIDE} columns and rows", .0.columns, .0.rows)]
    Size(BoardSize),
    /// Two problems have the same name.
    #[error("two problems are named '{0}': rename or remove one of them")]
    Twice(String),
    /// A problem has no turns, or refers to one that does not exist.
    #[error("problem '{id}' has no turn {turn}")]
    NoTurn {
        /// The problem.
        id: String,
        /// The index of the turn.
        turn: usize,
    },
    /// A problem has a glyph off the board, or a move that ends more than one square off.
    #[error("problem '{id}' has a glyph off the board, or a move to more than one square off")]
    OffBoard {
        /// The problem.
        id: String,
    },
    /// A problem names a ply that does not exist, or names one where its solution has no text.
    #[error("problem '{id}' names a ply that does not exist, or where its solution has no text")]
    NoPly {
        /// The problem.
        id: String,
    },
}

/// A book. Every problem has a unique name, and all squares and turns that its play refers
/// to exist.
#[derive(Debug, Clone)]
pub struct Book {
    pub(super) front: Front,
    pub(super) board: BoardSize,
    pub(super) themes: Vec<Theme>,
    pub(super) problems: Vec<Problem>,
    pub(super) notes: Vec<String>,
    pub(super) rules: Vec<Rule>,
    /// Titles, each with the index of its first problem; in order, the first at 0.
    pub(super) chapters: Vec<(String, usize)>,
}

/// How stipulations and solutions of games with full information are read.
pub const NOTES: [&str; 3] = [
    "A problem says who is to move and what is asked. Plies count the moves of both sides, the last one of the game included: a win in 7 is won with the winner's fourth move.",
    "In solutions ! marks the key, ? a try, which fails to the one reply after it. Variations are indented, and replies with the same answer stand together; ~ is every reply that holds out as long. Moves in brackets are duals, which do as well. Set play is what would happen if the other side were to move.",
    "The tree of a solution has only the replies that hold out longest. Three dots mark where it is cut.",
];

/// How a mate problem is read, for a book that has one.
pub const MATE_NOTE: &str = "Mate in 5: each move of the solver gives check, and plies count up to the move after which nothing saves the other side, here the solver's third. The last plies of the game follow in the solution, but do not count.";

impl Book {
    /// A book of problems in this order.
    ///
    /// # Errors
    /// [`BookError`] if there is no problem, two have the same name, the board has no
    /// squares or is too large, or the play of a problem refers to squares or turns that
    /// do not exist.
    pub fn new(
        front: Front,
        board: BoardSize,
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
            notes: NOTES.map(str::to_owned).into(),
            rules: Vec::new(),
            chapters: Vec::new(),
        })
    }

    /// The book with what composers say of its problems, in their order.
    #[must_use]
    pub fn with_credits(mut self, credits: Vec<Credit>) -> Self {
        for (problem, credit) in self.problems.iter_mut().zip(credits) {
            problem.credit = credit;
        }
        self
    }

    /// The book divided into chapters: titles with the numbers of their problems, in order.
    /// Problems beyond the last chapter belong to it.
    #[must_use]
    pub fn with_chapters(mut self, chapters: Vec<(String, usize)>) -> Self {
        let mut first = 0;
        self.chapters.clear();
        for (title, problems) in chapters {
            if problems > 0 && first < self.problems.len() {
                self.chapters.push((title, first));
            }
            first += problems;
        }
        self
    }

    /// The book with the rules of its game, or with none.
    #[must_use]
    pub fn with_rules(mut self, rules: Vec<Rule>) -> Self {
        self.rules = rules;
        self
    }

    /// The book with these notes on how its stipulations and solutions are read, a paragraph
    /// each, instead of [`NOTES`].
    #[must_use]
    pub fn with_notes(mut self, notes: Vec<String>) -> Self {
        self.notes = notes;
        self
    }
}
