//! Positions and moves in text.
//!
//! A position is a picture in one line, with ranks from the top separated by `/`: `.` is a
//! free square (a number stands for that many), `_` a square that is not free, `x` a taken
//! square, whose neighbours are not free either. For a graph, there is one letter for each
//! vertex, in the order of the file.
//!
//! With several colours, `.` is a square that can take all of them. A digit or letter says
//! which ones: the sum of 1 for A, 2 for B, 4 for C and 8 for D, from `1` to `e`. A capital
//! letter is a square that has taken this colour. There are no numbers of free squares.

use super::setup::COLOURS;
use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::game::NotationError;

/// Ranks longer than this are written with numbers.
const PICTURED: usize = 40;
/// The number of files that have letters.
const LETTERS: usize = 26;

impl PlacementRules {
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

    /// The name of a place: its square, with the colour if there are several.
    pub(super) fn name_of_place(&self, place: usize) -> String {
        let name = self.name_of_square(self.square_of(place));
        match COLOURS.get(self.colour_of(place)) {
            Some(colour) if self.colours > 1 => format!("{name}{colour}"),
            _ => name,
        }
    }

    /// Reads the name of a place of the board.
    pub(super) fn read_place(&self, text: &str) -> Result<usize, NotationError> {
        if self.colours == 1 {
            return self.read_square(text);
        }
        let name = text.trim();
        let colours = &COLOURS[..self.colours];
        let last = name.chars().next_back();
        let colour = colours.iter().position(|&colour| Some(colour) == last);
        let Some(colour) = colour else {
            let message = format!(
                "a move is a square with a colour, {} to {}, such as {}",
                colours[0],
                colours[self.colours - 1],
                self.name_of_place(0)
            );
            return Err(NotationError::new(text, text.chars().count(), message));
        };
        let square = self.read_square(&name[..name.len() - 1])?;
        Ok(colour * self.squares() + square)
    }

    fn read_square(&self, text: &str) -> Result<usize, NotationError> {
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
                let letter = self.letter_of(free, row * self.columns + column);
                if letter == '.' {
                    run += 1;
                } else {
                    self.push_run(&mut text, run);
                    text.push(letter);
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

    /// The colours that a square can take, a bit each.
    fn colours_of(&self, free: &Squares, square: usize) -> u32 {
        let colours = 0..self.colours;
        let free = colours.filter(|&colour| free.contains(colour * self.squares() + square));
        free.fold(0, |set, colour| set | 1 << colour)
    }

    pub(super) fn letter_of(&self, free: &Squares, square: usize) -> char {
        match self.colours_of(free, square) {
            0 => '_',
            set if set == (1 << self.colours) - 1 => '.',
            set => char::from_digit(set, 16).unwrap_or('?'),
        }
    }

    fn push_run(&self, text: &mut String, run: usize) {
        if run > 0 && self.columns > PICTURED && self.colours == 1 {
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
}
