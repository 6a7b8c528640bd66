//! Drawing a line of play in motion.

mod paint;
mod timeline;

pub use paint::animate;
