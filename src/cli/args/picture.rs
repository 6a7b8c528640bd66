//! Styles and files of pictures.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::base::files::{Existing, Place, put_all};
use crate::draw::{Lettering, Style, raster};

/// How a picture looks and where it goes.
#[derive(Debug, clap::Args)]
pub struct PictureArgs {
    /// print (black and white), screen, dark, or a style sheet: FILE.toml ('tesuji
    /// style' prints one to begin with).
    #[arg(long, default_value = "print")]
    pub style: String,
    /// Dots per inch of a PNG.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u16).range(20..=2400))]
    pub dpi: u16,
    /// Overwrite an existing file.
    #[arg(long)]
    pub force: bool,
}

/// The formats of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Vectors: for print and the web.
    Svg,
    /// Pixels.
    Png,
}

impl Format {
    /// The format that a file's name asks for.
    pub fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => bail!(
                "{}: pictures are written as .svg or .png, and the name's end says which",
                path.display()
            ),
        }
    }

    /// How the names of its files end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// A picture in this format.
    pub fn bytes(self, svg: String, dpi: u16) -> Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            Self::Png => Ok(raster(&svg, dpi)?),
        }
    }
}

impl PictureArgs {
    /// The style, for pictures of this format. Pixels hold no font, so that letters
    /// which would be embedded become outlines.
    pub fn style(&self, format: Format) -> Result<Style> {
        let mut style = style(&self.style)?;
        if format == Format::Png && style.lettering == Lettering::Embedded {
            style.lettering = Lettering::Outlines;
        }
        Ok(style)
    }

    /// The format of the file, SVG for standard output.
    pub fn format(path: Option<&PathBuf>) -> Result<Format> {
        path.map_or(Ok(Format::Svg), |path| Format::of(path))
    }

    /// Claims the place of a picture, if it has one, before it is made.
    pub fn place(&self, path: Option<&PathBuf>) -> Result<Option<Place>> {
        let claim = |path: &PathBuf| Place::claim(path, Existing::same_unless(self.force));
        Ok(path.map(claim).transpose()?)
    }

    /// Writes a picture in the format that the file's name asks for.
    pub fn put(&self, place: Place, svg: String) -> Result<()> {
        let path = place.path();
        let bytes = Format::of(path)?.bytes(svg, self.dpi);
        let bytes = bytes.with_context(|| path.display().to_string())?;
        Ok(place.put(&bytes)?)
    }

    /// Writes the pages of a picture; several get numbers before the name's end.
    /// Nothing is written if one of them may not be.
    pub fn put_pages(&self, place: Place, mut pages: Vec<String>) -> Result<()> {
        if pages.len() == 1 {
            return self.put(place, pages.remove(0));
        }
        let path = place.path();
        let format = Format::of(path)?;
        let digits = pages.len().to_string().len();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let files = (1..)
            .zip(pages)
            .map(|(number, page)| {
                let name = format!("{stem}-{number:0digits$}.{}", format.extension());
                Ok((path.with_file_name(name), format.bytes(page, self.dpi)?))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(put_all(&files, self.force)?)
    }
}

/// The style of this name: a preset, or a file.
pub fn style(name: &str) -> Result<Style> {
    let path = Path::new(name);
    let toml = path.extension().is_some_and(|end| end == "toml");
    if !toml && !path.is_file() {
        return Style::preset(name)
            .with_context(|| format!("--style {name} (a style sheet is given as FILE.toml)"));
    }
    let text = fs::read_to_string(path)
        .with_context(|| format!("the style sheet {name} cannot be read"))?;
    Ok(Style::parse(&text, name)?)
}
