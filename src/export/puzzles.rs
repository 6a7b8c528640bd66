//! Puzzles as columns and as text: CSV and JSON Lines. CSV is read as it comes from a filter, or
//! from a composer with a position and little else.

use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;

use csv::{DeserializeErrorKind, ErrorKind, StringRecord};
use indexmap::IndexMap;
use serde_json::to_writer;

use super::batch::{Batch, ColumnData, DataColumn, word};
use super::error::ExportError;
use crate::base::text::{plural, runs_in_spreadsheet};
use crate::mine::PuzzleRow;

/// Writes rows as CSV, with a header line.
///
/// ```
/// use tesuji::export::{read_csv, write_csv};
///
/// let mut csv = Vec::new();
/// write_csv(&mut csv, &[])?;
/// assert!(csv.starts_with(b"puzzle_id,game,position,"));
/// assert!(read_csv(csv.as_slice())?.is_empty());
/// # Ok::<(), tesuji::export::ExportError>(())
/// ```
///
/// # Errors
/// [`ExportError::Csv`] or [`ExportError::Io`] if writing fails.
pub fn write_csv(sink: impl Write, rows: &[PuzzleRow]) -> Result<(), ExportError> {
    write_batch(sink, &puzzle_columns(rows)?)
}

/// Writes only these columns of rows as CSV, in this order. [`read_csv`](super::read_csv) needs all
/// columns.
///
/// # Errors
/// If there is no such column, or the rows cannot be written.
pub fn write_csv_columns(
    sink: impl Write,
    rows: &[PuzzleRow],
    columns: &[impl AsRef<str>],
) -> Result<(), ExportError> {
    let all = puzzle_columns(rows)?;
    let named = |name: &str| {
        let column = all.columns().iter().find(|column| column.name == name);
        column.cloned().ok_or_else(|| {
            let known = column_names(&all).collect::<Vec<_>>().join(", ");
            ExportError::Refused(format!("unknown column '{name}': use one of {known}"))
        })
    };
    for (place, name) in columns.iter().enumerate() {
        let name = name.as_ref();
        if columns[..place].iter().any(|it| it.as_ref() == name) {
            let why = format!("column '{name}' is there twice; name it once");
            return Err(ExportError::Refused(why));
        }
    }
    let columns = columns.iter().map(|name| named(name.as_ref()));
    write_batch(sink, &Batch::new(columns.collect::<Result<_, _>>()?)?)
}

fn column_names(batch: &Batch) -> impl Iterator<Item = &str> + Clone {
    batch.columns().iter().map(|column| column.name.as_str())
}

/// The value of a row in CSV; empty if it is missing.
fn text(column: &DataColumn, row: usize) -> String {
    fn field(value: Option<impl ToString>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    match &column.values {
        ColumnData::Indices(values) => field(values[row]),
        ColumnData::Numbers(values) => field(values[row]),
        ColumnData::Flags(values) => field(values[row]),
        ColumnData::Words { words, places } => field(word(words, places[row])),
        ColumnData::Texts(values) => field(values[row].as_ref()),
    }
}

/// Writes a batch as CSV, with a header line. A missing value is an empty field.
pub(crate) fn write_batch(sink: impl Write, batch: &Batch) -> Result<(), ExportError> {
    let mut writer = csv::Writer::from_writer(sink);
    writer.write_record(column_names(batch))?;
    for row in 0..batch.rows() {
        writer.write_record(batch.columns().iter().map(|column| text(column, row)))?;
    }
    writer.flush()?;
    Ok(())
}

/// The most bytes of a field that is read: what is longer is no part of a puzzle, and could
/// not be drawn.
const MOST_FIELD: usize = 1 << 14;

/// The name of a column that tables of earlier versions may call otherwise.
fn today(name: &str) -> &str {
    match name {
        "n_shortest" => "n_best",
        "table_index" => "slot",
        name => name,
    }
}

/// A reader of a file that is CSV with commas, semicolons or tabs, not Parquet, and how its lines
/// are counted.
fn reader(source: impl Read) -> Result<(csv::Reader<impl Read>, Lines), ExportError> {
    let mut source = BufReader::new(source);
    let begin = source.fill_buf()?;
    if begin.starts_with(b"PAR1") {
        let message =
            "it is a Parquet file; give the puzzles.csv that 'tesuji mine' writes beside it";
        return Err(ExportError::Refused(message.to_owned()));
    }
    let end = begin.iter().position(|&byte| byte == b'\n');
    let header = &begin[..end.unwrap_or(begin.len())];
    let carriage_returns = end.is_some() && header.ends_with(b"\r");
    // What spreadsheets write where the comma is in numbers, or what is copied from them.
    let count = |sign: u8| memchr::memchr_iter(sign, header).count();
    let signs = b"\t;,".iter();
    let delimiter = *signs.max_by_key(|sign| count(**sign)).unwrap_or(&b',');
    let mut builder = csv::ReaderBuilder::new();
    let reader = builder.delimiter(delimiter).from_reader(source);
    Ok((reader, Lines { carriage_returns }))
}

/// Columns that are names or words, never formulas: what a user or somebody else wrote there
/// would leave again in a table.
const NAMES: [&str; 9] = [
    "puzzle_id",
    "side",
    "stipulation",
    "outcome",
    "key",
    "solution",
    "themes",
    "filter",
    "table_fingerprint",
];

/// Stands for no fingerprint, where there is no table.
const NOTHING: &str = "-";

/// What is wrong with a field of a column, whatever its puzzle: it is too long, a name that a
/// spreadsheet would run, or no position.
pub(crate) fn fault(column: &str, field: &str) -> Option<&'static str> {
    if field.len() > MOST_FIELD {
        Some("has more than 16,384 bytes, too many for a puzzle")
    } else if field != NOTHING && NAMES.contains(&column) && runs_in_spreadsheet(field) {
        Some(
            "begins with =, +, - or @, or has control characters, which a spreadsheet or a terminal may run; write it otherwise",
        )
    } else if column == "position" && field.trim().is_empty() {
        Some("is empty; write the position, or 'initial'")
    } else {
        None
    }
}

/// The number that a field is read as, which may also be hexadecimal.
fn whole(field: &str) -> Option<u64> {
    match field.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => field.parse().ok(),
    }
}

/// The largest number that a column of this type can have; `None` if it has none.
const fn most(values: &ColumnData) -> Option<u64> {
    match values {
        ColumnData::Numbers(_) => Some(i32::MAX as u64),
        ColumnData::Indices(_) => Some(i64::MAX as u64),
        _ => None,
    }
}

/// How the lines of a file are counted, for messages.
#[derive(Debug, Clone, Copy)]
struct Lines {
    /// Whether lines end with a carriage return, too: then the reader has not yet counted the
    /// line feed before a record.
    carriage_returns: bool,
}

impl Lines {
    fn at(self, place: Option<&csv::Position>, why: String) -> ExportError {
        let line = place.map_or(0, csv::Position::line) + u64::from(self.carriage_returns);
        ExportError::Line { line, why }
    }

    /// The error for a text that is not CSV.
    fn malformed(self, error: csv::Error) -> ExportError {
        let (place, why) = match error.kind() {
            ErrorKind::UnequalLengths {
                pos,
                expected_len,
                len,
            } => {
                let (len, expected) = (plural(*len, "field"), plural(*expected_len, "column"));
                let why = format!(
                    "{len}, but line 1 has {expected}; put texts with commas in double quotes"
                );
                (pos.clone(), why)
            }
            ErrorKind::Utf8 { pos, .. } => (pos.clone(), "not UTF-8 text".to_owned()),
            _ => return error.into(),
        };
        self.at(place.as_ref(), why)
    }

    /// Refuses a row with a field that is too long, a name that a spreadsheet would run, or a
    /// number that is too large for its column among `columns`.
    fn check(
        self,
        record: &StringRecord,
        header: &StringRecord,
        columns: &Batch,
    ) -> Result<(), ExportError> {
        for (field, column) in record.iter().zip(header) {
            if let Some(why) = fault(column, field) {
                return Err(self.at(record.position(), format!("the column '{column}' {why}")));
            }
            let known = columns.columns().iter().find(|known| known.name == column);
            let most = known.and_then(|known| most(&known.values));
            if let (Some(most), Some(value)) = (most, whole(field))
                && value > most
            {
                let why = format!("the column '{column}' is {value}; it can be at most {most}");
                return Err(self.at(record.position(), why));
            }
        }
        Ok(())
    }

    /// The puzzle of a record.
    fn row(self, record: &StringRecord, header: &StringRecord) -> Result<PuzzleRow, ExportError> {
        record.deserialize(Some(header)).map_err(|error| {
            let ErrorKind::Deserialize { err, .. } = error.kind() else {
                return error.into();
            };
            let place = err.field().and_then(|place| usize::try_from(place).ok());
            let named = place.and_then(|place| Some((header.get(place)?, record.get(place)?)));
            let Some((column, value)) = named else {
                return error.into();
            };
            let why = match err.kind() {
                DeserializeErrorKind::ParseInt(_) => {
                    "which is not a whole number, or too large a one".to_owned()
                }
                kind => format!("which is wrong: {kind}"),
            };
            let value: String = value.chars().take(40).collect();
            let why = format!("the column '{column}' is '{value}', {why}");
            self.at(record.position(), why)
        })
    }
}

/// Columns that files of earlier versions lack.
const LATER: [&str; 3] = ["line_look_ahead", "line_lure_run", "line_solved_at"];

/// Puzzles as columns, in the order of the fields of [`PuzzleRow`], columns of the user's own after
/// them. Columns that are also columns of states have the same names and types there.
///
/// # Errors
/// If a row has a column of the user's own with the name of another one.
pub fn puzzle_columns(rows: &[PuzzleRow]) -> Result<Batch, ExportError> {
    let text = |name: &str, of: fn(&PuzzleRow) -> &String| {
        let values = rows.iter().map(|row| Some(of(row).clone()));
        DataColumn::required(name, ColumnData::Texts(values.collect()))
    };
    let known = |name: &str, of: fn(&PuzzleRow) -> Option<u32>| {
        let values = rows.iter().map(of);
        let values = values.map(|value| value.map(|it| i32::try_from(it).unwrap_or(i32::MAX)));
        DataColumn::nullable(name, ColumnData::Numbers(values.collect()))
    };
    let count = |name: &str, of| DataColumn {
        nullable: false,
        ..known(name, of)
    };
    let number = |name: &str, of: fn(&PuzzleRow) -> u64| {
        let values = rows.iter().map(of);
        let values = values.map(|value| Some(i64::try_from(value).unwrap_or(i64::MAX)));
        DataColumn::required(name, ColumnData::Indices(values.collect()))
    };
    let forbidden = rows.iter().map(|row| row.forbidden.clone()).collect();
    let mut columns = vec![
        text("puzzle_id", |row| &row.puzzle_id),
        text("game", |row| &row.game),
        text("position", |row| &row.position),
        DataColumn::nullable("forbidden", ColumnData::Texts(forbidden)),
        text("side", |row| &row.side),
        text("stipulation", |row| &row.stipulation),
        text("outcome", |row| &row.outcome),
        known("plies", |row| row.plies.map(u32::from)),
        known("plies_to_checkmate", |row| {
            row.plies_to_checkmate.map(u32::from)
        }),
        text("key", |row| &row.key),
        text("solution", |row| &row.solution),
        count("n_moves", |row| Some(row.n_moves)),
        count("n_winning", |row| Some(row.n_winning)),
        count("n_best", |row| Some(row.n_best)),
        text("uniqueness", |row| &row.uniqueness),
        text("soundness", |row| &row.soundness),
        count("n_tries", |row| Some(row.n_tries)),
        number("variations", |row| row.variations),
        text("themes", |row| &row.themes),
        count("score", |row| Some(row.score)),
        count("difficulty", |row| Some(row.difficulty)),
        known(LATER[0], |row| row.line_look_ahead),
        known(LATER[1], |row| row.line_lure_run),
        known(LATER[2], |row| row.line_solved_at),
        number("similar", |row| row.similar),
        text("filter", |row| &row.filter),
        number("slot", |row| row.slot),
        text("table_fingerprint", |row| &row.table_fingerprint),
    ];
    let mut own: IndexMap<&str, Vec<Option<String>>> = IndexMap::new();
    for (place, row) in rows.iter().enumerate() {
        for (name, text) in &row.own {
            own.entry(name).or_insert_with(|| vec![None; rows.len()])[place] = Some(text.clone());
        }
    }
    if let Some(name) = columns.iter().find(|it| own.contains_key(&*it.name)) {
        return Err(ExportError::Columns(name.name.clone()));
    }
    let own = own.into_iter();
    columns.extend(own.map(|(name, texts)| DataColumn::nullable(name, ColumnData::Texts(texts))));
    Batch::new(columns)
}

/// Writes rows as JSON Lines, with the same columns as the CSV.
///
/// # Errors
/// If the rows cannot be written.
pub fn write_jsonl(mut sink: impl Write, rows: &[PuzzleRow]) -> Result<(), ExportError> {
    write_json_batch(&mut sink, &puzzle_columns(rows)?)?;
    sink.flush()?;
    Ok(())
}

/// Writes the rows of a batch; a missing value becomes `null`.
pub(super) fn write_json_batch(sink: &mut impl Write, batch: &Batch) -> std::io::Result<()> {
    let mut keys = Vec::new();
    for (place, column) in batch.columns().iter().enumerate() {
        let lead = if place == 0 { '{' } else { ',' };
        keys.push(format!("{lead}{}:", serde_json::to_string(&column.name)?));
    }
    for row in 0..batch.rows() {
        for (key, column) in keys.iter().zip(batch.columns()) {
            sink.write_all(key.as_bytes())?;
            match &column.values {
                ColumnData::Indices(values) => to_writer(&mut *sink, &values[row])?,
                ColumnData::Numbers(values) => to_writer(&mut *sink, &values[row])?,
                ColumnData::Flags(values) => to_writer(&mut *sink, &values[row])?,
                ColumnData::Words { words, places } => {
                    to_writer(&mut *sink, &word(words, places[row]))?;
                }
                ColumnData::Texts(values) => to_writer(&mut *sink, &values[row])?,
            }
        }
        sink.write_all(b"}\n")?;
    }
    Ok(())
}

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
    let rows = read(source, |header| match &header.missing {
        Some(name) => Err(ExportError::Header(format!("column '{name}' is missing"))),
        None => Ok(()),
    });
    rows?.collect()
}

/// Reads puzzles from CSV like [`read_csv`], one by one, but columns other than `game` and `position`
/// may be missing. A row of a file without all columns of mined puzzles has an empty outcome, and is to
/// be solved.
///
/// ```
/// let csv = "author,game,position\nA. Composer,kings:3x4,....\n";
/// let rows = tesuji::export::read_entries(csv.as_bytes())?.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(rows[0].own("author"), "A. Composer");
/// assert_eq!(rows[0].position, "....");
/// assert!(tesuji::export::read_entries("game,positon\n".as_bytes()).is_err());
/// # Ok::<(), tesuji::export::ExportError>(())
/// ```
///
/// # Errors
/// As [`read_csv`].
pub fn read_entries(
    source: impl Read,
) -> Result<impl Iterator<Item = Result<PuzzleRow, ExportError>>, ExportError> {
    read(source, |header| header.needs(&NEEDED))
}

/// Reads the column `position` of CSV. All others may be missing.
///
/// # Errors
/// As [`read_csv`].
pub fn read_positions(source: impl Read) -> Result<Vec<String>, ExportError> {
    let rows = read(source, |header| header.needs(&NEEDED[1..]))?;
    rows.map(|row| Ok(row?.position)).collect()
}

/// A column that a row was given with and that was computed to say something else: its name, what
/// was given and what was computed. Position and task stay as they were given.
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
pub fn misspelt(row: &PuzzleRow) -> Option<(String, String)> {
    let all = puzzle_columns(&[]).ok()?;
    let own = row.own.iter();
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
fn known(all: &Batch) -> impl Iterator<Item = &str> {
    column_names(all).chain(WORDS)
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
    /// A column of mined puzzles that is not there, though no version of the program leaves it out.
    missing: Option<String>,
}

impl Header {
    /// Refuses names that could be taken for others.
    fn new(names: StringRecord, all: &Batch) -> Result<Self, ExportError> {
        let mut own = Vec::new();
        for (place, name) in names.iter().enumerate() {
            if names.iter().take(place).any(|before| before == name) {
                return Err(ExportError::Header(format!(
                    "column '{name}' is there twice"
                )));
            }
            if !column_names(all).any(|known| known == name) {
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
        let has = |name: &str| names.iter().any(|there| there == name);
        // Files of earlier versions have none of the later columns.
        let is_later = |name: &str| LATER.contains(&name) && !LATER.iter().any(|name| has(name));
        let missing = column_names(all).find(|name| !has(name) && !is_later(name));
        let missing = missing.map(str::to_owned);
        Ok(Self {
            names,
            own,
            missing,
        })
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|there| there == name)
    }

    fn needs(&self, needed: &[&str]) -> Result<(), ExportError> {
        let Some(name) = needed.iter().find(|name| self.place(name).is_none()) else {
            return Ok(());
        };
        let mut own = self.own.iter().map(|(_, own)| own);
        let hint = match own.find(|own| is_near(own, name)) {
            Some(near) => format!("did you mean it by '{near}'?"),
            None if needed.len() == 1 => "it is needed here".to_owned(),
            None => "a puzzle needs at least the columns game and position".to_owned(),
        };
        let message = format!("column '{name}' is missing; {hint}");
        Err(ExportError::Header(message))
    }
}

/// Reads rows of a file whose header is fit.
fn read(
    source: impl Read,
    fit: impl Fn(&Header) -> Result<(), ExportError>,
) -> Result<impl Iterator<Item = Result<PuzzleRow, ExportError>>, ExportError> {
    let (mut reader, lines) = reader(source)?;
    let all = puzzle_columns(&[PuzzleRow::default()])?;
    let header = Header::new(reader.headers()?.iter().map(today).collect(), &all)?;
    fit(&header)?;
    let names: StringRecord = column_names(&all).collect();
    Ok(reader.into_records().map(move |record| {
        let record = record.map_err(|error| lines.malformed(error))?;
        lines.check(&record, &header.names, &all)?;
        let fields = all.columns().iter().map(|column| {
            let place = header.place(&column.name);
            let field = place.and_then(|place| record.get(place));
            match field {
                Some(field) if header.missing.is_none() => field.to_owned(),
                Some(field) if !field.trim().is_empty() => field.trim().to_owned(),
                _ => text(column, 0),
            }
        });
        let mut fields: StringRecord = fields.collect();
        fields.set_position(record.position().cloned());
        let mut row = lines.row(&fields, &names)?;
        if header.missing.is_some() {
            row.given_outcome = std::mem::take(&mut row.outcome);
        }
        let own = header.own.iter();
        let own = own.map(|(place, name)| (Arc::clone(name), record[*place].to_owned()));
        row.own = own.collect();
        Ok(row)
    }))
}
