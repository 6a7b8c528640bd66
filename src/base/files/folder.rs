//! The place of a folder of files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::claim::Lock;
use super::kind::{Kind, expected};
use super::left::{beside, tidy_beside};
use super::parent::folder_of;
use super::{Existing, FileError};

/// The place of a folder that is there whole or not at all. It grows under another name
/// beside it, and vanishes if it never gets its own.
#[derive(Debug)]
pub struct FolderPlace {
    path: PathBuf,
    existing: Existing,
    draft: TempDir,
    _lock: Lock,
}

impl FolderPlace {
    /// Claims a place, and makes the folder that is to grow. Replacing removes all that is in
    /// the old one: whether it may go is for the caller to say.
    ///
    /// # Errors
    /// The errors of [`Place::claim`](super::Place::claim).
    pub fn claim(path: &Path, existing: Existing) -> Result<Self, FileError> {
        expected(path, existing, Kind::Folder)?;
        let lock = Lock::of(path)?;
        if lock.inherited {
            tidy_beside(path)?;
        }
        expected(path, existing, Kind::Folder)?;
        Ok(Self {
            path: path.to_owned(),
            existing,
            draft: new_folder(path)?,
            _lock: lock,
        })
    }

    /// The folder to which the files go until the end.
    #[must_use]
    pub fn draft(&self) -> &Path {
        self.draft.path()
    }

    /// Gives the folder its name. All its files must be on the disk.
    ///
    /// # Errors
    /// If something is there that may not be replaced, or the system refuses.
    pub fn finish(self) -> Result<(), FileError> {
        let failed = || FileError::io(&self.path, "write");
        let Some(old) = expected(&self.path, self.existing, Kind::Folder)? else {
            fs::rename(self.draft(), &self.path).map_err(failed())?;
            let _ = self.draft.keep();
            return Ok(());
        };
        let kept = fs::set_permissions(self.draft(), old.permissions());
        kept.map_err(failed())?;
        let old = if exchange(self.draft(), &self.path).is_ok() {
            self.draft
        } else {
            let aside = new_folder(&self.path)?;
            let there = aside.path().join("old");
            fs::rename(&self.path, &there).map_err(failed())?;
            if let Err(error) = fs::rename(self.draft(), &self.path) {
                let _ = fs::rename(&there, &self.path);
                return Err(failed()(error));
            }
            let _ = self.draft.keep();
            aside
        };
        let shown = old.path().to_owned();
        old.close().map_err(FileError::io(&shown, "remove"))
    }
}

fn new_folder(path: &Path) -> Result<TempDir, FileError> {
    beside(path, |builder| {
        #[cfg(unix)]
        builder.permissions(super::draft::mode(0o777));
        let made = builder.tempdir_in(folder_of(path));
        made.map_err(FileError::io(path, "write"))
    })
}

/// Lets two folders change places in one step.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Lets two folders change places in one step, which this system cannot do.
#[cfg(not(target_os = "linux"))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
