//! The typeface of a booklet: shaped lines, and the fonts that go into the file.

use std::sync::Arc;

use krilla::text::{Font, GlyphId, KrillaGlyph};

use super::setting::PdfError;
use crate::draw::Typeface;
use crate::draw::typeset::{Cut, Face, Line};

/// A cut of the typeface that every booklet is set in.
pub(super) fn face(cut: Cut) -> &'static Face {
    Face::of(Typeface::LibertinusSerif, cut)
}

/// Text that is ready to be set.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub cut: Cut,
    pub text: String,
    line: Arc<Line>,
}

impl Run {
    /// Shapes a line of text.
    pub(super) fn new(cut: Cut, text: impl Into<String>) -> Result<Self, PdfError> {
        let text = text.into();
        let face = face(cut);
        // These have no meaning in a text; PDF/UA forbids them.
        let noncharacter = || text.chars().find(|&c| matches!(c, '\u{feff}' | '\u{fffe}'));
        if let Some(letter) = face.lacks(&text).or_else(noncharacter) {
            return Err(PdfError::Letter { letter, text });
        }
        let line = face.line(&text).ok_or_else(|| PdfError::Letter {
            letter: '\u{fffd}',
            text: text.clone(),
        })?;
        Ok(Self { cut, text, line })
    }

    /// The width in parts of the type size, without spaces at the end.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a line is a few pages wide at most"
    )]
    pub(super) fn width(&self) -> f32 {
        let end = self.text.trim_end().len();
        let seen = self
            .line
            .glyphs
            .iter()
            .filter(|glyph| glyph.text.start < end);
        let width: i32 = seen.map(|glyph| glyph.advance).sum();
        (f64::from(width) / face(self.cut).units_per_em()) as f32
    }

    /// The glyphs as the file has them: in parts of the type size.
    pub(super) fn glyphs(&self) -> Vec<KrillaGlyph> {
        let units = face(self.cut).units_per_em();
        #[expect(clippy::cast_possible_truncation, reason = "units of a font are few")]
        let part = |length: i32| (f64::from(length) / units) as f32;
        let glyphs = self.line.glyphs.iter().map(|glyph| {
            let (right, up) = (part(glyph.offset.0), part(glyph.offset.1));
            let id = GlyphId::new(glyph.id);
            KrillaGlyph::new(
                id,
                part(glyph.advance),
                right,
                up,
                0.0,
                glyph.text.clone(),
                None,
            )
        });
        glyphs.collect()
    }
}

/// The three cuts, in the order of [`Cut`].
pub(super) fn fonts() -> Result<[Font; 3], PdfError> {
    let font = |cut| {
        let font = Font::new(face(cut).data().into(), 0);
        font.ok_or_else(|| PdfError::File("the typeface cannot be read".to_owned()))
    };
    Ok([font(Cut::Regular)?, font(Cut::Bold)?, font(Cut::Italic)?])
}
