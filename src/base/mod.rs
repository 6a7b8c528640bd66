//! What every room of the crate may use: values of positions, progress and cancelling,
//! files.

pub mod files;
pub mod value;
pub mod watch;
