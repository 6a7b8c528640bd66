//! Output files: whole or not at all, and never over something else unasked.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::base::claim::Claim;

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

/// The place of an output file, which no other process may take meanwhile. The file
/// is written under a temporary name; one that a killed process left is taken over.
pub struct Place<'p> {
    path: &'p Path,
    partial: PathBuf,
    claim: Option<Claim>,
    revealed: bool,
}

impl<'p> Place<'p> {
    /// Claims the place of a file.
    pub fn claim(path: &'p Path) -> Result<Self> {
        if path.file_name().is_none() {
            bail!(
                "{} is no name for a file; give one with --output",
                path.display()
            );
        }
        let partial = partial_name(path);
        Ok(Self {
            path,
            claim: Some(Claim::file(&partial)?),
            partial,
            revealed: false,
        })
    }

    /// Puts `content` there. A file with the same content is left as it is; another
    /// one is only replaced with `force`.
    pub fn put(mut self, content: &[u8], force: bool) -> Result<()> {
        if may_put(self.path, content, force)? {
            self.write(content)?;
            self.reveal()?;
        }
        Ok(())
    }

    /// Writes `content` under the temporary name.
    fn write(&mut self, content: &[u8]) -> Result<()> {
        let write = |claim: &Claim| {
            let mut file = claim.handle()?;
            file.set_len(0)?;
            file.write_all(content)
        };
        self.claim
            .as_ref()
            .map_or(Ok(()), write)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Gives what was written its name.
    fn reveal(&mut self) -> Result<()> {
        fs::rename(&self.partial, self.path)
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.revealed = true;
        Ok(())
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if !self.revealed {
            // Nothing half-written stays behind.
            let _ = fs::remove_file(&self.partial);
        }
    }
}

/// Puts `content` at `path`: under a temporary name first, then renamed. A file
/// with the same content is left as it is; another one is only replaced with
/// `force`.
pub fn put(path: &Path, content: &[u8], force: bool) -> Result<()> {
    // Where nothing is to be done, nothing needs to be writable.
    if !may_put(path, content, force)? && !partial_name(path).exists() {
        return Ok(());
    }
    Place::claim(path)?.put(content, force)
}

/// Places claimed at a time; systems bound the number of open files.
const MOST_HELD: usize = 64;

/// Puts several files, or none of them if one may not be overwritten or cannot be
/// written. Those who put very many should have claimed their folder.
pub fn put_all(files: &[(PathBuf, Vec<u8>)], force: bool) -> Result<()> {
    let mut wanted = Vec::new();
    for (path, content) in files {
        let other = may_put(path, content, force)?;
        if other || partial_name(path).exists() {
            wanted.push((path, content, other));
        }
    }
    // All are whole before the first gets its name, so that a full disk leaves no mixture
    // of old and new.
    let mut places = Vec::new();
    for (path, content, other) in wanted {
        let mut place = Place::claim(path)?;
        if other {
            place.write(content)?;
            if places.len() >= MOST_HELD {
                place.claim = None;
            }
            places.push(place);
        }
    }
    places.iter_mut().try_for_each(Place::reveal)
}

/// The name under which a file is written before it is whole.
pub fn partial_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    path.with_file_name(name)
}

/// A file name made from a spec: `ostle:4x4,pieces=3` becomes `ostle-4x4-pieces-3`.
pub fn file_stem(spec: &str) -> String {
    spec.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}
