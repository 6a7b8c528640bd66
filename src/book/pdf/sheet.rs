//! Pages, as they are filled: text, rules, pictures, links and bookmarks. Points,
//! from the upper left corner.

use std::collections::HashMap;

use krilla::geom::Rect;
use krilla::tagging::kind::Figure;
use krilla::tagging::{ArtifactType, BBox, Identifier, Placement, Tag, TagGroup, TagKind, TagTree};

use super::font::Run;
use super::picture::{Picture, rounded};
use super::setting::Paper;
use crate::book::template::Page;

/// Something that a link can lead to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum LinkTarget {
    /// An address on the web.
    Address(String),
    Problem(usize),
    Solution(usize),
    Section(usize),
}

/// An entry of the bookmarks.
pub(super) struct Bookmark {
    pub title: String,
    /// Whether it is below the last one that is not.
    pub inner: bool,
    /// The page, and how far down it.
    pub place: (usize, f32),
}

/// What something on a page is to a reader who hears the page.
#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    /// Part of the text.
    Part(Element),
    /// Left out: it only helps the eye.
    Artifact(ArtifactType),
}

/// Something on a page.
pub(super) enum Ink {
    /// A line of text: where its baseline begins, and the type size.
    Text((f32, f32), f32, Run),
    /// A thin line from one x to another, at a height.
    Rule((f32, f32), f32),
    /// A picture by its number: its upper left corner, and how much it is enlarged.
    Picture((f32, f32), f32, usize),
}

/// An area of a page that leads elsewhere.
pub(super) struct Link {
    pub area: Rect,
    pub to: LinkTarget,
    /// The element that it belongs to.
    pub element: Element,
    /// What it does, in words.
    pub words: String,
}

#[derive(Default)]
pub(super) struct Sheet {
    pub ink: Vec<(Role, Ink)>,
    pub links: Vec<Link>,
}

/// Points in a millimetre.
pub(super) const MILLIMETRE: f32 = 72.0 / 25.4;

/// What crop marks need beyond the bleed, in points.
pub(super) const MARKS: f32 = 17.0;

/// The pages of a book.
pub(super) struct Sheets {
    pub width: f32,
    pub height: f32,
    /// How much wider the inner margin is than the outer one, and what is cut off.
    binding: f32,
    pub bleed: f32,
    pub pages: Vec<Sheet>,
    pub pictures: Vec<Picture>,
    pub places: HashMap<LinkTarget, (usize, f32)>,
    pub bookmarks: Vec<Bookmark>,
    pub structure: Structure,
}

impl Sheets {
    pub(super) fn new(paper: Paper, page: Page) -> Self {
        let (width, height) = paper.points();
        Self {
            width,
            height,
            binding: page.binding * MILLIMETRE,
            bleed: page.bleed * MILLIMETRE,
            pages: Vec::new(),
            pictures: Vec::new(),
            places: HashMap::new(),
            bookmarks: Vec::new(),
            structure: Structure::default(),
        }
    }

    /// Empty pages of the same size and number, to try out what goes into a section.
    pub(super) fn scratch(&self, section: Element) -> Self {
        Self {
            pages: self.pages.iter().map(|_| Sheet::default()).collect(),
            pictures: Vec::new(),
            places: HashMap::new(),
            bookmarks: Vec::new(),
            structure: Structure::measuring(section),
            ..*self
        }
    }

    /// From the edge of the paper to what is left when it is cut.
    pub(super) fn cut(&self) -> f32 {
        if self.bleed > 0.0 {
            self.bleed + MARKS
        } else {
            0.0
        }
    }

    /// What is to be added to points of a page. The first page is a right one.
    pub(super) fn shift(&self, page: usize) -> (f32, f32) {
        let binding = if page.is_multiple_of(2) {
            self.binding
        } else {
            -self.binding
        };
        (self.cut() + binding / 2.0, self.cut())
    }

    /// Begins a new page, and tells its place.
    pub(super) fn begin(&mut self) -> usize {
        self.pages.push(Sheet::default());
        self.pages.len() - 1
    }

    /// Makes a point of a page something that links can lead to.
    pub(super) fn mark(&mut self, place: LinkTarget, page: usize, y: f32) {
        self.places.insert(place, (page, y + self.cut()));
    }

    pub(super) fn bookmark(&mut self, title: impl Into<String>, inner: bool, page: usize, y: f32) {
        self.bookmarks.push(Bookmark {
            title: title.into(),
            inner,
            place: (page, y + self.cut()),
        });
    }

    /// Sets a run with its baseline at a point.
    pub(super) fn run(&mut self, page: usize, role: Role, (x, y): (f32, f32), size: f32, run: Run) {
        let at = (rounded(x), rounded(y));
        self.pages[page].ink.push((role, Ink::Text(at, size, run)));
    }

    /// A thin line between two points at one height.
    pub(super) fn rule(&mut self, page: usize, from: f32, to: f32, y: f32) {
        let line = Ink::Rule((rounded(from), rounded(to)), rounded(y));
        let role = Role::Artifact(ArtifactType::Layout);
        self.pages[page].ink.push((role, line));
    }

    /// Lets an area, given by left, top, right and bottom, lead to a place.
    pub(super) fn link(
        &mut self,
        page: usize,
        [left, top, right, bottom]: [f32; 4],
        to: LinkTarget,
        words: String,
        element: Element,
    ) {
        let (x, y) = self.shift(page);
        let edges = [left + x, top + y, right + x, bottom + y].map(rounded);
        if let Some(area) = Rect::from_ltrb(edges[0], edges[1], edges[2], edges[3]) {
            self.pages[page].links.push(Link {
                area,
                to,
                element,
                words,
            });
        }
    }

    /// Puts a picture with its upper left corner at a point; `words` say what it
    /// shows.
    pub(super) fn picture(
        &mut self,
        page: usize,
        (x, y): (f32, f32),
        scale: f32,
        picture: usize,
        parent: Element,
        words: String,
    ) {
        let (x, y) = (rounded(x), rounded(y));
        let (width, height) = self.pictures[picture].size;
        let (right, down) = self.shift(page);
        let bounds = Rect::from_xywh(
            rounded(x + right),
            rounded(y + down),
            rounded(scale * width),
            rounded(scale * height),
        );
        let figure = self.structure.below(parent, figure(words, page, bounds));
        let drawing = Ink::Picture((x, y), scale, picture);
        self.pages[page].ink.push((Role::Part(figure), drawing));
    }
}

/// A picture on a page, with its edges, and what it shows in words.
pub(super) fn figure(words: String, page: usize, bounds: Option<Rect>) -> Tag<Figure> {
    Tag::Figure(Some(words))
        .with_placement(Some(Placement::Block))
        .with_bbox(bounds.map(|bounds| BBox::new(page, bounds)))
}

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

#[derive(Default)]
pub(super) struct Structure {
    nodes: Vec<Node>,
    top: Vec<usize>,
}

impl Structure {
    /// A structure of its own in which an element exists, to measure what would be below it.
    pub(super) fn measuring(element: Element) -> Self {
        let mut structure = Self::default();
        while structure.nodes.len() <= element.0 {
            structure.add(TagKind::from(Tag::P));
        }
        structure
    }

    /// Adds an element of the first level.
    pub(super) fn top(&mut self, tag: impl Into<TagKind>) -> Element {
        self.top.push(self.nodes.len());
        self.add(tag.into())
    }

    /// Adds an element as the last below another.
    pub(super) fn below(&mut self, parent: Element, tag: impl Into<TagKind>) -> Element {
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
    pub(super) fn fill(&mut self, element: Element, content: Identifier) {
        self.nodes[element.0].content.push(content);
    }

    /// The tree as it goes into the file; elements without content are left out.
    pub(super) fn finish(self) -> TagTree {
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
