//! Positions, as they are written on the command line.

use std::path::Path;

use anyhow::{Context, Result};

use crate::base::files::read_text;

/// The position of some arguments: their text, or that of the KIF file that they name, FILE.kif
/// or FILE.kifu. No game writes a position like that.
pub fn position(words: &[String]) -> Result<String> {
    let text = words.join(" ");
    let path = Path::new(text.trim());
    let extension = path.extension().unwrap_or_default();
    if !["kif", "kifu"]
        .iter()
        .any(|name| extension.eq_ignore_ascii_case(name))
    {
        return Ok(text);
    }
    read_text(path).with_context(|| {
        format!(
            "cannot read {} as UTF-8; a file in Shift_JIS is converted by 'iconv -f SHIFT_JIS -t UTF-8'",
            path.display()
        )
    })
}
