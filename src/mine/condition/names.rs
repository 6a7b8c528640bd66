//! What to say about names of columns that do not exist.

use super::themes;
use super::token::shortened;
use crate::game::FeatureKind;
use crate::mine::columns::Catalogue;

/// The message for an unknown column.
pub(super) fn unknown(name: &str, quoted: bool, catalogue: &Catalogue) -> String {
    let shown = shortened(name);
    let is_word = catalogue.columns().iter().any(|column| {
        matches!(&column.feature.kind, FeatureKind::Word(words) if words.iter().any(|word| word == name))
    });
    let near = catalogue.nearest(name);
    let remedy = if is_word {
        format!("write a text in single quotes: '{shown}'")
    } else if !near.is_empty() {
        format!("did you mean {}?", near.join(" or "))
    } else if name == themes::COLUMN {
        "this game has no themes".to_owned()
    } else if quoted {
        format!("double quotes name a column; write a text in single quotes: '{shown}'")
    } else {
        "'tesuji features' lists all columns".to_owned()
    };
    let marks = if quoted { "\"" } else { "'" };
    format!("unknown column {marks}{shown}{marks}: {remedy}")
}
