//! Drawing the stands beside a board.

use super::canvas::Canvas;
use super::grid::{Grid, board_size, coordinate_type};
use super::style::Style;
use super::text::{Anchor, LEADING, Type};
use crate::data::{Diagram, Flank, PieceStand};

// All in squares.
/// Between the board, or its labels, and a stand.
const GAP: f64 = 0.28;
/// The square of a symbol in a stand, and that of its head.
const HELD: f64 = 0.78;
const HEAD: f64 = 0.56;
/// Between a symbol and its number.
const AIR: f64 = 0.03;
/// The width to which a caption is wrapped, unless a word is wider.
const MEASURE: f64 = 1.3;

/// The least such width, in type sizes: small squares would have a word to a line.
const NARROWEST: f64 = 4.0;

struct StandLayout<'a> {
    stand: &'a PieceStand,
    caption: Vec<String>,
    caption_type: Type,
    number_type: Type,
    /// The side of a square in mm, or less where the stand would be taller than the board.
    cell: f64,
    size: (f64, f64),
}

impl<'a> StandLayout<'a> {
    fn new(diagram: &Diagram, stand: &'a PieceStand, style: &Style) -> Self {
        let natural = Self::sized(stand, 1.0, style);
        let (_, room) = board_size(diagram, style);
        if natural.size.1 <= room {
            return natural;
        }
        Self::sized(stand, room / natural.size.1, style)
    }

    fn sized(stand: &'a PieceStand, factor: f64, style: &Style) -> Self {
        let cell = factor * style.cell_mm.get();
        let small = coordinate_type(style);
        let caption_type = small.sized(factor * small.size);
        let words = stand.caption.split_whitespace();
        let widest = words.map(|word| caption_type.width(word)).fold(
            (MEASURE * cell).max(NARROWEST * caption_type.size),
            f64::max,
        );
        // Wrapping measures again, so a word must not miss its own width by a hair.
        let mut layout = Self {
            stand,
            caption: caption_type.wrap(&stand.caption, widest + 1e-6),
            caption_type,
            number_type: small.bold().sized(factor * 1.1 * small.size),
            cell,
            size: (0.0, 0.0),
        };
        let held = stand.held.len() as f64 * HELD * cell;
        layout.size = (layout.width(), layout.above_the_held() + held);
        layout
    }

    fn width(&self) -> f64 {
        let lines = self.caption.iter();
        let lines = lines.map(|line| self.caption_type.width(line));
        let held = self.stand.held.iter().map(|(_, count)| {
            let number = number(*count).map_or(0.0, |number| {
                AIR * self.cell + self.number_type.width(&number)
            });
            HELD * self.cell + number
        });
        let head = self.stand.head.as_ref().map(|_| HEAD * self.cell);
        lines.chain(held).chain(head).fold(0.0, f64::max)
    }

    /// The height of the head and the caption, with the white below them.
    fn above_the_held(&self) -> f64 {
        let head = self.stand.head.as_ref();
        let head = head.map_or(0.0, |_| (HEAD + 0.1) * self.cell);
        let caption = match self.caption.len() {
            0 => 0.0,
            lines => self.line(lines - 1) + 0.8 * self.caption_type.size,
        };
        head + caption
    }

    /// From the top of the caption to the baseline of line `number` (from 0), in mm.
    fn line(&self, number: usize) -> f64 {
        self.caption_type.cap_height() + number as f64 * LEADING * self.caption_type.size
    }

    fn paint(&self, canvas: &mut Canvas, (left, top): (f64, f64), style: &Style) {
        let mut y = top;
        if let Some(head) = &self.stand.head {
            // Heads are narrower than their squares; flush left with what is below.
            canvas.symbol(head, (left, y), HEAD * self.cell, style);
            y += (HEAD + 0.1) * self.cell;
        }
        for (number, line) in self.caption.iter().enumerate() {
            let at = (left, y + self.line(number));
            canvas.text(at, Anchor::Start, self.caption_type, line);
        }
        y = top + self.above_the_held();
        let side = HELD * self.cell;
        for (held, count) in &self.stand.held {
            canvas.symbol(held, (left, y), side, style);
            if let Some(number) = number(*count) {
                let x = left + side + AIR * self.cell;
                let base = y + f64::midpoint(side, self.number_type.cap_height());
                canvas.text((x, base), Anchor::Start, self.number_type, &number);
            }
            y += side;
        }
    }
}

/// The number beside a symbol; `None` for 1.
fn number(count: u32) -> Option<String> {
    (count != 1).then(|| count.to_string())
}

/// The width in mm that a stand takes with the white before it; 0 without a stand.
pub(super) fn stand_room(diagram: &Diagram, flank: Flank, style: &Style) -> f64 {
    diagram.stand_at(flank).map_or(0.0, |stand| {
        GAP * style.cell_mm.get() + StandLayout::new(diagram, stand, style).size.0
    })
}

/// Draws the stands beside a board, their upper ends level with its own.
pub(super) fn stands(canvas: &mut Canvas, grid: &Grid) {
    for flank in [Flank::Left, Flank::Right] {
        let Some(stand) = grid.diagram.stand_at(flank) else {
            continue;
        };
        let layout = StandLayout::new(grid.diagram, stand, grid.style);
        let apart = GAP * grid.cell;
        let x = match flank {
            Flank::Left => grid.x - grid.gutter.left - apart - layout.size.0,
            Flank::Right => grid.right() + grid.gutter.right + apart,
        };
        layout.paint(canvas, (x, grid.y), grid.style);
    }
}
