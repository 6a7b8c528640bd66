//! Data sets: a folder of files with what explains them, written as a whole or not at all. Each
//! file is written a group of rows at a time.
//!
//! | file | content |
//! |---|---|
//! | `data/...` | the rows, and nothing else, so that engines can read the folder |
//! | `_dataset.json` | [`About`], and all files of `data` with rows, bytes and hash |
//! | `_columns.csv` | [`ColumnMeaning`], one row for each column |
//! | `README.md` | a data card |
//! | `CITATION.cff` | how the data set is cited |

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::batch::{Batch, ColumnData};
use super::error::ExportError;
use super::parquet::ParquetFile;
use crate::base::files::{Existing, FileError, FolderPlace, open_ours, put_all_claimed};
use crate::base::text::named;

/// The file by which a data set is known.
const ABOUT: &str = "_dataset.json";
const COLUMNS: &str = "_columns.csv";
const CARD: &str = "README.md";
const CITATION: &str = "CITATION.cff";
const DATA: &str = "data";

/// The column by which the rows are sorted.
const SORTED_BY: &str = "slot";

/// Bytes of a `_dataset.json` at most.
const MOST_BYTES: u64 = 1 << 26;

/// `_dataset.json`.
#[derive(Serialize, Deserialize)]
struct Contents {
    #[serde(flatten)]
    about: About,
    rows: u64,
    bytes: u64,
    files: Vec<WrittenFile>,
}

/// A data set that is being written. Its files go to another folder beside it, which is
/// renamed by `finish` and removed if that is never called.
#[derive(Debug)]
pub struct DataSet {
    place: FolderPlace,
    format: Format,
}

impl DataSet {
    /// Begins a data set. With `force` it replaces an older one, or an empty folder.
    ///
    /// # Errors
    /// [`ExportError::Refused`] if the folder has other files in it, [`ExportError::Place`]
    /// if it may not be replaced, another process is writing the same data set, or a file or
    /// folder cannot be read or created.
    pub fn begin(folder: &Path, format: Format, force: bool) -> Result<Self, ExportError> {
        expect_data_set(folder)?;
        let place = FolderPlace::claim(folder, Existing::refused_unless(force))?;
        Ok(Self { place, format })
    }

    /// The folder to which the files go until [`finish`](Self::finish).
    pub(crate) fn partial(&self) -> &Path {
        self.place.draft()
    }

    /// A writer for part `number` of rows about which the file says this.
    pub fn part(&self, number: usize, about: &About) -> PartWriter {
        let name = format!("{DATA}/part-{number:05}.{}", self.format.name());
        PartWriter {
            path: self.partial().join(&name),
            name,
            format: self.format,
            about: about.keys_and_values(),
            held: Batch::default(),
            rows: 0,
            extents: Extents::default(),
            sink: None,
        }
    }

    /// Explains what was written, and gives the data set its name. All writers must be
    /// finished.
    ///
    /// # Errors
    /// [`ExportError::Refused`] if other files have appeared in the folder,
    /// [`ExportError::Place`] if it cannot be moved or a file cannot be written.
    pub fn finish(
        self,
        about: About,
        columns: &[ColumnMeaning],
        written: Written,
    ) -> Result<(), ExportError> {
        let (rows, bytes) = (written.rows(), written.bytes());
        let card = card(&about, columns, (rows, bytes), self.format.name());
        let citation = citation(&about);
        let contents = Contents {
            about,
            rows,
            bytes,
            files: written.files,
        };
        let mut json = serde_json::to_vec_pretty(&contents).map_err(std::io::Error::from)?;
        json.push(b'\n');
        let files = [
            (COLUMNS, columns_csv(columns)?),
            (CARD, card.into_bytes()),
            (CITATION, citation.into_bytes()),
            (ABOUT, json),
        ];
        let files = files.map(|(name, content)| (self.partial().join(name), content));
        put_all_claimed(&files, false)?;
        expect_data_set(&self.place.path)?;
        Ok(self.place.finish()?)
    }
}

/// Refuses a folder with anything in it but a data set. [`FolderPlace`] refuses what is not
/// a folder.
fn expect_data_set(folder: &Path) -> Result<(), ExportError> {
    if !fs::symlink_metadata(folder).is_ok_and(|there| there.is_dir()) {
        return Ok(());
    }
    let mut entries = fs::read_dir(folder).map_err(FileError::io(folder, "read"))?;
    if entries.next().is_none() {
        return Ok(());
    }
    let shown = folder.display();
    let Some(contents) = contents(&folder.join(ABOUT))? else {
        return Err(ExportError::Refused(format!(
            "{shown} has no '{ABOUT}' of a data set of tesuji, so nothing in it is replaced: use --output to choose another folder"
        )));
    };
    let mut own = BTreeSet::from([ABOUT, COLUMNS, CARD, CITATION].map(str::to_owned));
    own.extend(contents.files.into_iter().map(|file| file.path));
    match files_in(folder)?.difference(&own).next() {
        None => Ok(()),
        Some(other) => Err(ExportError::Refused(format!(
            "{shown} contains '{other}', which is not of the data set there: move it away, or use --output to choose another folder"
        ))),
    }
}

/// What a `_dataset.json` says; `None` if there is none, or it is not one of ours.
fn contents(path: &Path) -> Result<Option<Contents>, ExportError> {
    let Some(file) = open_ours(path)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    let read = file.take(MOST_BYTES).read_to_end(&mut bytes);
    read.map_err(FileError::io(path, "read"))?;
    let contents: Option<Contents> = serde_json::from_slice(&bytes).ok();
    Ok(contents.filter(|contents| contents.about.writer.starts_with("tesuji ")))
}

/// The paths of all files in a folder and its subfolders, with `/` between the names. Links
/// are not followed, and are files.
fn files_in(folder: &Path) -> Result<BTreeSet<String>, ExportError> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![(folder.to_owned(), String::new())]);
    while let Some((folder, lead)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(FileError::io(&folder, "read"))? {
            let entry = entry.map_err(FileError::io(&folder, "read"))?;
            let about = entry.file_type();
            let about = about.map_err(FileError::io(&entry.path(), "read"))?;
            let name = format!("{lead}{}", entry.file_name().to_string_lossy());
            if about.is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else {
                found.insert(name);
            }
        }
    }
    Ok(found)
}

/// Where a data set comes from and what is in it. Every Parquet file has it among its keys
/// and values, as `tesuji.game` and so on, and [`DataSet`] writes it to
/// `_dataset.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The program and version that wrote it.
    pub writer: String,
    /// The game's spec.
    pub game: String,
    /// How the rule against taking back a move is read, if the game has it: `exact` or
    /// `up-to-symmetry`.
    pub repetition: Option<String>,
    /// The fingerprint of the table that values were read from.
    pub fingerprint: String,
    /// What a row is: `states` or `moves`.
    pub rows_are: String,
    /// Whether states with a forbidden move are among the rows.
    pub restricted: bool,
    /// The layers, if not all.
    pub layers: Option<Vec<String>>,
    /// The classes, if not all.
    pub classes: Option<Vec<String>>,
    /// One position of this many is in it; 1 means all.
    pub sample: u64,
    /// How the sample is drawn.
    pub sampled_by: String,
    /// The column by which the rows are sorted.
    pub sorted_by: String,
}

impl About {
    /// Keys and values for the files.
    fn keys_and_values(&self) -> Vec<(String, String)> {
        // Texts, numbers and lists of them are never refused.
        let object = serde_json::to_value(self).unwrap_or_default();
        let entries = object.as_object().into_iter().flatten();
        let entries = entries.filter(|(_, value)| !value.is_null());
        let entries = entries.map(|(key, value)| {
            let text = value.as_str().map(str::to_owned);
            let text = text.unwrap_or_else(|| value.to_string());
            (format!("tesuji.{key}"), text)
        });
        entries.collect()
    }
}

/// What a column means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnMeaning {
    /// The name.
    pub name: String,
    /// The type in SQL.
    #[serde(rename = "type")]
    pub sql_type: &'static str,
    /// Whether values may be missing.
    pub nullable: bool,
    /// What the numbers count, or nothing.
    pub unit: String,
    /// The values there are, from the least to the greatest or one by one; empty for texts.
    pub range: String,
    /// The meaning.
    pub meaning: String,
    /// What computing it took, as `tesuji features` says it: `record`, `board` and so on.
    pub cost: String,
}

/// `_columns.csv`: one row for each column.
fn columns_csv(columns: &[ColumnMeaning]) -> Result<Vec<u8>, ExportError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for column in columns {
        csv.serialize(column)?;
    }
    let text = csv.into_inner();
    text.map_err(|error| ExportError::Io(error.into_error()))
}

/// What is in it, with the game in these words.
fn title(about: &About, game: &str) -> String {
    let parts = [("layer", &about.layers), ("class", &about.classes)].into_iter();
    let parts = parts.filter_map(|(of, names)| Some(format!("{of} {}", names.as_ref()?.join(" "))));
    let sample = (about.sample > 1).then(|| format!("one position in {}", about.sample));
    let parts: Vec<_> = parts.chain(sample).collect();
    let rows = &about.rows_are;
    match &parts.join(", ")[..] {
        "" => format!("All {rows} of {game}"),
        parts => format!("Some {rows} of {game}: {parts}"),
    }
}

/// A text in double quotes, as JSON and YAML read it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// `CITATION.cff`, in the Citation File Format 1.2.0.
fn citation(about: &About) -> String {
    let (writer, fingerprint) = (&about.writer, &about.fingerprint);
    let title = quoted(&title(about, &about.game));
    format!(
        "cff-version: 1.2.0\nmessage: \"If you use this data set, please cite it.\"\ntype: dataset\n\
         title: {title}\nabstract: \"Values of perfect play, computed by {writer}; fingerprint of the table: {fingerprint}.\"\n\
         authors:\n- name: \"The authors of tesuji\"\nlicense: [MIT, Apache-2.0]\n"
    )
}

/// The columns and the size of a data set, as Hugging Face reads them from a card.
fn dataset_info(columns: &[ColumnMeaning], (rows, bytes): (u64, u64)) -> String {
    let mut text = "dataset_info:\n  features:\n".to_owned();
    for column in columns {
        let dtype = match column.sql_type {
            "BIGINT" => "int64",
            "INTEGER" => "int32",
            "BOOLEAN" => "bool",
            _ => "string",
        };
        let _ = writeln!(text, "  - name: {}\n    dtype: {dtype}", column.name);
    }
    let split = "  splits:\n  - name: train\n";
    text + split + &format!("    num_bytes: {bytes}\n    num_examples: {rows}\n")
}

/// `README.md`: a data card as Hugging Face and Zenodo show it.
fn card(
    about: &About,
    columns: &[ColumnMeaning],
    (rows, bytes): (u64, u64),
    extension: &str,
) -> String {
    let About { game, rows_are, .. } = about;
    let name = quoted(&format!("{rows_are} of {game}"));
    let title = title(about, &format!("`{game}`"));
    let row = if rows_are == "moves" {
        "One row is a legal move of a position in which no move is forbidden."
    } else if about.restricted {
        "One row is a state: a position with the side to move, and at most one forbidden move that can arise."
    } else {
        "One row is a position with the side to move, and no forbidden move."
    };
    let scan = match extension {
        "parquet" => "scan_parquet",
        _ => "scan_ndjson",
    };
    let files = format!("data/*.{extension}");
    let mut text = format!(
        "---\npretty_name: {name}\nlicense: [mit, apache-2.0]\ntags: [games, combinatorial-games, retrograde-analysis]\nconfigs:\n- config_name: default\n  data_files: \"{files}\"\n{}---\n\n\
         # {title}\n\n\
         {row} Positions that are images of each other under a symmetry of the board are one position. Values are those of perfect play, for the side to move.\n\n\
         | | |\n|---|---|\n| rows | {rows} |\n| written by | {} |\n",
        dataset_info(columns, (rows, bytes)),
        about.writer
    );
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "| {name} | {} |", value.replace('|', "\\|"));
    };
    line("game", &format!("`{game}`"));
    if let Some(repetition) = &about.repetition {
        line("rule 8 is read as", repetition);
    }
    let fingerprint = format!("`{}`", about.fingerprint);
    line("fingerprint of the table", &fingerprint);
    for (name, parts) in [("layers", &about.layers), ("classes", &about.classes)] {
        if let Some(parts) = parts {
            line(name, &parts.join(", "));
        }
    }
    if about.sample > 1 {
        line("sample", &about.sampled_by);
    }
    let query = if columns.iter().any(|column| column.name == "outcome") {
        format!("SELECT outcome, count(*) FROM '{files}' GROUP BY ALL")
    } else {
        format!("SELECT count(*) FROM '{files}'")
    };
    let _ = write!(
        text,
        "\nRows are sorted by `{}`. `_dataset.json` lists the files with their rows, bytes and SHA-256.\n\n\
         ## Reading it\n\n\
         ```python\nimport duckdb\nduckdb.sql(\"{query}\")\n\n\
         import polars\npolars.{}(\"{files}\").head().collect()\n```\n\n\
         ## Columns\n\n| name | type | NULL | unit | range | meaning |\n|---|---|---|---|---|---|\n",
        about.sorted_by, scan
    );
    for column in columns {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            column.name,
            column.sql_type,
            if column.nullable { "yes" } else { "no" },
            column.unit,
            column.range.replace('|', "\\|"),
            column.meaning.replace('|', "\\|")
        );
    }
    text.push_str(
        "\n## Licence\n\nMIT or Apache-2.0, at your choice, as the program that wrote it.\n",
    );
    text
}

/// Rows of a row group. A writer holds fewer rows than this in memory, and one batch.
const GROUP: usize = 1 << 18;

named! {
    /// The file format of a data set. Its name is the extension of its files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Format {
        /// Apache Parquet, compressed with Zstandard.
        Parquet = "parquet",
        /// JSON Lines: one JSON object a line.
        Jsonl = "jsonl",
    }
}

/// Writes one file of a data set. It is created with the first rows, so a part without
/// rows leaves no file.
pub struct PartWriter {
    /// The path in the data set, with `/` between the names.
    name: String,
    path: PathBuf,
    format: Format,
    about: Vec<(String, String)>,
    held: Batch,
    rows: u64,
    extents: Extents,
    sink: Option<Sink>,
}

/// A file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFile {
    /// Its path in the data set, with `/` between the names.
    pub path: String,
    /// The number of rows.
    pub rows: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// The SHA-256 of its content in hexadecimal digits.
    #[serde(default)]
    pub sha256: String,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The files: one of a part, or none if there were no rows.
    pub files: Vec<WrittenFile>,
    /// The least and the greatest values of their columns.
    pub extents: Extents,
}

impl Written {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.files.iter().map(|file| file.rows).sum()
    }

    /// The size of all files in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Adds what else was written.
    pub(crate) fn join(&mut self, other: Self) {
        self.files.extend(other.files);
        self.extents.join(other.extents);
    }
}

enum Sink {
    Parquet(Box<ParquetFile<'static>>),
    Jsonl(BufWriter<File>),
}

impl PartWriter {
    /// Adds rows.
    ///
    /// # Errors
    /// [`ExportError::Columns`] if their columns differ from those before, another
    /// [`ExportError`] if writing fails.
    pub fn push(&mut self, rows: Batch) -> Result<(), ExportError> {
        self.extents.extend(&rows);
        self.held.append(rows)?;
        while self.held.rows() >= GROUP {
            let group = self.held.take(GROUP);
            self.write(&group)?;
        }
        Ok(())
    }

    /// Writes the remaining rows and closes the file.
    ///
    /// # Errors
    /// [`ExportError`] if writing fails.
    pub fn finish(mut self) -> Result<Written, ExportError> {
        if self.held.rows() > 0 {
            let group = std::mem::take(&mut self.held);
            self.write(&group)?;
        }
        let Some(sink) = self.sink else {
            return Ok(Written::default());
        };
        match sink {
            Sink::Parquet(file) => {
                let finished = file.finish(Some(SORTED_BY), &self.about);
                finished.map_err(|error| error.of(&self.path))?;
            }
            Sink::Jsonl(mut writer) => {
                writer.flush().map_err(FileError::io(&self.path, "write"))?;
            }
        }
        // The content must be on disk before the folder is renamed.
        let file = File::open(&self.path).map_err(FileError::io(&self.path, "open"))?;
        let length = file.sync_all().and_then(|()| file.metadata());
        let bytes = length.map_err(FileError::io(&self.path, "write"))?;
        Ok(Written {
            files: vec![WrittenFile {
                path: self.name,
                rows: self.rows,
                bytes: bytes.len(),
                sha256: sha256(file).map_err(FileError::io(&self.path, "read"))?,
            }],
            extents: self.extents,
        })
    }

    fn write(&mut self, group: &Batch) -> Result<(), ExportError> {
        self.rows += group.rows() as u64;
        let sink = match &mut self.sink {
            Some(sink) => sink,
            none => none.insert(match self.format {
                Format::Parquet => {
                    let file = ParquetFile::new(Box::new(create(&self.path)?), group);
                    Sink::Parquet(Box::new(file.map_err(|error| error.of(&self.path))?))
                }
                Format::Jsonl => Sink::Jsonl(create(&self.path)?),
            }),
        };
        match sink {
            Sink::Parquet(file) => file.write(group).map_err(|error| error.of(&self.path)),
            Sink::Jsonl(writer) => Ok(super::puzzles::write_json_batch(writer, group)
                .map_err(FileError::io(&self.path, "write"))?),
        }
    }
}

fn sha256(mut file: File) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; 1 << 16];
    while let read @ 1.. = file.read(&mut piece)? {
        hash.update(&piece[..read]);
    }
    let digits = hash.finalize().into_iter();
    let digits: Vec<_> = digits.map(|byte| format!("{byte:02x}")).collect();
    Ok(digits.concat())
}

/// Creates a file, and its folder if necessary.
fn create(path: &Path) -> Result<BufWriter<File>, ExportError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(FileError::io(folder, "create the folder"))?;
    }
    let file = File::create_new(path).map_err(FileError::io(path, "create"))?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

/// The least and the greatest number of each column, by its place; `None` for columns
/// without numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extents(Vec<Option<(i64, i64)>>);

impl Extents {
    /// Extends them by the rows of a batch.
    fn extend(&mut self, rows: &Batch) {
        let found = rows.columns().iter().map(|column| match &column.values {
            ColumnData::Indices(values) => ends(values.iter().flatten().copied()),
            ColumnData::Numbers(values) => ends(values.iter().flatten().map(|&n| n.into())),
            ColumnData::Flags(_) | ColumnData::Words { .. } | ColumnData::Texts(_) => None,
        });
        self.join(Self(found.collect()));
    }

    /// Extends them by those of other rows with the same columns.
    pub(crate) fn join(&mut self, other: Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), None);
        }
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            let both = [*mine, other].into_iter().flatten();
            *mine = ends(both.flat_map(|(least, greatest)| [least, greatest]));
        }
    }

    /// Those of the column at a place.
    pub fn of(&self, place: usize) -> Option<(i64, i64)> {
        self.0.get(place).copied().flatten()
    }
}

fn ends(values: impl Iterator<Item = i64>) -> Option<(i64, i64)> {
    let ends = values.map(|value| (value, value));
    ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}
