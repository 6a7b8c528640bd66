//! Files under fixed names: opened without following links, and known by what they begin
//! with.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read, Seek};
use std::path::Path;

use super::FileError;
use super::kind::{Kind, metadata};

/// The bytes with which a kind of file begins.
pub type Mark = [u8; 8];

/// Refuses a file at `path` that is not this user's own, or neither empty nor begun with
/// one of the marks. Tells whether there is one.
///
/// # Errors
/// [`FileError::Kind`] or [`FileError::Foreign`].
pub fn expect_ours(path: &Path, marks: &[Mark]) -> Result<bool, FileError> {
    let Some(mut file) = open_ours(path)? else {
        return Ok(false);
    };
    known(&mut file, path, marks)?;
    Ok(true)
}

/// Opens the regular file at `path` for reading, never through a link; `None` if nothing is
/// there.
///
/// # Errors
/// If something else than a regular file is there, or it cannot be opened.
pub fn open_ours(path: &Path) -> Result<Option<File>, FileError> {
    match metadata(path)? {
        None => Ok(None),
        Some(_) => open(path, OpenOptions::new().read(true)).map(Some),
    }
}

/// Opens a regular file, never through a link.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> Result<File, FileError> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // A pipe would be waited for.
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
        options.custom_flags(flags.cast_signed());
    }
    regular(path)?;
    let file = options.open(path);
    let file = file.map_err(|error| match regular(path) {
        Err(refused) => refused,
        Ok(()) => FileError::io(path, "open")(error),
    })?;
    let found = file.metadata().map_err(FileError::io(path, "look at"))?;
    expect_regular(path, &found)?;
    Ok(file)
}

/// Refuses what is there under this name, if anything is, and is no regular file.
fn regular(path: &Path) -> Result<(), FileError> {
    metadata(path)?.map_or(Ok(()), |metadata| expect_regular(path, &metadata))
}

fn expect_regular(path: &Path, metadata: &Metadata) -> Result<(), FileError> {
    let path = path.to_owned();
    match Kind::of(metadata.file_type()) {
        Kind::File => Ok(()),
        kind => Err(FileError::Kind {
            path,
            kind,
            wanted: "file",
        }),
    }
}

/// Refuses an open file that is not this user's own, or neither empty nor begun with one of
/// the marks.
pub(super) fn known(file: &mut File, path: &Path, marks: &[Mark]) -> Result<(), FileError> {
    let foreign = |why| {
        let path = path.to_owned();
        Err(FileError::Foreign { path, why })
    };
    let failed = || FileError::io(path, "look at");
    let metadata = file.metadata().map_err(failed())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.nlink() > 1 {
            return foreign("it has other names too");
        }
        if metadata.uid() != owner(super::parent::folder_of(path))? {
            return foreign("it is another user's");
        }
    }
    if metadata.len() == 0 {
        return Ok(());
    }
    let mut begin = Vec::new();
    let read = file.take(size_of::<Mark>() as u64).read_to_end(&mut begin);
    read.and_then(|_| file.rewind()).map_err(failed())?;
    if marks.iter().any(|mark| begin == mark) {
        return Ok(());
    }
    foreign("it was not made by tesuji")
}

/// The user to whom files belong that are made in a folder now; an error if none can be.
#[cfg(unix)]
pub(super) fn owner(folder: &Path) -> Result<u32, FileError> {
    use std::os::unix::fs::MetadataExt;
    let made = tempfile::tempfile_in(folder).and_then(|file| file.metadata());
    made.map(|metadata| metadata.uid())
        .map_err(FileError::io(folder, "make a file in"))
}

/// Refuses a folder in which no file can be made.
pub(super) fn expect_writable(folder: &Path) -> Result<(), FileError> {
    let made = tempfile::tempfile_in(folder);
    made.map(drop)
        .map_err(FileError::io(folder, "make a file in"))
}
