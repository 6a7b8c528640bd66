//! The names of what is under way, and what killed processes leave of it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::FileError;
use super::kind::{Kind, metadata};
use super::parent::folder_of;

const LOCK: &str = ".tesuji.lock";
const PARTIAL: &str = ".tesuji.partial";
/// The number of random characters in a name.
const RANDOM: usize = 8;

/// The file that is locked by who writes to `path`: `.NAME.tesuji.lock`. `None` if the path
/// has no name.
pub(super) fn lock_name(path: &Path) -> Option<PathBuf> {
    let mut name = OsString::from(".");
    name.push(path.file_name()?);
    name.push(LOCK);
    Some(path.with_file_name(name))
}

/// Makes something new beside `path`, for as long as it is under way:
/// `.NAME.XXXXXXXX.tesuji.partial`.
pub(super) fn beside<T>(
    path: &Path,
    make: impl FnOnce(&mut tempfile::Builder) -> Result<T, FileError>,
) -> Result<T, FileError> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(PARTIAL).rand_bytes(RANDOM);
    make(&mut builder)
}

/// The `NAME` of `.NAME.XXXXXXXX.tesuji.partial`.
fn name_of(left: &OsStr) -> Option<&str> {
    let inner = left.to_str()?.strip_prefix('.')?.strip_suffix(PARTIAL)?;
    let (name, random) = inner.rsplit_once('.')?;
    let sound = random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (sound && !name.is_empty()).then_some(name)
}

/// Removes from a folder what killed processes of this user left unfinished, for the names
/// that no process is writing according to `is_free`.
pub(super) fn tidy(folder: &Path, is_free: impl Fn(&str) -> bool) -> Result<(), FileError> {
    let entries = fs::read_dir(folder).map_err(FileError::io(folder, "look into"))?;
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let path = entry.path();
        let Some(metadata) = name_of(&file_name)
            .filter(|name| is_free(name))
            .map_or(Ok(None), |_| metadata(&path))?
        else {
            continue;
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            if metadata.uid() != super::ours::owner(folder)? {
                continue;
            }
        }
        let removed = match Kind::of(metadata.file_type()) {
            Kind::File => fs::remove_file(&path),
            Kind::Folder => fs::remove_dir_all(&path),
            Kind::Link | Kind::Special => Ok(()),
        };
        removed.map_err(FileError::io(&path, "remove"))?;
    }
    Ok(())
}

/// Removes what killed processes left under way of the file at `path`, which the caller has
/// claimed.
///
/// # Errors
/// If something cannot be removed.
pub fn tidy_beside(path: &Path) -> Result<(), FileError> {
    tidy(folder_of(path), |name| {
        path.file_name().is_some_and(|own| own == name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_our_own_making_are_known() {
        let name = |text: &str| name_of(OsStr::new(text)).map(str::to_owned);
        let ours = ".a.b.pdf.0aZ9bcde.tesuji.partial";
        assert_eq!(name(ours), Some("a.b.pdf".to_owned()));
        for theirs in [
            "a.b.pdf.partial",
            ".a.b.pdf.partial",
            ".a.b.pdf.tesuji.partial",
            ".a.pdf.0aZ9bcd.tesuji.partial",
            ".a.pdf.0aZ9-cde.tesuji.partial",
            "..0aZ9bcde.tesuji.partial",
            "a.pdf.0aZ9bcde.tesuji.partial",
        ] {
            assert_eq!(name(theirs), None, "{theirs}");
        }
    }
}
