//! Arguments for styles and picture files.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::base::files::{Existing, Place, put_all, read_text};
use crate::book::pictures;
use crate::draw::{Lettering, Style, eps, raster};

/// The style and the file of a picture.
#[derive(Debug, clap::Args)]
pub struct PictureArgs {
    /// print (black and white), screen, dark, or a style sheet, FILE.toml ('tesuji style'
    /// prints one to start from) [default: print].
    #[arg(long)]
    style: Option<String>,
    /// Dots per inch of a PNG [default: 300].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=2400))]
    dpi: Option<u16>,
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
    /// Vectors, for print; LaTeX needs no other program for them.
    Pdf,
    /// Vectors, for older typesetters.
    Eps,
}

impl Format {
    /// The format for a file name.
    pub fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("pdf") => Ok(Self::Pdf),
            Some("eps") => Ok(Self::Eps),
            _ => bail!(
                "{}: the name of a picture must end in .svg, .png, .pdf or .eps",
                path.display()
            ),
        }
    }

    /// The file extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
            Self::Eps => "eps",
        }
    }

    /// Encodes a picture in this format.
    pub fn bytes(self, svg: String, dpi: u16) -> Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(svg.into_bytes()),
            Self::Png => Ok(raster(&svg, dpi)?),
            Self::Pdf => Ok(pictures(std::slice::from_ref(&svg), &said(&svg))?),
            Self::Eps => Ok(eps(&svg)?.into_bytes()),
        }
    }
}

impl PictureArgs {
    /// The style for pictures of this format. A PNG cannot embed a font, and PDF and EPS have
    /// shapes alone, so letters become outlines.
    ///
    /// # Errors
    /// If there is no such style, or an option does not apply to this format.
    pub fn style(&self, format: Format) -> Result<Style> {
        if self.dpi.is_some() && format != Format::Png {
            let format = format.extension();
            bail!("--dpi is for PNG, and .{format} has no dots; leave it out");
        }
        let mut style = style(self.style.as_deref().unwrap_or("print"))?;
        let vectors = matches!(format, Format::Pdf | Format::Eps);
        if vectors || format == Format::Png && style.lettering == Lettering::Embedded {
            style.lettering = Lettering::Outlines;
        }
        Ok(style)
    }

    /// Refuses what says nothing where no picture is made.
    pub fn refuse(&self, why: &str) -> Result<()> {
        for (name, given) in [("style", self.style.is_some()), ("dpi", self.dpi.is_some())] {
            if given {
                bail!("--{name} {why}");
            }
        }
        Ok(())
    }

    /// Dots per inch.
    pub fn dots(&self) -> u16 {
        self.dpi.unwrap_or(300)
    }

    /// The format of the file, SVG for standard output.
    pub fn format(path: Option<&PathBuf>) -> Result<Format> {
        path.map_or(Ok(Format::Svg), |path| Format::of(path))
    }

    /// Claims the file of a picture, if there is one, before the picture is made.
    pub fn place(&self, path: Option<&PathBuf>) -> Result<Option<Place>> {
        let claim = |path: &PathBuf| Place::claim(path, Existing::same_unless(self.force));
        Ok(path.map(claim).transpose()?)
    }

    /// Writes a picture in the format for the file name.
    pub fn put(&self, place: Place, svg: String) -> Result<()> {
        let path = place.path();
        let bytes = Format::of(path)?.bytes(svg, self.dots());
        let bytes = bytes.with_context(|| path.display().to_string())?;
        Ok(place.put(&bytes)?)
    }

    /// Writes the pages of a picture. Several pages have numbers before the file extension.
    /// If one of the files may not be written, none is.
    pub fn put_pages(&self, place: Place, mut pages: Vec<String>) -> Result<()> {
        if pages.len() == 1 {
            return self.put(place, pages.remove(0));
        }
        let path = place.path();
        let format = Format::of(path)?;
        if format == Format::Pdf {
            // One file with all pages.
            let words = pages.first().map(|page| said(page)).unwrap_or_default();
            return Ok(place.put(&pictures(&pages, &words)?)?);
        }
        let digits = pages.len().to_string().len();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let files = (1..)
            .zip(pages)
            .map(|(number, page)| {
                let name = format!("{stem}-{number:0digits$}.{}", format.extension());
                Ok((path.with_file_name(name), format.bytes(page, self.dots())?))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(put_all(&files, self.force)?)
    }
}

/// What a picture says of itself, without XML escapes.
pub fn said(svg: &str) -> String {
    let described = svg
        .split_once("<desc>")
        .and_then(|(_, rest)| rest.split_once("</desc>"));
    let described = described.map_or("", |(words, _)| words);
    described
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// The style with this name: a preset or a file.
pub fn style(name: &str) -> Result<Style> {
    let path = Path::new(name);
    let toml = path.extension().is_some_and(|end| end == "toml");
    if !toml && !path.is_file() {
        return Style::preset(name)
            .with_context(|| format!("--style {name} (for a style sheet, give FILE.toml)"));
    }
    let text = read_text(path).with_context(|| format!("cannot read style sheet {name}"))?;
    Ok(Style::parse(&text, name)?)
}
