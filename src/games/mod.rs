//! The games.

pub mod ostle;
pub mod registry;
