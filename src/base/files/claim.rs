//! One writer at a time: locks on files and folders that end with the process.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::existing::{FILE, FOLDER, FileError, check_name, kind_of, metadata};
use super::folder_of;
use super::ours::{Mark, known, lock_name, made_in, open, tidy};
use crate::base::threads;

/// A file or folder that is claimed: no other process that claims it may write to it.
///
/// The system keeps the claim: it ends with this value, or with the process, even one
/// that is killed. Nothing stays on the disk but what was claimed; folders that were
/// made for it and are empty at the end go again.
#[derive(Debug)]
pub struct Claim {
    /// What is claimed.
    pub path: PathBuf,
    /// Locked; nothing on systems where folders cannot be.
    file: Option<File>,
    /// Nobody else can have it. Some file systems have no locks.
    exclusive: bool,
    /// Folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

/// Times that a file may vanish between opening and locking it.
const PATIENCE: usize = 100;

impl Claim {
    /// Claims a file that a later run may go on with, for reading and writing. It is made
    /// if it is not there, with the folders that it is in.
    ///
    /// # Errors
    /// [`FileError::Taken`] if another process has claimed it, [`FileError::Refused`] if it
    /// is another user's or neither empty nor begun with one of the marks.
    pub(crate) fn file(path: &Path, marks: &[Mark]) -> Result<Self, FileError> {
        let is_new = metadata(path)?.is_none();
        let mut claim = Self::new(path, folder_of(path), &|| {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false);
            open(path, &mut options)
        })?;
        if let Some(file) = &mut claim.file
            && let Err(refused) = known(file, path, marks)
        {
            let is_empty = file.metadata().is_ok_and(|found| found.len() == 0);
            if is_new && is_empty && claim.exclusive && claim.holds() {
                let _ = fs::remove_file(path);
            }
            return Err(refused);
        }
        Ok(claim)
    }

    /// Claims a folder, made if it is not there, in which files can be made, and removes
    /// what killed runs left in it. It may be given by a link.
    ///
    /// # Errors
    /// [`FileError::Taken`] if another process has claimed it, [`FileError::Io`] if no file
    /// can be made there.
    pub fn folder(path: &Path) -> Result<Self, FileError> {
        check_name(path)?;
        if let Some(there) = fs::metadata(path).ok().filter(|there| !there.is_dir()) {
            let kind = kind_of(there.file_type());
            return Err(FileError::kind(path, kind, FOLDER));
        }
        let open = || File::open(path).map_err(FileError::io(path, "open"));
        let claim = Self::new(path, path, &open)?;
        let here = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        made_in(here)?;
        if claim.exclusive {
            // Somebody may be writing a single file here without the folder.
            tidy(here, |name| match lock_name(&here.join(name)) {
                Some(lock) if lock.exists() => Lock::of(&here.join(name)).is_ok(),
                _ => true,
            })?;
        }
        Ok(claim)
    }

    fn new(
        path: &Path,
        folder: &Path,
        open: &dyn Fn() -> Result<File, FileError>,
    ) -> Result<Self, FileError> {
        let mut claim = Self {
            path: path.to_owned(),
            file: None,
            exclusive: false,
            made: missing(folder),
        };
        fs::create_dir_all(folder).map_err(|error| unmade(folder, error))?;
        // Elsewhere folders cannot be opened.
        if cfg!(unix) || folder != path {
            let open = || {
                fs::create_dir_all(folder).map_err(FileError::io(folder, "make the folder"))?;
                open()
            };
            let (file, exclusive) = locked(path, &open)?;
            (claim.file, claim.exclusive) = (Some(file), exclusive);
        }
        Ok(claim)
    }

    /// Whether what was claimed is still there under its name.
    pub(crate) fn holds(&self) -> bool {
        self.file
            .as_ref()
            .is_some_and(|file| is_at(file, &self.path))
    }

    /// The claimed file once more, to read and write.
    pub(crate) fn handle(&self) -> io::Result<File> {
        match &self.file {
            Some(file) => file.try_clone(),
            None => File::open(&self.path),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Folders that were made for nothing go again; only empty ones can be removed so.
        for folder in &self.made {
            match fs::remove_dir(folder) {
                Err(error) if error.kind() != ErrorKind::NotFound => break,
                _ => {}
            }
        }
    }
}

/// Folders that this process has made: claims that lie in one share it, and the last to go removes it.
static MADE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The folders on the way to `folder` that are missing, or were made by this process, the innermost
/// first.
fn missing(folder: &Path) -> Vec<PathBuf> {
    let mut made = threads::locked(&MADE);
    let ancestors = folder.ancestors().take_while(|path| {
        !path.as_os_str().is_empty() && (!path.exists() || made.contains(*path))
    });
    let missing: Vec<_> = ancestors.map(Path::to_owned).collect();
    made.extend(missing.iter().cloned());
    missing
}

/// Why a folder cannot be made: a file on the way to it, or what the system said.
fn unmade(folder: &Path, error: io::Error) -> FileError {
    match folder.ancestors().find(|path| path.is_file()) {
        Some(file) => FileError::kind(file, FILE, FOLDER),
        None => FileError::io(folder, "make the folder")(error),
    }
}

/// Opens and locks what is at `path`, and tells whether it is locked. Between the two, its
/// owner may have renamed or removed it: then a lock on it means nothing, and it is opened
/// again.
fn locked(
    path: &Path,
    open: &dyn Fn() -> Result<File, FileError>,
) -> Result<(File, bool), FileError> {
    for _ in 0..PATIENCE {
        let file = open()?;
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => break,
            // Some file systems have no locks; there, the claim is not exclusive.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => false,
            Err(TryLockError::Error(source)) => return Err(FileError::io(path, "lock")(source)),
        };
        if is_at(&file, path) {
            return Ok((file, locked));
        }
    }
    Err(FileError::Taken(path.to_owned()))
}

/// A claim on a name beside which an empty file is locked. That file goes with the claim.
#[derive(Debug)]
pub(super) struct Lock {
    claim: Claim,
    /// Whether a process was killed that had the claim, and may have left files.
    pub(super) inherited: bool,
}

impl Lock {
    pub(super) fn of(path: &Path) -> Result<Self, FileError> {
        let Some(lock) = lock_name(path) else {
            return Err(FileError::no_name(path));
        };
        let inherited = metadata(&lock)?.is_some();
        match Claim::file(&lock, &[]) {
            Ok(claim) => Ok(Self {
                inherited: inherited && claim.exclusive,
                claim,
            }),
            Err(FileError::Taken(_)) => Err(FileError::Taken(path.to_owned())),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if self.claim.holds() {
            let _ = fs::remove_file(&self.claim.path);
        }
    }
}

/// Whether an open file is still the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(here), Ok(there)) = (file.metadata(), fs::metadata(path)) else {
        return false;
    };
    (here.dev(), here.ino()) == (there.dev(), there.ino())
}

/// Whether an open file is still the one at `path`: here, an open file can be neither renamed nor removed by others.
#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_claim_holds_although_what_was_there_before_is_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let (partial, whole) = (folder.path().join("t.partial"), folder.path().join("t"));
        // Who opened the file before it was renamed must not write to it.
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let late = options.open(&partial).unwrap();
        let claim = Claim::file(&partial, &[]).unwrap();
        fs::rename(&partial, &whole).unwrap();
        assert!(!is_at(&late, &partial));
        drop(claim);
        let next = Claim::file(&partial, &[]).unwrap();
        assert!(is_at(&next.handle().unwrap(), &partial));
        assert!(!is_at(&next.handle().unwrap(), &whole));
    }
}
