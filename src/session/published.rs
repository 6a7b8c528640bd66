//! Published figures to compare with: CSV files with two to four known columns.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::{Result, SessionError};
use crate::base::files::open_lines;
use crate::base::text::{grouped, plural};

/// A table of counts: what is counted, by the words that name it.
pub(crate) type Counts = BTreeMap<Vec<String>, u64>;

/// Reads a file of counts. The last column is the count, the others name what is
/// counted; `known` are the headers that make sense. Returns the number of the known
/// header that the file has, and its rows.
fn read(path: &Path, known: &[String]) -> Result<(usize, Counts)> {
    let failed = |error: csv::Error| {
        let path = path.display();
        SessionError::Refused(format!(
            "{path}: {error}; give a CSV file with a header line"
        ))
    };
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(open_lines(path).map_err(csv::Error::from).map_err(failed)?);
    let header = reader.headers().map_err(failed)?.iter().map(str::to_owned);
    let header: Vec<String> = header.collect();
    let found = header.join(",");
    let wrong = |line: u64, why: String| {
        SessionError::Refused(format!("{}, line {line}: {why}", path.display()))
    };
    let Some(which) = known.iter().position(|known| *known == found) else {
        let known = known.join(" or ");
        let why = format!(
            "the columns '{found}' are none that can be compared here; give a file with {known}"
        );
        return Err(wrong(1, why));
    };
    let mut counts = Counts::new();
    for row in reader.records() {
        let row = row.map_err(failed)?;
        let line = row.position().map_or(0, csv::Position::line);
        let mut words: Vec<String> = row.iter().map(str::to_owned).collect();
        let text = words.pop().unwrap_or_default();
        let count = text.parse().map_err(|_| {
            let column = header.last().map_or("", String::as_str);
            let why = format!("'{text}' is no count of {column}; give a whole number");
            wrong(line, why)
        })?;
        let name = words.join(",");
        if counts.insert(words, count).is_some() {
            let why = format!("'{name}' is given twice; leave one row out");
            return Err(wrong(line, why));
        }
    }
    if counts.is_empty() {
        let why = "there are no rows below the header, so nothing can be compared".to_owned();
        return Err(wrong(1, why));
    }
    Ok((which, counts))
}

/// Files of published counts, read before any long work so that a slip in one costs
/// nothing.
#[derive(Debug)]
pub struct Published(Vec<(PathBuf, usize, Counts)>);

impl Published {
    /// Reads files of published counts. `known` are the headers that make sense.
    ///
    /// # Errors
    /// If a file cannot be read, or has no such header.
    pub fn read(paths: &[PathBuf], known: &[String]) -> Result<Self> {
        let files = paths.iter().map(|path| {
            let (which, counts) = read(path, known)?;
            Ok((path.clone(), which, counts))
        });
        files.collect::<Result<_>>().map(Self)
    }

    /// Holds every file against `ours`, which gives our counts in the terms of the known
    /// header of a number, for a file with some counts.
    pub fn compare(&self, ours: impl Fn(usize, &Counts) -> Counts) -> Comparisons {
        let compared = self.0.iter().map(|(path, which, theirs)| {
            let ours = ours(*which, theirs);
            let mut names: Vec<_> = theirs.keys().chain(ours.keys()).collect();
            // Numbers in the order of numbers.
            names.sort_by_key(|name| (name[0].parse::<u64>().unwrap_or(0), *name));
            names.dedup();
            let rows = names.into_iter().map(|name| Difference {
                row: name.join(","),
                published: theirs.get(name).copied(),
                here: ours.get(name).copied(),
            });
            let differences =
                rows.filter(|row| row.published.unwrap_or(0) != row.here.unwrap_or(0));
            Comparison {
                file: path.display().to_string(),
                rows: theirs.len(),
                differences: differences.collect(),
            }
        });
        Comparisons(compared.collect())
    }
}

/// All comparisons of a command.
#[derive(Debug, serde::Serialize)]
pub struct Comparisons(Vec<Comparison>);

impl fmt::Display for Comparisons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |count: Option<u64>| count.map_or("-".to_owned(), grouped);
        for of_file in &self.0 {
            let (file, differences) = (&of_file.file, &of_file.differences);
            if differences.is_empty() {
                writeln!(f, "\nall {} rows agree with {file}", of_file.rows)?;
                continue;
            }
            let rows = differences.len() as u64;
            let differ = if rows == 1 { "differs" } else { "differ" };
            writeln!(f, "\n{} {differ} from {file}", plural(rows, "row"))?;
            writeln!(f, "{:>20} {:>16} {:>16}", "row", "published", "here")?;
            for row in differences {
                let (published, here) = (show(row.published), show(row.here));
                writeln!(f, "{:>20} {published:>16} {here:>16}", row.row)?;
            }
        }
        Ok(())
    }
}

impl Comparisons {
    /// Whether no row of any file differs.
    pub fn agree(&self) -> bool {
        let mut all = self.0.iter();
        all.all(|comparison| comparison.differences.is_empty())
    }
}

/// A row in which published and our counts differ.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
struct Difference {
    row: String,
    published: Option<u64>,
    here: Option<u64>,
}

/// A file held against our counts, row by row. A row that one side lacks and the other has as zero
/// is no difference.
#[derive(Debug, serde::Serialize)]
struct Comparison {
    file: String,
    rows: usize,
    differences: Vec<Difference>,
}
