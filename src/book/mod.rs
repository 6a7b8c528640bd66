//! Books of puzzles: a printable booklet and a web page on which they can be played.
//!
//! Like [`draw`](crate::draw), this module knows no game, table or file. A caller fills
//! a [`Book`] with titles, problems and their solutions as text; for the page, each
//! problem also has every position with the solver to move, all moves there and what
//! follows. [`page()`] makes one HTML file that needs no network, [`booklet`] a PDF. No
//! text can break out into markup or code.

mod data;
mod encode;
mod page;
mod pdf;

pub use data::{
    Act, BoardSize, Book, BookError, Choice, Front, OnBoard, Play, Problem, Theme, Then, Turn,
    Worth,
};
pub use page::page;
pub use pdf::{Paper, PaperError, PdfError, Setting, booklet};
