//! Ostle positions as pictures.

use std::path::Path;
use std::{env, fs};

use resvg::{tiny_skia, usvg};
use tesuji::draw::{Style, Tone, render};
use tesuji::game::{Drawable, Game, Repetition};
use tesuji::games::ostle::Ostle;

/// d3L pushes nothing and falls into the hole; e4U pushes e5 over the edge; the hole to c4
/// is forbidden.
const TEXT: &str = "ww2w/4b/2ob1/1bb2/w1w2 b c3U";

fn picture(moves: &[&str]) -> String {
    let game = Ostle::published(Repetition::Exact);
    let state = game.parse_state(TEXT).unwrap();
    assert_eq!(game.side_tone(&state), Tone::Dark);
    let diagram = moves.iter().fold(game.diagram(&state), |diagram, mv| {
        game.with_move(diagram, &state, game.parse_move(mv).unwrap())
    });
    render(&diagram, &Style::print())
}

#[test]
fn a_position_is_drawn_with_its_moves() {
    let svg = picture(&["d3L", "e4U"]);
    let path = Path::new("tests/golden/draw/ostle.svg");
    if env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        fs::write(path, &svg).unwrap();
    }
    assert_eq!(svg, fs::read_to_string(path).unwrap());
    for text in [
        "<title>Ostle position, Black to move</title>",
        "Black: b2, c2, d3, e4. White: a1, a5, b5, c1, e5. Hole: c3. Black to move. Forbidden: c3U.",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    // Two moves are two arrows and two crosses, none of them in the bare picture.
    assert!(picture(&[]).matches("<path").count() < svg.matches("<path").count());
    if let Some(directory) = env::var_os("DRAW_PNG") {
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
        let mut pixels = tiny_skia::Pixmap::new(600, 600).unwrap();
        resvg::render(
            &tree,
            tiny_skia::Transform::from_scale(3.0, 3.0),
            &mut pixels.as_mut(),
        );
        pixels
            .save_png(Path::new(&directory).join("ostle.png"))
            .unwrap();
    }
}
