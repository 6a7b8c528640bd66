//! What every room of the crate may use: values of positions, progress and cancelling,
//! files, random numbers, numbers and names in words, symmetries of boards.

pub mod files;
pub mod random;
pub mod text;
pub mod turn;
pub mod value;
pub mod watch;
