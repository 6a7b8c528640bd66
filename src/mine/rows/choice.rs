//! Moves of a main line's position: those that were asked for, and the best ones found so far.
#![expect(
    clippy::inline_always,
    reason = "special instructions are used only where everything is inlined"
)]

use crate::game::Squares;

/// The best moves of a line's position, as far as they were found.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub moves: u32,
    /// The least number of such a move on the board of the line, and where it leads.
    pub first: u8,
    pub to: To,
}

/// Where a move leads.
#[derive(Clone, Copy)]
pub(super) enum To {
    /// It ends the game.
    End,
    /// To a position of the group.
    Within(Within),
    /// To a position of an earlier group.
    Earlier(Earlier),
}

/// A position after a move within the group, as its bucket sees it.
#[derive(Clone, Copy)]
pub(super) struct Within {
    pub bucket: u32,
    pub set: u32,
    /// The squares of the side to move there, and the symmetry that turned the board.
    pub after: Squares,
    pub turn: u8,
    /// The number of the move that takes back the last one.
    pub undo: u8,
}

/// A position of an earlier group after a move, as its bucket sees it.
#[derive(Clone, Copy)]
pub(super) struct Earlier {
    pub layer: usize,
    pub bucket: u32,
    pub set: u32,
    pub after: Squares,
    pub turn: u8,
}

/// A move whose value is being fetched from memory.
pub(super) struct Asked {
    /// The line's place among those followed together.
    pub line: usize,
    /// How many moves do the same, none if it is forbidden, and the least number of them on the
    /// board of the line.
    pub moves: u8,
    pub number: u8,
    pub to: To,
}

impl Choice {
    pub const NONE: Self = Self {
        moves: 0,
        first: u8::MAX,
        to: To::End,
    };

    #[inline(always)]
    pub fn add(&mut self, moves: u8, number: u8, to: To) {
        self.moves += u32::from(moves);
        if number < self.first {
            (self.first, self.to) = (number, to);
        }
    }
}
