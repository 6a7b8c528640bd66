//! The games.

pub mod ostle;
