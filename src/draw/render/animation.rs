//! A line of play in motion.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_64;

use super::board::{coordinates, draw_glyph, ground, lines, marker};
use super::canvas::{Canvas, Paint, round};
use super::grid::{Grid, board_size, measure, page_margin};
use super::margins::Margins;
use super::marks::{highlights, marks};
use super::piece_stands::stands;
use super::style::{Rotation, Style};
use super::text::{Anchor, LEADING, below, caption_type, wrapped};
use crate::data::{Animation, BoardSquare, Frame, Glyph, Point, Tone};

/// Draws a line of play as one SVG document that plays in a browser in a loop, and
/// underlines the move that is being made.
///
/// Where animations are not supported, on paper, and for readers who prefer reduced
/// motion it shows the first position and the moves. The names in its style sheet
/// depend on its content, so that several such documents may be in one page. The
/// headline is also its title.
pub fn animate(headline: &str, line: &Animation, style: &Style) -> String {
    let style = &Style {
        forbidden_beside: false,
        ..style.clone()
    };
    let Some(first) = line.frames.first() else {
        return Canvas::default().document((1.0, 1.0), Some(headline), None, style);
    };
    // All are turned as the style turns the first one.
    let quarters = Rotation::of(&first.diagram, style).0;
    let turned = |frame: &Frame| (0..quarters).fold(frame.clone(), |frame, _| frame.turned());
    let frames: Vec<Frame> = line.frames.iter().map(turned).collect();
    let first = &frames[0].diagram;
    let timeline = Timeline::new(&frames);
    let caption = caption_type(style);
    let size = caption.size;
    let pad = page_margin(style);
    let margins = Margins::of_all(frames.iter().map(|frame| &frame.diagram), style);
    let around = margins.total();
    let (across, down) = board_size(first, style);
    let left = pad + around.left;
    let column = measure(across + around.right, style);
    let width = left + column + pad;

    let mut canvas = Canvas::default();
    let mut y = pad;
    let heading = wrapped(caption.bold(), headline, column);
    if !heading.is_empty() {
        let at = (left, y + caption.cap_height());
        y = canvas.column_of_text(at, Anchor::Start, &heading) + 0.7 * size;
    }
    let grid = Grid::new(first, style, (left, y + around.top), margins.gutter);
    let mut painter = Painter {
        number: 0,
        keyframes: String::new(),
        classes: String::new(),
        canvas,
        style,
        timeline: &timeline,
    };
    painter.board(&frames, &grid);
    let mut y = y + around.top + down + around.bottom + 0.9 * size + caption.cap_height();
    let lines = below(first, style, column);
    if !lines.is_empty() {
        let canvas = &mut painter.canvas;
        y = canvas.column_of_text((left, y), Anchor::Start, &lines);
        y += 0.35 * size + caption.cap_height();
    }
    y = painter.moves(&frames, (left, y), column);
    let seconds = round(timeline.length() * style.move_seconds.0);
    let (keyframes, classes) = (&painter.keyframes, &painter.classes);
    painter.canvas.rules = format!(
        "\n{keyframes}@media screen and (prefers-reduced-motion:no-preference){{\n\
         .{NAMES}{{animation:{seconds}s ease-in-out infinite}}.{NAMES}-s{{animation-timing-function:step-end}}\n\
         {classes}}}\n"
    );
    let labels: Vec<&str> = frames.iter().map(|frame| frame.label.as_str()).collect();
    let labels = labels.join(" ");
    let desc = [first.desc.as_deref().unwrap_or_default(), labels.trim()].join(" ");
    let desc = Some(desc.trim()).filter(|desc| !desc.is_empty());
    let title = Some(headline).filter(|title| !title.trim().is_empty());
    let size = (width, y + pad);
    let picture = painter.canvas.document(size, title, desc, style);
    let names = format!("t{:010x}", xxh3_64(picture.as_bytes()) >> 24);
    picture.replace(NAMES, &names)
}

/// Stands for the prefix of all names in the style sheet, which is a hash of the picture, until that
/// is drawn: no text of a picture has it.
const NAMES: char = '\u{fffe}';

struct Painter<'a> {
    number: usize,
    keyframes: String,
    /// The classes that use them.
    classes: String,
    canvas: Canvas,
    style: &'a Style,
    timeline: &'a Timeline,
}

impl Painter<'_> {
    /// Adds a group that plays these keyframes. `seen` says whether it is visible where
    /// animations are not supported.
    fn play(&mut self, group: Canvas, keyframes: &str, steps: bool, seen: bool) {
        let name = format!("{NAMES}-{}", self.number);
        self.number += 1;
        let class = if steps {
            format!("{NAMES} {NAMES}-s {name}")
        } else {
            format!("{NAMES} {name}")
        };
        let mut attributes = vec![("class", class.as_str())];
        if !seen {
            attributes.push(("opacity", "0"));
        }
        self.canvas.group(group, &attributes);
        let _ = writeln!(self.keyframes, "@keyframes {name}{{{keyframes}}}");
        let _ = writeln!(self.classes, ".{name}{{animation-name:{name}}}");
    }

    /// Adds what is drawn for each frame, which is visible while its move is made.
    fn by_frame(&mut self, frames: &[Frame], grid: &Grid, draw: fn(&mut Canvas, &Grid)) {
        for (number, frame) in frames.iter().enumerate() {
            let mut drawn = Canvas::default();
            let diagram = &frame.diagram;
            draw(&mut drawn, &Grid { diagram, ..*grid });
            if !drawn.is_empty() {
                let shown = self.timeline.shown(|now| now == number);
                self.play(drawn, &shown, true, false);
            }
        }
    }

    fn board(&mut self, frames: &[Frame], grid: &Grid) {
        let style = self.style;
        let timeline = self.timeline;
        ground(&mut self.canvas, grid);
        self.by_frame(frames, grid, highlights);
        lines(&mut self.canvas, grid);
        if style.coordinates {
            coordinates(&mut self.canvas, grid);
        }
        stands(&mut self.canvas, grid);
        for glyph in &timeline.glyphs {
            let mut figure = Canvas::default();
            draw_glyph(&mut figure, glyph.start, &glyph.glyph, grid);
            let from = grid.centre(glyph.start.into());
            let keyframes = timeline.keyframes(glyph, |to| {
                let to = grid.centre(to);
                (round(to.0 - from.0), round(to.1 - from.1))
            });
            let comes_or_goes = glyph.appears.is_some() || glyph.vanishes.is_some();
            if glyph.path.is_empty() && !comes_or_goes {
                self.canvas.append(figure);
            } else {
                self.play(figure, &keyframes, false, glyph.appears.is_none());
            }
        }
        self.by_frame(frames, grid, marks);
        if style.side_to_move {
            self.markers(frames, grid);
        }
    }

    fn markers(&mut self, frames: &[Frame], grid: &Grid) {
        let mover = |number: usize| {
            let frame = frames.get(number).or(frames.last());
            frame.and_then(|frame| frame.diagram.to_move)
        };
        for tone in [Tone::Dark, Tone::Light] {
            if !(0..frames.len()).any(|number| mover(number) == Some(tone)) {
                continue;
            }
            let mut disc = Canvas::default();
            marker(&mut disc, tone, grid);
            let shown = self.timeline.shown(|number| mover(number) == Some(tone));
            self.play(disc, &shown, true, mover(0) == Some(tone));
        }
    }

    /// Writes the moves in lines of at most this width, and underlines each while it is
    /// made. Returns the y to which they reach.
    fn moves(&mut self, frames: &[Frame], (left, top): (f64, f64), width: f64) -> f64 {
        let kind = caption_type(self.style);
        let (mut x, mut y) = (left, top);
        for (number, frame) in frames.iter().enumerate() {
            if frame.label.trim().is_empty() {
                continue;
            }
            let wide = kind.width(&frame.label);
            if x > left && x + wide > left + width {
                (x, y) = (left, y + 1.1 * LEADING * kind.size);
            }
            self.canvas.text((x, y), Anchor::Start, kind, &frame.label);
            let mut underline = Canvas::default();
            let under = y + 0.3 * kind.size;
            let paint = Paint::stroke(self.style.ink, 2.0 * self.style.line_mm.get());
            underline.open(&[(x, under), (x + wide, under)], paint);
            let shown = self.timeline.shown(|now| now == number);
            self.play(underline, &shown, true, false);
            x += wide + kind.width(" ") + 0.25 * kind.size;
        }
        y + 0.4 * kind.size
    }
}

/// When glyphs begin to move, as a part of a move's time: until then only the arrow is
/// shown.
const DEPART: f64 = 0.4;
/// When they have arrived, as a part of a move's time.
const ARRIVE: f64 = 0.8;
/// How long the last position stays, in times of a move.
const REST: f64 = 1.5;

/// A glyph and all its moves in the line.
#[derive(Debug)]
struct MovingGlyph {
    glyph: Glyph,
    start: BoardSquare,
    /// The number of the move after which it appears, unless it is there from the start.
    appears: Option<usize>,
    /// The number of the move after which another takes its place.
    vanishes: Option<usize>,
    /// The number of the move, where it leads, whether the glyph is removed there.
    path: Vec<(usize, Point, bool)>,
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
}

#[derive(Debug)]
struct Timeline {
    glyphs: Vec<MovingGlyph>,
    moves: usize,
}

impl Timeline {
    fn new(frames: &[Frame]) -> Self {
        let mut glyphs: Vec<MovingGlyph> = Vec::new();
        let mut at: BTreeMap<BoardSquare, usize> = BTreeMap::new();
        let first = frames.first();
        for (cell, glyph) in first.iter().flat_map(|frame| frame.diagram.glyphs()) {
            at.insert(cell, glyphs.len());
            glyphs.push(MovingGlyph::new(glyph, cell, None));
        }
        for (number, frame) in frames.iter().enumerate() {
            let slides = frame.slides.iter();
            let moving = slides.filter_map(|slide| Some((at.remove(&slide.from)?, slide)));
            let moving: Vec<_> = moving.collect();
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
        let moves = frames.iter();
        let moves = moves.filter(|frame| !frame.slides.is_empty() || !frame.appears.is_empty());
        Self {
            glyphs,
            moves: moves.count(),
        }
    }

    /// The length of the animation, in times of a move.
    fn length(&self) -> f64 {
        self.moves as f64 + REST
    }

    fn percent(&self, time: f64) -> f64 {
        (10_000.0 * time / self.length()).round() / 100.0
    }

    /// The keyframes of a glyph that moves; `shift` gives the distances in mm from where
    /// it starts to a point.
    fn keyframes(&self, glyph: &MovingGlyph, shift: impl Fn(Point) -> (f64, f64)) -> String {
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
    fn shown(&self, during: impl Fn(usize) -> bool) -> String {
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
