//! The built-in typefaces and fonts that are added: the width and the outlines of a line of text,
//! and subsets of fonts that are embedded in a picture.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use harfrust::{ShapeOptions, ShaperData, UnicodeBuffer};
use skrifa::attribute::Style as Slope;
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider};
use subsetter::GlyphRemapper;
use thiserror::Error;
use write_fonts::FontBuilder;
use write_fonts::read::TableProvider;
use write_fonts::tables::cmap::Cmap;
use write_fonts::types::Tag;
use xxhash_rust::xxh3::xxh3_64;

use super::style::Typeface;

/// A font of a typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// Upright, of normal weight.
    Regular,
    /// Upright and bold.
    Bold,
    /// Slanted, of normal weight.
    Italic,
}

/// The longest text in bytes that is cached: longer lines are seldom set twice.
const REMEMBERED: usize = 48;

/// The most lines that a face caches.
const MEMORY: usize = 10_000;

/// A line of text in one font, set with kerning and ligatures.
#[derive(Debug)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// The width, in ems.
    pub width: f64,
    /// From left to right.
    pub glyphs: Vec<Shaped>,
    outline: OnceLock<String>,
}

/// A glyph of a line. Lengths are in units of the face, y upwards.
#[derive(Debug)]
pub struct Shaped {
    /// Its number in the face.
    pub id: u32,
    /// How far the pen moves, kerning included.
    pub advance: i32,
    /// Where it is drawn, seen from the pen.
    pub offset: (i32, i32),
    /// The bytes of the text that it writes, alone or with its neighbours.
    pub text: Range<usize>,
}

/// One cut of a typeface.
pub struct Face {
    font: FontRef<'static>,
    /// The font file.
    pub data: &'static [u8],
    shaping: ShaperData,
    /// Font units in an em.
    pub units_per_em: f64,
    /// The height of capitals and figures, in ems.
    pub(super) cap_height: f64,
    set: RwLock<HashMap<String, Option<Arc<Line>>>>,
}

/// The faces of a typeface, in the order of [`Cut`].
type Cuts = [Face; 3];

/// In the order of [`Typeface`].
static FACES: [LazyLock<Cuts>; 3] = [
    LazyLock::new(|| cuts("Libertinus Serif")),
    LazyLock::new(|| cuts("NewComputerModern10")),
    LazyLock::new(|| cuts("DejaVu Sans Mono")),
];

/// The fonts that were added, in their order.
static ADDED: RwLock<Vec<&'static Face>> = RwLock::new(Vec::new());

/// A file that is no font.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("this is no font in the format OpenType or TrueType (.otf, .ttf or .ttc)")]
pub struct FontError;

fn cuts(family: &str) -> Cuts {
    [Cut::Regular, Cut::Bold, Cut::Italic].map(|cut| {
        let fonts = typst_assets::fonts();
        let mut fonts = fonts.filter_map(|data| Some((FontRef::new(data).ok()?, data)));
        let found = fonts.find(|(font, _)| is(font, family, cut));
        let (font, data) = found.expect("every built-in typeface has a font of each kind");
        Face::new(font, data)
    })
}

fn is(font: &FontRef, family: &str, cut: Cut) -> bool {
    let names = font.localized_strings(StringId::FAMILY_NAME);
    let attributes = font.attributes();
    let (weight, upright) = match cut {
        Cut::Regular => (400.0, true),
        Cut::Bold => (700.0, true),
        Cut::Italic => (400.0, false),
    };
    let name = names.english_or_first();
    name.is_some_and(|name| name.chars().eq(family.chars()))
        && (attributes.weight.value() - weight).abs() < 0.5
        && (attributes.style == Slope::Normal) == upright
}

impl Face {
    /// The font of a typeface in one cut.
    pub fn of(typeface: Typeface, cut: Cut) -> &'static Self {
        &FACES[typeface as usize][cut as usize]
    }

    /// The fonts of all typefaces.
    pub(super) fn built_in() -> impl Iterator<Item = &'static Self> {
        FACES.iter().flat_map(|cuts| cuts.iter())
    }

    /// Adds a font, the first of a collection, until the program ends. Letters that a typeface
    /// lacks are set in the first added font that has them, before the built-in fallback.
    ///
    /// # Errors
    /// [`FontError`] if the data is no font.
    pub fn add(data: Vec<u8>) -> Result<(), FontError> {
        FontRef::from_index(&data, 0).map_err(|_| FontError)?;
        // As the built-in fonts, it is used until the program ends.
        let data: &'static [u8] = data.leak();
        let font = FontRef::from_index(data, 0).map_err(|_| FontError)?;
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        added.push(Box::leak(Box::new(Self::new(font, data))));
        Ok(())
    }

    /// The fonts that are asked for letters that a typeface lacks: those that were added, in their
    /// order, and a built-in one, which has chess pieces.
    pub fn fallbacks() -> Vec<&'static Self> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        let built_in = Self::of(Typeface::DejavuSansMono, Cut::Regular);
        added.iter().copied().chain([built_in]).collect()
    }

    /// Shapes a line in this font and, where it lacks letters, in the [fallbacks](Self::fallbacks). The
    /// parts follow each other from left to right.
    ///
    /// # Errors
    /// The first letter that no font has.
    pub fn parts(&'static self, text: &str) -> Result<Vec<(&'static Self, Arc<Line>)>, char> {
        if let Some(line) = self.line(text) {
            return Ok(vec![(self, line)]);
        }
        let fonts: Vec<_> = std::iter::once(self).chain(Self::fallbacks()).collect();
        let mut parts: Vec<(&Self, String)> = Vec::new();
        for letter in text.chars() {
            let has = |font: &&&Self| font.glyph(letter).is_some();
            let font = *fonts.iter().find(has).ok_or(letter)?;
            match parts.last_mut() {
                Some((last, part)) if std::ptr::eq(*last, font) => part.push(letter),
                _ => parts.push((font, letter.into())),
            }
        }
        let shaped = parts
            .into_iter()
            .map(|(font, part)| Ok((font, font.line(&part).ok_or('\u{fffd}')?)));
        shaped.collect()
    }

    fn new(font: FontRef<'static>, data: &'static [u8]) -> Self {
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        let units_per_em = f64::from(metrics.units_per_em);
        Self {
            shaping: ShaperData::new(&font),
            font,
            data,
            units_per_em,
            cap_height: f64::from(metrics.cap_height.unwrap_or(metrics.ascent)) / units_per_em,
            set: RwLock::default(),
        }
    }

    /// Shapes a line; `None` if the font lacks one of its letters.
    pub fn line(&self, text: &str) -> Option<Arc<Line>> {
        if text.len() > REMEMBERED {
            return self.shape(text).map(Arc::new);
        }
        // A thread that panicked while it held the lock left the map intact.
        let known = self.set.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = known.get(text) {
            return line.clone();
        }
        drop(known);
        let line = self.shape(text).map(Arc::new);
        let mut known = self.set.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MEMORY {
            known.clear();
        }
        known.insert(text.to_owned(), line.clone());
        line
    }

    /// The number of a letter's glyph.
    pub fn glyph(&self, letter: char) -> Option<u32> {
        self.font.charmap().map(letter).map(GlyphId::to_u32)
    }

    fn shape(&self, text: &str) -> Option<Line> {
        if text.chars().any(|letter| self.glyph(letter).is_none()) {
            return None;
        }
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaper = self.shaping.shaper(&self.font).build();
        let shaped = shaper.shape(buffer, ShapeOptions::new());
        let infos = shaped.glyph_infos();
        let mut starts: Vec<usize> = infos.iter().map(|info| info.cluster as usize).collect();
        starts.push(text.len());
        starts.sort_unstable();
        let glyphs = infos.iter().zip(shaped.glyph_positions());
        let glyphs: Vec<Shaped> = glyphs
            .map(|(info, at)| {
                let start = info.cluster as usize;
                let next = starts.partition_point(|&other| other <= start);
                Shaped {
                    id: info.glyph_id,
                    advance: at.x_advance,
                    offset: (at.x_offset, at.y_offset),
                    text: start..starts.get(next).copied().unwrap_or(text.len()),
                }
            })
            .collect();
        let width: i32 = glyphs.iter().map(|glyph| glyph.advance).sum();
        Some(Line {
            text: text.to_owned(),
            width: f64::from(width) / self.units_per_em,
            glyphs,
            outline: OnceLock::new(),
        })
    }

    /// The shapes of a line as path data, y downwards, in units of the face.
    pub fn outline<'l>(&self, line: &'l Line) -> &'l str {
        line.outline.get_or_init(|| {
            let outlines = self.font.outline_glyphs();
            let mut writer = OutlineWriter::default();
            let mut x = 0;
            for glyph in &line.glyphs {
                writer.origin = (x + glyph.offset.0, glyph.offset.1);
                if let Some(outline) = outlines.get(GlyphId::new(glyph.id)) {
                    let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
                    // An outline that cannot be read stays empty.
                    let _ = outline.draw(settings, &mut writer);
                }
                x += glyph.advance;
            }
            writer.data
        })
    }
}

/// Writes outlines as path data: whole font units, each point relative to the one
/// before.
#[derive(Default)]
struct OutlineWriter {
    data: String,
    /// The origin of the glyph in the line.
    origin: (i32, i32),
    at: (i32, i32),
    start: (i32, i32),
    command: char,
}

impl OutlineWriter {
    /// A point of the glyph as a point of the line, y downwards.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "unscaled outlines lie within 16 bits"
    )]
    fn place(&self, x: f32, y: f32) -> (i32, i32) {
        let (right, up) = self.origin;
        (right + x.round() as i32, -(up + y.round() as i32))
    }

    fn write(&mut self, command: char, numbers: &[i32]) {
        // A command that repeats need not be named again.
        if command != self.command {
            self.data.push(command);
        }
        for (place, number) in numbers.iter().enumerate() {
            let first = place == 0 && command != self.command;
            if !first && *number >= 0 {
                self.data.push(' ');
            }
            // Writing to a string cannot fail.
            let _ = write!(self.data, "{number}");
        }
        self.command = command;
    }

    fn curve(&mut self, command: char, points: &[(f32, f32)]) {
        let mut numbers = Vec::with_capacity(6);
        let mut end = self.at;
        for &(x, y) in points {
            end = self.place(x, y);
            numbers.extend([end.0 - self.at.0, end.1 - self.at.1]);
        }
        self.write(command, &numbers);
        self.at = end;
    }
}

impl OutlinePen for OutlineWriter {
    fn move_to(&mut self, x: f32, y: f32) {
        let to = self.place(x, y);
        // Further numbers after a move would be lines.
        self.command = ' ';
        self.write('m', &[to.0 - self.at.0, to.1 - self.at.1]);
        (self.at, self.start) = (to, to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let to = self.place(x, y);
        match (to.0 - self.at.0, to.1 - self.at.1) {
            (0, 0) => {}
            (right, 0) => self.write('h', &[right]),
            (0, down) => self.write('v', &[down]),
            (right, down) => self.write('l', &[right, down]),
        }
        self.at = to;
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.curve('q', &[(cx, cy), (x, y)]);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.curve('c', &[(ax, ay), (bx, by), (x, y)]);
    }

    fn close(&mut self) {
        self.data.push('z');
        self.command = 'z';
        self.at = self.start;
    }
}

/// Embeds the fonts of a typeface and the fallbacks, each reduced to these letters.
/// Letters that none has are left out; `None` if nothing remains.
///
/// Returns the name of the family and the `@font-face` rules. The name is a hash of the content,
/// so that two pictures in one page do not mix up their fonts.
pub(super) fn embed(
    typeface: Typeface,
    letters: &BTreeMap<Cut, BTreeSet<char>>,
) -> Option<(String, String)> {
    let mut faces: Vec<String> = Vec::new();
    for (&cut, letters) in letters {
        let mut letters = letters.clone();
        let (weight, slope) = match cut {
            Cut::Regular => ("normal", "normal"),
            Cut::Bold => ("bold", "normal"),
            Cut::Italic => ("normal", "italic"),
        };
        for face in std::iter::once(Face::of(typeface, cut)).chain(Face::fallbacks()) {
            let font = reduce(face, &letters).map(|font| STANDARD.encode(font));
            faces.extend(font.map(|font| {
                format!(
                    "font-weight:{weight};font-style:{slope};src:url(data:font/otf;base64,{font})"
                )
            }));
            letters.retain(|&letter| face.glyph(letter).is_none());
        }
    }
    let family = format!("t{:010x}", xxh3_64(faces.concat().as_bytes()) >> 24);
    let rules = faces.iter();
    let rules = rules.map(|face| format!("\n@font-face{{font-family:{family};{face}}}"));
    let rules: Vec<_> = rules.collect();
    (!rules.is_empty()).then(|| (family, rules.concat() + "\n"))
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
        letters_of.push((letter, write_fonts::types::GlyphId::new(glyph.into())));
    }
    if letters_of.is_empty() {
        return None;
    }
    // A subset for PDF lacks the tables of characters and weights.
    let subset = subsetter::subset(face.data, 0, &kept).ok()?;
    // Not skrifa's: another version of the same crate.
    let read = |font| write_fonts::read::FontRef::from_index(font, 0).ok();
    let (font, subset) = (read(face.data)?, read(&subset)?);
    let os2 = Tag::new(b"OS/2");
    let mut builder = FontBuilder::new();
    let cmap = Cmap::from_mappings(letters_of).ok()?;
    builder.add_table(&cmap).ok()?;
    builder.add_raw(os2, font.data_for_tag(os2)?.as_bytes());
    builder.copy_missing_tables(subset);
    Some(builder.build())
}
