//! Output files: whole or not at all, and never over something else unasked.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::common::partial_name;

/// Puts `content` at `path`: under a temporary name first, then renamed. A file
/// with the same content is left as it is; another one is only replaced with
/// `force`.
pub fn put(path: &Path, content: &[u8], force: bool) -> Result<()> {
    if let Ok(there) = fs::read(path) {
        if there == content {
            return Ok(());
        }
        if !force {
            bail!(
                "{} exists with other content; give --force to overwrite it, or another folder with --output",
                path.display()
            );
        }
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
