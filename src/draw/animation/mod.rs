//! A line of play in motion.

mod film;
mod paint;

use std::collections::BTreeMap;

use super::diagram::Diagram;
use super::parts::{Cell, DiagramError, Glyph, Slide};
use super::style::Style;
use film::Film;

/// A position of a line, and the move that follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    diagram: Diagram,
    label: String,
    slides: Vec<Slide>,
}

impl Frame {
    /// A position with the marks of the move that follows, the move as it is
    /// written, and what changes its place. The last position of a line has neither
    /// label nor slides.
    #[must_use]
    pub fn new(diagram: Diagram, label: impl Into<String>, slides: Vec<Slide>) -> Self {
        Self {
            diagram,
            label: label.into(),
            slides,
        }
    }
}

/// A line of play: every position is what the moves before it lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Animation {
    frames: Vec<Frame>,
}

impl Animation {
    /// A line of play.
    ///
    /// # Errors
    /// [`DiagramError::Sizes`] if boards differ in size, [`DiagramError::Empty`] if
    /// something moves that is not there, [`DiagramError::TooFar`] if it goes too far,
    /// [`DiagramError::Jump`] if a position does not follow from the one before.
    pub fn new(frames: Vec<Frame>) -> Result<Self, DiagramError> {
        let Some(first) = frames.first() else {
            return Ok(Self { frames });
        };
        let mut there = standing(&first.diagram);
        for (place, frame) in (1..).zip(&frames) {
            if frame.diagram.size() != first.diagram.size() {
                return Err(DiagramError::Sizes(place));
            }
            if standing(&frame.diagram) != there {
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
                let to = frame.diagram.cell(slide.to);
                let to = to.ok_or(DiagramError::TooFar(slide.to))?;
                if there.insert(to, glyph).is_some() {
                    return Err(DiagramError::Taken(to));
                }
            }
        }
        Ok(Self { frames })
    }
}

fn standing(diagram: &Diagram) -> BTreeMap<Cell, Glyph> {
    let glyphs = diagram.glyphs();
    glyphs.map(|(cell, glyph)| (cell, glyph.clone())).collect()
}

/// Draws a line of play as one SVG document that plays in a browser, again and
/// again, and underlines the move that is being made.
///
/// Where animations are not supported, on paper, and for readers who asked for less
/// motion it shows the first position and the moves. The document has a style sheet
/// whose names depend on its content, so that several may be in one page. The
/// headline is also its title.
#[must_use]
pub fn animate(headline: &str, line: &Animation, style: &Style) -> String {
    paint::paint(headline, &line.frames, style)
}
