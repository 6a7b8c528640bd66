//! Books of puzzles: a printable booklet and a web page on which they can be played.
//!
//! Like [`draw`](crate::draw), this module knows no game, table or file. A caller fills
//! a [`Book`] with titles, problems and their solutions as text; for the page, each
//! problem also has every position with the solver to move, all moves there and what
//! follows. [`page()`] makes one HTML file that needs no network, [`booklet`] a PDF. No
//! text can break out into markup or code.

mod data;
mod deck;
mod encode;
mod near;
mod page;
mod pdf;
mod plain;
mod play;

pub use data::{BoardSize, Book, BookError, Credit, Front, MATE_NOTE, NOTES, Problem, Rule, Theme};
pub use deck::{DECK_COLUMNS, Deck, deck};
#[cfg(feature = "explore")]
pub(crate) use encode::harmless;
pub use page::page;
#[cfg(feature = "explore")]
pub(crate) use page::{escape, hash};
pub use pdf::{Paper, PaperError, Part, PdfError, Setting, booklet, pictures};
pub use play::{Act, Choice, NamedPly, OnBoard, Play, Reached, Then, Turn, VariationPly, Worth};
