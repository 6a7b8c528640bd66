//! Drawing solution trees.

mod pages;
mod paint;
mod plan;

pub use pages::{tree, tree_pages};
