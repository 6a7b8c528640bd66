//! Ostle positions as pictures.

use tesuji::draw::{Style, Tone, render};
use tesuji::game::{Drawable, Game, Playable, Repetition};
use tesuji::games::ostle::Ostle;

use super::golden;

/// d3L pushes nothing and falls into the hole; e4U pushes e5 over the edge; the hole to c4
/// is forbidden.
const TEXT: &str = "ww2w/4b/2ob1/1bb2/w1w2 b c3U";

pub fn picture(moves: &[&str]) -> String {
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
    golden("ostle", &svg);
    for text in [
        "<title>Ostle position, Black to move</title>",
        "Black: b2, c2, d3, e4. White: a1, a5, b5, c1, e5. Hole: c3. Black to move. Forbidden: c3U.",
    ] {
        assert!(svg.contains(text), "{text}");
    }
    // Two moves are two arrows and two crosses, none of them in the bare picture.
    let paths = |svg: &str| svg.matches("<path").count();
    assert_eq!(paths(&svg), paths(&picture(&[])) + 4);
}
