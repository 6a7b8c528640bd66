//! The layout of a tree: columns by depth, rows by variation, in bands no wider than a
//! page.

use super::grid::board_size;
use super::margins::Margins;
use super::style::{Millimetres, Style};
use super::text::{Type, caption_type, greatest};
use crate::data::{Role, SolutionTree, TreeNode};

/// From the end of the widest move of a column to the next column, in type sizes.
const GAP: f64 = 2.9;

/// From the upright line along which rows branch off to their moves, in type sizes,
/// unless words above the lines need more.
const BRANCH: f64 = 1.9;

/// From the end of a line to its move, in type sizes.
pub(super) const AIR: f64 = 0.4;

/// The white on both sides of words above a line together, in type sizes.
const BESIDE_WORDS: f64 = 0.5;

/// The squares of a small board, as a part of those of a large one.
const SMALL: f64 = 0.42;

/// A part of the tree that is drawn in one piece. Lengths are in mm.
#[derive(Debug)]
pub(super) struct Band {
    /// The letter of this continuation; `None` for the first band.
    pub letter: Option<String>,
    pub places: Vec<PlacedNode>,
    /// Where columns begin, from the left edge of the band, and where the last ends.
    pub columns: Vec<f64>,
    /// From the upright line along which rows branch off to the moves of a column.
    pub leads: Vec<f64>,
    /// Where rows begin, from the top of the band, and where the last ends.
    pub rows: Vec<f64>,
}

#[derive(Debug)]
pub(super) struct PlacedNode {
    pub node: usize,
    pub column: usize,
    pub row: usize,
    /// The index, among the band's places, of the node that this one follows.
    pub parent: Option<usize>,
    /// The letter of the band in which the tree continues from here.
    pub goes_on: Option<String>,
}

impl Band {
    pub(super) fn width(&self) -> f64 {
        self.columns.last().copied().unwrap_or(0.0)
    }

    pub(super) fn height(&self) -> f64 {
        self.rows.last().copied().unwrap_or(0.0)
    }
}

pub(super) fn label_type(role: Role, style: &Style) -> Type {
    let plain = caption_type(style);
    match role {
        Role::Main => plain.bold(),
        Role::SetPlay => plain.italic(),
        Role::Variation | Role::Other | Role::Try => plain,
    }
}

pub(super) fn note_type(style: &Style) -> Type {
    let plain = caption_type(style);
    plain.italic().sized(0.82 * plain.size)
}

/// The type of words above a line.
pub(super) fn edge_type(style: &Style) -> Type {
    let plain = caption_type(style);
    plain.sized(0.78 * plain.size)
}

/// The style of the small boards.
pub(super) fn small(style: &Style) -> Style {
    let least = |length: f64| Millimetres::try_from(length.max(Millimetres::MIN));
    Style {
        cell_mm: least(SMALL * style.cell_mm.get()).unwrap_or(style.cell_mm),
        line_mm: least(0.7 * style.line_mm.get()).unwrap_or(style.line_mm),
        coordinates: false,
        side_to_move: false,
        ..style.clone()
    }
}

/// A node's width, and how far it reaches below the line of its label, in mm.
fn extent(node: &TreeNode, style: &Style) -> (f64, f64) {
    let mut width = label_type(node.role, style).width(&node.label);
    let mut depth = 0.0;
    if let Some(note) = &node.note {
        let kind = note_type(style);
        width = width.max(kind.width(note));
        depth += 1.15 * kind.size;
    }
    if let Some(board) = &node.board {
        let small = small(style);
        let (across, down) = board_size(board, &small);
        let around = Margins::of(board, &small).total();
        width = width.max(around.left + across + around.right);
        depth += 0.6 * style.text_mm.get() + around.top + down + around.bottom;
    }
    (width, depth)
}

/// A band still to be laid out: the band and the place that it continues, and its first
/// moves.
type Waiting<'a> = (Option<(usize, usize)>, &'a [usize]);

/// The bands of a tree. The first is at most as wide as the first of the `widths`, the others
/// as the second, and all are at most so high, in mm, unless two columns are wider or higher.
pub(super) fn bands(
    tree: &SolutionTree,
    style: &Style,
    (beside, page): (f64, f64),
    height: f64,
) -> Vec<Band> {
    let extents = tree.nodes().iter().map(|node| extent(node, style));
    let extents: Vec<_> = extents.collect();
    let line = 1.95 * style.text_mm.get();
    let mut letters = (0..).map(letter);
    // A stack, so that every line is finished before the next one begins.
    let mut waiting: Vec<Waiting> = vec![(None, tree.children(None))];
    let mut bands: Vec<Band> = Vec::new();
    while let Some((from, roots)) = waiting.pop() {
        let letter = from.and_then(|(band, place)| {
            let letter = letters.next();
            bands[band].places[place].goes_on.clone_from(&letter);
            letter
        });
        let room = if bands.is_empty() { beside } else { page };
        let (mut columns, mut leads) = columns(tree, &extents, roots, room, style);
        let (places, heights) = loop {
            let (places, rows) = places(tree, roots, columns.len() - 1);
            let mut heights = vec![line; rows];
            for place in &places {
                let (_, depth) = extents[place.node];
                heights[place.row] = heights[place.row].max(line + depth);
            }
            if columns.len() <= 3 || heights.iter().sum::<f64>() <= height {
                break (places, heights);
            }
            // Fewer columns have fewer rows; the rest goes on below.
            let fewer = columns.len() - 1 - if columns.len() % 2 == 0 { 1 } else { 2 };
            columns.truncate(fewer + 1);
            leads.truncate(fewer + 1);
        };
        for (at, place) in places.iter().enumerate().rev() {
            let children = tree.children(Some(place.node));
            if place.column + 2 == columns.len() && !children.is_empty() {
                waiting.push((Some((bands.len(), at)), children));
            }
        }
        let mut tops = vec![0.0];
        for (row, height) in heights.into_iter().enumerate() {
            tops.push(tops[row] + height);
        }
        bands.push(Band {
            letter,
            places,
            columns,
            leads,
            rows: tops,
        });
    }
    bands
}

/// The width in mm that lines to these nodes need.
fn lead(tree: &SolutionTree, level: &[usize], style: &Style) -> f64 {
    let size = style.text_mm.get();
    let kind = edge_type(style);
    let words = level.iter();
    let words = words.filter_map(|&node| tree.nodes()[node].edge.as_deref());
    let widest = greatest(words.map(|words| kind.width(words)));
    (BRANCH * size).max(widest + (BESIDE_WORDS + AIR) * size)
}

/// Where columns begin and the last one ends, and the width of the lines to each. There
/// are as many columns as fit into the room, at least two, and an even number of them so
/// that every band begins with the same side.
fn columns(
    tree: &SolutionTree,
    extents: &[(f64, f64)],
    roots: &[usize],
    room: f64,
    style: &Style,
) -> (Vec<f64>, Vec<f64>) {
    let size = style.text_mm.get();
    let mut level = roots.to_vec();
    let mut leads = vec![lead(tree, &level, style)];
    // The lines to the first column have their usual room before it.
    let mut starts = vec![leads[0] - BRANCH * size];
    while !level.is_empty() {
        let width = greatest(level.iter().map(|&node| extents[node].0));
        let end = starts.last().copied().unwrap_or(0.0) + width;
        if end > room && starts.len() > 2 {
            // Back to an even number of columns; the ring of a letter fits the gap.
            if starts.len() % 2 == 0 {
                starts.pop();
            }
            return (starts, leads);
        }
        let children = level.iter().flat_map(|&node| tree.children(Some(node)));
        level = children.copied().collect();
        let lead = lead(tree, &level, style);
        starts.push(end + (GAP - BRANCH) * size + lead);
        leads.push(lead);
    }
    (starts, leads)
}

/// The places of nodes in this number of columns, and the number of rows. The first child
/// of a node is in the same row, the others are below.
fn places(tree: &SolutionTree, roots: &[usize], columns: usize) -> (Vec<PlacedNode>, usize) {
    let mut places: Vec<PlacedNode> = Vec::new();
    let mut rows = 0;
    // Node, column, parent, whether it is in its parent's row; the last one first.
    let stack = roots.iter().rev().map(|&node| (node, 0, None, false));
    let mut stack: Vec<(usize, usize, Option<usize>, bool)> = stack.collect();
    while let Some((node, column, parent, same)) = stack.pop() {
        let row = match parent {
            Some(parent) if same => places[parent].row,
            _ => {
                rows += 1;
                rows - 1
            }
        };
        let at = places.len();
        places.push(PlacedNode {
            node,
            column,
            row,
            parent,
            goes_on: None,
        });
        if column + 1 < columns {
            let children = tree.children(Some(node)).iter().enumerate().rev();
            stack.extend(children.map(|(place, &child)| (child, column + 1, Some(at), place == 0)));
        }
    }
    (places, rows)
}

/// A, B, ..., Z, AA, AB, ...
fn letter(number: usize) -> String {
    let last = char::from(b'A' + u8::try_from(number % 26).unwrap_or(0));
    match number / 26 {
        0 => last.to_string(),
        more => format!("{}{last}", letter(more - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn letters_go_on_after_z() {
        let letters = [0, 25, 26, 51, 52, 701, 702].map(letter);
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
