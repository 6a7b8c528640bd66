//! Sliding puzzles against plain arrays.

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use proptest::prelude::*;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Record, Value};
use tesuji::game::laws;
use tesuji::game::{Encoded, Game, Moves, Next, Ranked, Solitaire};
use tesuji::games::sliding::Sliding;
use tesuji::solve::Distances;
use tesuji::table::{Encoding, Table, ValueWidth, verify_solitaire};

/// Every arrangement that sliding comes to from the solved one, with its distance, by
/// moving tiles about in arrays.
fn reached(rows: usize, columns: usize) -> HashMap<Vec<usize>, u16> {
    let squares = rows * columns;
    let solved: Vec<usize> = (1..squares).chain([0]).collect();
    let mut distances = HashMap::from([(solved.clone(), 0)]);
    let mut open = VecDeque::from([solved]);
    while let Some(tiles) = open.pop_front() {
        let distance = distances[&tiles];
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap();
        for square in 0..squares {
            let apart = |a: usize, b: usize| a.abs_diff(b);
            let steps =
                apart(blank / columns, square / columns) + apart(blank % columns, square % columns);
            if steps == 1 {
                let mut next = tiles.clone();
                next.swap(blank, square);
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance + 1);
                    open.push_back(next);
                }
            }
        }
    }
    distances
}

fn text(tiles: &[usize], columns: usize) -> String {
    let letter = |tile: &usize| {
        if *tile == 0 {
            ".".to_owned()
        } else {
            tile.to_string()
        }
    };
    let rows = tiles
        .chunks(columns)
        .map(|row| row.iter().map(letter).collect::<String>());
    rows.collect::<Vec<_>>().join("/")
}

fn game(rows: usize, columns: usize) -> Sliding {
    Sliding::from_spec(&format!("sliding:{rows}x{columns}")).unwrap()
}

#[test]
fn every_arrangement_has_its_distance() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)] {
        let game = game(rows, columns);
        let expected = reached(rows, columns);
        let distances = Distances::of(&game, &NoProgress).unwrap();
        assert_eq!(game.states(), expected.len() as u64);
        for (tiles, &distance) in &expected {
            let read = game.parse_state(&text(tiles, columns));
            if distance == 0 {
                assert!(read.unwrap_err().message.contains("solved"));
                continue;
            }
            let state = read.unwrap();
            assert_eq!(
                distances.plies(game.rank(&state)),
                Some(distance),
                "{tiles:?}"
            );
        }
    }
}

#[test]
fn the_known_figures() {
    let puzzle = game(3, 3);
    assert_eq!(puzzle.states(), 181_440);
    let distances = Distances::of(&puzzle, &NoProgress).unwrap();
    let hardest: Vec<u64> = (0..puzzle.slots())
        .filter(|&slot| distances.plies(slot) == Some(31))
        .collect();
    let hardest: Vec<String> = hardest
        .into_iter()
        .map(|slot| puzzle.format_state(&puzzle.unrank(slot).unwrap()))
        .collect();
    assert_eq!(hardest, ["647/85./321", "867/254/3.1"]);
    assert!((0..puzzle.slots()).all(|slot| distances.plies(slot).is_none_or(|plies| plies <= 31)));
}

/// The article's numbers of the twelve states, with its table of moves.
const ARTICLE: [(u64, Option<u8>); 12] = [
    (30, Some(3)),
    (39, Some(0)),
    (57, Some(0)),
    (78, Some(0)),
    (99, Some(3)),
    (108, None),
    (135, Some(1)),
    (177, Some(3)),
    (180, Some(2)),
    (201, Some(0)),
    (210, Some(2)),
    (216, Some(1)),
];

#[test]
fn the_3_puzzle_has_the_states_and_moves_of_the_article() {
    let puzzle = game(2, 2);
    let distances = Distances::of(&puzzle, &NoProgress).unwrap();
    let states = puzzle.questions();
    let mut codes: Vec<u64> = states.iter().map(|state| puzzle.code(state)).collect();
    codes.extend(puzzle.finished());
    codes.sort_unstable();
    assert_eq!(codes, ARTICLE.map(|(code, _)| code));
    for state in states {
        let code = puzzle.code(&state);
        assert_eq!(puzzle.parse_state(&format!("#{code}")).as_ref(), Ok(&state));
        let here = distances.plies(puzzle.rank(&state)).unwrap();
        let good: Vec<u8> = puzzle
            .moves(&state)
            .into_iter()
            .filter(|&mv| match puzzle.play(&state, mv) {
                Next::Over(_) => true,
                Next::State(next) => distances.plies(puzzle.rank(&next)) == Some(here - 1),
            })
            .map(|mv| puzzle.answer(mv))
            .collect();
        let (_, article) = ARTICLE.iter().find(|(known, _)| *known == code).unwrap();
        assert!(good.contains(&article.unwrap()), "{code}: {good:?}");
        // Opposite the solved state both ways are as long.
        assert_eq!(good.len(), if code == 57 { 2 } else { 1 });
    }
}

#[test]
fn the_laws_hold_in_every_slot() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 2), (2, 4)] {
        let game = game(rows, columns);
        let mut vacant = 0;
        for slot in 0..game.slots() {
            let Some(state) = game.unrank(slot) else {
                vacant += 1;
                continue;
            };
            assert_eq!(game.rank(&state), slot);
            laws::notation(&game, &state).unwrap();
            for mv in game.moves(&state) {
                if let Next::State(next) = game.play(&state, mv) {
                    assert!(game.predecessors(&next).contains(&state));
                }
            }
            for before in game.predecessors(&state) {
                let leads = |mv| game.play(&before, mv) == Next::State(state);
                assert!(game.moves(&before).into_iter().any(leads));
            }
        }
        assert_eq!(vacant, 1, "the solved state");
        assert!(game.unrank(game.slots()).is_none());
    }
}

#[test]
fn states_of_odd_distance_have_places_that_only_reflections_share() {
    for (rows, columns) in [(2, 2), (2, 3), (3, 3)] {
        let game = game(rows, columns);
        let distances = Distances::of(&game, &NoProgress).unwrap();
        let mut places: HashMap<u64, Vec<u16>> = HashMap::new();
        for state in game.questions() {
            let distance = distances.plies(game.rank(&state)).unwrap();
            let place = game.place_kept(&state);
            assert_eq!(place.is_some(), distance % 2 == 1);
            places
                .entry(place.unwrap_or(u64::MAX))
                .or_default()
                .push(distance);
        }
        places.remove(&u64::MAX);
        assert_eq!(places.len() as u64, game.kept().unwrap());
        let shared = if rows == columns { 2 } else { 1 };
        let alike = |states: &Vec<u16>| {
            states.len() == shared && states.iter().all(|distance| *distance == states[0])
        };
        assert!(places.values().all(alike));
    }
}

#[test]
fn a_wrong_record_of_a_puzzle_is_found() {
    let game = game(2, 3);
    let distances = Distances::of(&game, &NoProgress).unwrap();
    let mut records = distances.records(&game, 0..game.slots());
    let flaws = |records: &[Record]| {
        let (bytes, _) = crate::common::write(&game, records, ValueWidth::WIDE, Encoding::Packed);
        let table = Table::from_bytes(bytes, Path::new("memory.tsj")).unwrap();
        let found = verify_solitaire(&table, &game, &NoProgress).unwrap();
        assert!(found.fingerprint_holds);
        found.flaws.iter().map(|flaw| flaw.slot).collect::<Vec<_>>()
    };
    assert!(flaws(&records).is_empty());
    let right = records[100];
    let longer = Value::decided(Outcome::Win, right.best().plies().unwrap() + 2).unwrap();
    records[100] = Record::new(longer, longer, Record::NO_MOVE);
    assert!(flaws(&records).contains(&100));
    records[100] = Record::VACANT;
    assert!(flaws(&records).contains(&100));
}

#[test]
fn wrong_specs_and_arrangements_say_what_is_wrong() {
    for (spec, message) in [
        ("sliding:", "rows x columns"),
        ("sliding:1x5", "at least 2"),
        ("sliding:5x5", "at most 16"),
        ("sliding:99999999999x99999999999", "at most 16"),
        ("sliding:3", "rows x columns"),
    ] {
        let error = Sliding::from_spec(spec).unwrap_err().to_string();
        assert!(error.contains(message), "{spec}: {error}");
    }
    assert!(game(4, 4).check_size().is_err() && game(3, 4).check_size().is_ok());
    let puzzle = game(3, 3);
    for (text, at, message) in [
        ("123/456/87.", 0, "never brings"),
        ("123/456/78.", 0, "solved"),
        ("113/456/87.", 0, "tile 2 is missing"),
        ("123/456/789", 10, "not a tile"),
        ("123456/78.", 3, "begins the next"),
        ("123/456/7", 9, "missing"),
        ("12/3456/78.", 2, "a row ends after 3"),
        ("123//56/78.", 4, "a row ends after 3"),
        ("123/456/87./", 11, "a row ends after 3"),
        ("123/456/87.1", 11, "full"),
        ("#x", 1, "base 9"),
        ("#99999999999", 1, "more than 9 digits"),
    ] {
        let error = puzzle.parse_state(text).unwrap_err();
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.at, at, "{text}: {error}");
    }
    assert!(puzzle.parse_move("X").is_err() && puzzle.parse_move("d").is_ok());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[0-9A-Ga-g./#_ xé]{0,14}") {
        for (rows, columns) in [(2, 2), (3, 3), (4, 4)] {
            let game = game(rows, columns);
            if let Ok(state) = game.parse_state(&text) {
                prop_assert_eq!(game.parse_state(&game.format_state(&state)), Ok(state));
            }
        }
    }

    #[test]
    fn any_spec_is_read_or_refused(text in "[0-9x:]{0,12}") {
        let _ = Sliding::from_spec(&format!("sliding:{text}"));
    }
}
