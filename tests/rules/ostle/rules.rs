//! The rules of Ostle, written down a second time on a plain board of letters,
//! and the counts of move sequences that follow from them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use proptest::prelude::*;
use tesuji::base::progress::{NoProgress, Progress};
use tesuji::game::{Game, Moves, Repetition};
use tesuji::games::ostle::Ostle;
use tesuji::solve::perft::perft;

/// `board[rank][file]` is `b`, `w`, `o` or `.`.
type Board = Vec<Vec<char>>;

/// The second implementation: a board, who is to move and what went before.
#[derive(Clone)]
struct Game2 {
    board: Board,
    mover: char,
    /// The board before the last move, if that matters and is known.
    before: Option<Board>,
    /// A move forbidden from outside.
    forbidden: Option<String>,
    fewest: usize,
    reading: Repetition,
    fixed_hole: bool,
}

const DIRECTIONS: [(char, i32, i32); 4] = [('U', 0, 1), ('D', 0, -1), ('L', -1, 0), ('R', 1, 0)];

fn at(board: &Board, file: i32, rank: i32) -> Option<char> {
    let row = board.get(usize::try_from(rank).ok()?)?;
    row.get(usize::try_from(file).ok()?).copied()
}

fn put(board: &mut Board, file: i32, rank: i32, letter: char) {
    board[usize::try_from(rank).unwrap()][usize::try_from(file).unwrap()] = letter;
}

fn count(board: &Board, letter: char) -> usize {
    board.iter().flatten().filter(|&&c| c == letter).count()
}

fn turned(board: &Board) -> Board {
    let files = board[0].len();
    (0..files)
        .map(|file| board.iter().rev().map(|row| row[file]).collect())
        .collect()
}

fn same_up_to_symmetry(a: &Board, b: &Board) -> bool {
    let mut image = a.clone();
    for _ in 0..4 {
        let mirrored: Board = image.iter().rev().cloned().collect();
        if image == *b || mirrored == *b {
            return true;
        }
        image = turned(&image);
    }
    false
}

impl Game2 {
    /// From the one-line notation.
    fn new(text: &str, fewest: usize, reading: Repetition, fixed_hole: bool) -> Self {
        let mut fields = text.split(' ');
        let ranks = fields.next().unwrap().split('/').rev();
        let board = ranks
            .map(|rank| {
                let squares = rank.chars().map(|c| match c.to_digit(10) {
                    Some(empty) => ".".repeat(empty as usize),
                    None => c.to_string(),
                });
                squares.collect::<String>().chars().collect()
            })
            .collect();
        let mover = fields.next().unwrap().chars().next().unwrap();
        let forbidden = fields.next().filter(|&f| f != "-").map(str::to_owned);
        Self {
            board,
            mover,
            before: None,
            forbidden,
            fewest,
            reading,
            fixed_hole,
        }
    }

    /// The board after a move of what stands there, `None` if it cannot move so.
    fn moved(&self, file: i32, rank: i32, (_, x, y): (char, i32, i32)) -> Option<Board> {
        let mut board = self.board.clone();
        let mut hand = at(&board, file, rank)?;
        if hand == 'o' {
            if self.fixed_hole || at(&board, file + x, rank + y) != Some('.') {
                return None;
            }
            put(&mut board, file, rank, '.');
            put(&mut board, file + x, rank + y, 'o');
            return Some(board);
        }
        if hand != self.mover {
            return None;
        }
        put(&mut board, file, rank, '.');
        let (mut file, mut rank) = (file, rank);
        loop {
            (file, rank) = (file + x, rank + y);
            match at(&board, file, rank) {
                None | Some('o') => return Some(board),
                Some(there) => {
                    put(&mut board, file, rank, hand);
                    if there == '.' {
                        return Some(board);
                    }
                    hand = there;
                }
            }
        }
    }

    /// Legal moves with the boards they lead to, by square and then U D L R.
    fn moves(&self) -> Vec<(String, Board)> {
        let mut found: Vec<(String, Board)> = Vec::new();
        let ranks = i32::try_from(self.board.len()).unwrap();
        let mut barred = false;
        // The board that a move forbidden from outside would lead back to.
        let banned = self.forbidden.as_ref().and_then(|name| self.named(name));
        for (file, letter) in (0..).zip('a'..).take(self.board[0].len()) {
            for rank in 0..ranks {
                for direction in DIRECTIONS {
                    let Some(board) = self.moved(file, rank, direction) else {
                        continue;
                    };
                    let name = format!("{letter}{}{}", rank + 1, direction.0);
                    let repeats = self
                        .before
                        .as_ref()
                        .is_some_and(|before| match self.reading {
                            Repetition::Exact => board == *before,
                            // Only the first such move is forbidden.
                            Repetition::UpToSymmetry => {
                                !barred && same_up_to_symmetry(&board, before)
                            }
                            Repetition::AllImages => same_up_to_symmetry(&board, before),
                        });
                    barred |= repeats;
                    let is_banned = match (self.reading, &banned) {
                        (Repetition::AllImages, Some(back)) => same_up_to_symmetry(&board, back),
                        _ => self.forbidden.as_ref() == Some(&name),
                    };
                    if !repeats && !is_banned {
                        found.push((name, board));
                    }
                }
            }
        }
        found
    }

    /// The board after the move of this name.
    fn named(&self, name: &str) -> Option<Board> {
        let letters: Vec<char> = name.chars().collect();
        let file = i32::try_from(u32::from(letters[0]) - u32::from('a')).unwrap();
        let rank = i32::try_from(letters[1].to_digit(10).unwrap()).unwrap() - 1;
        let direction = DIRECTIONS
            .into_iter()
            .find(|(letter, ..)| *letter == letters[2]);
        self.moved(file, rank, direction.unwrap())
    }

    fn after(&self, board: Board) -> Self {
        Self {
            before: Some(self.board.clone()),
            board,
            mover: if self.mover == 'b' { 'w' } else { 'b' },
            forbidden: None,
            ..*self
        }
    }

    fn is_over(&self, board: &Board) -> bool {
        count(board, 'b') < self.fewest || count(board, 'w') < self.fewest
    }

    fn sequences(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .into_iter()
            .filter(|(_, board)| !self.is_over(board))
            .map(|(_, board)| self.after(board).sequences(depth - 1))
            .sum()
    }
}

fn second(game: &Ostle, text: &str) -> Game2 {
    let fewest = usize::from(game.pieces - game.losses + 1);
    let fixed_hole = game.spec().ends_with("hole=fixed");
    Game2::new(text, fewest, reading(game), fixed_hole)
}

/// How the spec says that rule 8 is read.
fn reading(game: &Ostle) -> Repetition {
    let spec = game.spec();
    let found = Repetition::ALL.into_iter();
    let mut found = found.filter(|reading| spec.contains(&format!("={}", reading.name())));
    found.next().unwrap_or(Repetition::Exact)
}

/// The moves and their sequences agree.
fn agree(game: &Ostle, text: &str, depth: u32) {
    let state = game.parse_state(text).unwrap();
    let twin = second(game, text);
    let names: Vec<String> = game
        .moves(&state)
        .into_iter()
        .map(|mv| game.format_move(mv))
        .collect();
    let expected: Vec<String> = twin.moves().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, expected, "{} {text}", game.spec());
    for depth in 1..=depth {
        let (fast, slow) = (
            perft(game, &state, depth, &NoProgress),
            twin.sequences(depth),
        );
        assert_eq!(fast, slow, "{} {text} depth {depth}", game.spec());
    }
}

const SPECS: [&str; 20] = [
    "ostle",
    "ostle:repetition=up-to-symmetry",
    "ostle:repetition=all-images",
    "ostle:3x3,pieces=2,losses=1,repetition=all-images",
    "ostle:rows=4,columns=3,pieces=3,losses=2,repetition=all-images",
    "ostle:3x3,pieces=2,losses=2",
    "ostle:3x3,pieces=2,losses=2,repetition=up-to-symmetry",
    "ostle:4x4,pieces=4,losses=2,repetition=up-to-symmetry",
    "ostle:rows=5,columns=3,pieces=3,losses=2",
    "ostle:rows=3,columns=5,pieces=3,losses=3,repetition=up-to-symmetry",
    "ostle:rows=5,columns=4,pieces=4,losses=1",
    "ostle:rows=4,columns=5,pieces=2,losses=2,repetition=up-to-symmetry",
    "ostle:rows=4,columns=3,pieces=5,losses=4",
    "ostle:rows=5,columns=6,pieces=5,losses=2",
    "ostle:rows=6,columns=5,pieces=7,losses=2,repetition=up-to-symmetry",
    "ostle:rows=3,columns=6,pieces=7,losses=2",
    "ostle:rows=6,columns=4,pieces=6,losses=1,repetition=all-images",
    "ostle:hole=fixed",
    "ostle:3x3,pieces=2,losses=1,repetition=up-to-symmetry,hole=fixed",
    "ostle:rows=4,columns=3,pieces=3,losses=2,repetition=all-images,hole=fixed",
];

fn game(spec: &str) -> Ostle {
    Ostle::from_settings(spec, None).unwrap()
}

#[test]
fn initial_positions_have_the_sequences_of_the_second_implementation() {
    for spec in SPECS {
        let game = game(spec);
        let text = game.format_state(&game.initial());
        agree(&game, &text, if spec.len() < 32 { 3 } else { 4 });
    }
}

#[test]
fn known_facts() {
    let game = game("ostle");
    let state = game.initial();
    let effect = |text: &str| {
        let mv = game.parse_move(text).unwrap();
        game.effect(&state, mv)
            .unwrap()
            .removed
            .map(|removal| (removal.from, removal.own))
    };
    // a1 is square 0, e1 square 20.
    assert_eq!(effect("a1D"), Some((0, true)));
    assert_eq!(effect("a1L"), Some((0, true)));
    // Five pieces in a row: the last one falls off.
    assert_eq!(effect("a1R"), Some((20, true)));
    assert_eq!(effect("a1U"), None);
    // Every piece has four directions, the hole too.
    assert_eq!(perft(&game, &state, 1, &NoProgress), 24);
    assert_eq!(perft(&game, &state, 0, &NoProgress), 1);
}

/// The pinned counts: spec, position, depth, number of move sequences.
fn pinned() -> Vec<(&'static str, &'static str, u32, u64)> {
    let lines = include_str!("../../data/perft/ostle.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let fields = |line: &'static str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [spec, position, depth, count] = fields[..] else {
            panic!("four fields expected: {line}");
        };
        (
            spec,
            position,
            depth.parse().unwrap(),
            count.parse().unwrap(),
        )
    };
    lines.map(fields).collect()
}

#[test]
fn pinned_counts() {
    let pinned = pinned();
    assert!(pinned.len() >= 40);
    for (spec, position, depth, count) in pinned {
        let game = game(spec);
        let state = game.parse_state(position).unwrap();
        assert_eq!(
            perft(&game, &state, depth, &NoProgress),
            count,
            "{spec} {position} {depth}"
        );
    }
}

#[test]
fn the_pinned_counts_are_those_of_the_second_implementation() {
    for (spec, position, depth, count) in pinned() {
        // Deeper ones take it long.
        if depth <= 3 {
            let twin = second(&game(spec), position);
            assert_eq!(twin.sequences(depth), count, "{spec} {position} {depth}");
        }
    }
}

/// A position of the game in one line, from random squares, and whether some
/// move is to be forbidden.
fn position(game: &Ostle, seed: &[u32], white: bool, forbid: Option<u32>) -> String {
    let (width, height) = (game.grid.width, game.grid.height);
    let mut squares: Vec<u8> = (0..width * height).collect();
    // The hole, the pieces of Black and of White, on the first squares of a
    // random order; each side has lost as many as the seed says.
    squares.sort_by_key(|&square| (seed[usize::from(square)], square));
    if game.has_fixed_hole() {
        let hole = game.initial().hole();
        squares.retain(|&square| square != hole);
        squares.insert(0, hole);
    }
    let kept = |number: u32| game.pieces - u8::try_from(number % u32::from(game.losses)).unwrap();
    let (black, other) = (usize::from(kept(seed[30])), usize::from(kept(seed[31])));
    let letter = |square: u8| match squares.iter().position(|&s| s == square).unwrap() {
        0 => 'o',
        n if n <= black => 'b',
        n if n <= black + other => 'w',
        _ => '1',
    };
    let ranks: Vec<String> = (0..height)
        .rev()
        .map(|rank| {
            (0..width)
                .map(|file| letter(file * height + rank))
                .collect()
        })
        .collect();
    let text = format!("{} {}", ranks.join("/"), if white { 'w' } else { 'b' });
    let Some(forbid) = forbid else { return text };
    let quiet: Vec<String> = second(game, &text)
        .moves()
        .into_iter()
        .filter(|(_, board)| count(board, 'b') == black && count(board, 'w') == other)
        .map(|(name, _)| name)
        .collect();
    match quiet.get(forbid as usize % quiet.len().max(1)) {
        Some(name) => format!("{text} {name}"),
        None => text,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_position_has_the_sequences_of_the_second_implementation(
        spec in proptest::sample::select(&SPECS[..]),
        seed in proptest::collection::vec(any::<u32>(), 32),
        white: bool,
        forbid: Option<u32>,
    ) {
        let game = game(spec);
        prop_assert_eq!(reading(&game), tesuji::game::Ranked::repetition(&game));
        agree(&game, &position(&game, &seed, white, forbid), 3);
    }
}

/// Adds up the steps that are told.
#[derive(Default)]
struct Told(AtomicU64);

impl Progress for Told {
    fn advance(&self, steps: u64) {
        self.0.fetch_add(steps, Relaxed);
    }
}

#[test]
fn a_count_of_sequences_tells_how_far_it_is() {
    let game = game("ostle:3x3,pieces=2,losses=2");
    let told = Told::default();
    let count = perft(&game, &game.initial(), 6, &told);
    assert!(count > 0);
    assert_eq!(told.0.into_inner(), count);
}
