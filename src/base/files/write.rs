//! Writing files and folders: each grows under another name, and gets its own when it is whole
//! and on the disk.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempDir, TempPath};

use super::claim::Lock;
use super::existing::{Existing, FILE, FOLDER, FileError, check, expected};
use super::ours::{beside, has, lock_name, tidy_beside};

/// The place of an output file, claimed before the work for it begins: no other process
/// that asks may write there until this value goes.
#[derive(Debug)]
pub struct Place {
    /// The file's path.
    pub path: PathBuf,
    existing: Existing,
    _lock: Lock,
}

impl Place {
    /// Claims a place. Folders on the way are made; they go again if nothing is written.
    ///
    /// # Errors
    /// If the file could not be written there whatever its content is: the path has no name,
    /// something is there that may not be replaced, no file can be made in its folder, or
    /// another process has claimed it.
    pub fn claim(path: &Path, existing: Existing) -> Result<Self, FileError> {
        Ok(Self {
            path: path.to_owned(),
            existing,
            _lock: lock(path, existing, FILE)?,
        })
    }

    /// Writes the file by `content`, which is given it empty, to read and write. Where
    /// [`Existing::Same`] was asked for, nothing may be there: [`put`](Self::put) compares.
    ///
    /// # Errors
    /// Those of `content`, which have to name the file, and if it cannot be written. Then
    /// nothing has changed.
    pub(crate) fn write<T, E: From<FileError>>(
        self,
        content: impl FnOnce(&mut File) -> Result<T, E>,
    ) -> Result<T, E> {
        write(&self.path, self.existing, content)
    }

    /// Puts `content` there. A file with the same content is left as it is.
    ///
    /// # Errors
    /// If the file cannot be written, or one with other content may not be replaced.
    pub fn put(self, content: &[u8]) -> Result<(), FileError> {
        put_claimed(&[(&self.path, content)], self.existing)
    }
}

/// Locks a place, in which nothing of another kind may be, before and after.
fn lock(path: &Path, existing: Existing, wanted: &str) -> Result<Lock, FileError> {
    expected(path, existing, wanted)?;
    let lock = Lock::of(path)?;
    if lock.inherited {
        tidy_beside(path)?;
    }
    // It may have come while the lock was another's.
    expected(path, existing, wanted)?;
    Ok(lock)
}

/// Puts `content` at `path`. A file with the same content is left as it is; another one is
/// replaced only with `force`.
///
/// # Errors
/// If the file cannot be written or may not be replaced. Then nothing has changed.
pub fn put(path: &Path, content: &[u8], force: bool) -> Result<(), FileError> {
    put_all(&[(path.to_owned(), content)], force)
}

/// Puts several files, or none of them if one may not be replaced or cannot be written. All
/// places are claimed until then.
///
/// # Errors
/// If a place is claimed by another process, a file may not be replaced, or cannot be written.
pub fn put_all<C: AsRef<[u8]>>(files: &[(PathBuf, C)], force: bool) -> Result<(), FileError> {
    let existing = Existing::same_unless(force);
    let mut places = Vec::new();
    for (path, content) in files {
        // Where nothing is to be done, nothing needs to be writable.
        let left = lock_name(path).is_some_and(|lock| lock.exists());
        if check_content(path, content.as_ref(), existing)? || left {
            places.push(Place::claim(path, existing)?);
        }
    }
    put_claimed(files, existing)
}

/// Puts several files in folders that the caller has [claimed](super::Claim::folder), or
/// none of them if one may not be replaced or cannot be written.
///
/// # Errors
/// If a file may not be replaced, or cannot be written.
pub fn put_all_claimed<C: AsRef<[u8]>>(
    files: &[(PathBuf, C)],
    force: bool,
) -> Result<(), FileError> {
    put_claimed(files, Existing::same_unless(force))
}

fn put_claimed<P: AsRef<Path>, C: AsRef<[u8]>>(
    files: &[(P, C)],
    existing: Existing,
) -> Result<(), FileError> {
    let mut wanted = Vec::new();
    for (path, content) in files {
        let (path, content) = (path.as_ref(), content.as_ref());
        if check_content(path, content, existing)? {
            wanted.push((path, content));
        }
    }
    // All are whole before the first gets its name, so that a full disk leaves no mixture
    // of old and new.
    let mut drafts = Vec::new();
    for (path, content) in wanted {
        let mut draft = new_file(path)?;
        draft
            .write_all(content)
            .map_err(FileError::io(path, "write"))?;
        drafts.push((path, finished(path, draft)?));
    }
    let mut drafts = drafts.into_iter();
    drafts.try_for_each(|(path, draft)| reveal(path, draft, existing))
}

/// Refuses if `content` may not go to `path`: something else is there, and `existing` does
/// not let it be replaced. Tells whether it has to be written: what is there is not the same.
///
/// # Errors
/// If it is refused, or what is there cannot be read.
pub fn check_content(path: &Path, content: &[u8], existing: Existing) -> Result<bool, FileError> {
    check(path, existing)?;
    match has(path, content)? {
        Some(false) if existing == Existing::Same => {
            let why = "exists with other content; give --force to overwrite it, or another place with --output";
            Err(FileError::refused(path, why))
        }
        same => Ok(same != Some(true)),
    }
}

/// Writes a file by `content`, and gives it its name when it is whole and on the disk. The
/// caller has claimed its place or its folder; otherwise see [`Place`].
///
/// # Errors
/// Those of `content`, which have to name the file, and if it cannot be made or may not be
/// replaced. Then nothing has changed.
pub(crate) fn write<T, E: From<FileError>>(
    path: &Path,
    existing: Existing,
    content: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let mut draft = new_file(path)?;
    let result = content(draft.as_file_mut())?;
    reveal(path, finished(path, draft)?, existing)?;
    Ok(result)
}

/// A file that is to go to `path`, and vanishes unless it does.
fn new_file(path: &Path) -> Result<NamedTempFile, FileError> {
    beside(path, 0o666, |builder, folder| builder.tempfile_in(folder))
}

/// Brings a file to the disk, with the permissions of the one that it will replace.
fn finished(path: &Path, draft: NamedTempFile) -> Result<TempPath, FileError> {
    let file = draft.as_file();
    let old = check(path, Existing::Replace)?;
    let set = old.map_or(Ok(()), |old| file.set_permissions(old.permissions()));
    set.and_then(|()| file.sync_all())
        .map_err(FileError::io(path, "write"))?;
    Ok(draft.into_temp_path())
}

fn reveal(path: &Path, draft: TempPath, existing: Existing) -> Result<(), FileError> {
    let replace = existing == Existing::Replace;
    check(path, Existing::refused_unless(replace))?;
    let draft = if replace {
        draft
    } else {
        match draft.persist_noclobber(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                return Err(FileError::exists(path));
            }
            // A file system that cannot do it in one step.
            Err(error) => error.path,
        }
    };
    draft
        .persist(path)
        .map_err(|error| FileError::io(path, "write")(error.error))
}

/// Gives a file that is whole, and grew under the fixed name `from`, its name. What it
/// replaces passes its permissions on.
pub(crate) fn rename(from: &Path, to: &Path, existing: Existing) -> Result<(), FileError> {
    let old = check(to, Existing::refused_unless(existing == Existing::Replace))?;
    let set = old.map_or(Ok(()), |old| fs::set_permissions(from, old.permissions()));
    set.and_then(|()| fs::rename(from, to))
        .map_err(FileError::io(to, "write"))
}

/// The place of a folder that is there whole or not at all. It grows under another name
/// beside it, and vanishes if it never gets its own.
#[derive(Debug)]
pub(crate) struct FolderPlace {
    pub path: PathBuf,
    existing: Existing,
    draft: TempDir,
    _lock: Lock,
}

impl FolderPlace {
    /// Claims a place, and makes the folder that is to grow. Replacing removes all that is in
    /// the old one: whether it may go is for the caller to say.
    pub(crate) fn claim(path: &Path, existing: Existing) -> Result<Self, FileError> {
        let lock = lock(path, existing, FOLDER)?;
        Ok(Self {
            path: path.to_owned(),
            existing,
            draft: new_folder(path)?,
            _lock: lock,
        })
    }

    /// The folder to which the files go until the end.
    pub(crate) fn draft(&self) -> &Path {
        self.draft.path()
    }

    /// Gives the folder its name. All its files must be on the disk.
    pub(crate) fn finish(self) -> Result<(), FileError> {
        let failed = || FileError::io(&self.path, "write");
        let Some(old) = expected(&self.path, self.existing, FOLDER)? else {
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
    beside(path, 0o777, |builder, folder| builder.tempdir_in(folder))
}

/// Lets two folders change places in one step, which only some systems can.
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (one, other);
        Err(ErrorKind::Unsupported.into())
    }
}
