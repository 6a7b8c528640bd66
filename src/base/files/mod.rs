//! Writing files and folders: claimed before work begins, whole or not at all, and never
//! over something that was not asked for.
//!
//! | what is written | how |
//! |---|---|
//! | a file | [`Place::claim`] before the work, then [`Place::put`] or `Place::write` |
//! | a file that takes no work | [`put`] |
//! | several files | `put_all`; in a folder of one's own, [`Claim::folder`], then `put_all_claimed` |
//! | a folder of files | `FolderPlace` |
//! | a file that a later run goes on with | `Claim::file`, `expect_ours`, at the end `rename` |
//!
//! Unfinished files have random names, `.NAME.XXXXXXXX.tesuji.partial`, are always new,
//! and never opened by name. A place is claimed by a lock on the empty file
//! `.NAME.tesuji.lock`, which is removed when the claim ends. Both remain if the process is
//! killed; the next process that claims the place removes them, if they are regular files
//! of the same user.
//!
//! What is read again:
//!
//! | what is read | how |
//! |---|---|
//! | what a run kept for a later one | `kept`, which was `sealed` with a checksum |
//! | other files of this program | `open_ours`, or `expect_ours` and `has` |
//! | files by other people | `read_text` and [`open_lines`], which have limits |
//!
//! Only regular files are replaced, and they keep their permissions. Symbolic links are not
//! followed at the end of a path, wherever they lead: give the name of the file itself.
//! Folders on the way to a file may be links.

mod claim;
mod existing;
mod input;
mod ours;
mod write;

use std::path::Path;

pub use claim::Claim;
pub(crate) use existing::check;
pub use existing::{Existing, FileError};
pub use input::{open_lines, read_bytes, read_text, typed_lines};
pub(crate) use ours::{KEPT_MARK, expect_ours, has, kept, open_ours, sealed, tidy_beside};
pub(crate) use write::{FolderPlace, rename, write};
pub use write::{Place, check_content, put, put_all, put_all_claimed};

/// The folder in which the file at `path` is, `.` where the path names none.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
