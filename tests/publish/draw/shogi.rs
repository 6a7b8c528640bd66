//! Boards of lines with stars, outlined symbols, names above and on the right, and
//! what is held beside the board, as shogi has them.

use resvg::usvg::roxmltree;
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};
use tesuji::draw::{
    BoardSquare, Diagram, DiagramError, Flank, Glyph, Mark, Orientation, PieceStand, Point,
    Rotation, Style, Tone, grid, raster, render, strip,
};
use tesuji::games::tsuitate::{HAND_KINDS, glyph, picture};

use super::{golden, lines, readable, shapes};

const KINDS: [(char, PieceKind); 8] = [
    ('K', PieceKind::King),
    ('R', PieceKind::Rook),
    ('B', PieceKind::Bishop),
    ('G', PieceKind::Gold),
    ('S', PieceKind::Silver),
    ('N', PieceKind::Knight),
    ('L', PieceKind::Lance),
    ('P', PieceKind::Pawn),
];

fn kind(letter: char) -> PieceKind {
    let letter = letter.to_ascii_uppercase();
    let found = KINDS.iter().find(|(known, _)| *known == letter);
    found.expect("the letter of a piece").1
}

/// A position of the tests, as SFEN without the side to move.
pub fn position(board: &str, hand: &str) -> PartialPosition {
    let mut position = PartialPosition::empty();
    let squares = (1..=9).flat_map(|rank| (1..=9).rev().map(move |file| (file, rank)));
    let mut squares = squares.filter_map(|(file, rank)| Square::new(file, rank));
    let mut promoted = false;
    for letter in board.chars() {
        match letter {
            '/' => {}
            '+' => promoted = true,
            '1'..='9' => drop(squares.nth(letter as usize - '1' as usize)),
            letter => {
                let plain = kind(letter);
                let better = plain.promote().filter(|_| promoted);
                let side = if letter.is_ascii_lowercase() {
                    Color::White
                } else {
                    Color::Black
                };
                let on = squares.next().expect("81 squares");
                position.piece_set(on, Some(Piece::new(better.unwrap_or(plain), side)));
                promoted = false;
            }
        }
    }
    assert_eq!(squares.next(), None, "81 squares");
    let mut count = 0;
    for letter in hand.chars() {
        if let Some(digit) = letter.to_digit(10) {
            count = 10 * count + digit;
            continue;
        }
        let hand = position.hand_of_a_player_mut(Color::Black);
        for _ in 0..count.max(1) {
            *hand = hand.added(kind(letter)).expect("no king in hand");
        }
        count = 0;
    }
    position
}

/// The diagram of a position with these of each of [`HAND_KINDS`] in White's hand.
fn with_hand(shown: &PartialPosition, counts: [u32; 7]) -> Diagram {
    let symbol = |kind| match glyph(Piece::new(kind, Color::Black)) {
        Glyph::Symbol(symbol) => symbol,
        other => panic!("{other:?} is no symbol"),
    };
    let held = HAND_KINDS.into_iter().zip(counts);
    let held = held.filter(|&(_, count)| count > 0);
    let diagram = picture(shown, true);
    let rest = diagram.stand_at(Flank::Left).expect("White's stand");
    let stand = PieceStand {
        caption: "in hand".to_owned(),
        held: held.map(|(kind, count)| (symbol(kind), count)).collect(),
        ..rest.clone()
    };
    diagram.stand(Flank::Left, stand)
}

pub const SAMPLE: &str = "8S/9/9/6RSk/8r/9/8P/6L2/9";

pub fn sample() -> Diagram {
    picture(&position(SAMPLE, ""), true).stipulation("Mate in 9, one foul allowed")
}

/// Every piece, on both sides, and full hands.
pub fn crowded() -> Diagram {
    let board = "lnsgkgsnl/1r5b1/ppppppppp/+p+l+n+s+b+r3/9/3+R+B+S+N+L+P/PPPPPPPPP/1B5R1/LNSGKGSNL";
    let shown = position(board, "RB4G4S4N4L18P");
    with_hand(&shown, [1, 0, 2, 1, 3, 2, 12])
        .number(7)
        .to_move(Tone::Dark)
        .home(Tone::Dark)
        .stipulation("No position of any game")
}

/// With arrows, a cross and squares to look at.
pub fn pointed() -> Result<Diagram, DiagramError> {
    sample()
        .mark(Mark::Highlight(BoardSquare::new(8, 4)))?
        .mark(Mark::Highlight(BoardSquare::new(5, 4)))?
        .mark(Mark::Arrow {
            from: BoardSquare::new(7, 5),
            to: Point::new(8, 4),
        })?
        .mark(Mark::Arrow {
            from: BoardSquare::new(6, 5),
            to: Point::new(6, 7),
        })?
        .mark(Mark::Removed(Point::new(8, 2)))
}

#[test]
fn golden_shogi() {
    golden("shogi", &render(&sample(), &readable(Style::print())));
}

#[test]
fn golden_hands() {
    let shown = position("7nl/5+Bgk1/6p1p/5+r3/9/9/9/9/9", "2GSP");
    let words = render(&picture(&shown, true), &readable(Style::screen()));
    assert!(words.contains("Black: +B4b; in hand 2 G, S, P. White: N2a, L1a, G3b, K2b, P3c, P1c, +R4d; in hand the rest."));
    let diagram = with_hand(&shown, [1, 1, 1, 3, 3, 3, 15]).desc(
        "Black: +B4b; in hand 2 G, S, P. White: N2a, L1a, G3b, K2b, P3c, P1c, +R4d; in hand R, B, G, 3 S, 3 N, 3 L, 15 P.",
    );
    golden("hands", &render(&diagram, &readable(Style::screen())));
}

/// What is drawn of these symbols: their names, and how each is placed.
fn placed(svg: &str, names: &[&str]) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let place = |node: roxmltree::Node| {
        let name = node.attribute("aria-label")?.to_owned();
        let transform = node.attribute("transform")?.to_owned();
        names.contains(&name.as_str()).then_some((name, transform))
    };
    document.descendants().filter_map(place).collect()
}

/// White's rook and Black's, and the king.
#[test]
fn pieces_face_the_other_side() {
    let svg = render(&sample(), &readable(Style::print()));
    let found = placed(&svg, &["飛", "玉", "香"]);
    let turned: Vec<_> = found
        .iter()
        .map(|(name, place)| (name.as_str(), place.contains("scale(-")))
        .collect();
    let expected = [("香", false), ("飛", false), ("飛", true), ("玉", true)];
    let mut sorted = turned.clone();
    sorted.sort_unstable();
    let mut wanted = expected.to_vec();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted);
    let names = lines(&svg);
    let first_file = names.iter().position(|name| name == "9");
    let last_file = names.iter().position(|name| name == "1");
    assert!(first_file < last_file, "files are numbered from the right");
    assert_eq!(svg.matches("<circle").count(), 4, "stars");
    assert!(svg.contains("Black: S1a, R3d, S2d, P1g, L3h; in hand nothing."));
    assert!(svg.contains("White: K1d, R1e; in hand the rest."));
}

#[test]
fn hands_are_counted() {
    let shown = position("9/9/9/9/4k4/9/9/9/9", "2GP");
    let svg = render(&picture(&shown, false), &readable(Style::print()));
    let said = lines(&svg);
    let stand: Vec<&str> = said.iter().map(String::as_str).collect();
    let from = stand.iter().position(|line| *line == "Black");
    assert_eq!(
        stand[from.expect("a stand")..],
        ["Black", "in hand", "金", "2", "歩"]
    );
    assert!(!stand.contains(&"White"));
}

/// A board turned by half shows its pieces and its stands from the other side.
#[test]
fn turning_by_half_changes_sides() -> Result<(), Box<dyn std::error::Error>> {
    let shown = position("9/9/9/9/4k4/9/9/9/8P", "");
    let below = Style {
        orientation: Orientation::MoverBelow,
        ..readable(Style::print())
    };
    let diagram = picture(&shown, true).home(Tone::Dark).to_move(Tone::Light);
    let straight = render(&diagram, &readable(Style::print()));
    let turned = render(&diagram, &below);
    let upside_down = |svg: &str, name| placed(svg, &[name])[0].1.contains("scale(-");
    assert!(upside_down(&straight, "玉") && !upside_down(&straight, "歩"));
    assert!(!upside_down(&turned, "玉") && upside_down(&turned, "歩"));
    let x = |svg: &str, name| {
        let (_, place) = &placed(svg, &[name])[0];
        let numbers = place.trim_start_matches("translate(");
        numbers
            .split(' ')
            .next()
            .and_then(|x| x.parse::<f64>().ok())
    };
    assert!(x(&straight, "Black") > x(&straight, "White"));
    assert!(x(&turned, "Black") < x(&turned, "White"));
    // A quarter lays the pieces on their sides, in whole units.
    let quarter = Style {
        rotate: Rotation::try_from(90_i64)?,
        ..readable(Style::print())
    };
    let sideways = render(&diagram, &quarter);
    assert!(!placed(&sideways, &["歩"])[0].1.contains("scale(-"));
    let path = |svg: &str| {
        let (_, rest) = svg.split_once("aria-label=\"歩\" d=\"")?;
        Some(rest.split('"').next()?.to_owned())
    };
    assert_ne!(path(&sideways), path(&straight));
    assert_eq!(path(&turned), path(&straight));
    Ok(())
}

/// In all styles nothing sticks out, and print needs no grey.
#[test]
fn any_style_shows_everything() -> Result<(), Box<dyn std::error::Error>> {
    for preset in Style::presets() {
        for quarters in 0..4_i64 {
            let style = Style {
                rotate: Rotation::try_from(90 * quarters)?,
                ..Style::preset(preset)?
            };
            let boards = [sample(), crowded()];
            let mut pictures = vec![
                render(&boards[0], &style),
                render(&boards[1], &style),
                strip("Shogi", &boards, 2, &style),
            ];
            pictures.extend(grid("Shogi", &boards, &style));
            for svg in pictures {
                let tree = shapes(&svg);
                let drawn = tree.root().abs_stroke_bounding_box();
                assert!(drawn.left() > -0.3 && drawn.top() > -0.3, "{drawn:?}");
                assert!(drawn.right() < tree.size().width() + 0.3, "{drawn:?}");
                assert!(drawn.bottom() < tree.size().height() + 0.3, "{drawn:?}");
                raster(&svg, 40)?;
            }
        }
    }
    let svg = render(&crowded(), &Style::print());
    let colours = svg.split('"').filter(|value| value.starts_with('#'));
    assert!(
        colours
            .into_iter()
            .all(|colour| ["#000", "#fff"].contains(&colour))
    );
    Ok(())
}
