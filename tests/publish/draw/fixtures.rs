//! Diagrams to draw.

use tesuji::draw::{BoardSquare, Diagram, DiagramError, DrawnGraph, Glyph, Mark, Point, Tone};

pub type Built = Result<Diagram, DiagramError>;

/// A board from its ranks, top first: `x` dark, `o` light, `@` a hole, `#`
/// filled, a space no cell, a digit itself.
pub fn board(ranks: &[&str]) -> Built {
    let rows = u8::try_from(ranks.len()).expect("a small board");
    let columns = u8::try_from(ranks[0].len()).expect("a small board");
    let mut diagram = Diagram::new(columns, rows)?;
    for (row, rank) in (0..rows).rev().zip(ranks) {
        for (column, letter) in (0..).zip(rank.chars()) {
            let glyph = match letter {
                '.' => continue,
                'x' => Glyph::Piece(Tone::Dark),
                'o' => Glyph::Piece(Tone::Light),
                '@' => Glyph::Hole,
                '#' => Glyph::Filled,
                ' ' => Glyph::Absent,
                other => Glyph::Text(other.into()),
            };
            diagram = diagram.place(BoardSquare::new(column, row), glyph)?;
        }
    }
    Ok(diagram)
}

pub fn arrow(from: (u8, u8), to: (i8, i8)) -> Mark {
    Mark::Arrow {
        from: BoardSquare::new(from.0, from.1),
        to: Point::new(to.0, to.1),
    }
}

pub fn problem() -> Built {
    Ok(board(&["ooo.o", ".x...", "..@.o", ".xx..", "x...x"])?
        .number(12)
        .to_move(Tone::Dark)
        .caption("Black to move and win in 7")
        .title("Problem 12")
        .desc("Black: a1, e1, b2, c2, b4. White: e3, a5, b5, c5, e5. Hole: c3."))
}

/// Every kind of mark on one board.
pub fn marked() -> Built {
    board(&["ooo.o", ".x...", "o.@xo", ".xx..", "xo..x"])?
        .mark(Mark::Highlight(BoardSquare::new(3, 0)))?
        .mark(Mark::Highlight(BoardSquare::new(0, 2)))?
        .mark(arrow((1, 3), (1, 4)))?
        .mark(Mark::Removed(Point::new(1, 5)))?
        .mark(arrow((3, 2), (2, 2)))?
        .mark(Mark::Removed(Point::new(2, 2)))?
        .mark(arrow((1, 0), (0, 0)))?
        .mark(Mark::Removed(Point::new(-1, 0)))?
        .mark(arrow((4, 2), (5, 2)))?
        .mark(arrow((4, 0), (4, -1)))?
        .mark(Mark::Forbidden {
            from: BoardSquare::new(2, 1),
            to: Point::new(3, 1),
        })?
        .mark(Mark::Forbidden {
            from: BoardSquare::new(1, 1),
            to: Point::new(1, 0),
        })
}

pub fn wordy() -> Built {
    Ok(problem()?
        .caption(
            "after Masao Suzuki, a rather long source line that must be broken in two or three",
        )
        .caption("<script>alert('no')</script> & \"quotes\""))
}

/// A board with a notch, a wall and a gap, and tiles with numbers on it.
pub fn shaped() -> Built {
    board(&[" 1..", "..#.", "X  O"])?
        .place(BoardSquare::new(3, 1), Glyph::Text("15".into()))?
        .labelled(["I", "II", "III", "IV"], ["x", "y", "z"])
}

/// A square with a diagonal and a tail; a vertex is taken and one of its neighbours blocked.
pub fn graph() -> Built {
    let at = BoardSquare::new;
    let (a, b, c, d, tail) = (at(0, 2), at(2, 2), at(2, 0), at(0, 0), at(4, 1));
    let names = [(a, "a"), (b, "b"), (c, "c"), (d, "d"), (tail, "long tail")];
    let names = names.map(|(square, name)| (square, name.to_owned()));
    let edges = [[a, b], [b, c], [c, d], [d, a], [a, c], [c, tail]];
    Diagram::new(5, 3)?
        .graph(DrawnGraph::new(names, edges))?
        .place(a, Glyph::Piece(Tone::Dark))?
        .place(b, Glyph::Hole)
}

pub fn solution() -> Result<Vec<Diagram>, DiagramError> {
    let first = ["ooo.o", ".x...", "..@.o", ".xx..", "x...x"];
    let moves: [(Mark, Option<Point>, &str); 7] = [
        (
            arrow((1, 3), (1, 4)),
            Some(Point::new(1, 5)),
            "b4–b5, b5 off",
        ),
        (arrow((4, 2), (3, 2)), None, "e3–d3"),
        (
            arrow((2, 1), (2, 2)),
            Some(Point::new(2, 2)),
            "c2–c3, into the hole",
        ),
        (arrow((4, 4), (5, 4)), None, "e5 leaves"),
        (arrow((1, 1), (2, 1)), None, "b2–c2"),
        (arrow((0, 4), (1, 4)), None, "a5–b5"),
        (arrow((4, 0), (4, 1)), None, "e1–e2 and wins"),
    ];
    moves
        .into_iter()
        .map(|(mark, removed, caption)| {
            let diagram = board(&first)?.mark(mark)?.caption(caption);
            match removed {
                Some(point) => diagram.mark(Mark::Removed(point)),
                None => Ok(diagram),
            }
        })
        .collect()
}
