//! A line of play, position by position, with what moves in between.

use super::board::{BoardSquare, DiagramError};
use super::diagram::Diagram;
use super::parts::{Glyph, Slide};

/// A position of a line, and the move that follows. The last one has neither label nor
/// slides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The position, with the marks of the move that follows.
    pub diagram: Diagram,
    /// The move that follows, in notation.
    pub label: String,
    /// What goes from one square to another in it.
    pub slides: Vec<Slide>,
    /// What then appears, in place of what is there.
    pub appears: Vec<(BoardSquare, Glyph)>,
}

impl Frame {
    /// A position and the move that follows.
    pub fn new(diagram: Diagram, label: impl Into<String>, slides: Vec<Slide>) -> Self {
        Self {
            diagram,
            label: label.into(),
            slides,
            appears: Vec::new(),
        }
    }

    /// Lets everything appear that a later position has and the slides do not bring about,
    /// such as a piece that is dropped or changes its kind.
    pub fn becomes(mut self, next: &Diagram) -> Self {
        let moved = self.diagram.clone().moved(&self.slides, []);
        let appears = next.glyphs();
        let appears = appears.filter(|&(at, glyph)| moved.glyphs.get(&at) != Some(glyph));
        self.appears = appears.map(|(at, glyph)| (at, glyph.clone())).collect();
        self
    }

    /// The frame of a line whose boards are turned a quarter clockwise.
    pub(crate) fn turned(mut self) -> Self {
        let (columns, size) = (self.diagram.columns, self.diagram.size());
        for slide in &mut self.slides {
            slide.from = slide.from.turned(columns);
            slide.to = slide.to.turned(size);
        }
        let appears = self.appears.into_iter();
        let appears = appears.map(|(at, glyph)| (at.turned(columns), glyph.turned()));
        self.appears = appears.collect();
        self.diagram = self.diagram.turned();
        self
    }
}

/// A line of play in which every position follows from the one before it.
///
/// ```
/// use tesuji_draw::{Animation, BoardSquare, Diagram, Frame, Glyph, Point, Slide, Tone};
///
/// let board = |row| Diagram::new(3, 3)?.place(BoardSquare::new(0, row), Glyph::Piece(Tone::Dark));
/// let slide = Slide { from: BoardSquare::new(0, 0), to: Point::new(0, 1), lost: false };
/// let first = Frame::new(board(0)?, "a1U", vec![slide]);
/// assert!(Animation::new(vec![first.clone(), Frame::new(board(1)?, "", vec![])]).is_ok());
/// assert!(Animation::new(vec![first.clone(), first]).is_err());
/// # Ok::<(), tesuji_draw::DiagramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Animation {
    /// The positions in order.
    pub(crate) frames: Vec<Frame>,
}

impl Animation {
    /// A line of play.
    ///
    /// # Errors
    /// [`DiagramError::Sizes`] if boards differ in size, [`DiagramError::OffBoard`] if something
    /// appears off the board, [`DiagramError::Empty`] if
    /// nothing stands where a slide begins, [`DiagramError::TooFar`] if a slide ends off
    /// the board and its glyph is not removed, [`DiagramError::Taken`] if it ends on an
    /// occupied square, [`DiagramError::Jump`] if a position does not follow from the one
    /// before.
    pub fn new(frames: Vec<Frame>) -> Result<Self, DiagramError> {
        let Some(first) = frames.first() else {
            return Ok(Self { frames });
        };
        let mut there = first.diagram.glyphs.clone();
        for (place, frame) in (1..).zip(&frames) {
            if frame.diagram.size() != first.diagram.size() {
                return Err(DiagramError::Sizes(place));
            }
            if frame.diagram.glyphs != there {
                return Err(DiagramError::Jump(place));
            }
            let mut moving = Vec::new();
            for slide in &frame.slides {
                frame.diagram.check_point(slide.to)?;
                let glyph = there.remove(&slide.from);
                moving.push((glyph.ok_or(DiagramError::Empty(slide.from))?, slide));
            }
            for (glyph, slide) in moving {
                if slide.lost {
                    continue;
                }
                let to = frame.diagram.square(slide.to);
                let to = to.ok_or(DiagramError::TooFar(slide.to))?;
                if there.insert(to, glyph).is_some() {
                    return Err(DiagramError::Taken(to));
                }
            }
            for (at, glyph) in frame.appears.iter().cloned() {
                frame.diagram.check_square(at)?;
                there.insert(at, glyph);
            }
        }
        Ok(Self { frames })
    }
}
