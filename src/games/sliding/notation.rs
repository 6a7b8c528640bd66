//! The notation of specs and arrangements.

use super::{Sliding, State};
use crate::base::text::{bytes, grouped};
use crate::game::{Layer, NotationError, SizeError};
use crate::games::settings::{self, SetupError};

/// The most squares: tiles have one letter or digit each, and an arrangement fits in 64
/// bits.
const MOST_SQUARES: usize = 16;
/// The most squares of a board whose arrangements fit in a table.
const MOST_SQUARES_SOLVED: usize = 12;

impl Sliding {
    /// Creates a puzzle from a spec such as `sliding:3x3` (rows x columns).
    ///
    /// # Errors
    /// If the spec is invalid, or the board is too small or too large.
    pub fn from_spec(spec: &str) -> Result<Self, SetupError> {
        let (name, size) = spec.split_once(':').unwrap_or((spec, ""));
        let Some((rows, columns)) = settings::size(size) else {
            let at = name.chars().count() + 1;
            let message = "a board is rows x columns, such as sliding:3x3";
            return Err(SetupError::Text(NotationError::new(spec, at, message)));
        };
        let squares = rows.checked_mul(columns);
        if rows < 2 || columns < 2 || squares.is_none_or(|squares| squares > MOST_SQUARES) {
            return Err(SetupError::Refused(format!(
                "a sliding board needs at least 2 rows and 2 columns, and at most {MOST_SQUARES} squares, not {rows}x{columns}"
            )));
        }
        let mut game = Self {
            rows,
            columns,
            layers: Vec::new(),
        };
        game.layers.push(Layer {
            name: "all".to_owned(),
            slots: 0..game.states(),
            group: 0,
        });
        Ok(game)
    }

    /// Checks that the board is small enough for a table.
    pub(super) fn solvable(&self) -> Result<(), SizeError> {
        if self.squares() <= MOST_SQUARES_SOLVED {
            return Ok(());
        }
        let (rows, columns) = (self.rows, self.columns);
        // At most 16 factorial, which fits.
        let arrangements: u64 = (3..=self.squares() as u64).product();
        // Five to a byte, of the arrangements of odd distance, on square boards without
        // reflections.
        let reflections = if rows == columns { 2 } else { 1 };
        Err(SizeError::new(format!(
            "sliding:{rows}x{columns} has too many arrangements to solve: {}, and even their distances modulo 6, as programs that play store them, would take {}; choose at most {MOST_SQUARES_SOLVED} squares, such as sliding:3x4",
            grouped(arrangements),
            bytes(arrangements / 2 / reflections / 5)
        )))
    }

    pub(super) fn written(&self, state: State) -> String {
        let letter = |square| match state.tile(square) {
            0 => '.',
            tile @ 1..10 => char::from(b'0' + u8::try_from(tile).unwrap_or(0)),
            tile => char::from(b'A' + u8::try_from(tile - 10).unwrap_or(0)),
        };
        let row = |row| {
            let squares = row * self.columns..(row + 1) * self.columns;
            squares.map(letter).collect::<String>()
        };
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }

    pub(super) fn read(&self, text: &str) -> Result<State, NotationError> {
        let fault = |message: &str| Err(NotationError::new(text, 0, message));
        let tiles = match text.strip_prefix('#') {
            Some(number) => self.read_number(text, number)?,
            None => self.read_rows(text)?,
        };
        if let Some(tile) = (0..self.squares()).find(|tile| !tiles.contains(tile)) {
            let name = match tile {
                0 => "the blank, '.',".to_owned(),
                _ => format!("tile {tile}"),
            };
            return fault(&format!("{name} is missing, so another tile occurs twice"));
        }
        if !self.is_solvable(&tiles) {
            return fault("sliding never brings these tiles into order; exchange any two of them");
        }
        let state = State::of(tiles);
        if state == self.solved() {
            return fault("the puzzle is solved: the tiles are in order");
        }
        Ok(state)
    }

    fn read_number(&self, text: &str, number: &str) -> Result<Vec<usize>, NotationError> {
        let squares = self.squares();
        let fault = |message: String| Err(NotationError::new(text, 1, message));
        let Some(mut rest) = settings::number::<u64>(number) else {
            return fault(format!(
                "expected a number after '#': the tiles as digits in base {squares}, with 0 for the blank"
            ));
        };
        let mut tiles = vec![0; squares];
        for tile in tiles.iter_mut().rev() {
            *tile = usize::try_from(rest % squares as u64).unwrap_or(0);
            rest /= squares as u64;
        }
        if rest > 0 {
            return fault(format!(
                "the number has more than {squares} digits in base {squares}"
            ));
        }
        Ok(tiles)
    }

    fn read_rows(&self, text: &str) -> Result<Vec<usize>, NotationError> {
        let fault = |at, message: String| Err(NotationError::new(text, at, message));
        let (rows, columns) = (self.rows, self.columns);
        let mut tiles = Vec::new();
        let mut separated = false;
        for (at, letter) in text.chars().enumerate() {
            let ends = tiles.len() == rows * columns;
            let row_ends = !tiles.is_empty() && tiles.len().is_multiple_of(columns);
            match letter {
                '/' if row_ends && !separated && !ends => {}
                '/' => {
                    let message =
                        format!("a row ends after {columns} tiles, and there are {rows} rows");
                    return fault(at, message);
                }
                _ if ends || row_ends && !separated => {
                    let message = if ends {
                        format!("{rows} rows of {columns} are full here")
                    } else {
                        format!("a row of {columns} is full here; '/' begins the next one")
                    };
                    return fault(at, message);
                }
                '.' | '_' | '0' => tiles.push(0),
                letter => match letter.to_digit(36).map(|digit| digit as usize) {
                    Some(tile) if tile < rows * columns => tiles.push(tile),
                    _ => {
                        let most = rows * columns - 1;
                        let message = format!(
                            "'{letter}' is not a tile; tiles are 1 to {most} (A is 10), the blank is '.'"
                        );
                        return fault(at, message);
                    }
                },
            }
            separated = letter == '/';
        }
        if tiles.len() < rows * columns {
            let message = format!(
                "{} tiles are missing: {rows} rows of {columns}, such as {}",
                rows * columns - tiles.len(),
                self.written(self.solved())
            );
            return fault(text.chars().count(), message);
        }
        Ok(tiles)
    }
}
