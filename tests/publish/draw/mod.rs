//! What the diagrams look like, and that they are sound SVG.

mod around;
mod books;
mod data;
mod fixtures;
mod line;
mod ostle;
mod pixels;
mod sheets;
mod shogi;
mod snippets;
mod solutions;
mod typeset;

use std::collections::BTreeSet;

use fixtures::{board, graph, marked, problem, shaped, solution};
use proptest::prelude::*;
use resvg::usvg;
use tesuji::draw::{
    BoardSquare, Diagram, DiagramError, Glyph, Lettering, Man, Mark, Millimetres, Orientation,
    Point, Rotation, Style, Tone, grid, render, strip,
};

/// The picture without its text, so that no installed font matters.
fn shapes(svg: &str) -> usvg::Tree {
    usvg::Tree::from_str(svg, &usvg::Options::default()).expect("sound SVG")
}

/// The text contents of all elements of this name.
fn texts(svg: &str, name: &str) -> Vec<String> {
    let document = usvg::roxmltree::Document::parse(svg).expect("well-formed XML");
    let named = document
        .descendants()
        .filter(|node| node.has_tag_name(name));
    named
        .map(|node| node.text().unwrap_or_default().to_owned())
        .collect()
}

/// The lines of text of a picture, whether they are text or outlines.
fn lines(svg: &str) -> Vec<String> {
    let document = usvg::roxmltree::Document::parse(svg).expect("well-formed XML");
    let line = |node: usvg::roxmltree::Node| {
        if node.has_tag_name("text") {
            return Some(node.text().unwrap_or_default().to_owned());
        }
        node.attribute("aria-label").map(str::to_owned)
    };
    document.descendants().filter_map(line).collect()
}

/// The style with its letters as text, so that differences can be read.
fn readable(style: Style) -> Style {
    Style {
        lettering: Lettering::Text,
        ..style
    }
}

fn golden(name: &str, svg: &str) {
    crate::common::golden(&format!("draw/{name}.svg"), svg);
}

#[test]
fn golden_problem() -> Result<(), DiagramError> {
    golden("problem", &render(&problem()?, &readable(Style::print())));
    Ok(())
}

#[test]
fn golden_marks() -> Result<(), DiagramError> {
    golden("marks", &render(&marked()?, &readable(Style::dark())));
    Ok(())
}

#[test]
fn golden_shape() -> Result<(), DiagramError> {
    golden("shape", &render(&shaped()?, &readable(Style::screen())));
    Ok(())
}

#[test]
fn golden_graph() -> Result<(), DiagramError> {
    let svg = render(&graph()?, &readable(Style::print()));
    // Its edges, and the names of the vertices where nothing stands.
    assert_eq!(svg.matches(">long tail<").count(), 1);
    for (name, shown) in [("a", 0), ("b", 0), ("c", 1), ("d", 1)] {
        assert_eq!(svg.matches(&format!(">{name}<")).count(), shown, "{name}");
    }
    golden("graph", &svg);
    Ok(())
}

#[test]
fn golden_strip() -> Result<(), DiagramError> {
    let bare = Style {
        coordinates: false,
        ..readable(Style::print())
    };
    golden("strip", &strip("Black wins", &solution()?[..3], 2, &bare));
    Ok(())
}

/// The one golden picture with outlines; what they say is in their labels.
#[test]
fn golden_outlines() -> Result<(), DiagramError> {
    let bare = Style {
        coordinates: false,
        ..Style::print()
    };
    golden("outlines", &render(&board(&["x.o"])?.caption("Win"), &bare));
    Ok(())
}

#[test]
fn golden_grid() -> Result<(), Box<dyn std::error::Error>> {
    let small = Style {
        coordinates: false,
        page_mm: Millimetres::try_from(100.0)?,
        page_height_mm: Millimetres::try_from(60.0)?,
        ..readable(Style::print())
    };
    let pages = grid("Black wins", &solution()?[..3], &small);
    assert_eq!(pages.len(), 2);
    golden("grid", &pages.concat());
    Ok(())
}

/// Print must not need grey: every colour is black or white.
#[test]
fn print_is_black_and_white() -> Result<(), DiagramError> {
    for diagram in [problem()?, marked()?, shaped()?, graph()?] {
        let svg = render(&diagram, &Style::print());
        let colours: BTreeSet<&str> = svg
            .split('"')
            .filter(|value| value.starts_with('#'))
            .collect();
        assert_eq!(colours, BTreeSet::from(["#000", "#fff"]));
    }
    Ok(())
}

#[test]
fn user_text_is_escaped() -> Result<(), DiagramError> {
    let nasty = "<script>alert('&amp;')</script>]]>";
    let diagram = Diagram::new(9, 2)?
        .place(BoardSquare::new(0, 0), Glyph::Text("<b>".into()))?
        .labelled('a'..='i', ["<1>", "&"])?
        .caption(nasty)
        .caption("back\u{8}space")
        .title(nasty)
        .desc("bell \u{7} and \u{ffff}");
    let single = render(&diagram, &Style::print());
    assert!(!single.contains("<script") && !single.contains("<b>"));
    let lines = lines(&single);
    for line in ["<b>", "<1>", "&", nasty, "back\u{fffd}space"] {
        assert!(lines.iter().any(|text| text == line), "{line} in {lines:?}");
    }
    assert_eq!(texts(&single, "title"), [nasty]);
    assert_eq!(texts(&single, "desc"), ["bell \u{fffd} and \u{fffd}"]);
    let several = strip(nasty, &[diagram], 1, &Style::print());
    assert_eq!(texts(&several, "title"), [nasty]);
    Ok(())
}

fn page_width(svg: &str) -> f64 {
    let document = usvg::roxmltree::Document::parse(svg).expect("well-formed XML");
    let width = document
        .root_element()
        .attribute("width")
        .and_then(|w| w.strip_suffix("mm"));
    width
        .and_then(|width| width.parse().ok())
        .expect("a width in mm")
}

#[test]
fn sizes_are_millimetres() -> Result<(), DiagramError> {
    let style = Style::print();
    let width = |columns| Ok(page_width(&render(&Diagram::new(columns, 3)?, &style)));
    // A cell of the print style is 8 mm wide.
    assert!((width(6)? - width(5)? - 8.0).abs() < 0.011);
    Ok::<(), DiagramError>(())
}

#[test]
fn long_captions_wrap() -> Result<(), DiagramError> {
    let plain = board(&["x...o"])?;
    let long = plain
        .clone()
        .caption("many words ".repeat(20))
        .caption("w".repeat(300));
    let style = Style::print();
    let (plain, long) = (render(&plain, &style), render(&long, &style));
    assert!((page_width(&plain) - page_width(&long)).abs() < 0.011);
    let words: String = lines(&long).concat();
    assert_eq!(
        words.matches("words").count(),
        20,
        "no word is lost or broken"
    );
    assert!(words.ends_with(&"w".repeat(300)));
    Ok(())
}

/// Ten figures of 3.2 mm bold type need more than one 8 mm cell.
#[test]
fn a_number_fits_on_the_page() -> Result<(), DiagramError> {
    let style = readable(Style::print());
    let svg = render(&Diagram::new(1, 1)?.number(u32::MAX), &style);
    assert!(page_width(&svg) > 10.0 * 0.556 * 3.2);
    Ok(())
}

#[test]
fn strips_number_their_boards() -> Result<(), DiagramError> {
    let mut boards = solution()?;
    boards[1] = boards[1].clone().number(41);
    let bare = Style {
        coordinates: false,
        ..Style::print()
    };
    let svg = strip("Headline", &boards, 3, &bare);
    let lines = lines(&svg);
    let numbers: Vec<&String> = lines
        .iter()
        .filter(|text| text.parse::<u32>().is_ok())
        .collect();
    assert_eq!(numbers, ["1", "41", "3", "4", "5", "6", "7"]);
    assert_eq!(lines.first().map(String::as_str), Some("Headline"));
    assert_eq!(strip("", &boards, 0, &bare), strip(" ", &boards, 1, &bare));
    shapes(&strip("", &[], 4, &bare));
    Ok(())
}

/// Any diagram: things that do not fit are left out.
fn any_diagram() -> impl Strategy<Value = Diagram> {
    let words = || proptest::collection::vec(any::<char>(), 0..30).prop_map(String::from_iter);
    let cell = || (0_u8..9, 0_u8..9).prop_map(|(column, row)| BoardSquare::new(column, row));
    let point = || (-1_i8..10, -1_i8..10).prop_map(|(column, row)| Point::new(column, row));
    let tone = || prop_oneof![Just(Tone::Dark), Just(Tone::Light)];
    let glyph = prop_oneof![
        tone().prop_map(Glyph::Piece),
        (tone(), any::<char>(), any::<u8>()).prop_map(|(tone, letter, count)| Glyph::Men(
            tone,
            Man::Letter(letter),
            count
        )),
        tone().prop_map(|tone| Glyph::Men(tone, Man::King, 1)),
        Just(Glyph::Hole),
        Just(Glyph::Filled),
        Just(Glyph::Absent),
        words().prop_map(Glyph::Text),
    ];
    let mark = prop_oneof![
        (cell(), point()).prop_map(|(from, to)| Mark::Arrow { from, to }),
        (cell(), point()).prop_map(|(from, to)| Mark::Forbidden { from, to }),
        point().prop_map(Mark::Removed),
        cell().prop_map(Mark::Highlight),
    ];
    let glyphs = proptest::collection::vec((cell(), glyph), 0..20);
    let marks = proptest::collection::vec(mark, 0..8);
    let extras = (
        proptest::option::of(tone()),
        any::<Option<u32>>(),
        words(),
        words(),
    );
    (1_u8..=9, 1_u8..=9, glyphs, marks, extras).prop_map(
        |(columns, rows, glyphs, marks, (tone, number, title, caption))| {
            let mut diagram = Diagram::new(columns, rows).expect("a size in range");
            for (cell, glyph) in glyphs {
                diagram = diagram.clone().place(cell, glyph).unwrap_or(diagram);
            }
            for mark in marks {
                diagram = diagram.clone().mark(mark).unwrap_or(diagram);
            }
            diagram = tone.into_iter().fold(diagram, Diagram::to_move);
            diagram = number.into_iter().fold(diagram, Diagram::number);
            let diagram = diagram.forbidden(title.clone());
            diagram.desc(title.clone()).title(title).caption(caption)
        },
    )
}

/// Any style that a sheet can ask for, as far as it changes what is where.
fn any_style() -> impl Strategy<Value = Style> {
    let preset = prop_oneof![Just("print"), Just("screen"), Just("dark")];
    let lettering = prop_oneof![Just(Lettering::Outlines), Just(Lettering::Text)];
    let flags = proptest::collection::vec(any::<bool>(), 11);
    (preset, 1.0..30.0_f64, 0..4_i64, lettering, flags).prop_map(
        |(preset, cell, quarters, lettering, flags)| {
            let [coordinates, side_to_move, number, stipulation, themes, ..] = flags[..] else {
                unreachable!("eleven flags");
            };
            let orientation = if flags[9] {
                Orientation::Fixed
            } else {
                Orientation::MoverBelow
            };
            Style {
                cell_mm: Millimetres::try_from(cell).expect("a length in range"),
                rotate: Rotation::try_from(90 * quarters).expect("a quarter"),
                lettering,
                coordinates,
                side_to_move,
                number,
                stipulation,
                themes,
                captions: flags[5],
                arrows: flags[6],
                removals: flags[7],
                forbidden: flags[8],
                forbidden_beside: flags[10],
                orientation,
                ..Style::preset(preset).expect("a preset")
            }
        },
    )
}

proptest! {
    /// Whatever the diagram, the SVG is sound and nothing sticks out of it.
    #[test]
    fn any_diagram_is_sound(
        diagrams in proptest::collection::vec(any_diagram(), 1..4),
        style in any_style(),
    ) {
        let mut pictures = vec![render(&diagrams[0], &style), strip("Title", &diagrams, 2, &style)];
        pictures.extend(grid("Title", &diagrams, &style));
        for svg in pictures {
            let tree = shapes(&svg);
            let drawn = tree.root().abs_stroke_bounding_box();
            // Letters may overhang a little.
            let over = 0.05 + 4.0 * 96.0 / 25.4 * 0.15;
            prop_assert!(drawn.left() > -over && drawn.top() > -over, "{drawn:?}");
            prop_assert!(drawn.right() < tree.size().width() + over, "{drawn:?}");
            prop_assert!(drawn.bottom() < tree.size().height() + over, "{drawn:?}");
        }
    }

    /// However a board is turned, everything on it is there.
    #[test]
    fn turning_loses_nothing(diagram in any_diagram(), quarters in 1..4_i64) {
        let picture = |quarters: i64| {
            let style = Style {
                rotate: Rotation::try_from(90 * quarters).expect("a quarter"),
                ..readable(Style::print())
            };
            render(&diagram, &style)
        };
        let said = |svg: &str| {
            // A caption may be wrapped elsewhere.
            let mut letters: Vec<char> = lines(svg).concat().chars().collect();
            letters.retain(|letter| !letter.is_whitespace());
            letters.sort_unstable();
            (letters, svg.matches("<circle").count(), svg.matches("rx=").count())
        };
        prop_assert_eq!(said(&picture(0)), said(&picture(quarters)));
    }
}
