//! Pictures as PNG.

use std::sync::{Arc, LazyLock};

use resvg::{tiny_skia, usvg};
use thiserror::Error;

/// The most pixels of a picture: an A4 page at 1200 dots per inch has 139 million.
const MOST_PIXELS: u64 = 200_000_000;

/// Why a picture cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RasterError {
    /// The resolution is out of range.
    #[error("invalid resolution of {0} dots per inch: use 20 to 2400")]
    Resolution(u16),
    /// The picture would have more than 200 million pixels.
    #[error(
        "the picture would have {width} by {height} pixels, more than 200 million: use fewer dots per inch or a smaller picture"
    )]
    Size {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// There is no font for a letter.
    #[error("no font has the letter '{0}'; --font FILE adds one")]
    Letter(String),
    /// The text is not an SVG document.
    #[error("invalid SVG: {0}")]
    Svg(#[from] usvg::Error),
    /// The PNG encoder failed.
    #[error("cannot encode the picture: {0}")]
    Png(#[from] png::EncodingError),
}

/// The fonts of this machine, for text that is not outlined. They are loaded only if a
/// picture has such text.
static FONTS: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_system_fonts();
    for font in typst_assets::fonts() {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family("Liberation Sans");
    fonts.set_serif_family("Libertinus Serif");
    Arc::new(fonts)
});

/// Turns an SVG document into a PNG of the same size on paper, with `dpi` dots per inch,
/// which is recorded in the file.
///
/// Text that is not outlined uses the fonts of this machine. A picture without colours
/// is written in shades of grey.
///
/// ```
/// use tesuji_draw::{Diagram, Style, raster, render};
///
/// let svg = render(&Diagram::new(5, 5)?, &Style::print());
/// let png = raster(&svg, 300)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RasterError`] if the resolution is not in 20..=2400, the picture is too large, it has a letter
/// without a font, or the text is not SVG.
pub fn raster(svg: &str, dpi: u16) -> Result<Vec<u8>, RasterError> {
    if !(20..=2400).contains(&dpi) {
        return Err(RasterError::Resolution(dpi));
    }
    let mut options = usvg::Options::default();
    if svg.contains("<text") {
        options.fontdb = Arc::clone(&FONTS);
    }
    let tree = usvg::Tree::from_str(svg, &options)?;
    if let Some(letter) = without_font(tree.root()) {
        return Err(RasterError::Letter(letter));
    }
    // SVG counts 96 pixels to an inch.
    let scale = f32::from(dpi) / 96.0;
    let pixels = |length: f32| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "sizes are positive, and too large ones saturate and are refused below"
        )]
        let pixels = (length * scale).ceil() as u32;
        pixels.max(1)
    };
    let (width, height) = (pixels(tree.size().width()), pixels(tree.size().height()));
    let too_large = RasterError::Size { width, height };
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(too_large);
    }
    let mut canvas = tiny_skia::Pixmap::new(width, height).ok_or(too_large)?;
    // Stretched by less than a pixel, so that the paper covers the last ones.
    let transform = tiny_skia::Transform::from_scale(
        width as f32 / tree.size().width(),
        height as f32 / tree.size().height(),
    );
    resvg::render(&tree, transform, &mut canvas.as_mut());
    encode(&canvas, dpi)
}

/// A letter that would be drawn as an empty box.
fn without_font(group: &usvg::Group) -> Option<String> {
    group.children().iter().find_map(|node| match node {
        usvg::Node::Group(group) => without_font(group),
        usvg::Node::Text(text) => {
            let mut glyphs = text.layouted().iter().flat_map(|it| &it.positioned_glyphs);
            let missing = glyphs.find(|glyph| glyph.id.0 == 0);
            missing.map(|glyph| glyph.text.clone())
        }
        _ => None,
    })
}

fn encode(canvas: &tiny_skia::Pixmap, dpi: u16) -> Result<Vec<u8>, RasterError> {
    let colours = canvas.pixels().iter();
    let colours = colours.map(tiny_skia::PremultipliedColorU8::demultiply);
    let (mut opaque, mut grey) = (true, true);
    for colour in colours.clone() {
        opaque &= colour.alpha() == u8::MAX;
        grey &= colour.red() == colour.green() && colour.green() == colour.blue();
    }
    let kind = match (opaque, grey) {
        (true, true) => png::ColorType::Grayscale,
        (true, false) => png::ColorType::Rgb,
        (false, _) => png::ColorType::Rgba,
    };
    let mut bytes = Vec::with_capacity(canvas.pixels().len() * kind.samples());
    for colour in colours {
        match kind {
            png::ColorType::Grayscale => bytes.push(colour.red()),
            png::ColorType::Rgb => bytes.extend([colour.red(), colour.green(), colour.blue()]),
            _ => bytes.extend([colour.red(), colour.green(), colour.blue(), colour.alpha()]),
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, canvas.width(), canvas.height());
    encoder.set_color(kind);
    encoder.set_depth(png::BitDepth::Eight);
    // An inch has 25.4 mm.
    let per_metre = (u32::from(dpi) * 10_000 + 127) / 254;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(file)
}
