//! Books.

use std::path::PathBuf;

use pyo3::prelude::*;
use tesuji::base::files::{Existing, Place};
use tesuji::book::{Paper, Setting, booklet, page};
use tesuji::draw::Style;
use tesuji::mine::PuzzleRow;
use tesuji::session::{BookOptions, Session, book};

use crate::errors::{exception, of_argument};
use crate::progress::work;

/// Title, subtitle and author.
pub type BookWords = (Option<String>, Option<String>, Option<String>);

/// How a book is written.
pub struct Binding {
    pub path: PathBuf,
    pub words: BookWords,
    /// How a booklet is set; without it, the book is a web page.
    pub setting: Option<Setting>,
    /// Replace an existing file.
    pub force: bool,
}

impl Binding {
    /// Writes the book.
    pub fn write(
        self,
        py: Python<'_>,
        session: &dyn Session,
        rows: &[PuzzleRow],
        progress: Option<&Py<PyAny>>,
    ) -> PyResult<()> {
        let (title, subtitle, author) = self.words;
        let words = BookOptions {
            title,
            subtitle,
            author,
            ..BookOptions::default()
        };
        let made = work(py, progress, |progress| {
            let place = Place::claim(&self.path, Existing::refused_unless(self.force))?;
            let book = book(session, rows, &words, progress)?;
            let bytes = match &self.setting {
                None => page(&book).into_bytes(),
                Some(setting) => match booklet(&book, setting) {
                    Ok(bytes) => bytes,
                    Err(error) => return Ok(Err(error)),
                },
            };
            Ok(Ok(place.put(&bytes)?))
        })?;
        made.map_err(|error| of_argument(py, "book", &error))
    }
}

/// How a booklet is set.
pub fn setting(
    py: Python<'_>,
    (paper, per_page, style): &(String, u8, String),
) -> PyResult<Setting> {
    if !(1..=12).contains(per_page) {
        let message = format!("per_page: {per_page} diagrams do not fit a page; ask for 1 to 12");
        return Err(exception(py, "ArgumentError", &message));
    }
    Ok(Setting {
        paper: Paper::named(paper).map_err(|error| of_argument(py, "paper", &error))?,
        per_page: *per_page,
        style: Style::preset(style).map_err(|error| of_argument(py, "style", &error))?,
        without: Vec::new(),
    })
}
