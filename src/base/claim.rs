//! One writer at a time: locks on files and folders that end with the process.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file or folder cannot be claimed. Every variant names it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// Another process has it.
    #[error("another tesuji is writing {}; wait for it, or give another place with --output", path.display())]
    Taken {
        /// The file or folder.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// A file or folder to which no other process that claims it may write meanwhile.
///
/// The system keeps the claim: it ends with this value, or with the process, even one
/// that is killed. Nothing stays on the disk but what was claimed; folders that were
/// made for it and are empty at the end go again.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    /// Locked; nothing on systems where folders cannot be.
    file: Option<File>,
    /// Folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

/// Times that a file may vanish between opening and locking it.
const PATIENCE: usize = 100;

impl Claim {
    /// Claims a file for reading and writing, made if it is not there, with the folders
    /// that it is in.
    ///
    /// # Errors
    /// [`ClaimError::Taken`] if another process has claimed it.
    pub fn file(path: &Path) -> Result<Self, ClaimError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let made = missing(folder);
        let open = || {
            make(folder)?;
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false);
            options.open(path)
        };
        Self::new(path, made, Some(&open))
    }

    /// Claims a folder, made if it is not there.
    ///
    /// # Errors
    /// [`ClaimError::Taken`] if another process has claimed it.
    pub fn folder(path: &Path) -> Result<Self, ClaimError> {
        let made = missing(path);
        make(path).map_err(failed(path, "make the folder"))?;
        let open = || {
            make(path)?;
            File::open(path)
        };
        let open: &dyn Fn() -> io::Result<File> = &open;
        // Elsewhere folders cannot be opened.
        Self::new(path, made, cfg!(unix).then_some(open))
    }

    fn new(
        path: &Path,
        made: Vec<PathBuf>,
        open: Option<&dyn Fn() -> io::Result<File>>,
    ) -> Result<Self, ClaimError> {
        let mut claim = Self {
            path: path.to_owned(),
            file: None,
            made,
        };
        claim.file = open.map(|open| locked(path, open)).transpose()?;
        Ok(claim)
    }

    /// What is claimed.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether what was claimed is still there under its name.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.file
            .as_ref()
            .is_some_and(|file| is_at(file, &self.path))
    }

    /// The claimed file once more, to read and write.
    ///
    /// # Errors
    /// If the system gives no second handle.
    pub fn handle(&self) -> io::Result<File> {
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

/// The folders that are missing on the way to `folder`, the innermost first.
fn missing(folder: &Path) -> Vec<PathBuf> {
    let ancestors = folder.ancestors();
    let missing = ancestors.take_while(|path| !path.as_os_str().is_empty() && !path.exists());
    missing.map(Path::to_owned).collect()
}

/// Makes a folder, unless it is the one where the program runs.
fn make(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder)
}

fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> ClaimError {
    let path = path.to_owned();
    move |source| ClaimError::Io {
        path,
        action,
        source,
    }
}

/// Opens and locks what is at `path`. Between the two, its owner may have renamed or
/// removed it: then a lock on it means nothing, and it is opened again.
fn locked(path: &Path, open: &dyn Fn() -> io::Result<File>) -> Result<File, ClaimError> {
    for _ in 0..PATIENCE {
        let file = open().map_err(failed(path, "write"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.to_owned();
                return Err(ClaimError::Taken { path });
            }
            // Some file systems have no locks; there, nobody is kept out.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(source)) => return Err(failed(path, "lock")(source)),
        }
        if is_at(&file, path) {
            return Ok(file);
        }
    }
    let path = path.to_owned();
    Err(ClaimError::Taken { path })
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

/// As above; here an open file can be neither renamed nor removed by others.
#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_is_claimed_is_refused_to_others_until_the_claim_ends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let claim = Claim::file(&file).unwrap();
        let refused = Claim::file(&file).unwrap_err().to_string();
        assert!(
            refused.contains("another tesuji is writing") && refused.contains("--output"),
            "{refused}"
        );
        drop(claim);
        Claim::file(&file).unwrap();
        let deep = folder.path().join("b/c");
        let claim = Claim::folder(&deep).unwrap();
        assert!(matches!(
            Claim::folder(&deep),
            Err(ClaimError::Taken { .. })
        ));
        drop(claim);
        assert!(!folder.path().join("b").exists(), "empty folders stay");
        let claim = Claim::folder(&deep).unwrap();
        fs::write(deep.join("kept"), "").unwrap();
        drop(claim);
        assert!(deep.join("kept").exists());
    }

    #[test]
    fn a_claim_holds_although_what_was_there_before_is_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let (partial, whole) = (folder.path().join("t.partial"), folder.path().join("t"));
        // Who opened the file before it was renamed must not write to it.
        let mut options = File::options();
        options.write(true).create(true).truncate(false);
        let late = options.open(&partial).unwrap();
        let claim = Claim::file(&partial).unwrap();
        fs::rename(&partial, &whole).unwrap();
        assert!(!is_at(&late, &partial));
        drop(claim);
        let next = Claim::file(&partial).unwrap();
        assert!(is_at(&next.handle().unwrap(), &partial));
        assert!(!is_at(&next.handle().unwrap(), &whole));
    }
}
