//! What diagrams and styles refuse, and how style sheets are read.

use tesuji::draw::{
    Cell, Colour, Diagram, DiagramError, Glyph, Mark, Millimetres, Point, Style, StyleError,
};

use crate::fixtures::arrow;

#[test]
fn diagrams_refuse_what_cannot_be_drawn() -> Result<(), DiagramError> {
    assert_eq!(
        Diagram::new(0, 5),
        Err(DiagramError::Size {
            columns: 0,
            rows: 5
        })
    );
    assert_eq!(
        Diagram::new(5, 27),
        Err(DiagramError::Size {
            columns: 5,
            rows: 27
        })
    );
    let board = Diagram::new(26, 3)?;
    let off = Cell::new(4, 3);
    let mark = |mark| board.clone().mark(mark).err();
    assert_eq!(
        board.clone().place(off, Glyph::Hole).err(),
        Some(DiagramError::OffBoard(off))
    );
    assert_eq!(
        mark(Mark::Highlight(off)),
        Some(DiagramError::OffBoard(off))
    );
    assert_eq!(mark(Mark::Removed(Point::new(26, -1))), None);
    for far in [
        Point::new(27, 0),
        Point::new(0, 4),
        Point::new(-2, 0),
        Point::new(0, i8::MIN),
    ] {
        assert_eq!(mark(Mark::Removed(far)), Some(DiagramError::TooFar(far)));
    }
    let standstill = Some(DiagramError::Standstill(Cell::new(1, 1)));
    assert_eq!(mark(arrow((1, 1), (1, 1))), standstill);
    let labels = Some(DiagramError::Labels {
        expected: 3,
        found: 2,
    });
    assert_eq!(board.clone().rank_labels(["1", "2"]).err(), labels);
    let twice = board
        .place(Cell::new(0, 0), Glyph::Hole)?
        .place(Cell::new(0, 0), Glyph::Hole);
    assert_eq!(twice.err(), Some(DiagramError::Taken(Cell::new(0, 0))));
    Ok(())
}

#[test]
fn style_sheets() -> Result<(), Box<dyn std::error::Error>> {
    let sheet: Style = toml::from_str("cell_mm = 5\nmark = \"#A00\"\ncoordinates = false")?;
    let mark = Colour::rgb(0x00aa_0000);
    let cell_mm = Millimetres::new(5.0)?;
    assert_eq!(
        sheet,
        Style {
            cell_mm,
            mark,
            coordinates: false,
            ..Style::print()
        }
    );
    for name in ["print", "screen", "dark"] {
        let style = Style::preset(name)?;
        assert_eq!(toml::from_str::<Style>(&toml::to_string(&style)?)?, style);
    }
    for (bad, complaint) in [
        ("cel_mm = 5", "unknown field `cel_mm`"),
        ("cell_mm = 0", "from 0.05 to 200 mm, not 0"),
        ("cell_mm = nan", "from 0.05 to 200 mm, not NaN"),
        ("ink = \"black\"", "#rgb or #rrggbb, not \"black\""),
        ("ink = \"#+12345\"", "#rgb or #rrggbb"),
    ] {
        let error = toml::from_str::<Style>(bad).expect_err(bad).to_string();
        assert!(error.contains(complaint), "{error}");
    }
    assert_eq!(
        Style::preset("sepia"),
        Err(StyleError::Preset("sepia".into()))
    );
    Ok(())
}
