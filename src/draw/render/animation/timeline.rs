//! Which glyph moves when and where in an animation.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::draw::data::{BoardSquare, Frame, Glyph, Point};

/// When glyphs begin to move, as a part of a move's time: until then only the arrow is
/// shown.
const DEPART: f64 = 0.4;
/// When they have arrived, as a part of a move's time.
const ARRIVE: f64 = 0.8;
/// How long the last position stays, in times of a move.
const REST: f64 = 1.5;

/// A glyph and all its moves in the line.
#[derive(Debug)]
pub(super) struct MovingGlyph {
    pub glyph: Glyph,
    pub start: BoardSquare,
    /// The number of the move after which it appears, unless it is there from the start.
    pub appears: Option<usize>,
    /// The number of the move after which another takes its place.
    pub vanishes: Option<usize>,
    /// The number of the move, where it leads, whether the glyph is removed there.
    pub path: Vec<(usize, Point, bool)>,
}

impl MovingGlyph {
    fn new(glyph: &Glyph, start: BoardSquare, appears: Option<usize>) -> Self {
        Self {
            glyph: glyph.clone(),
            start,
            appears,
            vanishes: None,
            path: Vec::new(),
        }
    }

    /// Whether it is where it is all the time.
    pub fn rests(&self) -> bool {
        self.path.is_empty() && self.appears.is_none() && self.vanishes.is_none()
    }
}

/// The glyphs of a line, and its number of moves.
#[derive(Debug)]
pub(super) struct Timeline {
    pub glyphs: Vec<MovingGlyph>,
    moves: usize,
}

impl Timeline {
    pub fn new(frames: &[Frame]) -> Self {
        let mut glyphs: Vec<MovingGlyph> = Vec::new();
        let mut at: BTreeMap<BoardSquare, usize> = BTreeMap::new();
        for (cell, glyph) in frames
            .first()
            .iter()
            .flat_map(|frame| frame.diagram.glyphs())
        {
            at.insert(cell, glyphs.len());
            glyphs.push(MovingGlyph::new(glyph, cell, None));
        }
        for (number, frame) in frames.iter().enumerate() {
            let moving: Vec<_> = frame
                .slides
                .iter()
                .filter_map(|slide| Some((at.remove(&slide.from)?, slide)))
                .collect();
            for (glyph, slide) in moving {
                glyphs[glyph].path.push((number, slide.to, slide.lost));
                if let Some(to) = frame.diagram.square(slide.to).filter(|_| !slide.lost) {
                    at.insert(to, glyph);
                }
            }
            for (cell, glyph) in &frame.appears {
                if let Some(former) = at.insert(*cell, glyphs.len()) {
                    glyphs[former].vanishes = Some(number);
                }
                glyphs.push(MovingGlyph::new(glyph, *cell, Some(number)));
            }
        }
        // Pieces fall into holes, not under them.
        glyphs.sort_by_key(|glyph| glyph.glyph != Glyph::Hole);
        let moves = frames
            .iter()
            .filter(|frame| !frame.slides.is_empty() || !frame.appears.is_empty());
        Self {
            glyphs,
            moves: moves.count(),
        }
    }

    /// The length of the animation, in times of a move.
    fn length(&self) -> f64 {
        self.moves as f64 + REST
    }

    /// The length of the animation in seconds, if a move takes `a_move` seconds.
    pub fn seconds(&self, a_move: f64) -> f64 {
        self.length() * a_move
    }

    fn percent(&self, time: f64) -> f64 {
        (10_000.0 * time / self.length()).round() / 100.0
    }

    /// The keyframes of a glyph that moves; `shift` gives the distances in mm from where
    /// it starts to a point.
    pub fn keyframes(&self, glyph: &MovingGlyph, shift: impl Fn(Point) -> (f64, f64)) -> String {
        let mut text = String::new();
        let mut here = "transform:none;opacity:1".to_owned();
        let mut since = 0.0;
        // What appears or vanishes does so when all slides have ended.
        let ended = |number: usize| [ARRIVE, 1.0].map(|part| self.percent(number as f64 + part));
        if let Some([from, to]) = glyph.appears.map(ended) {
            let _ = write!(text, "0%,{from}%{{transform:none;opacity:0}}");
            since = to;
        }
        for &(number, to, lost) in &glyph.path {
            let depart = self.percent(number as f64 + DEPART);
            let arrive = self.percent(number as f64 + ARRIVE);
            let _ = write!(text, "{since}%,{depart}%{{{here}}}");
            let (x, y) = shift(to);
            let opacity = u8::from(!lost);
            here = format!("transform:translate({x}px,{y}px);opacity:{opacity}");
            since = arrive;
        }
        if let Some([from, to]) = glyph.vanishes.map(ended) {
            let _ = write!(text, "{since}%,{from}%{{{here}}}");
            here = here.replace("opacity:1", "opacity:0");
            since = to;
        }
        let _ = write!(text, "{since}%,100%{{{here}}}");
        text
    }

    /// The keyframes of something that is visible during these moves only.
    pub fn shown(&self, during: impl Fn(usize) -> bool) -> String {
        let mut text = String::new();
        let mut last = None;
        for number in 0..=self.moves {
            let now = during(number);
            if last != Some(now) {
                let from = self.percent(number as f64);
                let _ = write!(text, "{from}%{{opacity:{}}}", u8::from(now));
                last = Some(now);
            }
        }
        let _ = write!(text, "100%{{opacity:{}}}", u8::from(last == Some(true)));
        text
    }
}
