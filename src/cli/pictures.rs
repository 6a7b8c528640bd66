//! Folders of pictures of puzzles.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// The pictures of puzzles in a folder that are not among these. They belong to an earlier
/// run, and would mix two sets.
pub fn stale<'a>(folder: &Path, made: impl Fn(&Path) -> bool + 'a) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let entries = entries.flatten();
    let regular = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut paths: Vec<_> = regular.map(|entry| entry.path()).collect();
    paths.retain(|path| is_picture(path) && !made(path));
    paths.sort();
    paths
}

/// Whether a file name is that of a picture of a puzzle: a number of two or more digits, a
/// hyphen, and an id of 16 digits.
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
        && end.is_some_and(|end| {
            ["svg", "png", "pdf", "eps"]
                .iter()
                .any(|known| end == *known)
        })
}

/// Refuses pictures of an earlier run unless they may be removed.
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
