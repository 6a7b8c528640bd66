//! Puzzles as they come from a filter, or from a composer: a position and little else.

use std::io::Read;

use csv::StringRecord;

use super::error::ExportError;
use super::puzzles::{may_lack, puzzle_columns, reader, today};
use crate::mine::{PuzzleRow, nearest};

/// A puzzle of a CSV file, with what a composer says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The row. One that was not mined has a game and a position, perhaps a stipulation, and
    /// an empty outcome; all else is to be found out.
    pub row: PuzzleRow,
    /// The title; may be empty.
    pub title: String,
    /// The author; may be empty.
    pub author: String,
    /// Where and when it was published first; may be empty.
    pub source: String,
}

/// What a composer says of a puzzle.
const WORDS: [&str; 3] = ["title", "author", "source"];

/// Columns without which there is no puzzle.
const NEEDED: [&str; 2] = ["game", "position"];

/// Reads puzzles from CSV: rows as [`write_csv`](super::write_csv) writes them, or no more
/// than `game` and `position`. Columns `title`, `author` and `source` may be added to both.
/// Without all columns of mined puzzles, only `game`, `position`, `stipulation`, `side`,
/// these three and `filter` are used. The columns may be in any order.
///
/// ```
/// let csv = "author,game,position\nA. Composer,kings:3x4,....\n";
/// let entries = tesuji::export::read_entries(csv.as_bytes())?;
/// assert_eq!(entries[0].author, "A. Composer");
/// assert_eq!(entries[0].row.position, "....");
/// assert!(tesuji::export::read_entries("game,positon\n".as_bytes()).is_err());
/// # Ok::<(), tesuji::export::ExportError>(())
/// ```
///
/// # Errors
/// [`ExportError::Header`] if a column is missing or unknown, [`ExportError::Line`] if a line
/// is malformed, or a field has the wrong type, more than 16 KiB, or a name that a
/// spreadsheet would run.
pub fn read_entries(source: impl Read) -> Result<Vec<Entry>, ExportError> {
    let (mut reader, lines) = reader(source)?;
    // What tables of earlier versions call them.
    let header: Vec<String> = reader
        .headers()?
        .iter()
        .map(today)
        .map(str::to_owned)
        .collect();
    let all = puzzle_columns(&[])?;
    let mined = all.columns().iter();
    let mined: Vec<&str> = mined.map(|column| column.name.as_str()).collect();
    let known = || mined.iter().copied().chain(WORDS);
    for (place, name) in header.iter().enumerate() {
        if !known().any(|known| known == name) {
            let hint = match nearest(name, known()).first() {
                Some(near) => format!("; did you mean '{near}'?"),
                None => String::new(),
            };
            return Err(ExportError::Header(format!(
                "unknown column '{name}'{hint}"
            )));
        }
        if header[..place].contains(name) {
            return Err(ExportError::Header(format!(
                "column '{name}' is there twice"
            )));
        }
    }
    let has = |name: &str| header.iter().any(|there| there == name);
    if let Some(name) = NEEDED.iter().find(|name| !has(name)) {
        return Err(ExportError::Header(format!(
            "column '{name}' is missing; a puzzle needs at least the columns game and position"
        )));
    }
    let whole = mined.iter().all(|name| has(name) || may_lack(name, has));
    let inner: StringRecord = header
        .iter()
        .filter(|name| mined.contains(&name.as_str()))
        .collect();
    let names: StringRecord = header.iter().collect();
    let mut entries = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| lines.malformed(error))?;
        lines.check(&record, &names, &all)?;
        let field = |name: &str| {
            let place = header.iter().position(|there| there == name);
            let text = place.and_then(|place| record.get(place));
            text.unwrap_or_default().trim().to_owned()
        };
        let row = if whole {
            let fields = header.iter().zip(&record);
            let fields = fields.filter(|(name, _)| mined.contains(&name.as_str()));
            let mut fields: StringRecord = fields.map(|(_, field)| field).collect();
            fields.set_position(record.position().cloned());
            lines.row(&fields, &inner)?
        } else {
            PuzzleRow {
                game: field("game"),
                position: field("position"),
                stipulation: field("stipulation"),
                side: field("side"),
                filter: field("filter"),
                ..PuzzleRow::default()
            }
        };
        let [title, author, source] = WORDS.map(field);
        entries.push(Entry {
            row,
            title,
            author,
            source,
        });
    }
    Ok(entries)
}
