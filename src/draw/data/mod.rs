//! What is drawn, as inert data: boards, solution trees and lines of play.
//!
//! Games and books make these values. Nothing here knows how anything looks, and
//! nothing here needs a font, an SVG writer or a picture format.

mod animation;
mod diagram;
mod error;
mod graph;
mod parts;
mod point;
mod stand;
mod symbol;
mod tree;

pub use animation::{Animation, Frame};
pub use diagram::Diagram;
pub use error::DiagramError;
pub use graph::DrawnGraph;
pub use parts::{Glyph, Mark, Slide};
pub use point::{BoardSquare, MAX_SIDE, Point};
pub use stand::{Flank, PieceStand};
pub use symbol::{Symbol, Tone};
pub use tree::{NoSuchNode, Role, SolutionTree, TreeNode};
