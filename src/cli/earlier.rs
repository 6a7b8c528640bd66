//! What an earlier run of `mine` left in a folder, looked at before a new run begins.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use crate::base::text::grouped;
use crate::mine::Filter;

/// The file that says which run the others are of.
const RUN: &str = "run.json";

/// The file that says how far a scan got which was stopped.
pub const SAMPLE: &str = "sample.json";

/// A run with one filter: what its results depend on.
#[derive(Debug)]
pub struct Run {
    game: String,
    filter: String,
    key: u64,
}

impl Run {
    /// A run; `rest` has all else that its results depend on.
    pub fn new(game: &str, filter: &Filter, rest: &str) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self {
            game: game.to_owned(),
            filter: filter.name().to_owned(),
            key: xxh3_64(format!("{version}\n{game}\n{filter:?}\n{rest}").as_bytes()),
        }
    }

    /// The file that records the run in a folder.
    pub fn record(&self, folder: &Path) -> (PathBuf, Vec<u8>) {
        let json = json!({
            "game": self.game,
            "filter": self.filter,
            "tesuji": env!("CARGO_PKG_VERSION"),
            "key": format!("{:016x}", self.key),
        });
        (folder.join(RUN), format!("{json:#}\n").into_bytes())
    }

    /// Checks that the results in a folder may be replaced, or will be the same. Returns the
    /// files of a run that found nothing or was stopped: they are not in the way.
    pub fn check(&self, folder: &Path, force: bool) -> Result<Vec<PathBuf>> {
        let Ok(puzzles) = fs::read_to_string(folder.join("puzzles.csv")) else {
            return Ok(Vec::new());
        };
        // The header is line 1.
        let found = puzzles.lines().count().saturating_sub(1);
        let record = fs::read(folder.join(RUN)).ok();
        let same = record.as_ref().map(|bytes| *bytes == self.record(folder).1);
        let stopped = same == Some(true) && folder.join(SAMPLE).is_file();
        if found == 0 || stopped {
            let names = [
                "puzzles.csv",
                "puzzles.parquet",
                "columns.csv",
                "sheet.svg",
                SAMPLE,
                RUN,
            ];
            let files = names.map(|name| folder.join(name)).into_iter();
            return Ok(files.filter(|file| file.is_file()).collect());
        }
        if same == Some(false) && !force {
            bail!(
                "{} has {} puzzles of another run; give --force to replace them, or another folder with --output",
                folder.display(),
                grouped(found as u64)
            );
        }
        Ok(Vec::new())
    }
}
