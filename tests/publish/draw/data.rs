//! What diagrams refuse.

use tesuji::draw::{BoardSquare, Diagram, DiagramError, Glyph, Mark, Point, Symbol, Tone};

use super::fixtures::arrow;

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
    let off = BoardSquare::new(4, 3);
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
    let standstill = Some(DiagramError::Standstill(BoardSquare::new(1, 1)));
    assert_eq!(mark(arrow((1, 1), (1, 1))), standstill);
    let labels = Some(DiagramError::Labels {
        expected: 3,
        found: 2,
    });
    assert_eq!(board.clone().labelled('a'..='z', ["1", "2"]).err(), labels);
    let twice = board
        .place(BoardSquare::new(0, 0), Glyph::Hole)?
        .place(BoardSquare::new(0, 0), Glyph::Hole);
    assert_eq!(
        twice.err(),
        Some(DiagramError::Taken(BoardSquare::new(0, 0)))
    );
    Ok(())
}

#[test]
fn outlines_stay_in_their_square() {
    for good in ["M0 0L1000 1000Z", "M 1 2 3 4Q1 2 3 4C1 2 3 4 5 6ZM1 1L2 2Z"] {
        assert!(Symbol::new("wedge", good, Tone::Dark).is_ok(), "{good}");
    }
    for bad in [
        "",
        " ",
        "L0 0",
        "M0 0L1001 0Z",
        "M0 0L-1 0Z",
        "M0 0l1 1Z",
        "M0 0L1",
        "M0 0Z1 1",
        "M0 0L",
        "M0 0\"/><script>",
        "M0 0é",
        "M0,0L1,1",
    ] {
        assert!(Symbol::new("wedge", bad, Tone::Dark).is_err(), "{bad}");
    }
}

#[test]
fn four_quarters_are_a_whole_turn() -> Result<(), DiagramError> {
    let symbol = Symbol::new("wedge", "M0 1000L500 0L1000 1000Z", Tone::Light)?;
    let turned = symbol.clone().turned(3);
    assert_eq!(turned.quarters(), 3);
    assert_eq!(turned.turned(1), symbol);
    Ok(())
}
