//! Puzzles from CSV: as they come from a filter, or from a composer with a position and little
//! else.

use std::io::Read;
use std::sync::Arc;

use csv::StringRecord;

use super::error::ExportError;
use super::puzzles::{may_lack, names, puzzle_columns, reader, text, today};
use crate::mine::PuzzleRow;

/// Columns of the user's own that are printed.
pub(crate) const WORDS: [&str; 3] = ["title", "author", "source"];

/// Columns without which there is no puzzle.
const NEEDED: [&str; 2] = ["game", "position"];

/// Columns of the user's own that a file may have.
const MOST_OWN: usize = 256;

/// Reads rows from CSV as [`write_csv`](super::write_csv) writes it, in this version or an earlier
/// one. The columns may be in any order, and there may be others, which are
/// [kept](PuzzleRow::own) as they are.
///
/// # Errors
/// [`ExportError::Header`] if a column is missing or its name is nearly that of another,
/// [`ExportError::Line`] if a line is malformed, or a field has the wrong type, more than 16 KiB,
/// or a name that a spreadsheet would run.
pub fn read_csv(source: impl Read) -> Result<Vec<PuzzleRow>, ExportError> {
    read(source, |header| {
        let all = puzzle_columns(&[])?;
        let mut missing = names(&all).filter(|name| !may_lack(name, |name| header.has(name)));
        match missing.find(|name| !header.has(name)) {
            Some(name) => Err(ExportError::Header(format!("column '{name}' is missing"))),
            None => Ok(()),
        }
    })
}

/// Reads puzzles from CSV like [`read_csv`], but columns other than `game` and `position` may be
/// missing. A row of a file without all columns of mined puzzles has an empty outcome, and is to
/// be solved.
///
/// ```
/// let csv = "author,game,position\nA. Composer,kings:3x4,....\n";
/// let rows = tesuji::export::read_entries(csv.as_bytes())?;
/// assert_eq!(rows[0].own("author"), "A. Composer");
/// assert_eq!(rows[0].position, "....");
/// assert!(tesuji::export::read_entries("game,positon\n".as_bytes()).is_err());
/// # Ok::<(), tesuji::export::ExportError>(())
/// ```
///
/// # Errors
/// As [`read_csv`].
pub fn read_entries(source: impl Read) -> Result<Vec<PuzzleRow>, ExportError> {
    read(source, |header| {
        let Some(name) = NEEDED.iter().find(|name| !header.has(name)) else {
            return Ok(());
        };
        let mut own = header.own.iter().map(|(_, own)| own);
        let hint = match own.find(|own| is_near(own, name)) {
            Some(near) => format!("; did you mean it by '{near}'?"),
            None => "; a puzzle needs at least the columns game and position".to_owned(),
        };
        Err(ExportError::Header(format!(
            "column '{name}' is missing{hint}"
        )))
    })
}

/// A column that a row was given with and that was found out to say something else: its name, what
/// was given and what was found. Position and task stay as they were given.
#[cfg(feature = "session")]
pub(crate) fn changed(
    given: &PuzzleRow,
    found: &PuzzleRow,
) -> Result<Option<(String, String, String)>, ExportError> {
    let all = puzzle_columns(&[PuzzleRow::default(), given.clone(), found.clone()])?;
    let kept = ["game", "position", "side", "stipulation"];
    let mut columns = all.columns().iter();
    Ok(columns.find_map(|column| {
        let [nothing, given, found] = [0, 1, 2].map(|row| text(column, row));
        let differs = given != nothing && given != found && !kept.contains(&&*column.name);
        differs.then(|| (column.name.clone(), given, found))
    }))
}

/// A column of the user's own that is perhaps a misspelt one of puzzles, and that one.
pub fn misspelt(rows: &[PuzzleRow]) -> Option<(String, String)> {
    let all = puzzle_columns(&[]).ok()?;
    let own = rows.first()?.own.iter();
    let mut own = own.filter(|(own, _)| !WORDS.contains(&&**own));
    own.find_map(|(own, _)| {
        let near = known(&all).find(|known| is_near(own, known))?;
        Some((own.to_string(), near.to_owned()))
    })
}

/// Whether a long name differs from another in one letter.
fn is_near(name: &str, other: &str) -> bool {
    (5..64).contains(&name.len()) && strsim::damerau_levenshtein(name, other) == 1
}

/// The names that mean something.
fn known(all: &super::Batch) -> impl Iterator<Item = &str> {
    names(all).chain(WORDS)
}

/// A name without what is easily confused.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The columns of a file.
struct Header {
    /// As they are called today.
    names: StringRecord,
    /// Those of the user's own, with their places.
    own: Vec<(usize, Arc<str>)>,
}

impl Header {
    /// Refuses names that could be taken for others.
    fn new(names: StringRecord, all: &super::Batch) -> Result<Self, ExportError> {
        let mut own = Vec::new();
        for (place, name) in names.iter().enumerate() {
            if names.iter().take(place).any(|before| before == name) {
                return Err(ExportError::Header(format!(
                    "column '{name}' is there twice"
                )));
            }
            if !self::names(all).any(|known| known == name) {
                own.push((place, Arc::from(name)));
            }
            let like = |known: &&str| *known != name && plain(known) == plain(name);
            if let Some(known) = known(all).find(like) {
                return Err(ExportError::Header(format!(
                    "column '{name}' is nearly '{known}'; write {known} if you mean it, and otherwise give the column another name"
                )));
            }
        }
        if own.len() > MOST_OWN {
            return Err(ExportError::Header(format!(
                "{} columns are none of puzzles; at most {MOST_OWN} of your own are kept",
                own.len()
            )));
        }
        Ok(Self { names, own })
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|there| there == name)
    }

    fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }
}

/// Reads rows of a file whose header is fit.
fn read(
    source: impl Read,
    fit: impl Fn(&Header) -> Result<(), ExportError>,
) -> Result<Vec<PuzzleRow>, ExportError> {
    let (mut reader, lines) = reader(source)?;
    let all = puzzle_columns(&[PuzzleRow::default()])?;
    let header = Header::new(reader.headers()?.iter().map(today).collect(), &all)?;
    fit(&header)?;
    let has = |name: &str| header.has(name);
    let mined = names(&all).all(|name| has(name) || may_lack(name, has));
    let names: StringRecord = names(&all).collect();
    let rows = reader.records().map(|record| {
        let record = record.map_err(|error| lines.malformed(error))?;
        lines.check(&record, &header.names, &all)?;
        let fields = all.columns().iter().map(|column| {
            let place = header.place(&column.name);
            let field = place.and_then(|place| record.get(place));
            match field {
                Some(field) if mined => field.to_owned(),
                Some(field) if !field.trim().is_empty() => field.trim().to_owned(),
                _ => text(column, 0),
            }
        });
        let mut fields: StringRecord = fields.collect();
        fields.set_position(record.position().cloned());
        let mut row = lines.row(&fields, &names)?;
        if !mined {
            row.outcome.clear();
        }
        let own = header.own.iter();
        let own = own.map(|(place, name)| (Arc::clone(name), record[*place].to_owned()));
        row.own = own.collect();
        Ok(row)
    });
    rows.collect()
}
