//! Fonts: shaping text, and which glyphs were used.

use std::collections::BTreeMap;

use harfrust::{FontRef, ShapeOptions, ShaperData, UnicodeBuffer};
use subsetter::GlyphRemapper;

use super::PdfError;
use crate::draw;

/// Names of the faces of the book, in the order of [`serif`](draw::serif).
const NAMES: [&str; 3] = [
    "LibertinusSerif-Regular",
    "LibertinusSerif-Bold",
    "LibertinusSerif-Italic",
];

/// A face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Font {
    Regular,
    Bold,
    Italic,
}

/// A glyph of a run, in parts of the type size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    /// Its number in the embedded font.
    pub id: u16,
    /// Its width in the embedded font.
    pub width: f32,
    /// How far the pen moves, kerning included.
    pub advance: f32,
    /// How far right of the pen it is drawn.
    pub offset: f32,
}

/// Text in one face, shaped.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub font: Font,
    pub glyphs: Vec<Glyph>,
}

impl Run {
    /// The width in parts of the type size.
    pub fn width(&self) -> f32 {
        self.glyphs.iter().map(|glyph| glyph.advance).sum()
    }
}

/// A face with what was used of it.
pub(super) struct Face {
    pub name: &'static str,
    bytes: &'static [u8],
    font: FontRef<'static>,
    data: ShaperData,
    units: f32,
    used: GlyphRemapper,
    /// Width and text of each glyph used, by its new number.
    pub glyphs: BTreeMap<u16, (f32, String)>,
}

/// Measures of a face, in thousandths of the type size.
pub(super) struct Metrics {
    pub bounds: [f32; 4],
    pub ascent: f32,
    pub descent: f32,
    pub cap_height: f32,
}

/// All faces.
pub(super) struct Fonts(pub [Face; 3]);

impl Fonts {
    pub fn new() -> Result<Self, PdfError> {
        let [regular, bold, italic] = draw::serif();
        Ok(Self([
            Face::new((NAMES[0], regular))?,
            Face::new((NAMES[1], bold))?,
            Face::new((NAMES[2], italic))?,
        ]))
    }

    /// Shapes a line of text; control characters count as spaces.
    pub fn shape(&mut self, font: Font, text: &str) -> Result<Run, PdfError> {
        let text: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let glyphs = self.0[font as usize].shape(&text)?;
        Ok(Run { font, glyphs })
    }
}

impl Face {
    fn new((name, bytes): (&'static str, &'static [u8])) -> Result<Self, PdfError> {
        let font = FontRef::new(bytes).map_err(|error| PdfError::Font(error.to_string()))?;
        let units = number(bytes, *b"head", 18).unwrap_or(1000);
        Ok(Self {
            name,
            bytes,
            data: ShaperData::new(&font),
            font,
            units: f32::from(units.max(1)),
            used: GlyphRemapper::new(),
            glyphs: BTreeMap::new(),
        })
    }

    fn shape(&mut self, text: &str) -> Result<Vec<Glyph>, PdfError> {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaper = self.data.shaper(&self.font).build();
        let shaped = shaper.shape(buffer, ShapeOptions::new());
        let (infos, positions) = (shaped.glyph_infos(), shaped.glyph_positions());
        let mut starts: Vec<usize> = infos.iter().map(|info| info.cluster as usize).collect();
        starts.push(text.len());
        starts.sort_unstable();
        starts.dedup();
        let mut last = None;
        let mut glyphs = Vec::new();
        for (info, position) in infos.iter().zip(positions) {
            let start = info.cluster as usize;
            let end = starts.iter().copied().find(|&end| end > start);
            let part = text.get(start..end.unwrap_or(text.len())).unwrap_or("");
            let old = u16::try_from(info.glyph_id).unwrap_or(0);
            if old == 0 {
                return Err(PdfError::Letter {
                    letter: part.chars().next().unwrap_or('\u{fffd}'),
                    text: text.to_owned(),
                });
            }
            let id = self.used.remap(old);
            let width = self.advance_of(old) / self.units;
            // What several glyphs write together is said by the first.
            let said = if last == Some(start) { "" } else { part };
            last = Some(start);
            self.glyphs
                .entry(id)
                .or_insert_with(|| (width, said.to_owned()));
            glyphs.push(Glyph {
                id,
                width,
                advance: position.x_advance as f32 / self.units,
                offset: position.x_offset as f32 / self.units,
            });
        }
        Ok(glyphs)
    }

    fn advance_of(&self, glyph: u16) -> f32 {
        let count = number(self.bytes, *b"hhea", 34).map_or(1, i16::cast_unsigned);
        let place = usize::from(glyph.min(count.saturating_sub(1)));
        let width = number(self.bytes, *b"hmtx", 4 * place).unwrap_or(0);
        f32::from(width.cast_unsigned())
    }

    pub fn metrics(&self) -> Metrics {
        let of =
            |table, at| f32::from(number(self.bytes, table, at).unwrap_or(0)) * 1000.0 / self.units;
        Metrics {
            bounds: [36, 38, 40, 42].map(|at| of(*b"head", at)),
            ascent: of(*b"hhea", 4),
            descent: of(*b"hhea", 6),
            cap_height: of(*b"OS/2", 88),
        }
    }

    /// The outlines of the glyphs used, as a bare CFF font.
    pub fn outlines(&self) -> Result<Vec<u8>, PdfError> {
        let subset = subsetter::subset(self.bytes, 0, &self.used)
            .map_err(|error| PdfError::Font(error.to_string()))?;
        table(&subset, *b"CFF ")
            .map(<[u8]>::to_vec)
            .ok_or_else(|| PdfError::Font(format!("{} has no CFF outlines", self.name)))
    }
}

/// The bytes of the fonts, for texts within diagrams.
pub(super) fn files() -> impl Iterator<Item = &'static [u8]> {
    draw::serif().into_iter()
}

/// A table of a font, by the OpenType table directory.
fn table(font: &[u8], tag: [u8; 4]) -> Option<&[u8]> {
    let word = |at: usize| Some(u32::from_be_bytes(*font.get(at..)?.first_chunk()?) as usize);
    let count = usize::from(u16::from_be_bytes(*font.get(4..)?.first_chunk()?));
    let entry = (0..count)
        .map(|place| 12 + 16 * place)
        .find(|&at| font.get(at..at + 4) == Some(tag.as_slice()))?;
    let start = word(entry + 8)?;
    font.get(start..start + word(entry + 12)?)
}

fn number(font: &[u8], tag: [u8; 4], at: usize) -> Option<i16> {
    Some(i16::from_be_bytes(
        *table(font, tag)?.get(at..)?.first_chunk()?,
    ))
}
