//! Positions and moves as a list, and boards that stand in the notation of positions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use indexmap::IndexSet;
use tesuji::base::value::Outcome;
use tesuji::draw::{Glyph, Tone};
use tesuji::game::{Board, Next, NotationError, Standing};

use super::columns::OwnColumns;

/// The code of a position is its number; codes from here on are outcomes.
pub(super) const MOST: u32 = u32::MAX - 3;
const WIN: u32 = u32::MAX;
const DRAW: u32 = u32::MAX - 1;
const LOSS: u32 = u32::MAX - 2;

pub(super) const fn code_of(outcome: Outcome) -> u32 {
    match outcome {
        Outcome::Win => WIN,
        Outcome::Draw => DRAW,
        Outcome::Loss => LOSS,
    }
}

const fn target(code: u32) -> Next<u32> {
    match code {
        WIN => Next::Over(Outcome::Win),
        DRAW => Next::Over(Outcome::Draw),
        LOSS => Next::Over(Outcome::Loss),
        place => Next::State(place),
    }
}

/// All positions of a game, numbered in the order in which they were found, breadth first.
#[derive(Default)]
pub(super) struct Listing {
    /// The spec.
    pub name: String,
    /// The names of the sides, the one that begins first.
    pub sides: [&'static str; 2],
    /// The notation of each position.
    pub keys: IndexSet<Box<str>>,
    /// The side to move in each position, an index into `sides`.
    pub mover: Vec<u8>,
    /// The stage of each position; empty if all are of one.
    pub stages: Vec<u32>,
    /// The notation of every move.
    pub names: IndexSet<Box<str>>,
    /// Where the moves of each position begin, and the end of the last.
    pub first: Vec<u32>,
    /// The moves, as numbers of names.
    pub moves: Vec<u32>,
    /// Where they lead, as codes.
    pub targets: Vec<u32>,
    /// The position and the place of the move from which each position was found.
    pub parents: Vec<(u32, u32)>,
    pub columns: OwnColumns,
    pub pieces: Option<Pieces>,
}

impl Listing {
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn key(&self, place: u32) -> &str {
        self.keys.get_index(place as usize).map_or("", |key| key)
    }

    pub(super) fn find(&self, text: &str) -> Result<u32, NotationError> {
        if let Some(place) = self.keys.get_index_of(text) {
            return Ok(u32::try_from(place).unwrap_or(u32::MAX));
        }
        let shared = |key: &str| {
            let pairs = key.chars().zip(text.chars());
            pairs.take_while(|(a, b)| a == b).count()
        };
        let near = self.keys.iter().max_by_key(|key| shared(key));
        let near = near.map_or("", |key| &**key);
        let message =
            format!("no position that play can reach goes on so; the nearest is '{near}'");
        Err(NotationError::new(text, shared(near), message))
    }

    /// The moves of a position with where they lead.
    pub(super) fn moves(&self, place: u32) -> impl Iterator<Item = (u32, Next<u32>)> {
        let ends = self.first.get(place as usize..place as usize + 2);
        let ends = ends.map_or(0..0, |ends| ends[0] as usize..ends[1] as usize);
        let targets = self.targets[ends.clone()].iter().copied().map(target);
        self.moves[ends].iter().copied().zip(targets)
    }

    /// The places of the moves that lead from the initial position to this one.
    pub(super) fn path(&self, place: u32) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = place;
        while at != 0 {
            let (parent, number) = self.parents[at as usize];
            path.push(number as usize);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Bytes that the positions found so far take at the peak of solving the game.
    pub(super) fn bytes(&self, letters: usize) -> u64 {
        let (positions, moves) = (self.keys.len() as u64, self.moves.len() as u64);
        // Here: the key with its place in the set, side, ranges and parent. In the list of
        // the library: state, hash, place, layer, ranges. Solver and table: records, counts.
        let position = (16 + 8 + 12 + 1 + 4 + 8) + (4 + 8 + 9 + 9 + 16) + 24;
        let position = position + 4 * self.columns.len() as u64;
        letters as u64 + positions * position + moves * (8 + 9)
    }
}

/// Names that live as long as the program, each once.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The same text for as long as the program runs. The library has the names of sides in its
/// code, so it takes no others.
pub(super) fn lasting(text: &str) -> &'static str {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(name) = names.get(text) {
        return name;
    }
    let name: &'static str = Box::leak(text.to_owned().into_boxed_str());
    names.insert(name);
    name
}

/// The board with which the notation of each position begins: rows from the top with `/`
/// between them, one letter a square, `.` for an empty one.
pub(super) struct Pieces {
    pub(super) board: Board,
    kinds: BTreeMap<char, (Glyph, String)>,
}

impl Pieces {
    /// A board of 1 to 26 columns and rows, and what its letters stand for. Pieces whose
    /// words begin with the name of a side belong to it; if a side has one kind of piece,
    /// it is drawn as a disc.
    pub(super) fn new(
        (columns, rows): (u8, u8),
        words: &BTreeMap<char, String>,
        sides: [&str; 2],
    ) -> Self {
        let side = |words: &str| {
            let begins = |side: &&str| {
                let start = words.get(..side.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(side))
            };
            sides.iter().position(begins)
        };
        let kinds_of = |wanted| words.values().filter(|words| side(words) == wanted).count();
        let kinds = words.iter().map(|(&letter, words)| {
            let glyph = match side(words) {
                Some(0) if kinds_of(Some(0)) == 1 => Glyph::Piece(Tone::Dark),
                Some(1) if kinds_of(Some(1)) == 1 => Glyph::Piece(Tone::Light),
                _ => Glyph::Text(letter.to_string()),
            };
            (letter, (glyph, words.clone()))
        });
        Self {
            board: Board::new(columns, rows),
            kinds: kinds.collect(),
        }
    }

    pub(super) fn standing(&self, key: &str) -> Vec<Standing> {
        let letters = key.chars().filter(|&letter| letter != '/');
        let squares = (0..self.board.squares()).zip(letters);
        let things = squares.filter(|&(_, letter)| letter != '.');
        let things = things.map(|(square, letter)| {
            let known = self.kinds.get(&letter).cloned();
            let unknown = || (Glyph::Text(letter.to_string()), letter.to_string());
            let (glyph, words) = known.unwrap_or_else(unknown);
            Standing::new(self.board.cell(square), glyph, words)
        });
        things.collect()
    }

    /// Checks that a position begins with the board.
    pub(super) fn check(&self, key: &str) -> Result<(), NotationError> {
        let (columns, rows) = self.board.size();
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        let mut letters = key.chars();
        for at in 0..rows * (columns + 1) - 1 {
            let between = at % (columns + 1) == columns;
            match letters.next() {
                Some(letter) if (letter == '/') == between => {}
                _ => {
                    let message = format!(
                        "a key begins with the board: {rows} rows of {columns} letters, from the top, with / between them"
                    );
                    return Err(NotationError::new(key, at, message));
                }
            }
        }
        Ok(())
    }
}
