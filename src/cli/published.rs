//! Published figures to compare with: CSV files with two to four known columns.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file of published figures cannot be used.
#[derive(Debug, Error)]
pub enum PublishedError {
    /// It cannot be read as CSV.
    #[error("{}: {source}; give a CSV file with a header line", path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: csv::Error,
    },
    /// Its columns are not known.
    #[error("{}: the columns '{found}' are none that can be compared here; known are: {known}", path.display())]
    Columns {
        /// The file.
        path: PathBuf,
        /// Columns of the file.
        found: String,
        /// Columns that would do.
        known: String,
    },
    /// A count is no number.
    #[error("{}, line {line}: '{text}' is no count of {column}; give a whole number", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The column.
        column: String,
        /// What is there.
        text: String,
    },
}

/// A table of counts: what is counted, by the words that name it.
pub type Counts = BTreeMap<Vec<String>, u64>;

/// Reads a file of counts. The last column is the count, the others name what is
/// counted; `known` are the headers that make sense. Returns the number of the known
/// header that the file has, and its rows.
pub fn read(path: &Path, known: &[&str]) -> Result<(usize, Counts), PublishedError> {
    let failed = |source| PublishedError::Csv {
        path: path.to_owned(),
        source,
    };
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(path)
        .map_err(failed)?;
    let header: Vec<String> = reader
        .headers()
        .map_err(failed)?
        .iter()
        .map(str::to_owned)
        .collect();
    let found = header.join(",");
    let Some(which) = known.iter().position(|&known| known == found) else {
        return Err(PublishedError::Columns {
            path: path.to_owned(),
            found,
            known: known.join(" or "),
        });
    };
    let mut counts = Counts::new();
    for row in reader.records() {
        let row = row.map_err(failed)?;
        let mut words: Vec<String> = row.iter().map(str::to_owned).collect();
        let text = words.pop().unwrap_or_default();
        let count = text.parse().map_err(|_| PublishedError::Count {
            path: path.to_owned(),
            line: row.position().map_or(0, csv::Position::line),
            column: header.last().cloned().unwrap_or_default(),
            text: text.clone(),
        })?;
        counts.insert(words, count);
    }
    Ok((which, counts))
}

/// The rows in which two tables of counts differ, as lines of text; empty if they
/// agree in every row.
pub fn differences(published: &Counts, ours: &Counts) -> Vec<String> {
    let mut names: Vec<_> = published.keys().chain(ours.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let show = |count: Option<&u64>| count.map_or("none".to_owned(), u64::to_string);
    names
        .into_iter()
        .filter(|name| published.get(*name) != ours.get(*name))
        .map(|name| {
            format!(
                "{}: published {}, here {}",
                name.join(","),
                show(published.get(name)),
                show(ours.get(name))
            )
        })
        .collect()
}
