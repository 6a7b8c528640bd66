//! Positions in the notations of other programs.

use proptest::prelude::*;
use tesuji::game::{Game, Moves, Next};
use tesuji::games::pieces::{Pieces, State};

use super::naive::Naive;
use super::{SPECS, game, naive};

/// SFEN, from the letters on the board.
fn sfen(at: &Naive) -> String {
    let lines = at.board.iter().map(|line| {
        let letters: String = line.iter().collect();
        let letters = letters.replace("---", "3").replace("--", "2");
        letters
            .replace('-', "1")
            .replace('R', "+C")
            .replace('r', "+c")
    });
    let board = lines.collect::<Vec<_>>().join("/");
    let mut hands = String::new();
    for (gote, hand) in at.hands.iter().enumerate() {
        for letter in ['G', 'E', 'C'] {
            let shown = if gote == 1 {
                letter.to_ascii_lowercase()
            } else {
                letter
            };
            match hand.iter().filter(|&&held| held == letter).count() {
                0 => {}
                1 => hands.push(shown),
                many => {
                    hands.push_str(&many.to_string());
                    hands.push(shown);
                }
            }
        }
    }
    let hands = if hands.is_empty() { "-" } else { &hands };
    format!("{board} {} {hands} 1", if at.gote { 'w' } else { 'b' })
}

fn agrees(spec: &str, game: &Pieces, state: &State) {
    let slow = naive(spec, &game.format_state(state));
    let expected = vec![("sfen", sfen(&slow))];
    assert_eq!(game.other_notations(state), expected);
    for (_, text) in expected {
        assert_eq!(game.parse_state(&text).as_ref(), Ok(state), "{text}");
    }
}

proptest! {
    #[test]
    fn positions_of_games_read_back_in_all_notations(spec in 0..SPECS.len(), choices in prop::collection::vec(0_usize..1000, 0..80)) {
        let spec = SPECS[spec];
        let game = game(spec);
        let mut state = game.initial();
        for choice in choices {
            agrees(spec, &game, &state);
            let moves = game.moves(&state);
            match game.play(&state, moves[choice % moves.len()]) {
                Next::State(next) => state = next,
                Next::Over(_) => break,
            }
        }
    }

    #[test]
    fn texts_like_other_notations_are_read_or_refused(text in "[-+.1-3lLgGcCeE/]{1,16}( [bw]( [-2GgCcEe]{0,4}( [0-9]{0,3})?)?)?|([-+](LI|KI|ZO|HI|NI)|[ .]){8,14}[0-2]{0,7}[-+]?") {
        let game = Pieces::shipped("dobutsu").unwrap();
        if let Ok(state) = game.parse_state(&text) {
            agrees("dobutsu", &game, &state);
        }
    }
}

#[test]
fn positions_of_other_programs_are_read() {
    let game = Pieces::shipped("dobutsu").unwrap();
    for (text, expected) in [
        ("gle/1c1/1C1/ELG b - 1", "S/gle/-c-/-C-/ELG/-"),
        ("gle/1c1/1C1/ELG b -", "S/gle/-c-/-C-/ELG/-"),
        ("gle/1c1/1C1/ELG w - 101\n", "G/gle/-c-/-C-/ELG/-"),
        ("gle/3/3/ELG b 2c 170", "S/gle/---/---/ELG/cc"),
        ("+Cle/3/3/EL+c b 2G 7", "S/Rle/---/---/ELr/GG"),
        ("gl1/1c1/1C1/1LG b Ee 1", "S/gl-/-c-/-C-/-LG/Ee"),
        ("l2/3/3/2L b ecGGEC", "S/l--/---/---/--L/CcGGEe"),
    ] {
        let state = game.parse_state(text);
        let state = state.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game.format_state(&state), expected, "{text}");
        agrees("dobutsu", &game, &state);
    }
}

#[test]
fn what_is_wrong_is_said_in_the_notation_that_was_written() {
    let whole = Pieces::shipped("dobutsu").unwrap();
    for (text, at, message) in [
        ("gle", 3, "S or G"),
        ("/gle/1c1/1C1/ELG b -", 0, "S or G"),
        ("gle/1c1/1C1", 11, "S or G"),
        ("gle/4/1C1/ELG b -", 4, "S or G"),
        ("gle/1c2/1C1/ELG b -", 6, "S or G"),
        ("gle/1c1x1C1/ELG b -", 7, "men are"),
        ("gle/1+g1/1C1/ELG b -", 5, "no giraffe is"),
        ("gle/1c1/1C1/ELG", 15, "as in SFEN"),
        ("gle/1c1/1C1/ELGb -", 15, "men are"),
        ("gle/1c1/1C1/ELG c -", 16, "as in SFEN"),
        ("gle/1c1/1C1/ELG b", 17, "in hand here"),
        ("gle/1c1/1C1/ELG b 1", 18, "men are"),
        ("gle/1c1/3/ELG b 0C", 17, "take some out"),
        ("gle/1c1/3/ELG b C-", 17, "men are"),
        ("gle/1c1/3/ELG b -C", 16, "men are"),
        ("gle/1c1/1C1/ELG b C", 0, "no game of dobutsu"),
        ("1le/1c1/1C1/EL1 b 9G", 0, "no game of dobutsu"),
        ("gle/1c1/1C1/E1G b L", 15, "one lion"),
        ("gle/1c1/1C1/ELG b - x", 20, "number of the move"),
        ("gle/1c1/1C1/EL1 b -", 0, "no game of dobutsu"),
        ("g1e/1c1/1C1/ELG b -", 15, "one lion"),
        ("3/3/L2/2l b 2G2E2C", 0, "has ended"),
        ("-KI-LI-ZO", 1, "men are"),
    ] {
        let error = whole.parse_state(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
    let small = game("dobutsu:pieces=lion+chick,drops=no");
    for (text, at, message) in [
        ("1l1/1c1/1G1/1L1 b -", 9, "men are"),
        ("1l1/1c1/3/1L1 b C", 16, "no man is ever in hand"),
    ] {
        let error = small.parse_state(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
}
