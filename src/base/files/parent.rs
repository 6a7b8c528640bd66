//! The folder of a file.

use std::path::Path;

/// The folder in which the file at `path` is, `.` where the path names none.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
