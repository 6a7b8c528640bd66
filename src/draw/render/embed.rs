//! Subsets of fonts, embedded in a picture.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use subsetter::GlyphRemapper;
use write_fonts::FontBuilder;
use write_fonts::read::{FontRef, TableProvider};
use write_fonts::tables::cmap::Cmap;
use write_fonts::types::{GlyphId, Tag};
use xxhash_rust::xxh3::xxh3_64;

use super::face::{Cut, Face};
use super::style::Typeface;

/// The style rules of an embedded font.
pub(super) struct Embedded {
    /// The name of the family. It is a hash of the content, so that two pictures in one
    /// page do not mix up their fonts.
    pub family: String,
    /// The `@font-face` rules.
    pub rules: String,
}

/// Embeds the fonts of a typeface, each reduced to these letters. Letters that it lacks
/// are left out; `None` if nothing remains.
pub(super) fn embed(
    typeface: Typeface,
    letters: &BTreeMap<Cut, BTreeSet<char>>,
) -> Option<Embedded> {
    let content = format!("{typeface:?}{letters:?}");
    let family = format!("t{:010x}", xxh3_64(content.as_bytes()) >> 24);
    let mut rules = String::new();
    for (&cut, letters) in letters {
        let Some(font) = reduce(Face::of(typeface, cut), letters) else {
            continue;
        };
        let (weight, slope) = match cut {
            Cut::Regular => ("normal", "normal"),
            Cut::Bold => ("bold", "normal"),
            Cut::Italic => ("normal", "italic"),
        };
        let data = STANDARD.encode(font);
        // Writing to a string cannot fail.
        let _ = writeln!(
            rules,
            "@font-face{{font-family:{family};font-weight:{weight};font-style:{slope};src:url(data:font/otf;base64,{data})}}"
        );
    }
    (!rules.is_empty()).then(|| Embedded {
        family,
        rules: format!("\n{rules}"),
    })
}

/// The font reduced to these letters, with the tables that browsers need.
fn reduce(face: &Face, letters: &BTreeSet<char>) -> Option<Vec<u8>> {
    let mut kept = GlyphRemapper::new();
    let mut letters_of = Vec::new();
    for &letter in letters {
        let Some(glyph) = face.glyph(letter) else {
            continue;
        };
        let glyph = kept.remap(u16::try_from(glyph).ok()?);
        letters_of.push((letter, GlyphId::new(glyph.into())));
    }
    if letters_of.is_empty() {
        return None;
    }
    // A subset for PDF lacks the tables of characters and weights.
    let subset = subsetter::subset(face.data(), 0, &kept).ok()?;
    let (font, subset) = (FontRef::new(face.data()).ok()?, FontRef::new(&subset).ok()?);
    let os2 = Tag::new(b"OS/2");
    let mut builder = FontBuilder::new();
    builder
        .add_table(&Cmap::from_mappings(letters_of).ok()?)
        .ok()?;
    builder.add_raw(os2, font.data_for_tag(os2)?.as_bytes());
    builder.copy_missing_tables(subset);
    Some(builder.build())
}
