//! Arguments that several commands share.

mod bytes;
mod game;
mod mining;
mod picture;
mod scope;
mod search;

pub use bytes::parse_bytes;
pub use game::{GameArgs, RepetitionArg, open};
pub use mining::SupplyArgs;
pub use picture::{Format, PictureArgs, style};
pub use scope::ScopeArgs;
pub use search::SearchArgs;
