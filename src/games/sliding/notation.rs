//! The notation of specs and arrangements.

use super::{Move, Sliding, State};
use crate::game::{Game, Layer, NotationError};
use crate::games::settings::{self, SetupError};

/// The most squares: tiles have one letter or digit each, and an arrangement fits in 64
/// bits.
const MOST_SQUARES: usize = 16;

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
                self.format_state(&self.solved())
            );
            return fault(text.chars().count(), message);
        }
        Ok(tiles)
    }
}

impl Game for Sliding {
    type State = State;
    type Move = Move;

    fn spec(&self) -> String {
        format!("sliding:{}x{}", self.rows, self.columns)
    }

    /// The tiles in reverse order, with the lowest two exchanged if that arrangement cannot
    /// be solved.
    fn initial(&self) -> State {
        let mut tiles: Vec<usize> = (0..self.squares()).rev().collect();
        if !self.is_solvable(&tiles) {
            let last = tiles.len() - 1;
            tiles.swap(last - 2, last - 1);
        }
        State::of(tiles)
    }

    fn format_state(&self, state: &State) -> String {
        let letter = |square| char::from(b".123456789ABCDEF"[state.tile(square)]);
        let row = |row| {
            let squares = row * self.columns..(row + 1) * self.columns;
            squares.map(letter).collect::<String>()
        };
        (0..self.rows).map(row).collect::<Vec<_>>().join("/")
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
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

    fn format_move(&self, mv: Move) -> String {
        mv.name().to_owned()
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let fits = |mv: &Move| text.eq_ignore_ascii_case(mv.name());
        Move::ALL.into_iter().find(fits).ok_or_else(|| {
            let message = "a move is the direction of the blank: D, L, U or R";
            NotationError::new(text, 0, message)
        })
    }

    fn side_to_move(&self, _state: &State) -> &'static str {
        "Solver"
    }

    fn is_solitaire(&self) -> bool {
        true
    }
}
