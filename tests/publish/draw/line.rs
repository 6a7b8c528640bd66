//! Lines of play in motion.

use tesuji::draw::{
    Animation, BoardSquare, Diagram, DiagramError, Frame, Glyph, Orientation, Point, Rotation,
    Slide, Style, Symbol, Tone, animate,
};

use super::fixtures::{arrow, board};
use super::{golden, lines, readable, shapes};

const fn slide(from: (u8, u8), to: (i8, i8), lost: bool) -> Slide {
    Slide {
        from: BoardSquare::new(from.0, from.1),
        to: Point::new(to.0, to.1),
        lost,
    }
}

/// Dark pushes light off the board, light's other piece moves, dark falls into the
/// hole.
fn line() -> Result<Vec<Frame>, DiagramError> {
    let mover = |diagram: Diagram, tone| diagram.to_move(tone).home(Tone::Dark);
    let frame = |ranks: [&str; 3], tone, (from, to), label: &str, slides| {
        let diagram = mover(board(&ranks)?, tone).mark(arrow(from, to))?;
        Ok::<_, DiagramError>(Frame::new(diagram, label, slides))
    };
    let (dark, light) = (Tone::Dark, Tone::Light);
    Ok(vec![
        frame(
            ["o..", ".xo", "@.."],
            dark,
            ((1, 1), (2, 1)),
            "1.b2R",
            vec![slide((2, 1), (3, 1), true), slide((1, 1), (2, 1), false)],
        )?,
        frame(
            ["o..", "..x", "@.."],
            light,
            ((0, 2), (0, 1)),
            "a3D",
            vec![slide((0, 2), (0, 1), false)],
        )?,
        frame(
            ["...", "o.x", "@.."],
            dark,
            ((0, 0), (1, 0)),
            "2.a1R",
            vec![slide((0, 0), (1, 0), false)],
        )?,
        Frame::new(mover(board(&["...", "o.x", ".@."])?, light), "", vec![]),
    ])
}

#[test]
fn golden_animation() -> Result<(), DiagramError> {
    let bare = Style {
        coordinates: false,
        ..readable(Style::screen())
    };
    golden(
        "animation",
        &animate("Three moves", &Animation::new(line()?)?, &bare),
    );
    Ok(())
}

/// Without its style sheet the picture is that of the first position with the moves
/// below.
#[test]
fn an_animation_stands_still() -> Result<(), DiagramError> {
    let svg = animate("Three moves", &Animation::new(line()?)?, &Style::print());
    let tree = shapes(&svg);
    let drawn = tree.root().abs_stroke_bounding_box();
    assert!(drawn.right() < tree.size().width() + 0.05);
    assert!(drawn.bottom() < tree.size().height() + 0.05);
    for words in ["Three moves", "1.b2R", "a3D", "2.a1R"] {
        assert!(lines(&svg).iter().any(|line| line == words), "{words}");
    }
    // Motion is only asked for where it is seen and wanted.
    let (_, rules) = svg
        .split_once("@media screen and (prefers-reduced-motion:no-preference){")
        .expect("a rule");
    let (inside, after) = rules.split_once("\n}\n").expect("its end");
    assert!(inside.contains("animation:") && inside.contains("animation-name:"));
    assert!(!after.contains("animation"));
    // Arrows and underlines are hidden until they play; the light disc too.
    assert_eq!(svg.matches("opacity=\"0\"").count(), 3 + 3 + 1);
    Ok(())
}

#[test]
fn what_is_dropped_or_changed_appears() -> Result<(), DiagramError> {
    // Light's piece is taken and turns up on another square; dark's goes there.
    let frame = |ranks: &[&str], label: &str, slides| {
        Ok::<_, DiagramError>(Frame::new(board(ranks)?, label, slides))
    };
    let first = frame(
        &["xo.."],
        "takes",
        vec![slide((1, 0), (1, 0), true), slide((0, 0), (1, 0), false)],
    )?;
    let last = frame(&[".x.o"], "", vec![])?;
    let told = first.clone().becomes(&last.diagram);
    let found: Vec<_> = told.appears.iter().map(|(at, _)| *at).collect();
    assert_eq!(found, [BoardSquare::new(3, 0)]);
    assert_eq!(
        Animation::new(vec![first, last.clone()]).err(),
        Some(DiagramError::Jump(2))
    );
    let svg = animate("", &Animation::new(vec![told, last])?, &Style::print());
    // A move takes 1 of 2.5 parts of the time, and what appears comes in its last fifth.
    assert!(
        svg.contains("0%,32%{transform:none;opacity:0}40%,100%{transform:none;opacity:1}"),
        "{svg}"
    );
    // Nothing else changes: dark's piece goes where it is, and stays a piece.
    let first = frame(&["x.."], "steps", vec![slide((0, 0), (1, 0), false)])?;
    assert!(first.becomes(&board(&[".x."])?).appears.is_empty());
    // A square whose piece changes: the former one goes while the other comes.
    let first = frame(&["x.."], "turns", vec![])?;
    let last = frame(&["o.."], "", vec![])?;
    let told = first.becomes(&last.diagram);
    let svg = animate("", &Animation::new(vec![told, last])?, &Style::print());
    assert!(
        svg.contains("0%,32%{transform:none;opacity:1}40%,100%{transform:none;opacity:0}"),
        "{svg}"
    );
    // A symbol that appears is turned with the board.
    let wedge = Symbol::new("wedge", "M0 1000L500 0L1000 1000Z", Tone::Dark)?;
    let last = board(&["..."])?.place(BoardSquare::new(0, 0), Glyph::Symbol(wedge))?;
    let told = frame(&["..."], "drops", vec![])?.becomes(&last);
    let film = Animation::new(vec![told, Frame::new(last, "", vec![])])?;
    for (degrees, turn) in [(0, "scale(0"), (180, "scale(-")] {
        let rotate = Rotation::try_from(degrees).expect("a quarter");
        let style = Style {
            rotate,
            ..Style::print()
        };
        let svg = animate("", &film, &style);
        let (_, symbol) = svg.split_once("\"wedge\"").expect("a symbol");
        assert!(symbol.split("/>").next().expect("its end").contains(turn));
    }
    Ok(())
}

#[test]
fn names_differ_between_animations() -> Result<(), DiagramError> {
    let film = Animation::new(line()?)?;
    let name = |headline: &str| {
        let svg = animate(headline, &film, &Style::print());
        let (_, rest) = svg.split_once("@keyframes ").expect("keyframes");
        rest.split_once('-').map(|(name, _)| name.to_owned())
    };
    assert_eq!(name("One"), name("One"));
    assert_ne!(name("One"), name("Two"));
    Ok(())
}

#[test]
fn boards_lie_as_the_first_does() -> Result<(), DiagramError> {
    let below = Style {
        orientation: Orientation::MoverBelow,
        ..readable(Style::print())
    };
    // The second position of the line is light's, which begins above.
    let film = Animation::new(line()?.split_off(1))?;
    let svg = animate("", &film, &below);
    // Light's piece goes down by a cell, which is up on the page once it is turned.
    assert!(svg.contains("translate(0px,-8px)"), "{svg}");
    let straight = animate("", &film, &readable(Style::print()));
    assert!(straight.contains("translate(0px,8px)"));
    Ok(())
}

#[test]
fn impossible_lines_are_refused() -> Result<(), DiagramError> {
    let mut frames = line()?;
    frames.remove(1);
    assert_eq!(Animation::new(frames).err(), Some(DiagramError::Jump(2)));
    let frame =
        |ranks: &[&str], slides| Ok::<_, DiagramError>(Frame::new(board(ranks)?, "", slides));
    let empty = vec![frame(&["x.."], vec![slide((1, 0), (2, 0), false)])?];
    assert_eq!(
        Animation::new(empty).err(),
        Some(DiagramError::Empty(BoardSquare::new(1, 0)))
    );
    let far = vec![frame(&["x.."], vec![slide((0, 0), (4, 0), true)])?];
    assert_eq!(
        Animation::new(far).err(),
        Some(DiagramError::TooFar(Point::new(4, 0)))
    );
    let off = vec![frame(&["x.."], vec![slide((0, 0), (-1, 0), false)])?];
    assert_eq!(
        Animation::new(off).err(),
        Some(DiagramError::TooFar(Point::new(-1, 0)))
    );
    let taken = vec![frame(&["xo."], vec![slide((0, 0), (1, 0), false)])?];
    assert_eq!(
        Animation::new(taken).err(),
        Some(DiagramError::Taken(BoardSquare::new(1, 0)))
    );
    let sizes = vec![frame(&["x.."], vec![])?, frame(&["x..."], vec![])?];
    assert_eq!(Animation::new(sizes).err(), Some(DiagramError::Sizes(2)));
    shapes(&animate("", &Animation::new(Vec::new())?, &Style::print()));
    Ok(())
}
