//! A line of play as a row, several rows, or pages of numbered boards.

use super::canvas::Canvas;
use super::grid::{board_size, measure, page_margin};
use super::margins::Margins;
use super::style::{Rotation, Style};
use super::svg::place;
use super::text::{Anchor, Lines, Type, below, caption_type, depth_of_text, greatest, wrapped};
use crate::data::Diagram;

/// Draws boards side by side under a headline, `columns_per_row` to a row (0
/// counts as 1), as one SVG document like those of [`render()`](crate::render()).
///
/// Below each board are its label (or else its number, or its place in the strip) and its
/// captions. A blank headline is left out. The headline is also the title of the
/// document, and the descriptions of all boards are its description. The first board
/// decides which way up all of them lie.
pub fn strip(
    headline: &str,
    diagrams: &[Diagram],
    columns_per_row: usize,
    style: &Style,
) -> String {
    StripLayout::new(diagrams, style).page(headline, columns_per_row.max(1), 0..diagrams.len())
}

/// Draws boards in rows as wide as a page of the style allows, on as many pages as they
/// need. Each page is an SVG document like those of [`strip`].
///
/// A row has at least one board and a page at least one row, however small the page.
pub fn grid(headline: &str, diagrams: &[Diagram], style: &Style) -> Vec<String> {
    let layout = StripLayout::new(diagrams, style);
    let columns = layout.columns();
    let room = style.page_height_mm.get() - 2.0 * page_margin(style);
    let (mut pages, mut first, mut at, mut height) = (Vec::new(), 0, 0, 0.0);
    while at < diagrams.len() {
        let row = at..(at + columns).min(diagrams.len());
        let fresh = first == at;
        let (_, heading) = layout.heading(headline, columns.min(diagrams.len()));
        let more = if fresh { heading } else { layout.between() } + layout.height(row.clone());
        if !fresh && height + more > room {
            pages.push(first..at);
            (first, height) = (at, 0.0);
            continue;
        }
        height += more;
        at = row.end;
    }
    pages.push(first..at);
    let number = pages.len();
    (1..)
        .zip(pages)
        .map(|(page, boards)| {
            let headline = if number > 1 && !headline.trim().is_empty() {
                format!("{headline} ({page}/{number})")
            } else {
                headline.to_owned()
            };
            layout.page(&headline, columns, boards)
        })
        .collect()
}

/// The boards of a line, and the room that each of them takes, in mm.
struct StripLayout<'a> {
    style: &'a Style,
    boards: Vec<Diagram>,
    numbers: Vec<String>,
    /// The room around the boards that need most.
    widest: Margins,
    caption: Type,
    /// The width of a caption.
    column: f64,
    /// Where captions begin, beside the number.
    indent: f64,
    /// The width that a board takes with all that is around and below it.
    block: f64,
}

impl<'a> StripLayout<'a> {
    fn new(diagrams: &[Diagram], style: &'a Style) -> Self {
        let turn = diagrams.first().map(|first| Rotation::of(first, style));
        let turned = |board: &Diagram| Some(turn?.apply(board.clone()));
        let boards: Vec<_> = diagrams.iter().filter_map(turned).collect();
        let caption = caption_type(style);
        let widest = Margins::of_all(&boards, style);
        let width = greatest(boards.iter().map(|board| board_size(board, style).0));
        let numbers: Vec<String> = (1..)
            .zip(&boards)
            .map(|(place, board): (u32, _)| {
                let number = || board.number.unwrap_or(place).to_string();
                board.label.clone().unwrap_or_else(number)
            })
            .collect();
        let indent = greatest(numbers.iter().map(|n| caption.bold().width(n))) + 0.5 * caption.size;
        let column = measure(width, style).max(indent + 6.0 * caption.size);
        let around = widest.total();
        Self {
            style,
            numbers,
            widest,
            caption,
            column,
            indent,
            block: around.left + column.max(width + around.right),
            boards,
        }
    }

    fn gap(&self) -> f64 {
        1.6 * self.caption.size
    }

    fn between(&self) -> f64 {
        1.3 * self.gap()
    }

    fn page_width(&self, columns: usize) -> f64 {
        let mut width = 2.0 * page_margin(self.style) + self.block;
        for _ in 1..columns {
            width += self.block + self.gap();
        }
        width
    }

    /// How many boards fit side by side on a page, 1 at least.
    fn columns(&self) -> usize {
        let fit = (2..).take_while(|&columns| self.page_width(columns) <= self.style.page_mm.get());
        fit.last().unwrap_or(1)
    }

    /// The headline in lines, and the height that it takes.
    fn heading(&self, headline: &str, columns: usize) -> (Lines, f64) {
        let kind = self.caption.bold().sized(1.25 * self.caption.size);
        let left = self.widest.total().left;
        let width = self.page_width(columns) - 2.0 * page_margin(self.style) - left;
        let lines = wrapped(kind, headline, width);
        let height = if lines.is_empty() {
            0.0
        } else {
            kind.cap_height() + depth_of_text(&lines) + 0.8 * kind.size
        };
        (lines, height)
    }

    fn captions(&self, board: &Diagram) -> Lines {
        below(board, self.style, self.column - self.indent)
    }

    /// From the top of a row of boards to the first line below them.
    fn to_text(&self, boards: &[Diagram]) -> f64 {
        let around = Margins::of_all(boards, self.style);
        let around = around.aligned(self.widest).total();
        let height = greatest(boards.iter().map(|board| board_size(board, self.style).1));
        let caption = self.caption;
        around.top + height + around.bottom + 0.9 * caption.size + caption.cap_height()
    }

    /// The height of a row of boards with what is below them.
    fn height(&self, row: std::ops::Range<usize>) -> f64 {
        let boards = &self.boards[row];
        let depth = |board| depth_of_text(&self.captions(board));
        self.to_text(boards) + greatest(boards.iter().map(depth))
    }

    /// One page with some of the boards.
    fn page(&self, headline: &str, columns: usize, range: std::ops::Range<usize>) -> String {
        let (style, caption) = (self.style, self.caption);
        let pad = page_margin(style);
        let left = self.widest.total().left;
        let across = columns.min(range.len());
        let mut canvas = Canvas::default();
        let (lines, heading) = self.heading(headline, across);
        if let Some((kind, _)) = lines.first() {
            canvas.column_of_text((pad + left, pad + kind.cap_height()), Anchor::Start, &lines);
        }
        let mut y = pad + heading;
        let shown = &self.boards[range.clone()];
        let rows = shown.chunks(columns);
        let rows = rows.zip(self.numbers[range].chunks(columns));
        for (index, (boards, numbers)) in rows.enumerate() {
            if index > 0 {
                y += self.between();
            }
            // Boards in several rows stand in columns.
            let margins = Margins::of_all(boards, style).aligned(self.widest);
            let board_y = y + margins.total().top;
            let text_y = y + self.to_text(boards);
            let mut x = pad + left;
            y = text_y;
            for (board, number) in boards.iter().zip(numbers) {
                // The room is shared, but labels keep close to a board without marks
                // beside it.
                let beside = margins.aligned(Margins::of(board, style));
                place(&mut canvas, board, (x, board_y), &beside, style);
                canvas.text((x, text_y), Anchor::Start, caption.bold(), number);
                let lines = self.captions(board);
                y = y.max(canvas.column_of_text((x + self.indent, text_y), Anchor::Start, &lines));
                x += self.block + self.gap();
            }
        }
        let words = shown.iter().filter_map(|board| board.desc.as_deref());
        let desc = words.collect::<Vec<_>>().join("\n");
        let title = Some(headline).filter(|title| !title.trim().is_empty());
        let desc = Some(desc.as_str()).filter(|desc| !desc.is_empty());
        canvas.document((self.page_width(across), y + pad), title, desc, style)
    }
}
