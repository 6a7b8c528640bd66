//! Graphs that are drawn instead of the squares of a board.

use std::collections::BTreeMap;

use super::point::BoardSquare;

/// The vertices and edges of a graph. A diagram draws them instead of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnGraph {
    names: BTreeMap<BoardSquare, String>,
    edges: Vec<[BoardSquare; 2]>,
}

impl DrawnGraph {
    /// Vertices with the squares where they lie and their names, and edges. Of several vertices
    /// on one square the last is kept, and edges to squares without a vertex are left out.
    pub fn new(
        vertices: impl IntoIterator<Item = (BoardSquare, String)>,
        edges: impl IntoIterator<Item = [BoardSquare; 2]>,
    ) -> Self {
        let names: BTreeMap<_, _> = vertices.into_iter().collect();
        let there = |edge: &[BoardSquare; 2]| edge.iter().all(|end| names.contains_key(end));
        let edges = edges.into_iter().filter(there).collect();
        Self { names, edges }
    }

    /// The squares where vertices lie, with their names.
    pub fn vertices(&self) -> impl Iterator<Item = (BoardSquare, &str)> {
        self.names.iter().map(|(&at, name)| (at, name.as_str()))
    }

    /// The edges.
    #[must_use]
    pub fn edges(&self) -> &[[BoardSquare; 2]] {
        &self.edges
    }

    /// Whether a vertex lies on a square.
    #[must_use]
    pub fn has(&self, square: BoardSquare) -> bool {
        self.names.contains_key(&square)
    }

    /// The graph with all squares changed, which must stay different ones.
    pub(super) fn moved(self, to: impl Fn(BoardSquare) -> BoardSquare) -> Self {
        let names = self.names.into_iter();
        let edges = self.edges.into_iter();
        Self {
            names: names.map(|(at, name)| (to(at), name)).collect(),
            edges: edges.map(|[from, end]| [to(from), to(end)]).collect(),
        }
    }
}
