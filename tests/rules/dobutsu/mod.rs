//! Dobutsu shogi against a second writing of its rules, and the laws of every game.

mod mates;
mod naive;
mod written;

use proptest::prelude::*;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::Outcome;
use tesuji::game::laws;
use tesuji::game::{Game, Moves, Next, Playable, Ranked, Symmetric};
use tesuji::games::pieces::{Pieces, State};
use tesuji::solve::perft::perft;

use naive::{Naive, Then};

const SPECS: [&str; 6] = [
    "dobutsu",
    "dobutsu:try=held",
    "dobutsu:drops=no",
    "dobutsu:drops=no,try=held",
    "dobutsu:pieces=lion+chick",
    "dobutsu:pieces=lion+giraffe+elephant,try=held",
];

fn game(spec: &str) -> Pieces {
    Pieces::shipped(spec).unwrap()
}

fn naive(spec: &str, text: &str) -> Naive {
    Naive::read(text, !spec.contains("drops=no"), spec.contains("try=held"))
}

/// Compares the moves of a state and where they lead.
fn compare(spec: &str, game: &Pieces, state: &State) {
    let text = game.format_state(state);
    let slow = naive(spec, &text);
    assert_eq!(slow.write(), text);
    let mut fast: Vec<(String, Then)> = game
        .moves(state)
        .into_iter()
        .map(|mv| {
            let then = match game.play(state, mv) {
                Next::Over(Outcome::Win) => Then::Wins,
                Next::Over(_) => Then::Loses,
                Next::State(next) => Then::Goes(naive(spec, &game.format_state(&next))),
            };
            (game.format_move(mv), then)
        })
        .collect();
    fast.sort();
    assert_eq!(fast, slow.moves(), "{spec} {text}");
}

#[test]
fn move_sequences_are_as_many_as_by_the_second_rules() {
    for spec in SPECS {
        let game = game(spec);
        let initial = game.initial();
        let slow = naive(spec, &game.format_state(&initial));
        for depth in 1..=5 {
            assert_eq!(
                perft(&game, &initial, depth, &NoProgress),
                slow.perft(depth),
                "{spec} {depth}"
            );
        }
    }
}

#[test]
fn every_position_of_small_relatives_has_the_moves_of_the_second_rules() {
    for spec in [
        "dobutsu:pieces=lion",
        "dobutsu:pieces=lion,try=held",
        "dobutsu:pieces=lion+chick",
        "dobutsu:pieces=lion+elephant,try=held",
        "dobutsu:pieces=lion+chick,drops=no,try=held",
    ] {
        let game = game(spec);
        let positions = (0..game.slots()).filter_map(|slot| game.unrank(slot));
        positions.for_each(|state| compare(spec, &game, &state));
    }
}

#[test]
fn the_laws_hold_in_every_slot_of_small_relatives() {
    for spec in [
        "dobutsu:pieces=lion",
        "dobutsu:pieces=lion+chick",
        "dobutsu:pieces=lion+giraffe,try=held",
        "dobutsu:pieces=lion+chick,drops=no",
    ] {
        let game = game(spec);
        for slot in 0..game.slots() {
            laws::ranking(&game, slot).unwrap();
            laws::quick_moves(&game, slot).unwrap();
            if let Some(state) = game.unrank(slot) {
                laws::notation(&game, &state).unwrap();
            }
        }
        laws::arrows(&game).unwrap();
    }
}

#[test]
fn the_laws_hold_in_slots_of_the_whole_game() {
    for spec in SPECS {
        let game = game(spec);
        let slots = game.slots();
        let mut met = 0;
        for slot in (0..slots).step_by(usize::try_from(slots / 20_011 + 1).unwrap()) {
            laws::ranking(&game, slot).unwrap();
            laws::quick_moves(&game, slot).unwrap();
            if let Some(state) = game.unrank(slot) {
                laws::notation(&game, &state).unwrap();
                compare(spec, &game, &state);
                met += 1;
            }
        }
        assert!(met > 5_000, "{spec}: {met}");
    }
}

/// The published upper bounds on the numbers of positions by animals in hand (T. Tanaka,
/// 2009, table 1) count 132 pairs of lions; 54 of them are numbered here: the lion of the side
/// to move is not on the far rank, and mirror images are one.
#[test]
fn slots_are_the_published_bounds_by_animals_in_hand() {
    let published: [u64; 7] = [
        638_668_800,
        638_668_800,
        242_161_920,
        44_098_560,
        4_134_240,
        190_080,
        3_564,
    ];
    let mut found = [0; 7];
    for layer in game("dobutsu").layers() {
        let hands = layer.name.split_once('[').map_or("-]", |(_, hands)| hands);
        found[hands.len() - 2] += layer.slots.end - layer.slots.start;
    }
    assert_eq!(found, published.map(|bound| bound / 132 * 54));
}

/// The game that R. Clausecker's tables give for both sides, as B. Liou published it
/// (<https://github.com/brianhliou/dobutsu-shogi>, data/perfect-game.txt).
const PERFECT: &str = "Lb4-a3 Ga1-a2 La3-b4 Cb2xb3 Ea4xb3 Ec1-b2 Eb3xa2 Lb1xa2 G*b3 E*c2 \
    Gb3xb2 La2xb2 E*a3 Lb2-a2 Gc4-c3 C*b2 Ea3xb2 La2xb2 C*b3 Lb2-b1 Lb4-a3 G*a2 La3-b4 E*a3 \
    Lb4-a4 Lb1-c1 Gc3-c4 Ea3-b2 Cb3xb2 Lc1xb2 E*c3 Lb2-a1 Ec3-b4 C*b3 Eb4-c3 La1-b1 C*a3 \
    Ga2-a1 Ec3-b4 Cb3xb4+ La4xb4 Lb1-b2 Gc4-c3 E*b3 Gc3xc2 Lb2xc2 C*c3 Lc2-b2 E*c1 Lb2xc1 \
    Lb4xb3 Lc1-b1 E*c2 Lb1-c1 Ca3-a2 G*b2 Lb3-b4 Ga1xa2 Ec2-b3 Lc1-b1 Eb3-c2 Gb2xc2 Cc3xc2 \
    Lb1xc2 G*c3 Lc2-b1 Lb4-b3 E*a3 Lb3-a4 E*b2 La4-b3 Eb2xc3 Lb3xc3 C*c2 Lc3-b3 G*b4 Lb3xa2 \
    Lb1xa2";

#[test]
fn a_published_game_is_read_and_ends_as_it_did() {
    let game = Pieces::shipped("dobutsu").unwrap();
    let mut state = game.initial();
    let moves: Vec<&str> = PERFECT.split_whitespace().collect();
    assert_eq!(moves.len(), 78);
    for (ply, text) in moves.iter().enumerate() {
        let mv = game.parse_move(text).unwrap();
        assert!(game.moves(&state).contains(&mv), "{ply}: {text}");
        match game.play(&state, mv) {
            Next::State(next) => state = next,
            Next::Over(outcome) => assert_eq!((ply, outcome), (77, Outcome::Win)),
        }
    }
}

#[test]
fn the_published_first_moves_are_the_only_ones() {
    let game = Pieces::shipped("dobutsu").unwrap();
    let moves = game.moves(&game.initial());
    let mut names: Vec<String> = moves.into_iter().map(|mv| game.format_move(mv)).collect();
    names.sort();
    assert_eq!(names, ["Cb3xb2", "Gc4-c3", "Lb4-a3", "Lb4-c3"]);
}

#[test]
fn a_lion_that_arrives_safely_wins_at_once_or_a_ply_later() {
    let text = "S/--l/L--/---/---/CCGGEE";
    for (spec, outcome) in [("dobutsu", Some(Outcome::Win)), ("dobutsu:try=held", None)] {
        let game = game(spec);
        let state = game.parse_state(text).unwrap();
        let mv = game.parse_move("La2-a1").unwrap();
        let Next::State(next) = game.play(&state, mv) else {
            assert_eq!(outcome, Some(Outcome::Win));
            continue;
        };
        assert_eq!(outcome, None);
        for reply in game.moves(&next) {
            assert_eq!(game.play(&next, reply), Next::Over(Outcome::Loss));
        }
    }
    // Beside the other lion it is taken.
    let game = Pieces::shipped("dobutsu").unwrap();
    let state = game.parse_state(text).unwrap();
    let mv = game.parse_move("La2-b1").unwrap();
    let Next::State(next) = game.play(&state, mv) else {
        panic!("the lion can be taken")
    };
    let moves: Vec<String> = game
        .moves(&next)
        .into_iter()
        .map(|mv| game.format_move(mv))
        .collect();
    assert_eq!(moves, ["Lc1xb1"]);
}

#[test]
fn specs_are_read_and_written() {
    for spec in SPECS {
        assert_eq!(game(spec).spec(), spec);
        assert_eq!(game(spec).family(), "dobutsu");
    }
    assert_eq!(
        game("dobutsu:try=held,pieces=chick+lion").spec(),
        "dobutsu:pieces=lion+chick,try=held"
    );
    assert_eq!(
        game("dobutsu:pieces=lion+elephant+chick+giraffe").spec(),
        "dobutsu"
    );
    for (spec, at, message) in [
        ("dobutsu-2", 0, "ships"),
        ("dobutsu:", 8, "unknown setting"),
        ("dobutsu:4x4", 8, "unknown setting"),
        ("dobutsu:drops=yes", 14, "expected 'no'"),
        ("dobutsu:try=late", 12, "expected 'held'"),
        ("dobutsu:drops=no,drops=no", 17, "given twice"),
        ("dobutsu:pieces=chick", 15, "has a lion"),
        (
            "dobutsu:pieces=lion+cow",
            20,
            "men are lion, chick, giraffe, elephant",
        ),
        ("dobutsu:pieces=lion+lion", 20, "given twice"),
    ] {
        let error = Pieces::shipped(spec).unwrap_err().to_string();
        assert!(error.contains(message), "{spec}: {error}");
        assert!(
            error.contains(&format!("character {}", at + 1)),
            "{spec}: {error}"
        );
    }
}

#[test]
fn wrong_positions_say_what_is_wrong() {
    let whole = Pieces::shipped("dobutsu").unwrap();
    for (text, at, message) in [
        ("", 0, "S or G"),
        ("X/gle/-c-/-C-/ELG/-", 0, "s or g"),
        ("S/gle/-c-/-C-/ELG", 17, "the men in hand here"),
        ("S/gle/-c-/-C-/ELG/", 18, "the men in hand here"),
        ("S/gle/-c/-C-/ELG/-", 8, "S or G"),
        ("S/gxe/-c-/-C-/ELG/-", 3, "men are"),
        ("S/gle/-c-/-C-/EL-/-", 0, "no game of dobutsu"),
        ("S/gle/-c-/-C-/ELG/C", 0, "no game of dobutsu"),
        ("S/gle/-c-/---/ELG/R", 18, "hen is never in hand"),
        ("S/gle/-c-/-C-/E-G/L", 17, "one lion"),
        ("S/gle/-c-/-C-/ELL/G", 16, "one lion"),
        ("S/gLe/-c-/-C-/ElG/-", 0, "has ended"),
        ("S/--L/---/l--/---/CCGGEE", 0, "has ended"),
        ("S/--L/---/--l/---/CCGGEE", 0, "has ended"),
        ("S/---/---/L--/--l/CCGGEE", 0, "has ended"),
    ] {
        let error = whole.parse_state(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
    let small = game("dobutsu:pieces=lion+chick,drops=no");
    assert!(small.parse_state("S/-l-/-c-/-G-/-L-/-").is_err());
    assert!(small.parse_state("S/-l-/-c-/---/-L-/C").is_err());
    for text in [
        "", "L", "Lb4", "Lb4a3", "Lb4-d3", "Lb4-a5", "L*b2", "C*b2+", "Gb3-b2+", "Qb3-b2",
    ] {
        assert!(whole.parse_move(text).is_err(), "{text}");
    }
    let hen = whole.parse_move("Rb2-b1").unwrap();
    assert_eq!(whole.format_move(hen), "Cb2-b1");
}

#[test]
fn patterns_fit_up_to_symmetry() {
    let game = Pieces::shipped("dobutsu").unwrap();
    let state = game.parse_state("G/gle/-c-/-C-/ELG/-").unwrap();
    let fit = |pattern: &str| {
        let pattern = game.parse_pattern(pattern).unwrap();
        let found = game.fit(&pattern, &state)?;
        assert_eq!(game.rank(&found), game.rank(&state));
        Some(game.format_state(&found))
    };
    assert_eq!(
        fit("gl?/???/-C-/?XG").as_deref(),
        Some("S/gle/-c-/-C-/ELG/-")
    );
    assert_eq!(
        fit("el?/???/???/???/-").as_deref(),
        Some("S/elg/-c-/-C-/GLE/-")
    );
    assert_eq!(fit("???/???/???/???/C"), None);
    assert_eq!(fit("xxx/x??/???/???"), None);
    for (pattern, at) in [
        ("gl?/???", 7),
        ("gl?/??q/???/???", 6),
        ("???/???/???/???/X", 16),
        ("???/???/???/???-", 15),
        ("???/???/???/???/", 16),
    ] {
        assert_eq!(game.parse_pattern(pattern).unwrap_err().at, at, "{pattern}");
    }
}

proptest! {
    #[test]
    fn walks_through_the_game_follow_the_second_rules(spec in 0..SPECS.len(), choices in prop::collection::vec(0_usize..1000, 0..60)) {
        let spec = SPECS[spec];
        let game = game(spec);
        let mut state = game.initial();
        for choice in choices {
            compare(spec, &game, &state);
            let canonical = game.canonical(&state);
            prop_assert_eq!(game.rank(&canonical), game.rank(&state));
            let moves = game.moves(&state);
            match game.play(&state, moves[choice % moves.len()]) {
                Next::State(next) => state = next,
                Next::Over(_) => break,
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[SG]/[-lLgGcCrReE/]{10,24}|\\PC{0,12}") {
        let game = Pieces::shipped("dobutsu").unwrap();
        if let Ok(state) = game.parse_state(&text) {
            prop_assert_eq!(game.parse_state(&game.format_state(&state)), Ok(state));
        }
        let _ = game.parse_move(&text);
        let _ = game.parse_pattern(&text);
    }
}
