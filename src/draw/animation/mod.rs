//! Drawing a line of play in motion.

mod film;
mod paint;

pub use paint::animate;
