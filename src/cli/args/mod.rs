//! Arguments that several commands share.

mod bytes;
mod game;
mod mining;
mod picture;
mod position;
mod scope;
mod search;

pub use bytes::parse_bytes;
pub use game::{GameArgs, RowGameArgs, open};
pub use mining::SupplyArgs;
pub use picture::{Format, PictureArgs, said, style};
pub use position::position;
pub use scope::ScopeArgs;
pub use search::SearchArgs;
