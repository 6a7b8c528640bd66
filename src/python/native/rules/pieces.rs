//! Boards that stand in the notation of positions, and names that last.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use tesuji::draw::{Glyph, Tone};
use tesuji::game::{Board, NotationError, Standing};

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

    /// What the board and its letters are.
    pub(super) fn hash(&self, hasher: &mut impl Hasher) {
        self.board.size().hash(hasher);
        for (letter, (_, words)) in &self.kinds {
            (letter, words).hash(hasher);
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
