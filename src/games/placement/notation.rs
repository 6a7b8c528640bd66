//! Specs, positions and squares in text.
//!
//! A position is a picture in one line, with ranks from the top separated by `/`: `.` is a
//! free square (a number stands for that many), `_` a square that is not free, `x` a taken
//! square, whose neighbours are not free either. For a graph, there is one letter for each
//! vertex, in the order of the file.

use std::sync::Mutex;

use thiserror::Error;

use super::graph::Graph;
use super::impartial::Search;
use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::game::NotationError;

/// The most squares of a board.
const MOST_SQUARES: usize = 1 << 20;
/// Ranks longer than this are written with numbers.
const PICTURED: usize = 40;
/// The number of files that have letters.
const LETTERS: usize = 26;

/// An invalid board.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The text of a board is wrong.
    #[error("{0}")]
    Notation(NotationError),
    /// The board has no squares, or too many.
    #[error("a board must have 1 to {MOST_SQUARES} squares, not {rows} x {columns}")]
    Size {
        /// The number of rows given.
        rows: usize,
        /// The number of columns given.
        columns: usize,
    },
    /// The board is too wide for a diagram.
    #[error(
        "{spec} is too wide for a diagram: boards that are drawn or mined have at most {most} rows and columns"
    )]
    TooWide {
        /// The game.
        spec: String,
        /// The most rows or columns.
        most: u8,
    },
    /// There are too many positions to list.
    #[error(
        "{spec} has more than {most} positions up to symmetry, too many for a table; tables and mining need a smaller board, 'tesuji probe' and 'tesuji nimbers' do not"
    )]
    TooMany {
        /// The game.
        spec: String,
        /// The most positions.
        most: u32,
    },
}

impl PlacementRules {
    /// The kings game on the board of a spec such as `kings:5x6` (rows x columns) or
    /// `kings:.._/...`, or Regio, `regio:4x4`.
    ///
    /// # Errors
    /// If the spec is neither, or the board is empty or too large.
    pub fn from_spec(spec: &str) -> Result<Self, SetupError> {
        let (name, board) = spec.split_once(':').unwrap_or((spec, ""));
        let rules = if name == "regio" {
            Rules::Regio
        } else {
            Rules::Kings
        };
        let at = name.chars().count() + 1;
        let number = |text: &str| text.parse::<usize>().ok();
        let size = board
            .split_once('x')
            .and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
        if let Some((rows, columns)) = size {
            let squares = rows.checked_mul(columns).filter(|&count| count > 0);
            if squares.is_none_or(|count| count > MOST_SQUARES) {
                return Err(SetupError::Size { rows, columns });
            }
            let spec = format!("{name}:{rows}x{columns}");
            let board = Squares::all(rows * columns);
            return Ok(Self::new(spec, rules, rows, columns, board));
        }
        let fault =
            |at: usize, message: &str| SetupError::Notation(NotationError::new(spec, at, message));
        let ranks: Vec<&str> = board.split('/').collect();
        let (rows, columns) = (ranks.len(), ranks[0].chars().count());
        if columns == 0 {
            return Err(fault(
                at,
                "the board is missing: give its rows and columns, such as 5x6, or a picture, such as ../._",
            ));
        }
        if rows * columns > MOST_SQUARES {
            return Err(SetupError::Size { rows, columns });
        }
        let mut squares = Squares::none(rows * columns);
        let mut place = at;
        for (from_top, rank) in ranks.iter().enumerate() {
            for (column, letter) in rank.chars().enumerate() {
                match letter {
                    '.' if column < columns => {
                        squares.insert((rows - 1 - from_top) * columns + column);
                    }
                    '_' if column < columns => {}
                    '.' | '_' => {
                        return Err(fault(place + column, "this rank is longer than the first"));
                    }
                    _ => {
                        return Err(fault(
                            place + column,
                            "a board is rows x columns, such as 5x6, or a picture of '.' (a square), '_' (a gap) and '/' (the next rank)",
                        ));
                    }
                }
            }
            let length = rank.chars().count();
            if length < columns {
                return Err(fault(place + length, "this rank is shorter than the first"));
            }
            place += length + 1;
        }
        if squares.is_empty() {
            return Err(fault(at, "the board has no squares"));
        }
        Ok(Self::new(spec.to_owned(), rules, rows, columns, squares))
    }

    /// The game on a graph; `spec` is what names it.
    #[must_use]
    pub fn on_graph(spec: &str, graph: Graph) -> Self {
        let vertices = graph.len();
        let board = Squares::all(vertices);
        Self::new(spec.to_owned(), Rules::Graph(graph), 1, vertices, board)
    }

    fn new(spec: String, rules: Rules, rows: usize, columns: usize, board: Squares) -> Self {
        let mut game = Self {
            spec,
            rules,
            rows,
            columns,
            board,
            turns: Vec::new(),
            search: Mutex::new(Search::Unbegun),
        };
        game.turns = game.find_turns();
        game
    }

    pub(super) fn name_of_square(&self, square: usize) -> String {
        if let Rules::Graph(graph) = &self.rules {
            return graph.name(square).to_owned();
        }
        let (row, column) = (square / self.columns, square % self.columns);
        if self.columns > LETTERS {
            return if self.rows == 1 {
                format!("{}", column + 1)
            } else {
                format!("{},{}", column + 1, row + 1)
            };
        }
        let letter = ('a'..='z').nth(column).unwrap_or('?');
        format!("{letter}{}", row + 1)
    }

    pub(super) fn read_square(&self, text: &str) -> Result<usize, NotationError> {
        let fault = |message: String| NotationError::new(text, 0, message);
        let name = text.trim();
        if let Rules::Graph(graph) = &self.rules {
            let known = graph.find(name);
            return known.ok_or_else(|| fault(format!("the graph has no vertex '{name}'")));
        }
        let number = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
        let place = if self.columns > LETTERS {
            let (column, row) = name.split_once(',').unwrap_or((name, "1"));
            number(column).zip(number(row))
        } else {
            let letter = name.chars().next().filter(char::is_ascii_lowercase);
            letter.and_then(|letter| {
                let column = usize::try_from(u32::from(letter) - u32::from('a')).ok()?;
                Some((column, number(&name[1..])?))
            })
        };
        let square = place
            .filter(|&(column, row)| column < self.columns && row < self.rows)
            .map(|(column, row)| row * self.columns + column)
            .filter(|&square| self.board.contains(square));
        square.ok_or_else(|| {
            let last = self.name_of_square(self.squares() - 1);
            fault(format!(
                "the board has no square '{name}'; its last square is {last}"
            ))
        })
    }

    pub(super) fn picture_of(&self, free: &Squares) -> String {
        let mut text = String::new();
        for row in (0..self.rows).rev() {
            let mut run = 0;
            for column in 0..self.columns {
                if free.contains(row * self.columns + column) {
                    run += 1;
                } else {
                    self.push_run(&mut text, run);
                    text.push('_');
                    run = 0;
                }
            }
            self.push_run(&mut text, run);
            if row > 0 {
                text.push('/');
            }
        }
        text
    }

    fn push_run(&self, text: &mut String, run: usize) {
        if run > 0 && self.columns > PICTURED {
            text.push_str(&run.to_string());
        } else {
            text.extend(std::iter::repeat_n('.', run));
        }
    }

    /// Reads a position; at least one square must be free.
    pub(super) fn read_position(&self, text: &str) -> Result<Squares, NotationError> {
        let free = self.read_picture(text, text)?;
        if free.is_empty() {
            let message = "no square is free: the game is over";
            return Err(NotationError::new(text, 0, message));
        }
        Ok(free)
    }

    /// A partial diagram: a picture with `?` for a square that may be free or not.
    pub(super) fn read_partial(&self, text: &str) -> Result<String, NotationError> {
        // The open squares are free in one reading and not free in the other.
        let read = |open: &str| self.read_picture(&text.replace('?', open), text);
        let (most, least) = (self.picture_of(&read(".")?), self.picture_of(&read("_")?));
        let letters = most.chars().zip(least.chars());
        Ok(letters.map(|(a, b)| if a == b { a } else { '?' }).collect())
    }

    /// Reads a picture of the free squares. Errors are shown in `text`, of which `picture`
    /// is a copy with other letters.
    pub(super) fn read_picture(&self, picture: &str, text: &str) -> Result<Squares, NotationError> {
        let fault = |at: usize, message: String| NotationError::new(text, at, message);
        let lead = picture
            .chars()
            .take_while(|letter| letter.is_whitespace())
            .count();
        let letters: Vec<char> = picture.trim().chars().collect();
        let (rows, columns) = (self.rows, self.columns);
        let shape =
            || format!("a position here has {rows} ranks of {columns} squares, separated by /");
        let mut free = Squares::none(self.squares());
        let mut taken = Vec::new();
        let (mut row, mut column, mut place) = (rows - 1, 0, 0);
        while place < letters.len() {
            let letter = letters[place];
            let at = lead + place;
            let digits = letters[place..].iter().take_while(|l| l.is_ascii_digit());
            let digits: String = digits.collect();
            place += digits.len().max(1);
            if letter == '/' {
                if column != columns || row == 0 {
                    return Err(fault(at, shape()));
                }
                (row, column) = (row - 1, 0);
                continue;
            }
            let count = match letter {
                '.' | '_' | 'x' => 1,
                _ => digits.parse().ok().filter(|&run: &usize| run > 0).ok_or_else(|| {
                    let signs = "a position consists of . (free), _ (not free), x (taken), numbers (that many free squares) and /";
                    fault(at, signs.to_owned())
                })?,
            };
            if count > columns - column {
                return Err(fault(at, shape()));
            }
            for square in row * columns + column..row * columns + column + count {
                let gap = !self.board.contains(square);
                if letter == 'x' {
                    taken.push((square, at));
                }
                if gap && letter != '_' {
                    let name = self.name_of_square(square);
                    return Err(fault(
                        at,
                        format!("the board has no square {name}; write _ there"),
                    ));
                }
                if letter != '_' && letter != 'x' {
                    free.insert(square);
                }
            }
            column += count;
        }
        if (row, column) != (0, columns) {
            return Err(fault(lead + letters.len(), shape()));
        }
        let is_taken: std::collections::HashSet<usize> =
            taken.iter().map(|&(square, _)| square).collect();
        for &(square, at) in &taken {
            let mut clash = None;
            self.around(square, |near| {
                if near != square && is_taken.contains(&near) {
                    clash = Some(near);
                }
                free.remove(near);
            });
            if let Some(near) = clash {
                let names = (self.name_of_square(square), self.name_of_square(near));
                return Err(fault(
                    at,
                    format!(
                        "{} and {} are neighbours, so only one can be taken",
                        names.0, names.1
                    ),
                ));
            }
        }
        Ok(free)
    }
}
