//! What can be put on a board and beside it: sides, outlined symbols, which need no font,
//! glyphs, marks, slides from square to square, stands of pieces.

use std::borrow::Cow;

use super::board::{BoardSquare, DiagramError, Point};
use super::men::Man;

/// One of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tone {
    /// The side whose pieces print solid.
    Dark,
    /// The side whose pieces print as outlines.
    Light,
}

/// A shape that stands for a piece: path data in a square of side [`Symbol::SIDE`],
/// turned by 0 to 3 quarters.
///
/// ```
/// use tesuji_draw::{Symbol, Tone};
///
/// let arrow = Symbol::new("arrow", "M500 100L900 900L500 700L100 900Z", Tone::Dark)?;
/// let theirs = arrow.clone().turned(2);
/// assert_ne!(arrow, theirs);
/// assert_eq!(arrow, theirs.turned(2));
/// # Ok::<(), tesuji_draw::DiagramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// The name, read aloud by screen readers.
    pub name: Cow<'static, str>,
    outline: Cow<'static, str>,
    /// Solid or hollow.
    pub tone: Tone,
    quarters: u8,
}

impl Symbol {
    /// The side of the square in which outlines are drawn.
    pub const SIDE: u16 = 1000;

    /// An upright symbol. A screen reader reads its name aloud.
    ///
    /// The outline is SVG path data, x to the right and y downwards, both from 0 to
    /// [`SIDE`](Self::SIDE): the absolute commands M, L, Q, C and Z with whole numbers,
    /// M first. [`Tone::Dark`] prints it solid, [`Tone::Light`] hollow.
    ///
    /// # Errors
    /// [`DiagramError::Outline`] for any other path.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        outline: impl Into<Cow<'static, str>>,
        tone: Tone,
    ) -> Result<Self, DiagramError> {
        let (name, outline) = (name.into(), outline.into());
        if !within_the_square(&outline) {
            return Err(DiagramError::Outline(name.into_owned()));
        }
        Ok(Self {
            name,
            outline,
            tone,
            quarters: 0,
        })
    }

    /// The symbol turned clockwise by a number of quarters: 2 as the other side's pieces stand.
    pub fn turned(mut self, quarters: u8) -> Self {
        self.quarters = (self.quarters + quarters % 4) % 4;
        self
    }

    /// The path data of the upright symbol: letters, digits and spaces only.
    pub fn outline(&self) -> &str {
        &self.outline
    }

    /// How far it is turned clockwise, in quarters, 0 to 3.
    pub const fn quarters(&self) -> u8 {
        self.quarters
    }
}

/// Whether a path has only the commands that symbols have, and all its control points
/// lie in the square. Then the whole shape does.
fn within_the_square(path: &str) -> bool {
    path.starts_with('M')
        && commands(path).all(|(command, numbers)| {
            let Some(numbers) = numbers else {
                return false;
            };
            let group = match command {
                "M" | "L" => 2,
                "Q" => 4,
                "C" => 6,
                "Z" => return numbers.is_empty(),
                _ => return false,
            };
            !numbers.is_empty()
                && numbers.len().is_multiple_of(group)
                && numbers.iter().all(|&number| number <= Symbol::SIDE)
        })
}

/// The commands of a path, each with the numbers that follow it; `None` if one is no number.
pub(crate) fn commands(path: &str) -> impl Iterator<Item = (&str, Option<Vec<u16>>)> {
    let commands = path.match_indices(|letter: char| letter != ' ' && !letter.is_ascii_digit());
    let ends = commands.clone().skip(1).map(|(at, _)| at);
    let parts = commands.zip(ends.chain([path.len()]));
    parts.map(|((at, command), end)| {
        let numbers = path[at + command.len()..end].split_ascii_whitespace();
        (command, numbers.map(|number| number.parse().ok()).collect())
    })
}

/// What stands on a square, or what the square itself is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Glyph {
    /// A piece of one of the two sides.
    Piece(Tone),
    /// Men of one kind of a side, where there are several kinds: one, or in a hand several,
    /// with their number.
    Men(Tone, Man, u8),
    /// A hole in the board, into which pieces may fall.
    Hole,
    /// A short text, such as the number of a tile; shrunk to fit the square.
    Text(String),
    /// The square is not part of the board.
    Absent,
    /// The square is filled solid, such as a wall.
    Filled,
    /// The square is out of play: hatched.
    Blocked,
    /// An outlined shape. Which way it is turned may show whose piece it is.
    Symbol(Symbol),
}

impl Glyph {
    /// The glyph after the board is turned a quarter clockwise.
    pub(super) fn turned(self) -> Self {
        match self {
            Self::Symbol(symbol) => Self::Symbol(symbol.turned(1)),
            other => other,
        }
    }
}

/// A sign over the board: what happens, or where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A move; it may end off the board.
    Arrow {
        /// Where the piece stands.
        from: BoardSquare,
        /// Where it goes.
        to: Point,
    },
    /// A cross where a piece is removed: on a square or just outside the edge.
    Removed(Point),
    /// A move that the rules forbid: a dashed arrow, barred.
    Forbidden {
        /// Where the piece stands.
        from: BoardSquare,
        /// Where it may not go.
        to: Point,
    },
    /// A square to look at.
    Highlight(BoardSquare),
}

/// A glyph that goes from one square to another in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slide {
    /// Where it stands.
    pub from: BoardSquare,
    /// Where it goes, on the board or just outside the edge.
    pub to: Point,
    /// Whether it is removed there.
    pub lost: bool,
}

/// The left or the right of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flank {
    /// On the left.
    Left,
    /// On the right.
    Right,
}

/// A column of symbols beside a board, such as the pieces in a player's hand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PieceStand {
    /// The symbol above the caption, such as the sign of a player.
    pub head: Option<Symbol>,
    /// What it is, in a few short words; nothing is written if it is blank.
    pub caption: String,
    /// The symbols from top to bottom, each with its number, which is written beside
    /// it unless it is 1.
    pub held: Vec<(Symbol, u32)>,
}
