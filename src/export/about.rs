//! What a data set says of itself.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::error::ExportError;

/// Where a data set comes from and what is in it. Every Parquet file has it among its keys
/// and values, as `tesuji.game` and so on, and [`DataSet`](super::DataSet) writes it to
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
    /// The column by which the rows of each file are sorted.
    pub sorted_by: String,
}

impl About {
    /// Keys and values for the files.
    pub(super) fn keys_and_values(&self) -> Result<Vec<(String, String)>, ExportError> {
        let object = serde_json::to_value(self).map_err(std::io::Error::from)?;
        let entries = object.as_object().into_iter().flatten();
        let entries = entries.filter(|(_, value)| !value.is_null());
        let text = |value: &Json| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        Ok(entries
            .map(|(key, value)| (format!("tesuji.{key}"), text(value)))
            .collect())
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
pub(super) fn columns_csv(columns: &[ColumnMeaning]) -> Result<Vec<u8>, ExportError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    for column in columns {
        csv.serialize(column)?;
    }
    let text = csv.into_inner();
    text.map_err(|error| ExportError::Io(error.into_error()))
}

/// `README.md`: a data card as Hugging Face and Zenodo show it.
pub(super) fn card(about: &About, columns: &[ColumnMeaning], rows: u64, extension: &str) -> String {
    let About { game, rows_are, .. } = about;
    let part = match about.sample {
        0 | 1 => String::new(),
        one_in => format!(", one position in {one_in}"),
    };
    let row = if rows_are == "moves" {
        "One row is a legal move of a position in which no move is forbidden."
    } else if about.restricted {
        "One row is a state: a position with the side to move, and at most one forbidden move that can arise."
    } else {
        "One row is a position with the side to move, and no forbidden move."
    };
    let read = match extension {
        "parquet" => ("read_parquet", "scan_parquet"),
        _ => ("read_json", "scan_ndjson"),
    };
    let files = format!("data/**/*.{extension}");
    let mut text = format!(
        "---\npretty_name: \"{rows_are} of {game}\"\nlicense: [mit, apache-2.0]\ntags: [games, combinatorial-games, retrograde-analysis]\nconfigs:\n- config_name: default\n  data_files: \"{files}\"\n---\n\n\
         # All {rows_are} of `{game}`{part}\n\n\
         {row} Positions that are images of each other under a symmetry of the board are one position. Values are those of perfect play, for the side to move.\n\n\
         | | |\n|---|---|\n| rows | {rows} |\n| written by | {} |\n| game | `{game}` |\n",
        about.writer
    );
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "| {name} | {value} |");
    };
    if let Some(repetition) = &about.repetition {
        line("rule 8 is read as", repetition);
    }
    line(
        "fingerprint of the table",
        &format!("`{}`", about.fingerprint),
    );
    for (name, parts) in [("layers", &about.layers), ("classes", &about.classes)] {
        if let Some(parts) = parts {
            line(name, &parts.join(", "));
        }
    }
    if about.sample > 1 {
        line("sample", &about.sampled_by);
    }
    let _ = write!(
        text,
        "\nRows of a file are sorted by `{}`. `_dataset.json` lists the files with their rows and bytes.\n\n\
         ## Reading it\n\n\
         ```python\nimport duckdb\nduckdb.sql(\"SELECT outcome, count(*) FROM {}('{files}', hive_partitioning = true) GROUP BY ALL\")\n\n\
         import polars\npolars.{}(\"{files}\").head().collect()\n```\n\n\
         ## Columns\n\n| name | type | NULL | unit | range | meaning |\n|---|---|---|---|---|---|\n",
        about.sorted_by, read.0, read.1
    );
    for column in columns {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            column.name,
            column.sql_type,
            if column.nullable { "yes" } else { "no" },
            column.unit,
            column.range,
            column.meaning.replace('|', "\\|")
        );
    }
    text.push_str(
        "\n## Licence\n\nMIT or Apache-2.0, at your choice, as the program that wrote it.\n",
    );
    text
}
