//! What every room of the crate may use: values of positions, progress and cancelling,
//! claims on files.

pub mod claim;
pub mod text;
pub mod value;
pub mod watch;
