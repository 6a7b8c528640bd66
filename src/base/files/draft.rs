//! A file on its way to its name.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::left::beside;
use super::parent::folder_of;
use super::{Existing, FileError, check};

/// A file that is being written, and vanishes unless it gets its name.
pub(super) struct Draft {
    path: PathBuf,
    file: NamedTempFile,
}

/// A file that is on the disk with all its content, and has yet to get its name.
pub(super) struct Whole {
    path: PathBuf,
    file: TempPath,
}

impl Draft {
    pub(super) fn new(path: &Path) -> Result<Self, FileError> {
        let file = beside(path, |builder| {
            #[cfg(unix)]
            builder.permissions(mode(0o666));
            let made = builder.tempfile_in(folder_of(path));
            made.map_err(FileError::io(path, "write"))
        })?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    pub(super) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Brings it to the disk, with the permissions of the file that it will replace.
    pub(super) fn whole(self) -> Result<Whole, FileError> {
        let file = self.file.as_file();
        let old = check(&self.path, Existing::Replace)?;
        let set = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
        set.and_then(|()| file.sync_all())
            .map_err(FileError::io(&self.path, "write"))?;
        Ok(Whole {
            path: self.path,
            file: self.file.into_temp_path(),
        })
    }
}

impl Whole {
    /// Gives it its name.
    pub(super) fn reveal(self, existing: Existing) -> Result<(), FileError> {
        let Self { path, file } = self;
        let replace = Existing::refused_unless(existing == Existing::Replace);
        check(&path, replace)?;
        let file = match replace {
            Existing::Replace => file,
            _ => match file.persist_noclobber(&path) {
                Ok(()) => return Ok(()),
                Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                    return Err(FileError::Exists { path });
                }
                // A file system that cannot do it in one step.
                Err(error) => error.path,
            },
        };
        file.persist(&path)
            .map_err(|error| FileError::io(&path, "write")(error.error))
    }
}

/// Writes a file by `content`, and gives it its name when it is whole and on the disk. The
/// caller has claimed its place or its folder; otherwise see [`Place`](super::Place).
///
/// # Errors
/// Those of `content`, which have to name the file, and if it cannot be made or may not be
/// replaced. Then nothing has changed.
pub fn write<T, E: From<FileError>>(
    path: &Path,
    existing: Existing,
    content: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let mut draft = Draft::new(path)?;
    let result = content(draft.file())?;
    draft.whole()?.reveal(existing)?;
    Ok(result)
}

/// Gives a file that is whole, and grew under the fixed name `from`, its name. What it
/// replaces passes its permissions on.
///
/// # Errors
/// If something is there that may not be replaced, or the system refuses.
pub fn rename(from: &Path, to: &Path, existing: Existing) -> Result<(), FileError> {
    let old = check(to, Existing::refused_unless(existing == Existing::Replace))?;
    let set = old.map_or(Ok(()), |old| fs::set_permissions(from, old.permissions()));
    set.and_then(|()| fs::rename(from, to))
        .map_err(FileError::io(to, "write"))
}

/// What new files or folders may be read and written by, less what the user's mask takes.
#[cfg(unix)]
pub(super) fn mode(bits: u32) -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    fs::Permissions::from_mode(bits)
}
