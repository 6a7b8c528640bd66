//! The structure of a booklet for readers that speak: a tree of elements, each with
//! the content of pages that belongs to it.

use krilla::tagging::{Identifier, Tag, TagGroup, TagKind, TagTree};

/// An element of the structure, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Element(usize);

struct Node {
    tag: TagKind,
    /// What is on pages; it is read before the elements below.
    content: Vec<Identifier>,
    /// Elements below, in the order of reading.
    below: Vec<usize>,
}

/// The tree.
#[derive(Default)]
pub(super) struct Structure {
    nodes: Vec<Node>,
    top: Vec<usize>,
}

impl Structure {
    /// A structure of its own in which an element exists, to measure what would be below it.
    pub fn measuring(element: Element) -> Self {
        let mut structure = Self::default();
        while structure.nodes.len() <= element.0 {
            structure.add(TagKind::from(Tag::P));
        }
        structure
    }

    /// Adds an element of the first level.
    pub fn top(&mut self, tag: impl Into<TagKind>) -> Element {
        self.top.push(self.nodes.len());
        self.add(tag.into())
    }

    /// Adds an element as the last below another.
    pub fn below(&mut self, parent: Element, tag: impl Into<TagKind>) -> Element {
        let place = self.nodes.len();
        self.nodes[parent.0].below.push(place);
        self.add(tag.into())
    }

    fn add(&mut self, tag: TagKind) -> Element {
        self.nodes.push(Node {
            tag,
            content: Vec::new(),
            below: Vec::new(),
        });
        Element(self.nodes.len() - 1)
    }

    /// Puts content into an element.
    pub fn fill(&mut self, element: Element, content: Identifier) {
        self.nodes[element.0].content.push(content);
    }

    /// The tree as it goes into the file; elements without content are left out.
    pub fn finish(self) -> TagTree {
        let mut tree = TagTree::new();
        for place in self.top {
            if let Some(group) = group(&self.nodes, place) {
                tree.push(group);
            }
        }
        tree
    }
}

fn group(nodes: &[Node], place: usize) -> Option<TagGroup> {
    let node = &nodes[place];
    let mut whole = TagGroup::new(node.tag.clone());
    for &content in &node.content {
        whole.push(content);
    }
    for &inner in &node.below {
        if let Some(inner) = group(nodes, inner) {
            whole.push(inner);
        }
    }
    (!whole.children.is_empty()).then_some(whole)
}
