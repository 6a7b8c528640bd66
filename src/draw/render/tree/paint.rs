//! Drawing the parts of a tree that is laid out.

use super::plan::{AIR, Band, PlacedNode, edge_type, label_type, note_type, small};
use crate::draw::data::{Role, SolutionTree};
use crate::draw::render::canvas::{Canvas, Paint, round};
use crate::draw::render::margins::Margins;
use crate::draw::render::measures::{board_size, caption_type, page_margin};
use crate::draw::render::quarter_turns::QuarterTurns;
use crate::draw::render::style::Style;
use crate::draw::render::svg::place as draw_board;
use crate::draw::render::text::{Anchor, Type, text};

type Pair = (f64, f64);

/// A page on which a tree is drawn.
pub(super) struct Painter<'a> {
    pub canvas: Canvas,
    pub tree: &'a SolutionTree,
    pub style: &'a Style,
    pub turn: QuarterTurns,
    /// The x of the rightmost thing drawn so far.
    pub right: f64,
}

impl Painter<'_> {
    pub fn reach(&mut self, lines: &[(Type, String)], from: f64) {
        for (kind, line) in lines {
            self.right = self.right.max(from + kind.width(line));
        }
    }

    /// Draws a band whose upper left corner is at `origin`. Its lines begin at the x
    /// `stem`.
    pub fn band(&mut self, band: &Band, origin: Pair, stem: f64) {
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
            let from = match place.parent {
                None => stem,
                Some(parent) => {
                    let parent = &band.places[parent];
                    if parent.row == place.row {
                        self.end(band, parent, origin.0) + AIR * size
                    } else {
                        branch
                    }
                }
            };
            let from = if place.parent.is_none() && place.row > 0 {
                branch
            } else {
                from
            };
            let end = x - AIR * size;
            self.line(node.role, (from, y), (end, y));
            if let Some(words) = &node.edge {
                let at = (f64::midpoint(branch, end), y - 0.32 * size);
                text(
                    &mut self.canvas,
                    at,
                    Anchor::Middle,
                    edge_type(self.style),
                    words,
                );
            }
            let kind = label_type(node.role, self.style);
            let base = y + kind.cap_height() / 2.0;
            text(
                &mut self.canvas,
                (x, base),
                Anchor::Start,
                kind,
                &node.label,
            );
            let mut under = y + kind.cap_height() / 2.0 + 0.24 * size;
            if let Some(note) = &node.note {
                let kind = note_type(self.style);
                let base = under + 0.25 * size + kind.cap_height();
                text(&mut self.canvas, (x, base), Anchor::Start, kind, note);
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
                let note = node
                    .note
                    .as_ref()
                    .map(|note| note_type(self.style).width(note));
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
        let width = label_type(node.role, self.style).width(&node.label);
        left + band.columns[place.column] + width
    }

    /// The upright lines along which rows branch off: one for each node with several
    /// moves after it, from its row to the last of them.
    fn trunks(&mut self, band: &Band, origin: Pair) {
        let size = self.style.text_mm.get();
        let mut trunks: Vec<(Option<usize>, usize, usize)> = Vec::new();
        for place in &band.places {
            match trunks
                .iter_mut()
                .find(|(parent, ..)| *parent == place.parent)
            {
                Some((_, _, last)) => *last = place.row,
                None => trunks.push((place.parent, place.column, place.row)),
            }
        }
        for (parent, column, last) in trunks {
            let first = parent.map_or(0, |parent| band.places[parent].row);
            if last == first {
                continue;
            }
            let x = origin.0 + band.columns[column] - band.leads[column];
            let y = |row: usize| origin.1 + band.rows[row] + 0.85 * size;
            let width = 1.2 * self.style.line_mm.get();
            let paint = Paint::stroke(self.style.ink, width);
            self.canvas.open(&[(x, y(first)), (x, y(last))], paint);
        }
    }

    /// Draws a line of the kind that a role has.
    fn line(&mut self, role: Role, from: Pair, to: Pair) {
        let line = self.style.line_mm.get();
        let size = self.style.text_mm.get();
        let dashes = |parts: &[f64]| {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| round(part * size).to_string())
                .collect();
            parts.join(" ")
        };
        let (width, extra) = match role {
            Role::Main => (3.2 * line, vec![]),
            Role::Variation => (1.2 * line, vec![]),
            Role::Other => {
                let dashes = dashes(&[0.5, 0.18, 0.09, 0.18]);
                (1.8 * line, vec![("stroke-dasharray", dashes)])
            }
            Role::Try => {
                let dashes = dashes(&[0.32, 0.2]);
                (1.8 * line, vec![("stroke-dasharray", dashes)])
            }
            Role::SetPlay => {
                let dashes = format!("0 {}", round(0.27 * size));
                let round = "round".to_owned();
                let extra = vec![("stroke-dasharray", dashes), ("stroke-linecap", round)];
                (2.4 * line, extra)
            }
        };
        let paint = Paint::stroke(self.style.ink, width);
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
        text(&mut self.canvas, at, Anchor::Middle, kind, letter);
    }

    /// Explains the kinds of lines, if there are several. Returns the y at which further
    /// text may begin.
    pub fn legend(&mut self, y: f64, bands: &[Band]) -> f64 {
        let size = self.style.text_mm.get();
        let mut roles: Vec<Role> = Role::ALL.to_vec();
        let drawn = |role: &Role| {
            let mut places = bands.iter().flat_map(|band| &band.places);
            places.any(|place| self.tree.nodes()[place.node].role == *role)
        };
        roles.retain(drawn);
        if roles.len() < 2 {
            return y - 0.9 * size;
        }
        let kind = note_type(self.style);
        let mut x =
            page_margin(self.style) + Margins::of(self.tree.root(), self.style).total().left;
        let middle = y + 0.5 * size;
        for role in roles {
            self.line(role, (x, middle), (x + 2.6 * size, middle));
            x += 3.1 * size;
            let at = (x, middle + kind.cap_height() / 2.0);
            text(&mut self.canvas, at, Anchor::Start, kind, role.name());
            x += kind.width(role.name());
            self.right = self.right.max(x);
            x += 1.6 * size;
        }
        y + 1.6 * size
    }
}
