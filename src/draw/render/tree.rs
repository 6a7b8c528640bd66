//! Drawing a solution tree, on one page as large as it needs or on several of the size that
//! the style gives.

use std::collections::BTreeMap;

use super::canvas::{Canvas, Paint, round};
use super::grid::{board_size, measure, page_margin};
use super::margins::Margins;
use super::piece_stands::stand_room;
use super::style::{Rotation, Style};
use super::svg::place as draw_board;
use super::text::{Anchor, Lines, Type, below, caption_type, depth_of_text, greatest, wrapped};
use super::tree_plan::{AIR, Band, PlacedNode, bands, edge_type, label_type, note_type, small};
use crate::data::{Flank, Role, SolutionTree};

/// The room for the letter at the beginning of a band, in type sizes.
const LETTER: f64 = 4.1;

/// Draws a solution tree: the position on the left, one row for each variation, the
/// main line on top. A tree wider than a page of the style is continued below, under
/// letters in rings.
///
/// The headline is also the title of the document, and `desc` its description; either
/// is left out if it is blank. Otherwise the document is like those of
/// [`render()`](crate::render()).
pub fn tree(headline: &str, desc: &str, tree: &SolutionTree, style: &Style) -> String {
    let mut pages = draw(headline, desc, tree, style, f64::INFINITY);
    pages.swap_remove(0)
}

/// The white around what is on a page, in mm.
const MARGIN: f64 = 15.0;

/// Draws a solution tree on pages of the size that the style gives, with a margin of 15 mm. What
/// does not fit goes on under a letter in a ring, on the same page or on a later one. The description is that
/// of the first page.
///
/// Each page is a document like that of [`tree()`].
pub fn tree_pages(headline: &str, desc: &str, tree: &SolutionTree, style: &Style) -> Vec<String> {
    draw(headline, desc, tree, style, style.page_height_mm.get())
}

/// The pages of a tree that are so high, in mm, unless a position is higher; a single one, as large
/// as it needs, if that is infinite.
fn draw(
    headline: &str,
    desc: &str,
    tree: &SolutionTree,
    style: &Style,
    height: f64,
) -> Vec<String> {
    let caption = caption_type(style);
    let size = caption.size;
    let (pad, ring, least) = if height.is_finite() {
        // The ring of a letter, too, must have room.
        (MARGIN, 3.0 * size, (style.page_mm.get(), height))
    } else {
        (page_margin(style), 0.0, (0.0, 0.0))
    };
    let turn = Rotation::of(&tree.root, style);
    let root = turn.apply(tree.root.clone());
    let margins = Margins::of(&root, style);
    let around = margins.total();
    let (across, down) = board_size(&root, style);
    let column = measure(across, style);
    let lines = below(&root, style, column);
    let board_width = around.left + across.max(column.min(across + around.right)) + around.right;
    let mut board_height = around.top + down + around.bottom;
    if !lines.is_empty() {
        board_height += 0.9 * size + caption.cap_height() + depth_of_text(&lines);
    }
    let labels = margins.gutter.right + stand_room(&root, Flank::Right, style);
    let beside = board_width + 3.0 * size;
    let page = style.page_mm.get() - 2.0 * pad - ring;
    // The heading, the legend and what is below it need room too.
    let most = height - 2.0 * pad - 12.0 * size;
    let bands = bands(tree, style, (page - beside, page - LETTER * size), most);
    let fresh = |right| Painter {
        canvas: Canvas::default(),
        tree,
        style,
        turn,
        right,
    };
    let mut painter = fresh(pad + board_width);

    let heading = caption.bold().sized(1.25 * size);
    let widest = greatest(bands.iter().map(Band::width));
    let limit = (beside + widest).max(board_width).max(12.0 * size);
    let mut y = pad;
    let title = wrapped(heading, headline, limit);
    if !title.is_empty() {
        let at = (pad + around.left, y + heading.cap_height());
        y = painter.canvas.column_of_text(at, Anchor::Start, &title) + 0.8 * size;
        painter.reach(&title, pad + around.left);
    }

    // The position, and the tree beside it: the lower of the two is centred.
    let corner = (pad + around.left, y + around.top);
    draw_board(&mut painter.canvas, &root, corner, &margins, style);
    if !lines.is_empty() {
        let base = y + around.top + down + around.bottom + 0.9 * size + caption.cap_height();
        let at = (corner.0, base);
        painter.canvas.column_of_text(at, Anchor::Start, &lines);
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
                pages.push((std::mem::replace(&mut painter, fresh(pad)), bottom));
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
    let remarks = tree.remarks.iter();
    let remarks = remarks.flat_map(|remark| wrapped(caption.italic(), remark, limit));
    let remarks: Lines = remarks.collect();
    if bottom + 3.0 * size + depth_of_text(&remarks) > height - pad {
        pages.push((std::mem::replace(&mut painter, fresh(pad)), bottom));
        bottom = pad;
    }
    let mut y = painter.legend((pad + around.left, bottom + 0.9 * size), &bands);
    if !remarks.is_empty() {
        // Without a legend, clear of what hangs below the caption.
        y = y.max(bottom + 0.6 * size);
        let at = (pad + around.left, y + caption.cap_height());
        y = painter.canvas.column_of_text(at, Anchor::Start, &remarks);
        painter.reach(&remarks, pad + around.left);
    }
    pages.push((painter, y));
    let words = [headline, desc].map(|text| Some(text).filter(|text| !text.trim().is_empty()));
    let pages = pages.into_iter().enumerate().map(|(number, (painter, y))| {
        let size = (least.0.max(painter.right + pad), least.1.max(y + pad));
        let desc = words[1].filter(|_| number == 0);
        painter.canvas.document(size, words[0], desc, style)
    });
    pages.collect()
}

type Pair = (f64, f64);

struct Painter<'a> {
    canvas: Canvas,
    tree: &'a SolutionTree,
    style: &'a Style,
    turn: Rotation,
    /// The x of the rightmost thing drawn so far.
    right: f64,
}

impl Painter<'_> {
    fn reach(&mut self, lines: &[(Type, String)], from: f64) {
        for (kind, line) in lines {
            self.right = self.right.max(from + kind.width(line));
        }
    }

    /// Draws a band whose upper left corner is at `origin`. Its lines begin at the x
    /// `stem`.
    fn band(&mut self, band: &Band, origin: Pair, stem: f64) {
        let size = self.style.text_mm.get();
        let line_of = |row: usize| origin.1 + band.rows[row] + 0.85 * size;
        if let Some(letter) = &band.letter {
            self.ring((stem - 0.85 * size, line_of(0)), letter);
        }
        self.trunks(band, origin);
        for place in &band.places {
            let node = &self.tree.nodes()[place.node];
            let (x, y) = (origin.0 + band.columns[place.column], line_of(place.row));
            let branch = x - band.leads[place.column];
            let from = match place.parent.map(|parent| &band.places[parent]) {
                None if place.row == 0 => stem,
                Some(parent) if parent.row == place.row => {
                    self.end(band, parent, origin.0) + AIR * size
                }
                _ => branch,
            };
            let end = x - AIR * size;
            self.line(node.role, (from, y), (end, y));
            if let Some(words) = &node.edge {
                let at = (f64::midpoint(branch, end), y - 0.32 * size);
                let kind = edge_type(self.style);
                self.canvas.text(at, Anchor::Middle, kind, words);
            }
            let kind = label_type(node.role, self.style);
            let at = (x, y + kind.cap_height() / 2.0);
            self.canvas.text(at, Anchor::Start, kind, &node.label);
            let mut under = y + kind.cap_height() / 2.0 + 0.24 * size;
            if let Some(note) = &node.note {
                let kind = note_type(self.style);
                let base = under + 0.25 * size + kind.cap_height();
                self.canvas.text((x, base), Anchor::Start, kind, note);
                under = base + 0.24 * kind.size;
            }
            let mut end = self.end(band, place, origin.0);
            if let Some(board) = &node.board {
                let small = small(self.style);
                let board = self.turn.apply(board.clone());
                let margins = Margins::of(&board, &small);
                let around = margins.total();
                let at = (x + around.left, under + 0.35 * size + around.top);
                draw_board(&mut self.canvas, &board, at, &margins, &small);
                end = end.max(at.0 + board_size(&board, &small).0 + around.right);
            }
            if let Some(letter) = &place.goes_on {
                // Clear of a note that is wider than its move.
                let note = node.note.as_ref();
                let note = note.map(|note| note_type(self.style).width(note));
                let centre =
                    self.end(band, place, origin.0).max(x + note.unwrap_or(0.0)) + 1.9 * size;
                let from = self.end(band, place, origin.0) + AIR * size;
                self.line(node.role, (from, y), (centre - 0.85 * size, y));
                self.ring((centre, y), letter);
                end = end.max(centre + size);
            }
            self.right = self.right.max(end);
        }
    }

    /// The x at which a node's label ends.
    fn end(&self, band: &Band, place: &PlacedNode, left: f64) -> f64 {
        let node = &self.tree.nodes()[place.node];
        left + band.columns[place.column] + label_type(node.role, self.style).width(&node.label)
    }

    /// The upright lines along which rows branch off: one for each node with several
    /// moves after it, from its row to the last of them.
    fn trunks(&mut self, band: &Band, origin: Pair) {
        let size = self.style.text_mm.get();
        // Of the moves after a node, which stand from top to bottom, the last one stays.
        let places = band.places.iter();
        let trunks = places.map(|place| (place.parent, (place.column, place.row)));
        for (parent, (column, last)) in trunks.collect::<BTreeMap<_, _>>() {
            let first = parent.map_or(0, |parent| band.places[parent].row);
            if last == first {
                continue;
            }
            let x = origin.0 + band.columns[column] - band.leads[column];
            let y = |row: usize| origin.1 + band.rows[row] + 0.85 * size;
            let paint = Paint::stroke(self.style.ink, 1.2 * self.style.line_mm.get());
            self.canvas.open(&[(x, y(first)), (x, y(last))], paint);
        }
    }

    fn line(&mut self, role: Role, from: Pair, to: Pair) {
        let line = self.style.line_mm.get();
        let size = self.style.text_mm.get();
        let (width, dashes): (f64, &[f64]) = match role {
            Role::Main => (3.2, &[]),
            Role::Variation => (1.2, &[]),
            Role::Other => (1.8, &[0.5, 0.18, 0.09, 0.18]),
            Role::Try => (1.8, &[0.32, 0.2]),
            Role::SetPlay => (2.4, &[0.0, 0.27]),
        };
        let dashes = dashes.iter().map(|part| round(part * size).to_string());
        let dashes = dashes.collect::<Vec<_>>().join(" ");
        let mut extra = Vec::new();
        if !dashes.is_empty() {
            extra.push(("stroke-dasharray", dashes));
        }
        if role == Role::SetPlay {
            extra.push(("stroke-linecap", "round".to_owned()));
        }
        let paint = Paint::stroke(self.style.ink, width * line);
        self.canvas.lines(&[[from, to]], paint, &extra);
    }

    /// Draws a letter in a ring, where the tree continues.
    fn ring(&mut self, centre: Pair, letter: &str) {
        let style = self.style;
        let size = style.text_mm.get();
        let kind = caption_type(style).bold();
        let kind = kind.sized(0.8 * size * (1.2 * size / kind.width(letter)).min(1.0));
        let paint = Paint::fill(style.paper).and_stroke(style.ink, 1.2 * style.line_mm.get());
        self.canvas.circle(centre, 0.85 * size, paint);
        let at = (centre.0, centre.1 + kind.cap_height() / 2.0);
        self.canvas.text(at, Anchor::Middle, kind, letter);
    }

    /// Explains the kinds of lines, if there are several, from a place on. Returns the y at which
    /// further text may begin.
    fn legend(&mut self, (mut x, y): Pair, bands: &[Band]) -> f64 {
        let size = self.style.text_mm.get();
        let drawn = |role: &Role| {
            let mut places = bands.iter().flat_map(|band| &band.places);
            places.any(|place| self.tree.nodes()[place.node].role == *role)
        };
        let roles: Vec<Role> = Role::ALL.into_iter().filter(drawn).collect();
        if roles.len() < 2 {
            return y - 0.9 * size;
        }
        let kind = note_type(self.style);
        let middle = y + 0.5 * size;
        for role in roles {
            self.line(role, (x, middle), (x + 2.6 * size, middle));
            x += 3.1 * size;
            let at = (x, middle + kind.cap_height() / 2.0);
            self.canvas.text(at, Anchor::Start, kind, role.name());
            x += kind.width(role.name());
            self.right = self.right.max(x);
            x += 1.6 * size;
        }
        y + 1.6 * size
    }
}
