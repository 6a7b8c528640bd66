//! What diagrams refuse.

use tesuji::draw::{BoardSquare, Diagram, DiagramError, Glyph, Mark, Point};

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
    assert_eq!(board.clone().rank_labels(["1", "2"]).err(), labels);
    let twice = board
        .place(BoardSquare::new(0, 0), Glyph::Hole)?
        .place(BoardSquare::new(0, 0), Glyph::Hole);
    assert_eq!(
        twice.err(),
        Some(DiagramError::Taken(BoardSquare::new(0, 0)))
    );
    Ok(())
}
