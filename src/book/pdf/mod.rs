//! A book as a PDF: typeset here, line by line, and written with `krilla`.
//!
//! Texts are set in the embedded Libertinus Serif, of which only the letters that
//! occur go into the file. There is no markup language in between, so no text of a
//! puzzle can be anything but text. The file conforms to PDF/UA-1: it has a structure
//! of headings, lists and figures, and every diagram has its position in words. It
//! has no date, and its identifier is a hash of its content: the same book gives the
//! same bytes.

mod font;
mod parts;
mod picture;
mod sections;
mod setting;
mod sheet;
mod typeset;
mod write;

use super::data::Book;

pub use font::check_letters;
pub use setting::{Paper, PaperError, Part, PdfError, Setting};
pub use write::pictures;

/// The book as a PDF: title page, contents, rules, problems, hints, solutions, and indexes
/// by theme and by length, with bookmarks and links. A single problem has no more than its diagram,
/// hints and solution, and how to read that, on two pages or so.
///
/// # Errors
/// [`PdfError`] if a text has a letter that no font has.
pub fn booklet(book: &Book, setting: &Setting) -> Result<Vec<u8>, PdfError> {
    let sheets = parts::lay_out(book, setting)?;
    write::write(sheets, &book.front, book.template.language())
}
