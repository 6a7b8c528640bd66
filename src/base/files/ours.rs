//! Files of this program: opened without following links, known by what they begin with; what a
//! run keeps for a later one, under a first line with its checksum; and what killed runs leave.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::existing::{FILE, FOLDER, FileError, kind_of, metadata};
use super::folder_of;
use super::input::bounded;

/// The bytes with which a kind of file begins.
pub(super) type Mark = [u8; 8];

/// Refuses a file at `path` that is not this user's own, or neither empty nor begun with
/// one of the marks. Tells whether there is one.
pub(crate) fn expect_ours(path: &Path, marks: &[Mark]) -> Result<bool, FileError> {
    let Some(mut file) = open_ours(path)? else {
        return Ok(false);
    };
    known(&mut file, path, marks)?;
    Ok(true)
}

/// Opens the regular file at `path` for reading, never through a link; `None` if nothing is
/// there.
pub(crate) fn open_ours(path: &Path) -> Result<Option<File>, FileError> {
    match metadata(path)? {
        None => Ok(None),
        Some(_) => open(path, OpenOptions::new().read(true)).map(Some),
    }
}

/// Whether the file at `path` has this content; `None` if nothing is there.
pub(crate) fn has(path: &Path, content: &[u8]) -> Result<Option<bool>, FileError> {
    let Some(file) = open_ours(path)? else {
        return Ok(None);
    };
    let mut there = Vec::new();
    let read = file.take(content.len() as u64 + 1).read_to_end(&mut there);
    read.map_err(FileError::io(path, "read"))?;
    Ok(Some(there == content))
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
    match kind_of(metadata.file_type()) {
        FILE => Ok(()),
        kind => {
            let why = format!("is {kind}; move it away, and run the same command again");
            Err(FileError::refused(path, why))
        }
    }
}

/// Refuses an open file that is not this user's own, or neither empty nor begun with one of
/// the marks.
pub(super) fn known(file: &mut File, path: &Path, marks: &[Mark]) -> Result<(), FileError> {
    let foreign = |why| {
        let why = format!("is in the way: {why}; move it away, or give another name with --output");
        Err(FileError::refused(path, why))
    };
    let failed = || FileError::io(path, "look at");
    let metadata = file.metadata().map_err(failed())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.nlink() > 1 {
            return foreign("it has other names too");
        }
        if metadata.uid() != made_in(folder_of(path))?.uid() {
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

/// The metadata of a file that is made in a folder now, and is gone at once; an error if none can
/// be made.
pub(super) fn made_in(folder: &Path) -> Result<Metadata, FileError> {
    let made = tempfile::tempfile_in(folder).and_then(|file| file.metadata());
    made.map_err(FileError::io(folder, "make a file in"))
}

/// What the first line of a kept file begins with.
pub(crate) const KEPT_MARK: Mark = *b"tesuji: ";

/// The most bytes of a kept file that are read: 1 GiB.
const MOST_KEPT: u64 = 1 << 30;

/// The content of a file from which [`kept`] reads this text.
pub(crate) fn sealed(text: &[u8]) -> Vec<u8> {
    [&first_line(text), text].concat()
}

/// The text of a [`sealed`] file; `None` if nothing is there.
pub(crate) fn kept(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    let Some(mut file) = open_ours(path)? else {
        return Ok(None);
    };
    known(&mut file, path, &[KEPT_MARK])?;
    let mut text = Vec::new();
    let read = bounded(file, MOST_KEPT).read_to_end(&mut text);
    read.map_err(FileError::io(path, "read"))?;
    let first: Vec<u8> = text
        .drain(..text.len().min(first_line(&[]).len()))
        .collect();
    if first == first_line(&text) {
        return Ok(Some(text));
    }
    let why =
        "is damaged: it does not match its checksum; remove it, and run the same command again";
    Err(FileError::refused(path, why))
}

fn first_line(text: &[u8]) -> Vec<u8> {
    [&KEPT_MARK, format!("{:016x}\n", xxh3_64(text)).as_bytes()].concat()
}

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
/// `.NAME.XXXXXXXX.tesuji.partial`. It may be read and written by those whom the bits of `mode`
/// say, less what the user's mask takes.
pub(super) fn beside<T>(
    path: &Path,
    mode: u32,
    make: impl FnOnce(&tempfile::Builder, &Path) -> io::Result<T>,
) -> Result<T, FileError> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(PARTIAL).rand_bytes(RANDOM);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    make(&builder, folder_of(path)).map_err(FileError::io(path, "write"))
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
            if metadata.uid() != made_in(folder)?.uid() {
                continue;
            }
        }
        let removed = match kind_of(metadata.file_type()) {
            FILE => fs::remove_file(&path),
            FOLDER => fs::remove_dir_all(&path),
            _ => Ok(()),
        };
        removed.map_err(FileError::io(&path, "remove"))?;
    }
    Ok(())
}

/// Removes what killed processes left under way of the file at `path`, which the caller has
/// claimed.
pub(crate) fn tidy_beside(path: &Path) -> Result<(), FileError> {
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
