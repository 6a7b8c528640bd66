//! Folders of pictures of puzzles.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::output::partial_name;
use crate::base::claim::Claim;

/// The pictures of puzzles in a folder that are not among these: those of an earlier
/// run, which would mix two sets.
pub fn stale<'a>(folder: &Path, made: impl Fn(&Path) -> bool + 'a) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| is_picture(path) && !made(path));
    paths.sort();
    paths
}

/// Removes what a killed run left of pictures in a folder that this process has claimed.
pub fn tidy(folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let whole = path.with_extension("");
        let ours = is_picture(&whole) || whole.file_name().is_some_and(|name| name == "sheet.svg");
        if ours && partial_name(&whole) == path {
            // Nobody else is writing it.
            let _claim = Claim::file(&path)?;
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

/// Whether a file has the name of a picture of a puzzle: a number of two or more digits,
/// a hyphen, an id of 16 digits.
fn is_picture(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some((number, rest)) = name.split_once('-') else {
        return false;
    };
    let end = path.extension();
    number.len() >= 2
        && number.chars().all(|c| c.is_ascii_digit())
        && rest.len() >= 20
        && rest.chars().take(16).all(|c| c.is_ascii_hexdigit())
        && end.is_some_and(|end| end == "svg" || end == "png")
}

/// Refuses pictures of an earlier run unless they may go.
pub fn refuse_stale(old: &[PathBuf], force: bool) -> Result<()> {
    match old.first().filter(|_| !force) {
        Some(picture) => bail!(
            "{} is a picture of an earlier, different run; give --force to replace it, or another folder with --output",
            picture.display()
        ),
        None => Ok(()),
    }
}

/// Removes pictures of an earlier run.
pub fn remove(old: &[PathBuf]) -> Result<()> {
    old.iter().try_for_each(|picture| {
        fs::remove_file(picture).with_context(|| format!("cannot remove {}", picture.display()))
    })
}
