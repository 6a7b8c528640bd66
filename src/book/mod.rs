//! Books of puzzles: a printed one and a web page that plays.
//!
//! Like [`draw`](crate::draw), this module knows no game, table or file. A caller
//! fills a [`Book`] with titles, problems, their solutions in words and, for the
//! page, every position of the solver as plain data with all its moves and what
//! follows; [`page()`] makes one HTML file of it that needs no network, and
//! [`booklet`] a PDF. Whatever the texts contain, they are only ever text there.

mod data;
mod encode;
mod page;
mod pdf;

pub use data::{
    Act, Board, Book, BookError, Choice, Front, OnBoard, Play, Problem, Theme, Then, Turn, Worth,
};
pub use page::page;
pub use pdf::{Paper, PaperError, PdfError, Setting, booklet};
