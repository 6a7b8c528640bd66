//! What is drawn, as inert data: boards, solution trees and lines of play.
//!
//! Games and books make these values. Nothing here knows how anything looks, and
//! nothing here needs a font, an SVG writer or a picture format.

mod animation;
mod board;
mod diagram;
mod men;
mod parts;
mod tree;

pub use animation::{Animation, Frame};
pub use board::{BoardSquare, DiagramError, DrawnGraph, MAX_SIDE, Point};
pub use diagram::Diagram;
pub use men::Man;
#[cfg(feature = "svg")]
pub(crate) use parts::commands;
pub use parts::{Flank, Glyph, Mark, PieceStand, Slide, Symbol, Tone};
pub use tree::{Role, SolutionTree, TreeNode};
