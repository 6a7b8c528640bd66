use thiserror::Error;
use super::data::Book;
use crate::draw::Style;
/// a
#[derive(Debug, Clone, Copy)] pub enum Paper { /// a
 A4 }
/// a
#[derive(Debug, Error)] #[error("x")] pub struct PaperError;
/// a
#[derive(Debug, Error)] #[error("x")] pub struct PdfError;
/// a
#[derive(Debug, Clone)] pub struct Setting { /// a
 pub paper: Paper, /// a
 pub per_page: u8, /// a
 pub style: Style }
impl Paper { /// a
 /// # Errors
 /// a
 pub fn named(_: &str) -> Result<Self, PaperError> { Ok(Self::A4) } }
/// a
/// # Errors
/// a
pub fn booklet(_: &Book, _: &Setting) -> Result<Vec<u8>, PdfError> { Ok(vec![]) }
