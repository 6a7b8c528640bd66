//! The native part of the Python package: sessions, frames and games of one's own.
//!
//! It asks the session of the library and turns answers into Python objects; it decides
//! nothing. The part in Python, `package/`, has the names that people use.
#![deny(unreachable_pub)]
#![deny(missing_docs)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "arguments come from Python, which gives values"
)]

mod errors;
mod frame;
mod game;
mod options;
mod progress;
mod puzzles;
mod rules;
mod steps;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::frame::{Frame, Rows, frame_of};
    #[pymodule_export]
    use super::game::{Game, open, questions};
    #[pymodule_export]
    use super::options::write_picture;
    #[pymodule_export]
    use super::puzzles::{Puzzles, puzzles_of, read_puzzles};
    #[pymodule_export]
    use super::rules::list_rules;
    #[pymodule_export]
    use super::steps::{finds, layers, places, relation, table_from};
}
