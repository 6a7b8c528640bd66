//! Drawing an animation.

use std::fmt::Write as _;

use xxhash_rust::xxh3::xxh3_64;

use super::timeline::Timeline;
use crate::draw::data::{Animation, Diagram, Frame, Slide, Tone};
use crate::draw::render::board::{coordinates, draw_glyph, ground, lines, marker};
use crate::draw::render::canvas::{Canvas, Paint, round};
use crate::draw::render::captions::{below, column_of_text, wrapped};
use crate::draw::render::grid::Grid;
use crate::draw::render::margins::Margins;
use crate::draw::render::marks::{highlights, marks};
use crate::draw::render::measures::{board_size, caption_type, measure, page_margin};
use crate::draw::render::piece_stands::stands;
use crate::draw::render::quarter_turns::QuarterTurns;
use crate::draw::render::style::Style;
use crate::draw::render::text::{Anchor, LEADING, text};

/// Draws a line of play as one SVG document that plays in a browser in a loop, and
/// underlines the move that is being made.
///
/// Where animations are not supported, on paper, and for readers who prefer reduced
/// motion it shows the first position and the moves. The names in its style sheet
/// depend on its content, so that several such documents may be in one page. The
/// headline is also its title.
#[must_use]
pub fn animate(headline: &str, line: &Animation, style: &Style) -> String {
    let frames = line.frames();
    let turned = turned(frames, style);
    let Some(first) = turned.first().map(|frame| &frame.diagram) else {
        return Canvas::default().document((1.0, 1.0), Some(headline), None, style);
    };
    let timeline = Timeline::new(&turned);
    let caption = caption_type(style);
    let size = caption.size;
    let pad = page_margin(style);
    let rooms = turned
        .iter()
        .map(|frame| Margins::of(&frame.diagram, style));
    let margins = rooms.fold(Margins::default(), Margins::max);
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
        y = column_of_text(&mut canvas, at, Anchor::Start, &heading) + 0.7 * size;
    }
    let corner = (left, y + around.top);
    let grid = Grid::new(first, style, corner, margins.gutter);
    let mut painter = Painter {
        names: names(headline, frames, style),
        number: 0,
        rules: String::new(),
        canvas,
        style,
        timeline: &timeline,
    };
    painter.board(&turned, first, &grid);
    let mut y = y + around.top + down + around.bottom + 0.9 * size + caption.cap_height();
    let lines = below(first, style, column);
    if !lines.is_empty() {
        y = column_of_text(&mut painter.canvas, (left, y), Anchor::Start, &lines);
        y += 0.35 * size + caption.cap_height();
    }
    y = painter.moves(&turned, (left, y), column);
    let seconds = round(timeline.seconds(style.move_seconds.get()));
    let Painter {
        names,
        rules,
        mut canvas,
        ..
    } = painter;
    let (ways, classes) = rules.split_once('\u{0}').unwrap_or((&rules, ""));
    let mut sheet = format!("\n{ways}@media screen and (prefers-reduced-motion:no-preference){{\n");
    let _ = writeln!(
        sheet,
        ".{names}{{animation:{seconds}s ease-in-out infinite}}.{names}-s{{animation-timing-function:step-end}}"
    );
    sheet.push_str(classes);
    sheet.push_str("}\n");
    canvas.rule(&sheet);
    let labels: Vec<&str> = turned.iter().map(|frame| frame.label.as_str()).collect();
    let desc = [
        first.desc.as_deref().unwrap_or_default(),
        labels.join(" ").trim(),
    ]
    .join(" ");
    let desc = Some(desc.trim()).filter(|desc| !desc.is_empty());
    let title = Some(headline).filter(|title| !title.trim().is_empty());
    canvas.document((width, y + pad), title, desc, style)
}

/// The frames, all turned as the style turns the first one.
fn turned(frames: &[Frame], style: &Style) -> Vec<Frame> {
    let Some(first) = frames.first() else {
        return Vec::new();
    };
    let turn = QuarterTurns::of(&first.diagram, style);
    let size = first.diagram.size();
    let frame = |frame: &Frame| {
        let diagram = turn.apply(frame.diagram.clone());
        let slides = frame.slides.iter().filter_map(|slide| {
            let from = diagram.square(turn.point(slide.from.into(), size))?;
            let to = turn.point(slide.to, size);
            Some(Slide { from, to, ..*slide })
        });
        let appears = frame.appears.iter().filter_map(|(at, glyph)| {
            let at = diagram.square(turn.point((*at).into(), size))?;
            Some((at, glyph.clone()))
        });
        Frame {
            slides: slides.collect(),
            appears: appears.collect(),
            label: frame.label.clone(),
            diagram,
        }
    };
    frames.iter().map(frame).collect()
}

/// The prefix of all names in the picture's style sheet: a hash of its content.
fn names(headline: &str, frames: &[Frame], style: &Style) -> String {
    let content = format!("{headline}\n{frames:?}\n{style:?}");
    // Names that the types no longer have, and what most lines are without: the names of
    // the rules should not change.
    let content = content
        .replace("BoardSquare {", "Cell {")
        .replace("PieceStand {", "Stand {")
        .replace(", appears: []", "");
    format!("t{:010x}", xxh3_64(content.as_bytes()) >> 24)
}

/// The picture so far.
struct Painter<'a> {
    names: String,
    number: usize,
    /// The keyframes, a NUL, and the classes that use them.
    rules: String,
    canvas: Canvas,
    style: &'a Style,
    timeline: &'a Timeline,
}

impl Painter<'_> {
    /// Adds a group that plays these keyframes. `seen` says whether it is visible where
    /// animations are not supported.
    fn play(&mut self, group: Canvas, keyframes: &str, steps: bool, seen: bool) {
        let name = format!("{}-{}", self.names, self.number);
        self.number += 1;
        let steps = if steps {
            format!(" {}-s", self.names)
        } else {
            String::new()
        };
        let class = format!("{}{steps} {name}", self.names);
        let mut attributes = vec![("class", class.as_str())];
        if !seen {
            attributes.push(("opacity", "0"));
        }
        self.canvas.group(group, &attributes);
        let (ways, classes) = self.rules.split_once('\u{0}').unwrap_or_default();
        self.rules = format!(
            "{ways}@keyframes {name}{{{keyframes}}}\n\u{0}{classes}.{name}{{animation-name:{name}}}\n"
        );
    }

    fn board(&mut self, frames: &[Frame], first: &Diagram, grid: &Grid) {
        let style = self.style;
        let timeline = self.timeline;
        ground(&mut self.canvas, first, grid, style);
        for (number, frame) in frames.iter().enumerate() {
            let mut under = Canvas::default();
            highlights(&mut under, &frame.diagram, grid, style);
            if !under.is_empty() {
                let shown = timeline.shown(|now| now == number);
                self.play(under, &shown, true, false);
            }
        }
        lines(&mut self.canvas, first, grid, style);
        if style.coordinates {
            let marks = frames.iter().flat_map(|frame| frame.diagram.marks());
            let all = marks.fold(first.clone(), |all, &mark| {
                all.clone().mark(mark).unwrap_or(all)
            });
            coordinates(&mut self.canvas, &all, grid, style);
        }
        stands(&mut self.canvas, first, grid, style);
        for glyph in &timeline.glyphs {
            let mut figure = Canvas::default();
            draw_glyph(&mut figure, glyph.start, &glyph.glyph, grid, style);
            let from = grid.centre(glyph.start.into());
            let keyframes = timeline.keyframes(glyph, |to| {
                let to = grid.centre(to);
                (round(to.0 - from.0), round(to.1 - from.1))
            });
            if glyph.rests() {
                self.canvas.append(figure);
            } else {
                self.play(figure, &keyframes, false, glyph.appears.is_none());
            }
        }
        for (number, frame) in frames.iter().enumerate() {
            let mut over = Canvas::default();
            marks(&mut over, &frame.diagram, grid, style);
            if !over.is_empty() {
                let shown = timeline.shown(|now| now == number);
                self.play(over, &shown, true, false);
            }
        }
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
            marker(&mut disc, &frames[0].diagram, tone, grid, self.style);
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
            text(&mut self.canvas, (x, y), Anchor::Start, kind, &frame.label);
            let mut underline = Canvas::default();
            let line = 2.0 * self.style.line_mm.get();
            let under = y + 0.3 * kind.size;
            let paint = Paint::stroke(self.style.ink, line);
            underline.open(&[(x, under), (x + wide, under)], paint);
            let shown = self.timeline.shown(|now| now == number);
            self.play(underline, &shown, true, false);
            x += wide + kind.width(" ") + 0.25 * kind.size;
        }
        y + 0.4 * kind.size
    }
}
