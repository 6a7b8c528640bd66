//! A tree on one page as large as it needs, or on several of the size that the style gives.

use super::paint::Painter;
use super::plan::{Band, bands};
use crate::draw::data::{Flank, SolutionTree};
use crate::draw::render::canvas::Canvas;
use crate::draw::render::captions::{Lines, below, column_of_text, depth_of_text, wrapped};
use crate::draw::render::margins::Margins;
use crate::draw::render::measures::{board_size, caption_type, measure, page_margin};
use crate::draw::render::piece_stands::stand_room;
use crate::draw::render::quarter_turns::QuarterTurns;
use crate::draw::render::style::Style;
use crate::draw::render::svg::place as draw_board;
use crate::draw::render::text::Anchor;

/// The room for the letter at the beginning of a band, in type sizes.
const LETTER: f64 = 4.1;

/// Draws a solution tree: the position on the left, one row for each variation, the
/// main line on top. A tree wider than a page of the style is continued below, under
/// letters in rings.
///
/// The headline is also the title of the document, and `desc` its description; either
/// is left out if it is blank. Otherwise the document is like those of
/// [`render()`](crate::draw::render()).
#[must_use]
pub fn tree(headline: &str, desc: &str, tree: &SolutionTree, style: &Style) -> String {
    let mut pages = draw(headline, desc, tree, style, f64::INFINITY);
    pages.swap_remove(0)
}

/// Draws a solution tree on pages of the size that the style gives. What does not fit goes
/// on under a letter in a ring, on the same page or on a later one. The description is that
/// of the first page.
///
/// Each page is a document like that of [`tree()`].
#[must_use]
pub fn tree_pages(headline: &str, desc: &str, tree: &SolutionTree, style: &Style) -> Vec<String> {
    draw(headline, desc, tree, style, style.page_height_mm.get())
}

/// The pages of a tree that are at most so high, in mm, unless a position is higher.
fn draw(
    headline: &str,
    desc: &str,
    tree: &SolutionTree,
    style: &Style,
    height: f64,
) -> Vec<String> {
    let caption = caption_type(style);
    let size = caption.size;
    let pad = page_margin(style);
    let turn = QuarterTurns::of(tree.root(), style);
    let root = turn.apply(tree.root().clone());
    let margins = Margins::of(&root, style);
    let around = margins.total();
    let (across, down) = board_size(&root, style);
    let column = measure(across, style);
    let lines = below(&root, style, column);
    let board_width = around.left + across.max(column.min(across + around.right)) + around.right;
    let board_height = if lines.is_empty() {
        around.top + down + around.bottom
    } else {
        let text = 0.9 * size + caption.cap_height() + depth_of_text(&lines);
        around.top + down + around.bottom + text
    };
    let labels = margins.gutter.right + stand_room(&root, Flank::Right, style);
    let beside = board_width + 3.0 * size;
    // On pages the ring of a letter, too, must have room.
    let ring = if height.is_finite() { 3.0 * size } else { 0.0 };
    let page = style.page_mm.get() - 2.0 * pad - ring;
    // The heading, the legend and what is below it need room too.
    let most = height - 2.0 * pad - 12.0 * size;
    let bands = bands(tree, style, (page - beside, page - LETTER * size), most);
    let fresh = || Painter {
        canvas: Canvas::default(),
        tree,
        style,
        turn,
        right: pad,
    };
    let mut painter = fresh();
    painter.right = pad + board_width;

    let heading = caption.bold().sized(1.25 * size);
    let widest = bands.iter().map(Band::width).fold(0.0, f64::max);
    let limit = (beside + widest).max(board_width).max(12.0 * size);
    let mut y = pad;
    let title = wrapped(heading, headline, limit);
    if !title.is_empty() {
        let at = (pad + around.left, y + heading.cap_height());
        y = column_of_text(&mut painter.canvas, at, Anchor::Start, &title) + 0.8 * size;
        painter.reach(&title, pad + around.left);
    }

    // The position, and the tree beside it: the lower of the two is centred.
    let corner = (pad + around.left, y + around.top);
    draw_board(&mut painter.canvas, &root, corner, &margins, style);
    if !lines.is_empty() {
        let base = y + around.top + down + around.bottom + 0.9 * size + caption.cap_height();
        column_of_text(&mut painter.canvas, (corner.0, base), Anchor::Start, &lines);
        painter.reach(&lines, corner.0);
    }
    let mut bottom = y + board_height;
    let mut pages = Vec::new();
    // Further bands stand side by side where they fit.
    let (mut left, mut top) = (pad, bottom);
    for (index, band) in bands.iter().enumerate() {
        if band.places.is_empty() {
            continue;
        }
        let (origin, stem) = if index == 0 {
            let top = corner.1 + ((down - band.height()) / 2.0).max(0.0);
            let stem = corner.0 + across + labels + 0.5 * size;
            ((pad + beside, top), stem)
        } else {
            let wide = LETTER * size + band.width();
            if index == 1 || left + wide > page {
                (left, top) = (pad, bottom + 0.9 * size);
            }
            if top + band.height() > height - pad {
                pages.push((std::mem::replace(&mut painter, fresh()), bottom));
                (left, top, bottom) = (pad, pad, pad);
            }
            let at = (left + LETTER * size, top);
            let stem = left + 1.85 * size;
            left += wide;
            (at, stem)
        };
        painter.band(band, origin, stem);
        bottom = bottom.max(origin.1 + band.height());
    }
    let remarks = tree.remarks().iter();
    let remarks: Lines = remarks
        .flat_map(|remark| wrapped(caption.italic(), remark, limit))
        .collect();
    if bottom + 3.0 * size + depth_of_text(&remarks) > height - pad {
        pages.push((std::mem::replace(&mut painter, fresh()), bottom));
        bottom = pad;
    }
    let mut y = painter.legend(bottom + 0.9 * size, &bands);
    if !remarks.is_empty() {
        let at = (pad + around.left, y + caption.cap_height());
        y = column_of_text(&mut painter.canvas, at, Anchor::Start, &remarks);
        painter.reach(&remarks, pad + around.left);
    }
    pages.push((painter, y));
    let words = |text: &str| !text.trim().is_empty();
    let title = Some(headline).filter(|text| words(text));
    let pages = pages.into_iter().enumerate().map(|(number, (painter, y))| {
        let desc = Some(desc).filter(|text| number == 0 && words(text));
        let size = (painter.right + pad, y + pad);
        painter.canvas.document(size, title, desc, style)
    });
    pages.collect()
}
