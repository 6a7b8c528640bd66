//! The themes of a position as a text, as the column of puzzles has them: their names with
//! spaces between. Each is a flag of its own.

use super::token::shortened;
use crate::mine::columns::Catalogue;
use crate::mine::error::nearest;

pub(super) const COLUMN: &str = "themes";

/// The beginning of the names of columns about one theme.
const PREFIX: &str = "theme_";

/// The themes of a game by name, such as `quiet-key`, with their columns.
pub(super) fn columns(catalogue: &Catalogue) -> impl Iterator<Item = (String, usize)> {
    let columns = catalogue.columns().iter().enumerate();
    columns.filter_map(|(place, column)| {
        let name = column.feature.name.strip_prefix(PREFIX)?;
        Some((name.replace('_', "-"), place))
    })
}

/// The columns of the themes that a pattern `%...%` admits: those in whose names the part
/// between the marks occurs.
pub(super) fn like(pattern: &str, catalogue: &Catalogue) -> Result<Vec<usize>, String> {
    let inside = pattern
        .strip_prefix('%')
        .and_then(|rest| rest.strip_suffix('%'));
    let Some(inside) = inside.filter(|inside| !inside.is_empty() && !inside.contains(['%', ' ']))
    else {
        return Err(
            "themes are asked for one by one: write themes LIKE '%quiet-key%' AND themes LIKE '%decoy%'"
                .to_owned(),
        );
    };
    let found = columns(catalogue).filter(|(name, _)| super::token::like(name, pattern));
    let found: Vec<usize> = found.map(|(_, place)| place).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names: Vec<String> = columns(catalogue).map(|(name, _)| name).collect();
    let near = nearest(inside, names.iter().map(String::as_str));
    let remedy = match near.first() {
        Some(near) => format!("did you mean '%{near}%'?"),
        None => format!("the themes are {}", names.join(", ")),
    };
    Err(format!(
        "no theme has '{}' in its name: {remedy}",
        shortened(inside)
    ))
}
