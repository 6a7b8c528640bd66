//! The solution tree as a drawing.

mod paint;
mod plan;

use thiserror::Error;

use super::diagram::Diagram;
use super::style::Style;

/// What a branch of a solution tree is. Each has a kind of line of its own, so that
/// they can be told apart without colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The main line: heavy, its moves in bold letters.
    Main,
    /// A variation: thin.
    Variation,
    /// Another move that solves, or solves later: dashes and dots.
    Other,
    /// A move that fails, with its refutation: dashes.
    Try,
    /// What would happen if the other side were to move: dots.
    SetPlay,
}

impl Role {
    /// All of them, in the order of the legend.
    const ALL: [Self; 5] = [
        Self::Main,
        Self::Variation,
        Self::Other,
        Self::Try,
        Self::SetPlay,
    ];

    /// What the legend calls it.
    const fn name(self) -> &'static str {
        match self {
            Self::Main => "main line",
            Self::Variation => "variation",
            Self::Other => "also solves",
            Self::Try => "try",
            Self::SetPlay => "set play",
        }
    }
}

/// A move in a solution tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    role: Role,
    label: String,
    edge: Option<String>,
    note: Option<String>,
    board: Option<Diagram>,
}

impl TreeNode {
    /// A move, as it is written.
    #[must_use]
    pub fn new(role: Role, label: impl Into<String>) -> Self {
        Self {
            role,
            label: label.into(),
            edge: None,
            note: None,
            board: None,
        }
    }

    /// Writes a few words above the line that leads to the move, such as what was
    /// announced before it.
    #[must_use]
    pub fn edge(mut self, words: impl Into<String>) -> Self {
        self.edge = Some(words.into());
        self
    }

    /// Adds a short remark below the move, such as its duals in brackets.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds a small board below the move.
    #[must_use]
    pub fn board(mut self, board: Diagram) -> Self {
        self.board = Some(board);
        self
    }
}

/// A node that a tree does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("node {node} cannot follow node {parent}: the tree has {node} nodes so far")]
pub struct NoSuchNode {
    /// The place that the new node would have had.
    node: usize,
    /// The node that it was to follow.
    parent: usize,
}

/// A position and the moves that lead on from it. Nodes come after the nodes that
/// they follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionTree {
    root: Diagram,
    nodes: Vec<TreeNode>,
    children: Vec<Vec<usize>>,
    first: Vec<usize>,
    remarks: Vec<String>,
}

impl SolutionTree {
    /// A tree that has only its position.
    #[must_use]
    pub const fn new(root: Diagram) -> Self {
        Self {
            root,
            nodes: Vec::new(),
            children: Vec::new(),
            first: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Adds a move after those that already follow `parent`, or the position if that
    /// is `None`, and returns the number of its node.
    ///
    /// # Errors
    /// [`NoSuchNode`] if `parent` is no number of a node.
    pub fn add(&mut self, parent: Option<usize>, node: TreeNode) -> Result<usize, NoSuchNode> {
        let number = self.nodes.len();
        let siblings = match parent {
            None => &mut self.first,
            Some(parent) => self.children.get_mut(parent).ok_or(NoSuchNode {
                node: number,
                parent,
            })?,
        };
        siblings.push(number);
        self.nodes.push(node);
        self.children.push(Vec::new());
        Ok(number)
    }

    /// Adds a line of text below the tree.
    #[must_use]
    pub fn remark(mut self, line: impl Into<String>) -> Self {
        self.remarks.push(line.into());
        self
    }
}

/// Draws a solution tree: the position on the left, a row to a variation, the main
/// line on top. A tree wider than a page of the style goes on further below, under
/// letters in rings.
///
/// The headline is also the document's title, and `desc` its description; what is
/// blank is left out. Otherwise the document is as [`render`](super::render) makes
/// them.
#[must_use]
pub fn tree(headline: &str, desc: &str, tree: &SolutionTree, style: &Style) -> String {
    paint::paint(headline, desc, tree, style)
}
