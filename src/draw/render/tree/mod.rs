//! Drawing solution trees.

mod paint;
mod plan;

pub use paint::tree;
