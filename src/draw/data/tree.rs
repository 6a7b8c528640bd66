//! A solution tree to be drawn.

use super::diagram::Diagram;

/// What a branch of a solution tree is. Each role has its own kind of line, so that
/// branches can be told apart without colour.
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
    /// Play as if the other side were to move: dots.
    SetPlay,
}

impl Role {
    /// All roles, in the order of the legend.
    pub(crate) const ALL: [Self; 5] = [
        Self::Main,
        Self::Variation,
        Self::Other,
        Self::Try,
        Self::SetPlay,
    ];

    /// The name in the legend.
    pub const fn name(self) -> &'static str {
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
    /// The kind of branch.
    pub role: Role,
    /// The move, in notation.
    pub label: String,
    /// A few words above the line that leads to the move, such as an announcement.
    pub edge: Option<String>,
    /// A short remark below the move, such as its duals in brackets.
    pub note: Option<String>,
    /// A small board below the move.
    pub board: Option<Diagram>,
}

impl TreeNode {
    /// A move in notation.
    pub fn new(role: Role, label: impl Into<String>) -> Self {
        Self {
            role,
            label: label.into(),
            edge: None,
            note: None,
            board: None,
        }
    }

    /// Sets [`edge`](Self::edge).
    pub fn edge(mut self, words: impl Into<String>) -> Self {
        self.edge = Some(words.into());
        self
    }

    /// Sets [`note`](Self::note).
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}

/// A position and the moves that follow. Nodes are numbered from 0, each after the one
/// that it follows.
///
/// ```
/// use tesuji_draw::{Diagram, Role, SolutionTree, TreeNode};
///
/// let mut tree = SolutionTree::new(Diagram::new(5, 5)?);
/// let key = tree.add(None, TreeNode::new(Role::Main, "1.c3U!"));
/// tree.add(Some(key), TreeNode::new(Role::Main, "b2R"));
/// tree.add(None, TreeNode::new(Role::Try, "1.c3D?"));
/// assert_eq!(tree.children(None), [0, 2]);
/// # Ok::<(), tesuji_draw::DiagramError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolutionTree {
    /// The position.
    pub root: Diagram,
    nodes: Vec<TreeNode>,
    /// Of the position, then of each node.
    children: Vec<Vec<usize>>,
    /// Lines of text below the tree.
    pub remarks: Vec<String>,
}

impl SolutionTree {
    /// A tree without moves.
    pub fn new(root: Diagram) -> Self {
        Self {
            root,
            nodes: Vec::new(),
            children: vec![Vec::new()],
            remarks: Vec::new(),
        }
    }

    /// Adds a move as the last child of `parent`, or of the position if that is `None`,
    /// and returns the number of its node.
    ///
    /// # Panics
    /// If there is no node `parent`.
    pub fn add(&mut self, parent: Option<usize>, node: TreeNode) -> usize {
        let number = self.nodes.len();
        self.children[parent.map_or(0, |parent| parent + 1)].push(number);
        self.nodes.push(node);
        self.children.push(Vec::new());
        number
    }

    /// Adds a line of text below the tree.
    pub fn remark(mut self, line: impl Into<String>) -> Self {
        self.remarks.push(line.into());
        self
    }

    /// All moves, by number.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The numbers of the nodes that follow a node, or the position if that is `None`;
    /// empty if there is no such node.
    pub fn children(&self, parent: Option<usize>) -> &[usize] {
        let place = parent.map_or(0, |parent| parent.saturating_add(1));
        self.children.get(place).map_or(&[], Vec::as_slice)
    }
}
