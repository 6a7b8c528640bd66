//! Marks on and beside a board, and squares out of play.

use resvg::usvg::roxmltree::Document;
use tesuji::draw::{BoardSquare, Diagram, DiagramError, Glyph, Mark, Point, Style, Tone, render};

use crate::common::program::ok;

/// Where labels of this text stand, relative to the left upper corner of the board's frame.
fn place(svg: &str, label: &str) -> (f64, f64) {
    let document = Document::parse(svg).unwrap();
    let node = document
        .descendants()
        .find(|node| node.attribute("aria-label") == Some(label));
    let transform = node.unwrap().attribute("transform").unwrap();
    let inside = transform.strip_prefix("translate(").unwrap();
    let (x, y) = inside.split_once(')').unwrap().0.split_once(' ').unwrap();
    let (left, top) = corner(&document);
    (
        x.parse::<f64>().unwrap() - left,
        y.parse::<f64>().unwrap() - top,
    )
}

/// The corner of the frame: the heavy lines are drawn with square ends.
fn corner(document: &Document<'_>) -> (f64, f64) {
    let frame = document
        .descendants()
        .find(|node| node.attribute("stroke-linecap") == Some("square"));
    let path = frame.unwrap().attribute("d").unwrap();
    // M goes to a point, H and V across and down.
    let (mut left, mut top) = (f64::INFINITY, f64::INFINITY);
    let mut rest = path;
    while let Some(command) = rest.chars().next() {
        rest = &rest[1..];
        let end = rest.find(|letter: char| letter.is_ascii_alphabetic());
        let (numbers, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        let numbers: Vec<f64> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
        match (command, &numbers[..]) {
            ('M', [x, y]) => (left, top) = (left.min(*x), top.min(*y)),
            ('H', [x]) => left = left.min(*x),
            ('V', [y]) => top = top.min(*y),
            other => panic!("{other:?}"),
        }
    }
    (left, top)
}

/// Labels stay beside the board, whatever is marked beyond its edge.
#[test]
fn labels_keep_their_place_beside_marks() -> Result<(), DiagramError> {
    let from = BoardSquare::new(1, 0);
    let plain = Diagram::new(3, 3)?.place(from, Glyph::Piece(Tone::Dark))?;
    let below = plain
        .clone()
        .mark(Mark::Arrow {
            from,
            to: Point::new(1, -1),
        })?
        .mark(Mark::Removed(Point::new(1, -1)))?;
    let left = plain.clone().mark(Mark::Removed(Point::new(-1, 0)))?;
    let style = Style::print();
    let [plain, below, left] = [plain, below, left].map(|diagram| render(&diagram, &style));
    let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() < 0.02 && (a.1 - b.1).abs() < 0.02;
    for label in ["a", "b", "c", "1", "2", "3"] {
        assert!(near(place(&plain, label), place(&below, label)), "{label}");
        assert!(near(place(&plain, label), place(&left, label)), "{label}");
    }
    Ok(())
}

/// A forbidden move has a colour of its own, and a ring between two pieces side by side.
#[test]
fn a_forbidden_move_is_no_move() -> Result<(), DiagramError> {
    let (from, to) = (BoardSquare::new(0, 0), Point::new(1, 0));
    let pieces = Diagram::new(2, 1)?
        .place(from, Glyph::Piece(Tone::Dark))?
        .place(BoardSquare::new(1, 0), Glyph::Piece(Tone::Light))?;
    let arrow = pieces.clone().mark(Mark::Arrow { from, to })?;
    let banned = pieces.mark(Mark::Forbidden { from, to })?;
    for style in [Style::screen(), Style::dark()] {
        let mark = style.mark.to_string();
        assert!(render(&arrow, &style).contains(&mark));
        let svg = render(&banned, &style);
        assert!(!svg.contains(&mark) && svg.contains(&style.ban.to_string()));
    }
    let svg = render(&banned, &Style::print());
    let document = Document::parse(&svg).unwrap();
    let rings: Vec<f64> = document
        .descendants()
        .filter(|node| node.has_tag_name("circle") && node.attribute("fill") == Some("none"))
        .map(|ring| ring.attribute("cx").unwrap().parse().unwrap())
        .collect();
    let [ring] = rings[..] else {
        panic!("one ring, not {rings:?}");
    };
    // On the border between the two squares: one square from the left.
    let middle = ring - corner(&document).0;
    assert!(
        (middle - Style::print().cell_mm.get()).abs() < 0.02,
        "{middle}"
    );
    Ok(())
}

/// The fills of squares as wide as one, and whether there is hatching.
fn squares(svg: &str, style: &Style) -> (usize, usize) {
    let document = Document::parse(svg).unwrap();
    let side = style.cell_mm.get().to_string();
    let solid = document.descendants().filter(|node| {
        node.has_tag_name("rect")
            && node.attribute("width") == Some(&side)
            && node.attribute("height") == Some(&side)
    });
    let kings = document.descendants().filter(|node| {
        node.has_tag_name("path")
            && node.attribute("transform").is_some()
            && node.attribute("aria-label") == Some("king")
    });
    (solid.count(), kings.count())
}

/// Kings stand where they stand; what they attack is hatched, and no square is filled, in
/// any style.
#[test]
fn kings_stand_and_squares_out_of_play_are_hatched() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for name in ["print", "screen", "dark"] {
        let style = Style::preset(name).unwrap();
        let draw = |rest: &[&str]| {
            ok(
                &[&["draw", "kings:4x5", "--style", name][..], rest].concat(),
                here,
            )
        };
        let hatched = |svg: &str| svg.matches(&format!("stroke=\"{}\"", style.hatch)).count();
        let empty = draw(&["initial"]);
        assert_eq!(squares(&empty, &style), (0, 0));
        let placed = draw(&["...../..x../...../....."]);
        assert_eq!(squares(&placed, &style), (0, 1));
        assert!(hatched(&placed) >= hatched(&empty) + 8, "eight neighbours");
        assert!(
            placed.contains("King: c3. Free squares: a1, b1"),
            "{placed}"
        );
        // In a line, those of earlier moves too.
        let line = draw(&["initial", "--moves", "c3,a1"]);
        assert_eq!(squares(&line, &style).1, 1 + 2);
    }
}

/// On the board after the last move of a game all kings stand, and none of their squares is
/// hatched.
#[test]
fn all_kings_stand_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |more: &[&str]| {
        let moves = "c3,a1,e2,c1,b5,a3,e4";
        let draw = ["draw", "kings:5x5", "initial", "--moves", moves];
        ok(&[&draw[..], more].concat(), folder.path())
    };
    let line = draw(&[]);
    assert_eq!(squares(&line, &Style::print()).1, (0..=7).sum::<usize>());
    // Squares that are neither free nor taken after each move, counted by hand, and two black paths of
    // each board. Each bracket around the next square is black on white.
    let hatched: usize = [0, 8, 10, 13, 13, 16, 16, 18].iter().sum();
    let count = |colour: &str| line.matches(&format!("stroke=\"{colour}\"")).count();
    assert_eq!(count("#000") - count("#fff"), hatched + 8 * 2);
    // What was free before the last move is said once.
    assert_eq!(line.matches("Free squares: e4, d5, e5.").count(), 1);
    // In motion, the last one comes too.
    let film = draw(&["--animate"]);
    assert_eq!(squares(&film, &Style::print()).1, 7);
}
