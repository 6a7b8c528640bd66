//! Output files: whole or not at all, and never over something else unasked.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::common::partial_name;

/// Whether `content` may go to `path`: nothing is there, or the same content, or
/// `force` is given.
fn may_put(path: &Path, content: &[u8], force: bool) -> Result<bool> {
    match fs::read(path) {
        Ok(there) if there == content => Ok(false),
        Ok(_) if !force => bail!(
            "{} exists with other content; give --force to overwrite it, or another place with --output",
            path.display()
        ),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error).with_context(|| format!("cannot look at {}", path.display())),
    }
}

/// Refuses if `content` may not go to `path`.
pub fn check(path: &Path, content: &[u8], force: bool) -> Result<()> {
    may_put(path, content, force).map(|_| ())
}

/// Puts `content` at `path`: under a temporary name first, then renamed. A file
/// with the same content is left as it is; another one is only replaced with
/// `force`.
pub fn put(path: &Path, content: &[u8], force: bool) -> Result<()> {
    if !may_put(path, content, force)? {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    let partial = partial_name(path);
    let written = fs::write(&partial, content).and_then(|()| fs::rename(&partial, path));
    written.map_err(|error| {
        // Nothing half-written stays behind.
        let _ = fs::remove_file(&partial);
        anyhow::Error::new(error).context(format!("cannot write {}", path.display()))
    })
}

/// Puts several files, or none of them if one may not be overwritten.
pub fn put_all(files: &[(PathBuf, Vec<u8>)], force: bool) -> Result<()> {
    for (path, content) in files {
        may_put(path, content, force)?;
    }
    files
        .iter()
        .try_for_each(|(path, content)| put(path, content, force))
}
