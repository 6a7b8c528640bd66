//! Finding filters: files, or the shipped ones by name.

use std::path::Path;

use anyhow::{Context, Result, bail};
use include_dir::{Dir, include_dir};

use crate::mine::Filter;

/// The shipped filters, in the program itself, so that it runs from anywhere.
static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/filters");

/// The filters named on the command line, or all shipped ones of a family of games.
pub fn load(family: &str, names: &[String]) -> Result<Vec<Filter>> {
    if names.is_empty() {
        let mut filters = shipped(family)?;
        if filters.is_empty() {
            bail!("no filters are shipped for {family}; give one with --filter FILE");
        }
        filters.sort_by(|a, b| a.name().cmp(b.name()));
        return Ok(filters);
    }
    names.iter().map(|name| find(family, name)).collect()
}

fn find(family: &str, name: &str) -> Result<Filter> {
    let path = Path::new(name);
    if path
        .extension()
        .is_some_and(|extension| extension == "toml")
        || path.exists()
    {
        return Ok(Filter::load(path)?);
    }
    let filters = shipped(family)?;
    let known: Vec<_> = filters
        .iter()
        .map(|filter| filter.name().to_owned())
        .collect();
    filters
        .into_iter()
        .find(|filter| filter.name() == name)
        .with_context(|| {
            format!(
                "there is no filter '{name}' for {family}; shipped are {}, or give a TOML file",
                known.join(", ")
            )
        })
}

/// The shipped filters of a family: from the folder `filters/` where the program
/// runs, if there is one (so that an edit counts at once), else the built-in ones.
fn shipped(family: &str) -> Result<Vec<Filter>> {
    let folder = Path::new("filters").join(family);
    if folder.is_dir() {
        let entries = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot read {}", folder.display()))?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        });
        files.sort();
        return files.iter().map(|path| Ok(Filter::load(path)?)).collect();
    }
    let Some(folder) = SHIPPED.get_dir(family) else {
        return Ok(Vec::new());
    };
    folder
        .files()
        .map(|file| {
            let name = file.path().display().to_string();
            let text = file
                .contents_utf8()
                .with_context(|| format!("{name} is not UTF-8"))?;
            Ok(Filter::parse(text, &name)?)
        })
        .collect()
}
