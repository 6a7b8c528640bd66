//! The play of a problem, as inert data.

use std::ops::Range;

use super::data::{BoardSize, BookError, Problem};
use crate::draw::{BoardSquare, Glyph, Point};

/// The value of a move or a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// A win in this number of plies.
    Wins(u16),
    /// A draw.
    Draws,
    /// A loss in this number of plies.
    Loses(u16),
}

/// A move as it is shown on a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Act {
    /// The move in notation.
    pub name: String,
    /// The square where it begins.
    pub from: BoardSquare,
    /// The point to which it leads.
    pub to: Point,
    /// All that leaves its square, and where it goes.
    pub slides: Vec<(BoardSquare, Point)>,
    /// The index among the slides of what leaves the board.
    pub lost: Option<usize>,
    /// What appears on the board.
    pub appears: Vec<OnBoard>,
}

/// A glyph on a board.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OnBoard {
    /// The square.
    pub cell: BoardSquare,
    /// The glyph.
    pub glyph: Glyph,
    /// The glyph in words, for screen readers.
    pub words: String,
}

/// What follows a move of the solver and the reply to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Nothing: the game is over, or the move was wrong.
    Over,
    /// The next turn of the solver, by its index.
    Turn(usize),
    /// More play, which the book does not have.
    Cut,
}

/// A legal move of the solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub act: Act,
    /// Its value for the solver; plies include the move itself.
    pub worth: Worth,
    /// The best reply, if the game goes on.
    pub reply: Option<Act>,
    /// What follows.
    pub then: Then,
}

/// A position with the solver to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// All glyphs on the board.
    pub board: Vec<OnBoard>,
    /// All legal moves.
    pub choices: Vec<Choice>,
    /// The move that the rules forbid; it has no slides.
    pub banned: Option<Act>,
}

/// A ply of a variation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariationPly {
    /// The number of the ply before it, which is smaller; `None` in the position to solve.
    pub after: Option<usize>,
    /// The move.
    pub act: Act,
    /// What follows.
    pub reached: Reached,
}

/// What a ply of a variation leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached {
    /// The end of the game.
    End,
    /// More play, without the move that the rules forbid; it has no slides.
    Position(Option<Act>),
}

/// The name of a move in the words of a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPly {
    /// The index of the line.
    pub line: usize,
    /// Where the name stands, in bytes of the line.
    pub place: Range<usize>,
    /// The number of the ply in [`Play::variations`].
    pub ply: usize,
}

/// The play of a problem.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Play {
    /// The turns of the solver; the first is the problem.
    pub turns: Vec<Turn>,
    /// The main line, moves of both sides.
    pub line: Vec<Act>,
    /// The plies that the words of the solution name.
    pub variations: Vec<VariationPly>,
    /// Where the words name them, in order.
    pub named: Vec<NamedPly>,
}

impl BoardSize {
    fn has(&self, cell: BoardSquare) -> bool {
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

    /// Refuses a problem whose play refers to what does not exist.
    pub(super) fn check(&self, problem: &Problem) -> Result<(), BookError> {
        let play = &problem.play;
        let id = || problem.id.clone();
        let no_turn = |turn| BookError::NoTurn { id: id(), turn };
        if play.turns.is_empty() {
            return Err(no_turn(0));
        }
        let mut acts = play.line.iter().all(|act| self.takes(act));
        for turn in &play.turns {
            acts &= turn.board.iter().all(|thing| self.has(thing.cell));
            acts &= turn.banned.iter().all(|act| self.takes(act));
            for choice in &turn.choices {
                acts &= self.takes(&choice.act);
                acts &= choice.reply.iter().all(|act| self.takes(act));
                if let Then::Turn(next) = choice.then
                    && next >= play.turns.len()
                {
                    return Err(no_turn(next));
                }
            }
        }
        for (number, ply) in play.variations.iter().enumerate() {
            acts &= self.takes(&ply.act);
            if let Reached::Position(Some(banned)) = &ply.reached {
                acts &= self.takes(banned);
            }
            if ply.after.is_some_and(|after| after >= number) {
                return Err(BookError::NoPly { id: id() });
            }
        }
        if !acts {
            return Err(BookError::OffBoard { id: id() });
        }
        let mut end = (0, 0);
        for named in &play.named {
            let line = problem.solution.get(named.line);
            let there = line.is_some_and(|line| line.get(named.place.clone()).is_some());
            let begin = (named.line, named.place.start);
            if !there || begin < end || named.ply >= play.variations.len() {
                return Err(BookError::NoPly { id: id() });
            }
            end = (named.line, named.place.end);
        }
        Ok(())
    }
}
