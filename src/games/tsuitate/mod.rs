//! Tsuitate-tsume-shogi: mate problems of shogi in which the attacker does not see
//! the other side's pieces.

mod outlines;
mod picture;

pub use picture::{Kind, Man, Rest, Shown, picture};
