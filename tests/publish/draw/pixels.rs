//! What a reader sees: rendered pictures.

use std::path::Path;
use std::{env, fs};

use resvg::{tiny_skia, usvg};
use tesuji::draw::{
    BoardSquare, Diagram, DiagramError, Family, Glyph, Lettering, Millimetres, RasterError, Style,
    Symbol, Tone, Typeface, raster, render, strip, tree,
};

use super::fixtures::{arrow, board, marked, problem, shaped, solution, wordy};
use super::shapes;

/// The share of dark pixels in a square window of a picture that holds a bare
/// board of 10 mm cells, centred at a point given in cells from the middle of
/// the board, y downwards.
fn darkness(diagram: &Diagram, (x, y): (f32, f32), window: f32) -> f32 {
    let cell_mm = Millimetres::try_from(10.0).expect("a length in range");
    let style = Style {
        cell_mm,
        coordinates: false,
        ..Style::print()
    };
    let tree = shapes(&render(diagram, &style));
    // 40 pixels to a cell; SVG counts 96 pixels to an inch of 25.4 mm.
    let (cell, scale) = (40.0, 40.0 / (10.0 * 96.0 / 25.4));
    let size = tree.size().to_int_size().scale_by(scale).expect("a size");
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).expect("a size");
    resvg::render(
        &tree,
        tiny_skia::Transform::from_scale(scale, scale),
        &mut pixels.as_mut(),
    );
    let middle = |extent: f32| extent * scale / 2.0;
    let centre = (
        middle(tree.size().width()) + x * cell,
        middle(tree.size().height()) + y * cell,
    );
    let (mut dark, mut all) = (0.0, 0.0);
    for (index, pixel) in (0_u16..).zip(pixels.pixels().chunks(size.width() as usize)) {
        for (column, pixel) in (0_u16..).zip(pixel) {
            let near =
                |at: u16, centre: f32| (f32::from(at) + 0.5 - centre).abs() < window * cell / 2.0;
            if near(column, centre.0) && near(index, centre.1) {
                all += 1.0;
                dark += f32::from(u8::from(pixel.red() < 128));
            }
        }
    }
    dark / all
}

/// A king is known by its cross, from which an arrow upwards keeps off.
#[test]
fn arrows_cover_nothing_of_symbols() -> Result<(), Box<dyn std::error::Error>> {
    let top = Symbol::new("top", "M300 70L700 70L700 330L300 330Z", Tone::Dark)?;
    for goal in [".", "x"] {
        let board = board(&[&format!(".{goal}."), "...", "..."])?;
        let diagram = board.place(BoardSquare::new(1, 1), Glyph::Symbol(top.clone()))?;
        let marked = diagram.mark(arrow((1, 1), (1, 2)))?;
        assert!(darkness(&marked, (0.0, -0.27), 0.2) > 0.99, "{goal}");
    }
    Ok(())
}

#[test]
fn sides_and_hole_differ_in_black_and_white() -> Result<(), DiagramError> {
    // Dark in the bottom left corner, light in the bottom right, hole at c3.
    let diagram = board(&[".....", ".....", "..@..", ".....", "x...o"])?;
    let at = |x, y| darkness(&diagram, (x, y), 0.4);
    assert!(at(-2.0, 2.0) > 0.99, "a dark piece is solid");
    assert!(at(2.0, 2.0) < 0.01, "a light piece is empty");
    assert!((0.25..0.75).contains(&at(0.0, 0.0)), "a hole is hatched");
    assert!(at(-2.0, -2.0) < 0.01, "row 0 is at the bottom");
    Ok(())
}

#[test]
fn arrows_leave_pieces_recognizable() -> Result<(), DiagramError> {
    let empty = board(&["...", "x.o", "..."])?;
    let diagram = board(&["...", ".xo", "..."])?.mark(arrow((1, 1), (2, 1)))?;
    assert!(darkness(&empty, (0.5, 0.0), 0.2) < 0.3);
    assert!(
        darkness(&diagram, (0.48, 0.0), 0.06) > 0.9,
        "the head is between the pieces"
    );
    assert!(
        darkness(&diagram, (1.0, 0.0), 0.5) < 0.01,
        "and not on the target"
    );
    assert!(
        darkness(&diagram, (0.0, 0.0), 0.66) > 0.75,
        "the mover stays mostly dark"
    );
    let halo = darkness(&diagram, (0.2, 0.075), 0.05);
    assert!(halo < 0.5, "the shaft is set off from the piece: {halo}");
    Ok(())
}

/// The picture in grey, with the program's own fonts as the only ones of the machine.
fn greys(svg: &str) -> Vec<u8> {
    let mut options = usvg::Options::default();
    for font in typst_assets::fonts() {
        options.fontdb_mut().load_font_data(font.to_vec());
    }
    let tree = usvg::Tree::from_str(svg, &options).expect("sound SVG");
    let size = tree.size().to_int_size().scale_by(3.0).expect("a size");
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).expect("a size");
    let transform = tiny_skia::Transform::from_scale(3.0, 3.0);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.pixels().iter().map(|pixel| pixel.red()).collect()
}

/// Outlines look like text in the same font, set by another program.
#[test]
fn outlines_look_like_text() -> Result<(), Box<dyn std::error::Error>> {
    let picture = |lettering| -> Result<Vec<u8>, Box<dyn std::error::Error>> {
        let style = Style {
            lettering,
            family: Family::try_from("Libertinus Serif".to_owned())?,
            themes: true,
            ..Style::print()
        };
        let mut diagram = problem()?.caption("To \u{2026} 1\u{2013}2");
        diagram.themes.push("AVATAR, fluffy office".to_owned());
        Ok(greys(&render(&diagram, &style)))
    };
    let (outlines, text) = (picture(Lettering::Outlines)?, picture(Lettering::Embedded)?);
    let bare = greys(&render(
        &board(&["ooo.o", ".x...", "..@.o", ".xx..", "x...x"])?,
        &Style::print(),
    ));
    assert_ne!(bare.len(), outlines.len(), "captions take room");
    assert_eq!(outlines.len(), text.len());
    let far = outlines
        .iter()
        .zip(&text)
        .filter(|(a, b)| a.abs_diff(**b) > 64);
    let share = far.count() as f64 / outlines.len() as f64;
    assert!(share < 0.001, "{share} of the pixels differ");
    Ok(())
}

/// A PNG has the size on paper that its SVG has, and says so.
#[test]
fn rasters_have_their_size() -> Result<(), Box<dyn std::error::Error>> {
    let svg = render(&problem()?, &Style::print());
    let tree = shapes(&svg);
    for dpi in [72, 300] {
        let file = raster(&svg, dpi)?;
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info()?;
        let info = reader.info();
        let expected = f64::from(tree.size().width()) / 96.0 * f64::from(dpi);
        assert!(
            (f64::from(info.width) - expected).abs() <= 1.0,
            "{} not {expected}",
            info.width
        );
        let density = info.pixel_dims.expect("a density");
        assert_eq!(density.xppu, if dpi == 72 { 2835 } else { 11811 });
        assert_eq!(info.color_type, png::ColorType::Grayscale, "print is grey");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels)?;
        assert_eq!(pixels[0], 255, "white paper");
        assert!(pixels.contains(&0), "black pieces");
    }
    let colours = raster(&render(&problem()?, &Style::dark()), 72)?;
    let reader = png::Decoder::new(std::io::Cursor::new(&colours)).read_info()?;
    assert_eq!(reader.info().color_type, png::ColorType::Rgb);
    let clear = Style {
        transparent: true,
        ..Style::print()
    };
    let clear = raster(&render(&problem()?, &clear), 72)?;
    let reader = png::Decoder::new(std::io::Cursor::new(&clear)).read_info()?;
    assert_eq!(reader.info().color_type, png::ColorType::Rgba);
    Ok(())
}

#[test]
fn rasters_are_refused() -> Result<(), DiagramError> {
    let svg = render(&problem()?, &Style::print());
    assert!(matches!(raster(&svg, 19), Err(RasterError::Resolution(19))));
    assert!(matches!(
        raster("no picture", 300),
        Err(RasterError::Svg(_))
    ));
    let cell_mm = Millimetres::try_from(900.0).expect("a length in range");
    let huge = render(
        &Diagram::new(26, 26)?,
        &Style {
            cell_mm,
            ..Style::print()
        },
    );
    assert!(matches!(raster(&huge, 2400), Err(RasterError::Size { .. })));
    Ok(())
}

/// The font in a picture has the letters of the picture, in the shapes of the whole
/// font.
#[test]
fn embedded_fonts_have_their_letters() -> Result<(), Box<dyn std::error::Error>> {
    use base64::Engine as _;
    use skrifa::MetadataProvider as _;
    for typeface in [
        Typeface::LibertinusSerif,
        Typeface::NewComputerModern,
        Typeface::DejavuSansMono,
    ] {
        let style = Style {
            lettering: Lettering::Embedded,
            typeface,
            themes: true,
            ..Style::print()
        };
        let mut diagram = board(&["x"])?.caption("\u{e9}\u{2026}");
        diagram.themes.push("Win".to_owned());
        let svg = render(&diagram, &style);
        let fonts: Vec<_> = svg
            .split("base64,")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
            .collect();
        assert_eq!(fonts.len(), 2, "regular and italic");
        let (mut letters, mut size) = (String::new(), 0);
        for font in fonts {
            let bytes = base64::engine::general_purpose::STANDARD.decode(font)?;
            size += bytes.len();
            let font = skrifa::FontRef::new(&bytes)?;
            for (letter, glyph) in font.charmap().mappings() {
                letters.extend(char::from_u32(letter));
                assert!(font.outline_glyphs().get(glyph).is_some());
            }
        }
        let mut letters: Vec<_> = letters.chars().collect();
        letters.sort_unstable();
        assert_eq!(String::from_iter(letters), "1Wain\u{e9}\u{2026}");
        assert!(size < 40_000, "{size} bytes are a whole font");
    }
    Ok(())
}

/// Writes pictures and booklets to look at.
#[test]
#[ignore = "to be looked at: DRAW_PNG=FOLDER cargo test --release --test publish pictures -- --ignored"]
fn pictures() -> Result<(), Box<dyn std::error::Error>> {
    let directory = env::var("DRAW_PNG").expect("DRAW_PNG names a folder to write to");
    let dpi: f32 = env::var("DRAW_DPI")
        .ok()
        .and_then(|dpi| dpi.parse().ok())
        .unwrap_or(300.0);
    for name in ["print", "screen", "dark"] {
        let style = Style::preset(name)?;
        let small = Style {
            cell_mm: Millimetres::try_from(5.0)?,
            text_mm: Millimetres::try_from(2.4)?,
            ..style.clone()
        };
        let tiny = Diagram::new(1, 1)?
            .to_move(Tone::Light)
            .caption("A caption on a tiny board");
        for (picture, svg) in [
            ("ostle", super::ostle::picture(&["d3L", "e4U"])),
            ("problem", render(&problem()?, &style)),
            ("marked", render(&marked()?, &style)),
            ("wordy", render(&wordy()?, &style)),
            ("shaped", render(&shaped()?, &style)),
            ("tiny", render(&tiny, &style)),
            ("shogi", render(&super::shogi::sample(), &style)),
            ("crowded", render(&super::shogi::crowded(), &style)),
            (
                "shogi-strip",
                strip(
                    "Two diagrams",
                    &[super::shogi::sample(), super::shogi::crowded()],
                    2,
                    &small,
                ),
            ),
            ("pointed", render(&super::shogi::pointed()?, &style)),
            (
                "fouls",
                tree(
                    "Announcements",
                    "",
                    &super::solutions::hidden(super::shogi::sample()),
                    &style,
                ),
            ),
            (
                "strip",
                strip(
                    "Problem 12: Black to move and win in 7",
                    &solution()?,
                    4,
                    &small,
                ),
            ),
        ] {
            let mut options = usvg::Options::default();
            options.fontdb_mut().load_system_fonts();
            options
                .fontdb_mut()
                .set_sans_serif_family("Liberation Sans");
            let tree = usvg::Tree::from_str(&svg, &options)?;
            let scale = dpi / 96.0;
            let size = tree.size().to_int_size().scale_by(scale).ok_or("no size")?;
            let mut pixels =
                tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("no size")?;
            let transform = tiny_skia::Transform::from_scale(scale, scale);
            resvg::render(&tree, transform, &mut pixels.as_mut());
            let path = Path::new(&directory).join(format!("{name}-{picture}"));
            fs::write(path.with_extension("svg"), svg)?;
            pixels.save_png(path.with_extension("png"))?;
        }
        let booklet = super::books::shogi_booklet(name)?;
        fs::write(Path::new(&directory).join(format!("{name}.pdf")), booklet)?;
    }
    Ok(())
}
