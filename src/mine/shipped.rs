//! Finding filters: those that come with the program, and those in files.

use std::path::Path;

use include_dir::{Dir, include_dir};

use super::{Filter, MineError};

/// The shipped filters, which are part of the program.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/filters");

/// Finds filters by name: a TOML file, or a shipped filter of a family of games (the name
/// before the colon of a spec). Without names, all shipped filters of the family, sorted, but
/// those against a player who looks ahead ([`Filter::against`]), which are a lot of work.
///
/// # Errors
/// If a file cannot be used, or there is no such filter.
pub fn filters(family: &str, names: &[String]) -> Result<Vec<Filter>, MineError> {
    if names.is_empty() {
        let mut filters = shipped(family)?;
        filters.retain(|filter| filter.against().is_none());
        if filters.is_empty() {
            return Err(MineError::NoneShipped(family.to_owned()));
        }
        filters.sort_by(|a, b| a.name().cmp(b.name()));
        return Ok(filters);
    }
    names.iter().map(|name| find(family, name)).collect()
}

fn find(family: &str, name: &str) -> Result<Filter, MineError> {
    let path = Path::new(name);
    if is_toml(path) || path.exists() {
        return Filter::load(path);
    }
    let filters = shipped(family)?;
    let known = filters.iter().map(|filter| filter.name().to_owned());
    let known: Vec<_> = known.collect();
    let found = filters.into_iter().find(|filter| filter.name() == name);
    found.ok_or_else(|| MineError::Unknown {
        name: name.to_owned(),
        family: family.to_owned(),
        known,
    })
}

fn is_toml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "toml")
}

/// The shipped filters of a family: from the folder `filters/` in the current directory, if
/// there is one (so that edits take effect), otherwise the built-in ones.
fn shipped(family: &str) -> Result<Vec<Filter>, MineError> {
    let folder = Path::new("filters").join(family);
    if folder.is_dir() {
        let unreadable = |source| MineError::Unreadable {
            file: folder.display().to_string(),
            source,
        };
        let entries = std::fs::read_dir(&folder).map_err(unreadable)?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| is_toml(path));
        files.sort();
        return files.iter().map(|path| Filter::load(path)).collect();
    }
    let Some(folder) = SHIPPED.get_dir(family) else {
        return Ok(Vec::new());
    };
    let files = folder.files().filter(|file| is_toml(file.path()));
    files
        .map(|file| {
            let name = file.path().display().to_string();
            let text = file.contents_utf8().unwrap_or_default();
            Filter::parse(text, &name)
        })
        .collect()
}
