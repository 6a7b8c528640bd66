//! Letters that the typeface of booklets lacks, and fonts that are added for them.

use std::fs;
use std::path::Path;

use skrifa::{FontRef, MetadataProvider};

use super::reading::{open, texts};
use crate::common::program::{ok, refused};

/// Two asterisks: no font that the program asks by itself has this character.
const ASTERISKS: char = '\u{2051}';

/// A book of one puzzle with two asterisks, and a font that has it.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let csv = format!(
        "game,position,title\n\"ostle:4x4,pieces=3,losses=2\",2b1/3w/1o2/1bw1 b -,Winter {ASTERISKS} tale\n\"ostle:4x4,pieces=3,losses=2\",2b1/w1w1/1ob1/2b1 b -,\n"
    );
    fs::write(here.join("winter.csv"), csv).unwrap();
    let fonts = typst_assets::fonts();
    let mut having = fonts.filter(|data| {
        let font = FontRef::new(data);
        font.is_ok_and(|font| font.charmap().map(ASTERISKS).is_some())
    });
    fs::write(here.join("more.otf"), having.next().unwrap()).unwrap();
    folder
}

fn book<'a>(output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["book", "winter.csv", "-o", output], more].concat()
}

#[test]
fn an_added_font_has_what_the_typeface_lacks() {
    let folder = prepared();
    let here = folder.path();
    let told = refused(&book("none.pdf", &[]), here);
    assert!(
        told.contains("U+2051") && told.contains("--font FILE"),
        "{told}"
    );
    assert!(!here.join("none.pdf").exists());
    let font = ["--font", "more.otf", "--title", "\u{2051} puzzles"];
    let bytes = |name| {
        ok(&book(name, &font), here);
        fs::read(here.join(name)).unwrap()
    };
    let pdf = bytes("winter.pdf");
    assert!(pdf == bytes("again.pdf"), "the same bytes");
    let found = texts(&open(&pdf)).concat();
    for words in ["Winter \u{2051} tale", "\u{2051} puzzles"] {
        assert!(found.contains(words), "{words}");
    }
}

/// Puts a caption with the letter under a board, and returns the picture.
fn drawn(name: &str, more: &[&str], here: &Path) -> String {
    let draw = [
        "draw",
        "kings:3x3",
        "initial",
        "--caption",
        "A \u{2051} here",
        "-o",
        name,
    ];
    ok(&[&draw[..], more].concat(), here);
    fs::read_to_string(here.join(name)).unwrap()
}

#[test]
fn pictures_have_it_as_well() {
    let folder = prepared();
    let here = folder.path();
    let draw = [
        "draw",
        "kings:3x3",
        "initial",
        "--caption",
        "\u{2051}",
        "-o",
        "a.eps",
    ];
    let told = refused(&draw, here);
    assert!(told.contains("--font FILE"), "{told}");
    let font = ["--font", "more.otf"];
    assert!(drawn("b.eps", &font, here).starts_with("%!PS"));
    assert!(drawn("c.svg", &[], here).contains("<text"));
    assert!(!drawn("d.svg", &font, here).contains("<text"));
    // Text with its fonts: one for each that is used.
    fs::write(here.join("text.toml"), "lettering = \"embedded\"\n").unwrap();
    let fonts = |picture: String| picture.matches("@font-face").count();
    let style = ["--style", "text.toml"];
    assert_eq!(fonts(drawn("e.svg", &style, here)), 1);
    assert_eq!(fonts(drawn("f.svg", &[style, font].concat(), here)), 2);
    fs::write(here.join("no.ttf"), "no font").unwrap();
    let told = refused(
        &[&draw[..5], &["-o", "e.svg", "--font", "no.ttf"]].concat(),
        here,
    );
    assert!(
        told.contains("no.ttf") && told.contains("OpenType"),
        "{told}"
    );
}
