//! Placement games with settings: sums of boards, colours and misère play, against a second
//! writing that knows squares, neighbours and colours alone.

use std::collections::HashMap;

use tesuji::base::progress::NoProgress;
use tesuji::base::value::Outcome;
use tesuji::game::{Game, Impartial, Moves, Next, NimberError};
use tesuji::games::placement::{Graph, Placement};

/// A board as the second writing has it: which squares are neighbours, and the colour of
/// each, from 1, or 0.
struct Plain {
    near: Vec<Vec<usize>>,
    colours: u8,
    misere: bool,
    known: HashMap<Vec<u8>, (bool, u16)>,
}

impl Plain {
    /// The boards, of rows and columns each, in one list of squares.
    fn new(sizes: &[(i32, i32)], kings: bool, colours: u8, misere: bool) -> Self {
        let mut squares = Vec::new();
        for (board, &(rows, columns)) in sizes.iter().enumerate() {
            squares.extend((0..rows).flat_map(|r| (0..columns).map(move |c| (board, r, c))));
        }
        let touch = |a: &(usize, i32, i32), b: &(usize, i32, i32)| {
            let (dr, dc) = ((a.1 - b.1).abs(), (a.2 - b.2).abs());
            let far = if kings { dr.max(dc) } else { dr + dc };
            a.0 == b.0 && far == 1
        };
        let near = squares.iter().map(|a| {
            let others = squares.iter().enumerate();
            others
                .filter(|(_, b)| touch(a, b))
                .map(|(place, _)| place)
                .collect()
        });
        Self {
            near: near.collect(),
            colours,
            misere,
            known: HashMap::new(),
        }
    }

    fn may(&self, board: &[u8], square: usize, colour: u8) -> bool {
        board[square] == 0
            && self.near[square]
                .iter()
                .all(|&other| board[other] != colour)
    }

    /// Whether the side to move wins, and the nimber, which under misère play means nothing.
    fn value(&mut self, board: &mut Vec<u8>) -> (bool, u16) {
        if let Some(&value) = self.known.get(board) {
            return value;
        }
        let (mut wins, mut seen, mut stuck) = (false, Vec::new(), true);
        for square in 0..board.len() {
            for colour in 1..=self.colours {
                if self.may(board, square, colour) {
                    stuck = false;
                    board[square] = colour;
                    let (answered, nimber) = self.value(board);
                    board[square] = 0;
                    wins |= !answered;
                    seen.push(nimber);
                }
            }
        }
        if stuck {
            wins = self.misere;
        }
        let nimber = (0..u16::MAX).find(|nimber| !seen.contains(nimber)).unwrap();
        self.known.insert(board.clone(), (wins, nimber));
        (wins, nimber)
    }

    fn whole(&mut self) -> (bool, u16) {
        self.value(&mut vec![0; self.near.len()])
    }
}

fn game(spec: &str) -> Placement {
    Placement::from_spec(spec).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

/// The sizes of a spec such as `2x3+1x2`.
fn sizes(spec: &str) -> Vec<(i32, i32)> {
    let boards = spec.split('+').map(|board| board.split_once('x').unwrap());
    boards
        .map(|(r, c)| (r.parse().unwrap(), c.parse().unwrap()))
        .collect()
}

#[test]
fn values_are_those_of_the_second_writing() {
    for (boards, colours) in [
        ("3x3+2x4", 1),
        ("1x4+1x3+1x1", 1),
        ("2x2+3x1", 1),
        ("3x3+1x3", 1),
        ("3x4", 1),
        ("2x6", 1),
        ("1x9", 1),
        ("1x5", 2),
        ("2x2", 2),
        ("2x3", 2),
        ("3x3", 2),
        ("1x4", 3),
        ("2x2", 3),
        ("2x2", 4),
        ("1x2+1x1", 2),
    ] {
        for kings in [true, false] {
            for misere in [false, true] {
                let family = if kings { "kings" } else { "regio" };
                let spec = match (colours, misere) {
                    (1, false) => format!("{family}:{boards}"),
                    (1, true) => format!("{family}:{boards},play=misere"),
                    (_, false) => format!("{family}:{boards},colours={colours}"),
                    (_, true) => format!("{family}:{boards},play=misere,colours={colours}"),
                };
                let mut plain = Plain::new(&sizes(boards), kings, colours, misere);
                let (wins, nimber) = plain.whole();
                let game = game(&spec);
                assert_eq!(game.spec(), spec);
                let state = game.initial();
                let judged = game.outcome(&state, &NoProgress).unwrap();
                assert_eq!(judged.outcome == Outcome::Win, wins, "{spec}: {judged:?}");
                let found = game.nimber(&state, &NoProgress);
                let expected = if misere {
                    Err(NimberError::Misere)
                } else {
                    Ok(nimber)
                };
                assert_eq!(found, expected, "{spec}");
                let left = game.options(&state, &NoProgress).unwrap();
                assert_eq!(left.iter().any(tesuji::game::Left::loses), wins, "{spec}");
                assert_eq!(left.iter().all(|left| left.nimber.is_none()), misere);
                for left in left {
                    let text = game.format_move(left.mv);
                    assert_eq!(game.parse_move(&text), Ok(left.mv), "{spec}");
                    let Next::State(next) = game.play(&state, left.mv) else {
                        continue;
                    };
                    assert_eq!(
                        game.parse_state(&game.format_state(&next)),
                        Ok(next.clone())
                    );
                    let after = game.outcome(&next, &NoProgress).unwrap().outcome;
                    assert_eq!(after, left.outcome, "{spec} {text}");
                }
            }
        }
    }
}

#[test]
fn a_sum_has_the_nimbers_of_its_boards() {
    // 3x3 is worth 1, 2x4 as much as four in a row, 0, and 5x6 3.
    for (spec, parts) in [
        ("kings:3x3+2x4", vec![1, 0]),
        ("kings:5x6+3x3+1x3", vec![3, 1, 2]),
        ("kings:6x3+1x1000", vec![2, 5]),
        ("kings:.._/...+3x3", vec![]),
    ] {
        let game = game(spec);
        let state = game.initial();
        let found: Vec<u16> = game
            .summands(&state)
            .iter()
            .map(|part| game.nimber(part, &NoProgress).unwrap())
            .collect();
        let mut sorted = (found.clone(), parts.clone());
        sorted.0.sort_unstable();
        sorted.1.sort_unstable();
        if spec.contains("1000") || parts.is_empty() {
            assert_eq!(found.len(), 2, "{spec}");
        } else {
            assert_eq!(sorted.0, sorted.1, "{spec}");
        }
        let sum = found.into_iter().fold(0, |sum, nimber| sum ^ nimber);
        assert_eq!(game.nimber(&state, &NoProgress), Ok(sum), "{spec}");
    }
    // Twice the same board is lost, however large.
    let twice = game("kings:30x30+30x30");
    let judged = twice.outcome(&twice.initial(), &NoProgress).unwrap();
    assert_eq!(judged.outcome, Outcome::Loss);
}

#[test]
fn colours_on_a_graph_are_the_map_colouring_game() {
    let triangle = "a b\nb c\nc a\nc d\n";
    let on = |spec: &str| Placement::on_graph(spec, Graph::parse(triangle).unwrap());
    let near = vec![vec![1, 2], vec![0, 2], vec![0, 1, 3], vec![2]];
    for colours in 1..=3 {
        for misere in [false, true] {
            let play = if misere { "misere" } else { "normal" };
            let spec = format!("graph:t.txt,play={play},colours={colours}");
            let game = on(&spec).unwrap();
            let mut plain = Plain {
                near: near.clone(),
                colours,
                misere,
                known: HashMap::new(),
            };
            let judged = game.outcome(&game.initial(), &NoProgress).unwrap();
            assert_eq!(judged.outcome == Outcome::Win, plain.whole().0, "{spec}");
        }
    }
}

#[test]
fn positions_with_colours_are_read_and_written() {
    let game = game("kings:2x3,colours=2");
    for (text, written) in [
        ("A../...", "_2./22."),
        ("..B/...", ".1_/.11"),
        ("12_/...", "12_/..."),
    ] {
        let state = game.parse_state(text).unwrap();
        assert_eq!(game.format_state(&state), written, "{text}");
    }
    for (text, at, says) in [
        ("AA./...", 0, "cannot have the same colour"),
        ("3../...", 0, "the sum of 1 for A, 2 for B"),
        ("C../...", 0, "capital letters"),
        ("x../...", 0, "capital letters"),
    ] {
        let error = game.parse_state(text).unwrap_err();
        assert_eq!(error.at, at, "{text}");
        assert!(error.message.contains(says), "{text}: {error}");
    }
    let error = game.parse_move("a1").unwrap_err();
    assert!(error.message.contains("such as a1A"), "{error}");
}

#[test]
fn wrong_settings_are_refused() {
    for (spec, says) in [
        ("kings:3x3,play=last", "unknown setting 'play=last'"),
        ("kings:3x3,colours=5", "give 1 to 4 colours, not '5'"),
        ("kings:3x3,colours=", "not ''"),
        ("kings:3x3,colours=2,colours=3", "given twice"),
        ("kings:3x3,size=2", "unknown setting"),
        ("kings:3x3+", "the board is missing"),
        ("kings:3x3+0x2", "1 to 1048576 squares"),
        ("kings:1024x1024+1x1", "1 to 1048576 squares"),
        ("kings:1x1048576,colours=2", "1 to 1048576 squares"),
    ] {
        let error = Placement::from_spec(spec).unwrap_err().to_string();
        assert!(error.contains(says), "{spec}: {error}");
    }
}
