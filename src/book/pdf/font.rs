//! The typeface of a booklet: shaped lines, and the fonts that go into the file.

use std::sync::Arc;

use krilla::geom::Point;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};

use super::setting::PdfError;
use crate::draw::Typeface;
use crate::draw::typeset::{Cut, Face, Line};

/// A cut of the typeface that every booklet is set in.
fn face(cut: Cut) -> &'static Face {
    Face::of(Typeface::LibertinusSerif, cut)
}

/// The width of a text in parts of the type size.
pub(super) fn width(cut: Cut, text: &str) -> f64 {
    let parts = face(cut).parts(text);
    parts.map_or(0.0, |parts| parts.iter().map(|(_, line)| line.width).sum())
}

/// Text that is ready to be set, in the fonts that have its letters.
#[derive(Clone)]
pub(super) struct Run {
    cut: Cut,
    text: String,
    parts: Vec<(&'static Face, Arc<Line>)>,
}

impl Run {
    /// Shapes a line of text.
    pub(super) fn new(cut: Cut, text: impl Into<String>) -> Result<Self, PdfError> {
        let text = text.into();
        // These have no meaning in a text; PDF/UA forbids them.
        let noncharacter = || text.chars().find(|&c| matches!(c, '\u{feff}' | '\u{fffe}'));
        match (noncharacter(), face(cut).parts(&text)) {
            (Some(letter), _) | (None, Err(letter)) => Err(PdfError::Letter { letter, text }),
            (None, Ok(parts)) => Ok(Self { cut, text, parts }),
        }
    }

    /// The width in parts of the type size, without spaces at the end.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a line is a few pages wide at most"
    )]
    pub(super) fn width(&self) -> f32 {
        width(self.cut, self.text.trim_end()) as f32
    }

    /// Draws it with its baseline beginning at a point, each part in its font.
    pub(super) fn draw(&self, surface: &mut Surface<'_>, at: Point, size: f32, fonts: &Fonts) {
        let mut right = 0.0;
        for (face, line) in &self.parts {
            let units = face.units_per_em;
            // In parts of the type size, as the file has it.
            #[expect(clippy::cast_possible_truncation, reason = "units of a font are few")]
            let part = |length: i32| (f64::from(length) / units) as f32;
            let glyphs = line.glyphs.iter().map(|glyph| {
                let (right, up) = (part(glyph.offset.0), part(glyph.offset.1));
                let (id, advance) = (GlyphId::new(glyph.id), part(glyph.advance));
                KrillaGlyph::new(id, advance, right, up, 0.0, glyph.text.clone(), None)
            });
            let start = Point::from_xy(at.x + right * size, at.y);
            if let Some(font) = fonts.of(face) {
                let glyphs: Vec<_> = glyphs.collect();
                surface.draw_glyphs(start, &glyphs, font, &line.text, size, false);
            }
            right += part(line.glyphs.iter().map(|glyph| glyph.advance).sum());
        }
    }
}

/// The fonts that a booklet may be set in.
pub(super) struct Fonts(Vec<(&'static Face, Font)>);

impl Fonts {
    pub(super) fn new() -> Result<Self, PdfError> {
        let own = [Cut::Regular, Cut::Bold, Cut::Italic].map(face);
        let fonts = own.into_iter().chain(Face::fallbacks()).map(|face| {
            let font = Font::new(face.data.into(), 0);
            let unreadable = || PdfError::File("a font cannot be read".to_owned());
            Ok((face, font.ok_or_else(unreadable)?))
        });
        fonts.collect::<Result<_, _>>().map(Self)
    }

    fn of(&self, face: &Face) -> Option<Font> {
        let own = self.0.iter().find(|(other, _)| std::ptr::eq(*other, face));
        own.map(|(_, font)| font.clone())
    }
}

/// Finds out whether a booklet can be set with these texts, before the work.
///
/// # Errors
/// [`PdfError::Letter`] for the first letter that neither the typeface of booklets nor a
/// [fallback](Face::fallbacks) has.
pub fn check_letters<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<(), PdfError> {
    let mut texts = texts.into_iter();
    texts.try_for_each(|text| Run::new(Cut::Regular, text.replace(char::is_control, " ")).map(drop))
}
