//! Texts that people give: whatever they are, the answer is a state, a move or a
//! fault with its place.

use proptest::prelude::*;
use tesuji::game::{Game, Moves, Next, NotationError, Ranked, Repetition};
use tesuji::games::ostle::{Ostle, SetupError, State};

fn published() -> Ostle {
    Ostle::published(Repetition::Exact)
}

/// The board of a state in digits, with hyphens between the ranks: 1 is the side to move.
fn digits_of(game: &Ostle, state: &State) -> String {
    let (width, height) = (game.grid.width, game.grid.height);
    let digit = |square: u8| match square {
        _ if state.own() >> square & 1 == 1 => '1',
        _ if state.opponent() >> square & 1 == 1 => '2',
        _ if square == state.hole() => '3',
        _ => '0',
    };
    let rank = |rank| (0..width).map(|file| digit(file * height + rank)).collect();
    (0..height)
        .rev()
        .map(rank)
        .collect::<Vec<String>>()
        .join("-")
}

/// Plays random moves from the initial state.
fn walk(game: &Ostle, choices: &[u16]) -> State {
    choices.iter().fold(game.initial(), |state, &choice| {
        let moves = game.moves(&state);
        match game.play(&state, moves[usize::from(choice) % moves.len()]) {
            Next::State(next) => next,
            Next::Over(_) => state,
        }
    })
}

#[test]
fn a_spec_says_whether_the_hole_moves() {
    for (spec, fixed, written) in [
        ("ostle", false, "ostle"),
        ("ostle:hole=mobile", false, "ostle"),
        ("ostle:hole=fixed", true, "ostle:hole=fixed"),
        (
            "ostle:hole=fixed,repetition=all-images",
            true,
            "ostle:repetition=all-images,hole=fixed",
        ),
    ] {
        let game = Ostle::from_settings(spec, None).unwrap();
        assert_eq!((game.has_fixed_hole(), &*game.spec()), (fixed, written));
    }
}

#[test]
fn another_reading_of_rule_8_changes_nothing_else() {
    for settings in [
        "4x4,pieces=3,losses=2",
        "4x4,pieces=3,losses=2,hole=fixed",
        "hole=fixed",
    ] {
        let game = Ostle::from_settings(&format!("ostle:{settings}"), None).unwrap();
        for reading in Repetition::ALL {
            let expected = Ostle::from_settings(&game.spec(), Some(reading)).unwrap();
            let found = game.with_repetition(reading).unwrap();
            assert_eq!(found.spec(), expected.spec());
            assert_eq!(found.has_fixed_hole(), game.has_fixed_hole());
            assert_eq!(found.layers(), expected.layers());
        }
    }
}

/// The place of a fault is in its text, and the report shows without fail.
fn inside(error: &NotationError, text: &str) {
    assert_eq!(error.input, text);
    assert!(error.at <= text.chars().count());
    assert!(!error.to_string().is_empty() && !error.message.is_empty());
}

fn any_text(game: &Ostle, text: &str) {
    if let Err(error) = game.parse_state(text) {
        inside(&error, text);
    }
    if let Err(error) = game.parse_move(text) {
        inside(&error, text);
    }
    for spec in [text.to_owned(), format!("ostle:{text}")] {
        if let Err(SetupError::Text(error)) = Ostle::from_settings(&spec, None) {
            inside(&error, &spec);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        any_text(&published(), &text);
    }

    #[test]
    fn texts_that_look_right_are_read_or_refused(
        text in "[bwo1-5/ -]{0,40}( [bw-])?( [a-f][0-6][UDLR])?|[0-3-]{20,32}( [0-3-]{0,30})?|([a-z=,x0-9+é]{0,12},?){0,4}",
    ) {
        any_text(&published(), &text);
    }

    /// One letter of a sound text is replaced, left out or put in twice.
    #[test]
    fn texts_with_one_slip_are_read_or_refused(
        choices in proptest::collection::vec(any::<u16>(), 0..60),
        at: prop::sample::Index,
        letter: char,
        kind in 0..3,
    ) {
        let game = published();
        let mut text: Vec<char> = game.format_state(&walk(&game, &choices)).chars().collect();
        let at = at.index(text.len());
        match kind {
            0 => text[at] = letter,
            1 => drop(text.remove(at)),
            _ => text.insert(at, text[at]),
        }
        any_text(&game, &text.into_iter().collect::<String>());
    }

    #[test]
    fn states_round_trip(choices in proptest::collection::vec(any::<u16>(), 0..80)) {
        for spec in [
            "ostle",
            "ostle:rows=4,columns=3,pieces=3,losses=2",
            "ostle:repetition=up-to-symmetry",
            "ostle:hole=fixed",
        ] {
            let game = Ostle::from_settings(spec, None).unwrap();
            let state = walk(&game, &choices);
            let text = game.format_state(&state);
            prop_assert_eq!(game.parse_state(&text), Ok(state));
            // Without its last field, a state is unrestricted.
            let (short, _) = text.rsplit_once(' ').unwrap();
            prop_assert_eq!(game.parse_state(short), Ok(state.unrestricted()));
            // In digits the side to move is Black.
            let digits = digits_of(&game, &state);
            let read = game.parse_state(&digits).unwrap();
            prop_assert_eq!((read.own(), read.opponent(), read.hole()), (state.own(), state.opponent(), state.hole()));
            prop_assert_eq!(game.parse_state(&digits.replace('-', "")), Ok(read));
            for mv in game.moves(&state) {
                prop_assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
                // The position before the last move says what is forbidden.
                if let Next::State(next) = game.play(&state, mv) {
                    let text = format!("{} {digits}", digits_of(&game, &next));
                    prop_assert_eq!(game.parse_state(&text).unwrap().forbidden, next.forbidden);
                }
            }
        }
    }
}

#[test]
fn the_initial_position_reads_in_every_form() {
    let game = published();
    for text in [
        "wwwww/5/2o2/5/bbbbb b -",
        "wwwww/5/2o2/5/bbbbb b",
        "  wwwww/5/11o11/5/bbbbb\tb  -\n",
        "22222-00000-00300-00000-11111",
        "2222200000003000000011111",
        "22222-00000-00300-00000-11111 -",
    ] {
        assert_eq!(game.parse_state(text), Ok(game.initial()), "{text}");
    }
    let restricted = game
        .parse_state("22222-00000-00300-00000-11111 c3U")
        .unwrap();
    let name = restricted.forbidden.map(|mv| game.format_move(mv));
    assert_eq!(name.as_deref(), Some("c3U"));
}

#[test]
fn faults_are_found_where_they_are() {
    let game = published();
    for (text, at) in [
        ("", 0),
        ("   ", 0),
        ("wwwww/5/2o2/5/bbbbb", 19),
        ("wwwww/5/2o2/5/bbbbb x", 20),
        ("wwwww/5/2o2/5/bbbbb b - -", 24),
        ("wwwww/5/2o2/5/bbbbb b a1L", 22),
        ("wwwww/5/2o2/5/bbbbb b b3U", 22),
        ("wwwww/5/2o2/5/bbbbb b f1U", 22),
        ("wwwww/5/2o2/5/bbbbb b a6U", 23),
        ("wwwww/5/2o2/5/bbbbb b a1X", 24),
        ("wwwww/5/2o2/5/bbbbb b a1UU", 25),
        ("wwww/5/2o2/5/bbbbb b", 4),
        ("wwwwww/5/2o2/5/bbbbb b", 5),
        ("wwwww/0/2o2/5/bbbbb b", 6),
        ("wwwww/5/2oo1/5/bbbbb b", 10),
        ("wwwww/5/2é2/5/bbbbb b", 9),
        ("wwwww/5/2o2/5/bbbbb/5 b", 19),
        ("wwwww/5/2o2/5 b", 13),
        ("wwwww/5/5/5/bbbbb b", 0),
        (" www2/5/2o2/5/bbbbb b", 1),
        ("22222-00000-00300-00000-1111", 28),
        ("22222-00000-00300-00000-111111", 29),
        ("22222-00000-00400-00000-11111", 14),
        ("22222-00000-00330-00000-11111", 15),
        ("22222-00000-00300-00000-11111 2222", 34),
        ("22222-00000-00300-00000-11111 a1U b1U", 34),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert_eq!(error.at, at, "{text}: {error}");
    }
    for (text, at) in [
        ("", 0),
        ("A1U", 0),
        ("a", 1),
        ("a0U", 1),
        ("a1", 2),
        ("a1u", 2),
        ("a1U ", 3),
    ] {
        assert_eq!(game.parse_move(text).unwrap_err().at, at, "{text}");
    }
    for (text, at) in [
        ("", 0),
        ("checkers", 0),
        ("ostler", 5),
        ("ostle:", 6),
        ("ostle:4x", 8),
        ("ostle:x4", 6),
        ("ostle:4x4,pieces=", 17),
        ("ostle:4x4,pieces=+3", 17),
        ("ostle:4x4,pieces=300", 17),
        ("ostle:4x4,pieces=3,pieces=3", 19),
        ("ostle:4x4,5x5", 10),
        ("ostle:é=1", 6),
        ("ostle:repetition=never", 17),
        ("ostle:hole=absent", 11),
        ("ostle:hole=fixed,hole=fixed", 17),
    ] {
        match Ostle::from_settings(text, None) {
            Err(SetupError::Text(error)) => assert_eq!(error.at, at, "{text}: {error}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}
