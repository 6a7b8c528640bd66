//! Games whose positions are listed, against the slow solver, and the game of one's own
//! against a search that knows nothing of this library.

#[path = "../examples/own_game.rs"]
#[allow(dead_code, reason = "what it does with the game is seen by running it")]
mod own_game;

use std::collections::{BTreeSet, HashMap};

use crate::common::naive;
use crate::common::program::example;
use crate::connect_four::ConnectFour;
use own_game::Morris;
use tesuji::base::progress::NoProgress;
use tesuji::base::value::{Outcome, Record, Value};
use tesuji::game::{
    FiniteGame, Game, ListError, Listed, Moves, Next, NotationError, Playable, Ranked, Repetition,
    Retrograde, Standing, laws,
};
use tesuji::table::{solve_in_memory, verify};

use crate::common::{records, with_threads};

/// Every reachable state in order, including symmetric ones.
pub(super) fn states<G: FiniteGame>(game: &Listed<G>) -> Vec<G::State> {
    let (rules, mut all) = (game.game(), BTreeSet::new());
    for state in (0..game.slots()).filter_map(|slot| game.unrank(slot)) {
        all.extend((0..rules.symmetries()).map(|symmetry| rules.image(&state, symmetry)));
    }
    all.into_iter().collect()
}

/// Checks the laws, every value, and every un-move of a game.
pub(super) fn agrees<G: FiniteGame>(game: G) -> Listed<G> {
    let game = Listed::of(game);
    game.list(&NoProgress).unwrap();
    let slow = naive::solve(&game, [game.initial()], Clone::clone);
    let records = records(&game);
    let states = states(&game);
    assert_eq!(slow.len(), states.len());
    let mut moves = 0;
    for state in &states {
        let record = records[usize::try_from(game.rank(state)).unwrap()];
        assert_eq!(
            slow.value(state),
            Some(record.best()),
            "{}",
            game.format_state(state)
        );
        laws::notation(&game, state).unwrap();
        let next = game.moves(state).into_iter();
        moves += next
            .filter(|&mv| matches!(game.play(state, mv), Next::State(_)))
            .count();
    }
    let predecessors = states.iter().map(|state| {
        let befores = game.predecessors(state);
        for (before, mv) in &befores {
            assert_eq!(game.play(before, *mv), Next::State(state.clone()));
        }
        befores.len()
    });
    assert_eq!(predecessors.sum::<usize>(), moves);
    for slot in 0..game.slots() {
        laws::ranking(&game, slot).unwrap();
        laws::quick_moves(&game, slot).unwrap();
    }
    let table = solve_in_memory(&game, &NoProgress).unwrap();
    assert_eq!(verify(&table, &game, &NoProgress).unwrap().flaws, []);
    laws::arrows(&game).unwrap();
    assert_eq!(game.repetition(), Repetition::Exact);
    game
}

/// A game drawn by lot: a position's moves lead to any positions of its own tenth of all,
/// or of a later one, or end the game. Some have their first move many times over.
#[derive(Debug)]
struct Lottery {
    moves: Vec<Vec<Next<u16>>>,
    staged: bool,
}

impl Lottery {
    fn new(mut seed: u64, positions: u16, staged: bool) -> Self {
        let mut below = |bound: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            u16::try_from(seed % bound).unwrap()
        };
        let mut moves = Vec::new();
        for position in 0..positions {
            let first = if staged { position / 10 * 10 } else { 0 };
            let ways = (0..=below(4)).map(|_| match below(20) {
                0 => Next::Over(Outcome::Win),
                1 => Next::Over(Outcome::Draw),
                2 => Next::Over(Outcome::Loss),
                _ => Next::State(first + below(u64::from(positions - first))),
            });
            let mut ways: Vec<_> = ways.collect();
            if below(8) == 0 {
                let again = vec![ways[0]; below(250).into()];
                ways.splice(0..0, again);
            }
            moves.push(ways);
        }
        Self { moves, staged }
    }
}

impl Game for Lottery {
    type State = u16;
    type Move = u8;

    fn spec(&self) -> String {
        "lottery".to_owned()
    }

    fn initial(&self) -> u16 {
        0
    }

    fn has_beginning(&self) -> bool {
        false
    }

    fn format_state(&self, state: &u16) -> String {
        state.to_string()
    }

    fn parse_state(&self, text: &str) -> Result<u16, NotationError> {
        text.parse()
            .map_err(|_| NotationError::new(text, 0, "not a number"))
    }

    fn format_move(&self, mv: u8) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, NotationError> {
        text.parse()
            .map_err(|_| NotationError::new(text, 0, "not a number"))
    }

    fn side_to_move(&self, _state: &u16) -> &'static str {
        "Next player"
    }
}

impl Moves for Lottery {
    fn moves(&self, state: &u16) -> Vec<u8> {
        (0..).take(self.moves[usize::from(*state)].len()).collect()
    }

    fn play(&self, state: &u16, mv: u8) -> Next<u16> {
        self.moves[usize::from(*state)][usize::from(mv)]
    }

    fn san(&self, state: &u16, mv: u8) -> Option<String> {
        Some(format!("S{state}-{mv}"))
    }

    fn usi(&self, state: &u16, mv: u8) -> Option<String> {
        Some(format!("U{state}-{mv}"))
    }

    fn spell_move(&self, state: &u16, mv: u8) -> String {
        format!("ticket {mv} of {state}")
    }

    fn spell_value(&self, value: Value) -> String {
        format!("prize: {:?}", value.plies())
    }
}

impl Playable for Lottery {
    fn size(&self) -> (u8, u8) {
        (1, 9)
    }

    fn with_pieces(&self, state: &u16, pieces: &[Standing]) -> Option<u16> {
        pieces.is_empty().then_some(state + 1)
    }

    fn passed(&self, state: &u16) -> Option<Next<u16>> {
        Some(Next::State(state + 1))
    }
}

impl FiniteGame for Lottery {
    fn stage(&self, state: &u16) -> u32 {
        if self.staged {
            u32::from(state / 10)
        } else {
            0
        }
    }
}

#[test]
fn games_drawn_by_lot_have_the_slow_solvers_values() {
    let (mut most, mut only) = (0, None);
    for seed in 1..60 {
        let all = agrees(Lottery::new(seed * 7919, 300, false));
        most = most.max(all.most_moves().within);
        let moves = records(&all).into_iter().map(Record::only_move);
        only = only.max(moves.max().flatten());
        let game = agrees(Lottery::new(seed * 104_729, 300, true));
        assert!(game.slots() < 10 || game.layers().len() > 1);
    }
    assert!(most > 240 && only > Some(127), "{most} {only:?}");
}

#[test]
fn a_listed_game_answers_as_the_game_itself() {
    let ways = vec![Next::State(1), Next::Over(Outcome::Loss)];
    let moves = vec![ways, vec![Next::State(0)]];
    let game = Listed::of(Lottery {
        moves,
        staged: false,
    });
    assert!(!game.has_beginning());
    assert_eq!(game.san(&1, 0).as_deref(), Some("S1-0"));
    assert_eq!(game.usi(&1, 0).as_deref(), Some("U1-0"));
    assert_eq!(game.spell_move(&1, 0), "ticket 0 of 1");
    let value = Value::decided(Outcome::Win, 3).unwrap();
    assert_eq!(game.spell_value(value), "prize: Some(3)");
    assert_eq!(game.size(), (1, 9));
    // Of changed positions only those of the list.
    assert_eq!(game.with_pieces(&0, &[]), Some(1));
    assert_eq!(game.with_pieces(&1, &[]), None);
    assert_eq!(game.passed(&0), Some(Next::State(1)));
    assert_eq!(game.passed(&1), None);
}

#[test]
fn a_game_with_stages_and_symmetries_and_one_that_goes_in_circles() {
    assert_eq!(agrees(ConnectFour(3, 3)).layers().len(), 9);
    let game = agrees(Morris);
    assert_eq!(game.layers().len(), 1);
    let list = |threads| with_threads(threads, || states(&Listed::of(Morris)));
    assert_eq!(list(1), list(7));
}

#[test]
fn a_list_that_cannot_be_made_says_why() {
    let few = Listed::with_limit(Morris, 100);
    let error = few.list(&NoProgress).unwrap_err();
    assert!(
        matches!(error, ListError::TooMany { most: 100, .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("more than 100 positions"),
        "{error}"
    );
    assert_eq!((few.slots(), few.unrank(0)), (101, None));
    assert!(few.check_size().is_err());
    let back = Lottery {
        moves: vec![vec![Next::State(10)], vec![]],
        staged: true,
    };
    let mut back = Lottery {
        moves: vec![vec![Next::State(10)]; 11],
        ..back
    };
    back.moves[10] = vec![Next::State(0)];
    let error = Listed::of(back).list(&NoProgress).unwrap_err();
    assert!(
        matches!(error, ListError::Stage { from: 1, to: 0, .. }),
        "{error}"
    );
    let stuck = Lottery {
        moves: vec![vec![Next::State(1)], vec![]],
        staged: false,
    };
    let error = Listed::of(stuck).list(&NoProgress).unwrap_err();
    assert!(matches!(error, ListError::NoMoves { .. }), "{error}");
    let many = |count| Lottery {
        moves: vec![vec![Next::State(0); count]],
        staged: false,
    };
    let error = Listed::of(many(255)).list(&NoProgress).unwrap_err();
    assert!(
        error.to_string().contains("255 moves; at most 254"),
        "{error}"
    );
    agrees(many(254));
}

/// Men's morris once more: boards as letters in reading order, then the side to move.
type Text = ([u8; 9], u8);

fn steps(&(board, side): &Text) -> Vec<Text> {
    const WAYS: [&[usize]; 9] = [
        &[1, 3, 4],
        &[0, 2, 4],
        &[1, 4, 5],
        &[0, 4, 6],
        &[0, 1, 2, 3, 5, 6, 7, 8],
        &[2, 4, 8],
        &[3, 4, 7],
        &[4, 6, 8],
        &[4, 5, 7],
    ];
    let other = if side == b'b' { b'w' } else { b'b' };
    let men = (0..9).filter(|&at| board[at] == side).count();
    let mut found = Vec::new();
    for to in (0..9).filter(|&to| board[to] == b'.') {
        let mut next = board;
        next[to] = side;
        if men < 3 {
            found.push((next, other));
            continue;
        }
        for &from in WAYS[to].iter().filter(|&&from| board[from] == side) {
            let mut moved = next;
            moved[from] = b'.';
            found.push((moved, other));
        }
    }
    found
}

fn three(&(board, side): &Text) -> bool {
    const ROWS: [&str; 8] = ["012", "345", "678", "036", "147", "258", "048", "246"];
    let mine = |row: &str| {
        row.bytes().all(|at| {
            let man = board[usize::from(at - b'0')];
            man != b'.' && man != side
        })
    };
    ROWS.iter().any(|row| mine(row))
}

/// Plies to the end under best play, positive if the side to move wins, negative if it
/// loses, by sweeps over all positions until nothing changes.
fn swept() -> HashMap<Text, i32> {
    let start = ([b'.'; 9], b'b');
    let mut positions = vec![start];
    let mut known = HashMap::from([(start, 0)]);
    let mut done = 0;
    while done < positions.len() {
        if !three(&positions[done]) {
            for next in steps(&positions[done]) {
                if known.insert(next, 0).is_none() {
                    positions.push(next);
                }
            }
        }
        done += 1;
    }
    // The value 0 is a draw; a finished position is lost in no plies, which -1000 stands for.
    for plies in 0.. {
        let mut changed = false;
        for position in &positions {
            if known[position] != 0 {
                continue;
            }
            let next = if three(position) {
                Vec::new()
            } else {
                steps(position)
            };
            let values: Vec<i32> = next.iter().map(|next| known[next]).collect();
            let lost_in = |value: i32| if value == -1000 { 0 } else { -value };
            let value = if values.is_empty() {
                if plies == 0 { -1000 } else { 0 }
            } else if values
                .iter()
                .any(|&value| value < 0 && lost_in(value) == plies - 1)
            {
                plies
            } else if values.iter().all(|&value| value > 0 && value < plies) {
                -plies
            } else {
                0
            };
            if value != 0 {
                known.insert(*position, value);
                changed = true;
            }
        }
        if !changed && plies > 2 {
            return known;
        }
    }
    known
}

#[test]
fn the_example_is_won_by_the_centre_and_tells_so() {
    let known = swept();
    let start = ([b'.'; 9], b'b');
    let plies = known[&start];
    assert!(plies > 0, "the side that begins wins");
    let winning: Vec<usize> = (0..9)
        .filter(|&square| {
            let mut board = start.0;
            board[square] = b'b';
            known[&(board, b'w')] < 0
        })
        .collect();
    assert_eq!(winning, [4], "by the centre alone");
    let folder = tempfile::tempdir().unwrap();
    let shown = example("own_game", folder.path());
    assert!(
        shown.starts_with(&format!("win in {plies} by b2\n")),
        "{shown}"
    );
    // Every position's value, too.
    let game = Listed::of(Morris);
    let records = records(&game);
    let mut compared = 0;
    for state in states(&game) {
        let text = game.format_state(&state);
        let board: Vec<u8> = text
            .bytes()
            .filter(|letter| b".bw".contains(letter))
            .collect();
        let value = known[&(board[..9].try_into().unwrap(), board[9])];
        let record = records[usize::try_from(game.rank(&state)).unwrap()].best();
        let found = match (record.outcome(), record.plies()) {
            (Outcome::Win, Some(plies)) => i32::from(plies),
            (Outcome::Loss, Some(plies)) => -i32::from(plies),
            _ => 0,
        };
        assert_eq!(found, value, "{text}");
        compared += 1;
    }
    assert!(compared > 1000);
    // What it drew and wrote.
    let find = shown.lines().nth(1).unwrap();
    let (board, side) = find.split_once(' ').unwrap();
    let board: Vec<u8> = board.bytes().filter(|&letter| letter != b'/').collect();
    let position = (<[u8; 9]>::try_from(board).unwrap(), side.as_bytes()[0]);
    let keys = steps(&position).into_iter().filter(|next| known[next] < 0);
    assert!(known[&position] > 3 && keys.count() == 1);
    let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("find.svg").starts_with("<svg") && read("book.html").contains("morris"));
}
