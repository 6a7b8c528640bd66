//! The rules, one by one, on positions worked out by hand.

use std::ops::ControlFlow;

use tesuji::base::progress::NoProgress;
use tesuji::game::{Answer, Game, Hidden, Reply};
use tesuji::games::tsuitate::Tsuitate;
use tesuji::solve::belief::{Limits, Mode, solve};

/// What the umpire answers to a try: `foul`, `quiet`, `check` or `check` with a capture.
fn answer(spec: &str, position: &str, mv: &str) -> String {
    let game = Tsuitate::from_spec(spec).unwrap();
    let state = game.parse_state(position).unwrap();
    match game.answer(&state, game.parse_move(mv).unwrap()) {
        Answer::Foul => "foul".to_owned(),
        Answer::Quiet => "quiet".to_owned(),
        Answer::Stands(clue) => format!("check{}", game.format_announced(clue)),
    }
}

/// What is heard of the replies to a try, each once, in order; `escape` comes last.
fn heard(spec: &str, position: &str, mv: &str) -> Vec<String> {
    let game = Tsuitate::from_spec(spec).unwrap();
    let state = game.parse_state(position).unwrap();
    let mut all = Vec::new();
    game.replies(&state, game.parse_move(mv).unwrap(), |reply| {
        all.push(match reply {
            Reply::To(clue, _) => game.format_reply(clue),
            Reply::Escape => "escape".to_owned(),
        });
        ControlFlow::Continue(())
    });
    all.sort();
    all.dedup();
    all
}

#[test]
fn a_slide_past_a_hidden_piece_and_a_drop_on_one_are_fouls() {
    // The rook on 5i, a pawn of White's on 5e, the king on 5a.
    let position = "4k4/9/9/9/4p4/9/9/9/4R4 b G 1";
    assert_eq!(answer("tsuitate", position, "5i5c"), "foul");
    assert_eq!(answer("tsuitate", position, "5i5e"), "checkxP");
    assert_eq!(answer("tsuitate", position, "5i5f"), "quiet");
    assert_eq!(answer("tsuitate", position, "G*5e"), "foul");
    assert_eq!(answer("tsuitate", position, "G*5b"), "check");
    assert_eq!(answer("tsuitate", position, "G*5d"), "quiet");
    assert_eq!(answer("tsuitate", position, "G*5a"), "foul");
}

#[test]
fn a_pawn_drop_that_mates_is_a_foul() {
    // The king on 1a is shut in by its own pieces on 2a and 2b; 1b is guarded by gold 1c.
    let position = "7nk/7p1/8G/9/9/9/9/9/9 b P 1";
    assert_eq!(answer("tsuitate", position, "P*1b"), "foul");
    // Without the knight the king goes to 2a.
    let position = "8k/7p1/8G/9/9/9/9/9/9 b P 1";
    assert_eq!(answer("tsuitate", position, "P*1b"), "check");
}

#[test]
fn a_check_that_uncovers_counts() {
    // The silver leaves the line of the lance.
    let position = "4k4/9/9/9/4S4/9/9/9/4L4 b - 1";
    assert_eq!(answer("tsuitate", position, "5e4d"), "check");
    assert_eq!(answer("tsuitate", position, "5e5d"), "quiet");
}

#[test]
fn a_king_of_blacks_must_not_be_left_in_check() {
    // The gold on 5h is pinned by the rook on 5b.
    let position = "4k4/4r4/9/9/9/9/9/4G4/4K4 b L 1";
    assert_eq!(answer("tsuitate", position, "5h4h"), "foul");
    assert_eq!(answer("tsuitate", position, "5h5g"), "quiet");
    // In check, what does not help is a foul, and what blocks is not.
    let position = "4k4/4r4/9/9/9/9/9/9/4K4 b L 1";
    assert_eq!(answer("tsuitate", position, "L*4f"), "foul");
    assert_eq!(answer("tsuitate", position, "L*5f"), "quiet");
    // White's reply may check, here by a rook dropped on 1b; Black hears that.
    let position = "8k/4K4/9/9/9/9/9/9/9 b R 1";
    let all = heard("tsuitate", position, "R*1c");
    assert_eq!(all, ["-", "-/check"]);
}

#[test]
fn captures_of_promoted_pieces_are_announced_by_rule() {
    let position = "4k4/9/9/9/4+p4/9/9/9/4R4 b - 1";
    assert_eq!(answer("tsuitate", position, "5i5e"), "checkxP");
    assert_eq!(
        answer("tsuitate:captures=promoted", position, "5i5e"),
        "checkx+P"
    );
}

#[test]
fn a_reply_is_heard_by_the_square_where_a_piece_vanishes() {
    // The king takes the gold on 5b, or goes elsewhere.
    let position = "4k4/9/9/9/9/9/9/9/9 b G 1";
    assert_eq!(heard("tsuitate", position, "G*5b"), ["x5b"]);
    let position = "4k4/9/9/9/9/9/9/9/9 b S 1";
    assert_eq!(heard("tsuitate", position, "S*4b"), ["-", "x4b"]);
}

#[test]
fn entering_the_camp_of_blacks_is_an_escape_by_rule() {
    // The king on 5f, checked from above, may step to rank g.
    let position = "9/9/9/9/9/4k4/9/9/9 b R 1";
    assert_eq!(heard("tsuitate", position, "R*5a"), ["-"]);
    let all = heard("tsuitate:entry=escape", position, "R*5a");
    assert_eq!(all, ["-", "escape"]);
}

#[test]
fn futile_interpositions_are_left_out_by_rule() {
    // The rook on 1i checks; the king on 1a has its own pieces on 2a and 2b, and the gold
    // on 2c guards 1b and 1c. Drops on 1d to 1h are all taken by the rook with check,
    // those on 1b and 1c by it too, and behind the last of them is mate.
    let position = "7lk/7p1/7G1/9/9/9/9/9/9 b R 1";
    let plies = |spec: &str, most: u8| {
        let game = Tsuitate::from_spec(spec).unwrap();
        let state = game.parse_state(position).unwrap();
        let limits = Limits::new(most, 0);
        let found = solve(&game, &state, &limits, Mode::Reference, &NoProgress).unwrap();
        found.map(|solved| solved.plies())
    };
    let game = Tsuitate::default();
    let omitted = Tsuitate::from_spec("tsuitate:futile=omitted").unwrap();
    let state = game.parse_state(position).unwrap();
    let far = game.parse_move("R*1i").unwrap();
    assert!(!game.wins(&state, far));
    assert!(omitted.wins(&state, far));
    assert_eq!(omitted.count_replies(&state, far), 0);
    // The rook dropped next to the king mates in any case.
    assert_eq!(plies("tsuitate", 1), Some(1));
    assert_eq!(plies("tsuitate:futile=omitted", 1), Some(1));
}
