//! Positions in the figures of the Ostle paper.
//!
//! The puzzle of Fig. 1B is proved by looking ahead: Black gives up a piece and wins in
//! seven plies by d2L, in nine by e2L, and not so fast by any other move. The seven
//! states of Fig. 5B and 5C are compared with those found in the whole solved game.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;

use tesuji::base::value::Outcome;
use tesuji::export::read_csv;
use tesuji::game::{Game, Moves, Next, Symmetric};
use tesuji::games::ostle::{Ostle, State};

use crate::common;

/// The position: hole on c5, five pieces each.
const FIGURE: &str = "2o2/1b3/w1w2/bwbbb/ww3 b -";

/// States looked at, with the number of plies within which they are won, if they are.
type Known = HashMap<(State, u16), bool>;

/// Whether the side to move can win within so many plies, whatever the other does.
fn wins(game: &Ostle, state: &State, plies: u16, known: &mut Known) -> bool {
    if plies == 0 {
        return false;
    }
    if let Some(&found) = known.get(&(*state, plies)) {
        return found;
    }
    let moves = game.moves(state);
    let found = moves.iter().any(|&mv| match game.play(state, mv) {
        Next::Over(outcome) => outcome == Outcome::Win,
        Next::State(next) => loses(game, &next, plies - 1, known),
    });
    known.insert((*state, plies), found);
    found
}

/// Whether the side to move loses within so many plies, whatever it does.
fn loses(game: &Ostle, state: &State, plies: u16, known: &mut Known) -> bool {
    if plies < 2 {
        return false;
    }
    game.moves(state)
        .into_iter()
        .all(|mv| match game.play(state, mv) {
            Next::Over(outcome) => outcome == Outcome::Loss,
            Next::State(next) => wins(game, &next, plies - 1, known),
        })
}

#[test]
fn the_puzzle_of_the_paper_has_one_key() {
    for spec in ["ostle", "ostle:repetition=up-to-symmetry"] {
        let game = common::game(spec);
        let state = game.parse_state(FIGURE).unwrap();
        let mut known = Known::new();
        let mut within = |mv: &str, plies: u16| {
            let mv = game.parse_move(mv).unwrap();
            match game.play(&state, mv) {
                Next::Over(_) => false,
                Next::State(next) => loses(&game, &next, plies - 1, &mut known),
            }
        };
        for mv in game.moves(&state) {
            let name = game.format_move(mv);
            assert_eq!(within(&name, 7), name == "d2L", "{spec}: {name}");
        }
        assert!(!within("d2L", 5));
        assert!(within("e2L", 9));
        println!("{} states looked at", known.len());
    }
}

#[test]
fn the_line_of_the_paper_ends_with_the_second_piece() {
    let game = common::game("ostle");
    let mut state = game.parse_state(FIGURE).unwrap();
    let line = ["d2L", "a1R", "c2L", "b1R", "b2R", "c1U", "c3U"];
    for (number, text) in line.into_iter().enumerate() {
        let mv = game.parse_move(text).unwrap();
        assert!(game.moves(&state).contains(&mv), "{text}");
        let last = number + 1 == line.len();
        match game.play(&state, mv) {
            Next::Over(outcome) => assert!(last && outcome == Outcome::Win),
            Next::State(next) => {
                assert!(!last);
                state = next;
            }
        }
        if number == 0 {
            // The key gives up a piece: Black, now the other side, has four left.
            assert_eq!(
                (state.opponent().count_ones(), state.own().count_ones()),
                (4, 5)
            );
        }
    }
}

/// In Fig. 6 both sides are said to choose the best moves. The fifth ply is not: another one
/// wins in three plies, this one in seven.
#[test]
fn the_fifth_ply_of_the_paper_is_not_shortest() {
    let game = common::game("ostle:repetition=up-to-symmetry");
    let mut state = game.parse_state(FIGURE).unwrap();
    for text in ["d2L", "a1R", "c2L", "b1R"] {
        match game.play(&state, game.parse_move(text).unwrap()) {
            Next::State(next) => state = next,
            Next::Over(_) => panic!("the game goes on"),
        }
    }
    let mut known = Known::new();
    let mut shortest = |text: &str| {
        let Next::State(next) = game.play(&state, game.parse_move(text).unwrap()) else {
            return Some(1);
        };
        (3..=7)
            .step_by(2)
            .find(|plies| loses(&game, &next, plies - 1, &mut known))
    };
    assert_eq!(shortest("a2R"), Some(3));
    assert_eq!(shortest("b2R"), Some(7));
}

/// The position of Fig. 5B, as the paper prints it. With any of these moves forbidden
/// it takes 147 plies too. The paper has c3U for c1U, but c3 is empty.
const LONGEST_B: (&str, [&str; 4]) = ("w2w1/ob1ww/4b/bbw2/2b2 b", ["c1U", "b2R", "e3U", "a4D"]);

/// That of Fig. 5C.
const LONGEST_C: (&str, [&str; 1]) = ("3ow/1b1b1/b2b1/2www/3bw b", ["d5L"]);

#[test]
fn the_longest_wins_are_the_seven_states_of_the_paper() {
    let game = common::game("ostle:repetition=up-to-symmetry");
    let state = |position: &str, forbidden: &str| {
        let text = format!("{position} {forbidden}");
        game.canonical(&game.parse_state(&text).unwrap())
    };
    let mut expected = HashSet::new();
    for (position, bans) in [
        (LONGEST_B.0, &LONGEST_B.1[..]),
        (LONGEST_C.0, &LONGEST_C.1[..]),
    ] {
        expected.insert(state(position, "-"));
        expected.extend(bans.iter().map(|ban| state(position, ban)));
    }
    assert_eq!(expected.len(), 7);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("output/ostle/longest-states.csv");
    let rows = read_csv(File::open(path).unwrap()).unwrap();
    let found: HashSet<State> = rows
        .iter()
        .map(|row| game.canonical(&game.parse_state(&row.position).unwrap()))
        .collect();
    assert_eq!((rows.len(), found), (7, expected));
    for row in &rows {
        assert_eq!((row.plies, row.n_winning), (Some(147), 1));
        let mut at = Some(game.parse_state(&row.position).unwrap());
        let moves: Vec<_> = row.solution.split(' ').collect();
        assert_eq!(moves.len(), 147);
        for text in moves {
            let state = at.expect("the line ends with the game");
            let mv = game.parse_move(text).unwrap();
            assert!(game.moves(&state).contains(&mv), "{text}");
            at = match game.play(&state, mv) {
                Next::State(next) => Some(next),
                Next::Over(outcome) => {
                    assert_eq!(outcome, Outcome::Win);
                    None
                }
            };
        }
        assert!(at.is_none());
    }
}
