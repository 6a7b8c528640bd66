//! Books of puzzles: a printable booklet and a web page on which they can be played.
//!
//! Like [`draw`](crate::draw), this module knows no game, table or file. A caller fills
//! a [`Book`] with titles, problems and their solutions as text; for the page, each
//! problem also has every position with the solver to move, all moves there and what
//! follows. [`page()`] makes one HTML file that needs no network, [`booklet`] a PDF. No
//! text can break out into markup or code.

mod data;
#[cfg(feature = "anki")]
mod deck;
mod encode;
mod page;
mod pdf;
#[cfg(feature = "png")]
mod site;
mod template;

pub use crate::analysis::Then;
pub use data::{
    Act, Book, BookError, Choice, Credit, Front, LINES_NOTE, MATE_NOTE, Play, Problem, Reached,
    Rule, Turn, Unit, VariationPly,
};
pub(crate) use data::{MOVES_NOTE, NOTES};
#[cfg(feature = "anki")]
pub use deck::{Card, DeckError, deck};
#[cfg(feature = "explore")]
pub(crate) use encode::{harmless, signed};
pub use page::page;
#[cfg(feature = "explore")]
pub(crate) use page::{escape, policy};
pub use pdf::{Paper, PaperError, Part, PdfError, Setting, booklet, check_letters, pictures};
#[cfg(feature = "png")]
pub use site::site;
pub use template::{Template, TemplateError};
