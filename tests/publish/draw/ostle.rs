//! Ostle positions as pictures.

use tesuji::draw::{Style, Tone, render};
use tesuji::game::{Drawable, Game, Playable, Repetition};
use tesuji::games::ostle::Ostle;

use super::{golden, lines, page_width, readable};

/// d3L pushes nothing and falls into the hole; e4U pushes e5 over the edge; the hole to c4
/// is forbidden.
const TEXT: &str = "ww2w/4b/2ob1/1bb2/w1w2 b c3U";

pub fn picture(moves: &[&str]) -> String {
    drawn(moves, &Style::print())
}

fn drawn(moves: &[&str], style: &Style) -> String {
    let game = Ostle::published(Repetition::Exact);
    let state = game.parse_state(TEXT).unwrap();
    assert_eq!(game.side_tone(&state), Tone::Dark);
    let diagram = moves.iter().fold(game.diagram(&state), |diagram, mv| {
        game.with_move(diagram, &state, game.parse_move(mv).unwrap())
    });
    render(&diagram, style)
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

#[test]
fn a_forbidden_move_is_named_beside_the_board() {
    let print = readable(Style::print());
    let beside = Style {
        forbidden_beside: true,
        ..print.clone()
    };
    let (on, off) = (drawn(&[], &print), drawn(&[], &beside));
    assert!(!lines(&on).contains(&"c3U".to_owned()));
    assert_eq!(lines(&off).iter().filter(|line| *line == "c3U").count(), 1);
    // The name needs more room than the disc; the arrow, with its dashes, is gone.
    assert!(page_width(&off) > page_width(&on));
    assert!(on.contains("stroke-dasharray") && !off.contains("stroke-dasharray"));
    let hidden = Style {
        forbidden: false,
        ..beside
    };
    assert!(!lines(&drawn(&[], &hidden)).contains(&"c3U".to_owned()));
}
