//! What is on the lines of a board and beside it, and symbols: for any diagram.

use proptest::prelude::*;
use tesuji::draw::{
    BoardSquare, Diagram, DiagramError, Flank, Glyph, PieceStand, Rotation, Style, Symbol, Tone,
    glyph, grid, render, strip,
};

use super::{any_diagram, any_style, lines, readable, shapes};

/// A triangle that fills its square.
fn wedge(tone: Tone) -> Symbol {
    Symbol::new("wedge", "M0 1000L500 0L1000 1000Z", tone).expect("a path in its square")
}

#[test]
fn an_odd_quarter_is_in_the_outline() -> Result<(), DiagramError> {
    let drawn = |symbol| glyph(&Glyph::Symbol(symbol), &Style::print());
    let outline = |svg: &str| {
        let (_, rest) = svg.split_once(" d=\"").expect("a path");
        rest.split_once('"').expect("a value").0.to_owned()
    };
    // It points to the right, and is still to be turned by half.
    let svg = drawn(wedge(Tone::Light).turned(3));
    assert_eq!(outline(&svg), "M0 0L1000 500L0 1000Z");
    assert!(svg.contains("scale(-"), "{svg}");
    let mut around = "M1 2Q3 4 5 6Z".to_owned();
    for _ in 0..4 {
        around = outline(&drawn(Symbol::new("bow", around, Tone::Dark)?.turned(1)));
    }
    assert_eq!(around, "M1 2Q3 4 5 6Z");
    Ok(())
}

#[test]
fn outlines_and_stars_are_checked() -> Result<(), DiagramError> {
    let bad = Symbol::new("odd", "M0 0L2000 0Z", Tone::Dark);
    assert_eq!(bad, Err(DiagramError::Outline("odd".to_owned())));
    let board = Diagram::new(3, 3)?;
    for edge in [
        BoardSquare::new(0, 1),
        BoardSquare::new(1, 0),
        BoardSquare::new(3, 1),
        BoardSquare::new(1, 3),
    ] {
        assert_eq!(board.clone().star(edge), Err(DiagramError::OffBoard(edge)));
    }
    let dot = wedge(Tone::Light);
    // A stand taller than the board shrinks.
    let stand = PieceStand {
        held: vec![(dot.clone(), 99); 40],
        ..PieceStand::default()
    };
    let board = board
        .star(BoardSquare::new(1, 2))?
        .place(BoardSquare::new(1, 1), Glyph::Symbol(dot))?
        .stand(Flank::Left, stand);
    let svg = render(&board, &Style::print());
    let bare = Style {
        transparent: true,
        ..Style::print()
    };
    let tree = shapes(&render(&board, &bare));
    let drawn = tree.root().abs_stroke_bounding_box();
    assert!(drawn.bottom() < tree.size().height() && drawn.left() > 0.0);
    assert_eq!(svg.matches("aria-label=\"99\"").count(), 40);
    Ok(())
}

fn any_symbol() -> impl Strategy<Value = Symbol> {
    (any::<bool>(), any::<bool>()).prop_map(|(light, turned)| {
        let symbol = wedge(if light { Tone::Light } else { Tone::Dark });
        if turned { symbol.turned(2) } else { symbol }
    })
}

fn any_stand() -> impl Strategy<Value = PieceStand> {
    let words = "[ a-zA-Z]{0,40}";
    let held = proptest::collection::vec((any_symbol(), any::<u32>()), 0..12);
    (words, proptest::option::of(any_symbol()), held).prop_map(|(caption, head, held)| PieceStand {
        head,
        caption,
        held,
    })
}

/// Any diagram with more on and around it.
fn any_dressed() -> impl Strategy<Value = Diagram> {
    let cell = || (0_u8..9, 0_u8..9).prop_map(|(column, row)| BoardSquare::new(column, row));
    let stars = proptest::collection::vec(cell(), 0..4);
    let symbols = proptest::collection::vec((cell(), any_symbol()), 0..9);
    let stands = || proptest::option::of(any_stand());
    let flags = (any::<bool>(), any::<bool>());
    (any_diagram(), stars, symbols, stands(), stands(), flags).prop_map(
        |(mut diagram, stars, symbols, left, right, (above, flank))| {
            for star in stars {
                diagram = diagram.clone().star(star).unwrap_or(diagram);
            }
            for (cell, symbol) in symbols {
                let glyph = Glyph::Symbol(symbol);
                diagram = diagram.clone().place(cell, glyph).unwrap_or(diagram);
            }
            if let Some(stand) = left {
                diagram = diagram.stand(Flank::Left, stand);
            }
            if let Some(stand) = right {
                diagram = diagram.stand(Flank::Right, stand);
            }
            diagram.files_above = above;
            if flank {
                diagram.ranks_at = Flank::Right;
            }
            diagram
        },
    )
}

proptest! {
    /// Whatever is around a board, the picture is sound and nothing sticks out of it.
    #[test]
    fn any_dressed_diagram_is_sound(
        diagrams in proptest::collection::vec(any_dressed(), 1..4),
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

    /// However the board is turned, all of it is there.
    #[test]
    fn turning_loses_nothing_around(diagram in any_dressed(), quarters in 1..4_i64) {
        let picture = |quarters: i64| {
            let style = Style {
                rotate: Rotation::try_from(90 * quarters).expect("a quarter"),
                captions: false,
                ..readable(Style::print())
            };
            render(&diagram, &style)
        };
        let said = |svg: &str| {
            // Captions of stands may be wrapped elsewhere.
            let mut letters: Vec<char> = lines(svg).concat().chars().collect();
            letters.retain(|letter| !letter.is_whitespace());
            letters.sort_unstable();
            (letters, svg.matches("<circle").count())
        };
        prop_assert_eq!(said(&picture(0)), said(&picture(quarters)));
    }
}
