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

use std::collections::HashSet;

use super::setup::{self, COLOURS};
use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::game::{Game, NotationError, RuleInWords, fen_row};
use crate::games::settings;

/// Ranks longer than this are written with numbers.
const PICTURED: usize = 40;
/// The number of files that have letters.
const LETTERS: usize = 26;

impl Game for PlacementRules {
    /// The places that are still free, at least one.
    type State = Squares;
    /// A taken place: a square or vertex, counted row by row from a1, with a colour.
    type Move = usize;

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn rules_in_words(&self) -> Vec<RuleInWords> {
        setup::rules(self)
    }

    fn title(&self) -> String {
        let title = match self.rules {
            Rules::Kings => "Kings placement",
            Rules::Regio => "Regio",
            Rules::Graph(_) => "Graph",
        };
        title.to_owned()
    }

    /// All placement games have the same columns.
    fn family(&self) -> String {
        "kings".to_owned()
    }

    fn initial(&self) -> Squares {
        self.board.clone()
    }

    fn format_state(&self, free: &Squares) -> String {
        let row = |row: usize| {
            let squares = row * self.columns..(row + 1) * self.columns;
            let letters = squares.map(|square| self.letter_of(free, square));
            if self.columns > PICTURED && self.colours == 1 {
                fen_row(letters.map(|letter| (letter != '.').then(|| letter.to_string())))
            } else {
                letters.collect()
            }
        };
        (0..self.rows).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// At least one square must be free.
    fn parse_state(&self, text: &str) -> Result<Squares, NotationError> {
        let free = self.read_picture(text, text)?;
        if free.is_empty() {
            let message = "no square is free: the game is over";
            return Err(NotationError::new(text, 0, message));
        }
        Ok(free)
    }

    /// The name of the square, with the colour if there are several.
    fn format_move(&self, place: usize) -> String {
        let name = self.name_of_square(self.square_of(place));
        match COLOURS.get(self.colour_of(place)) {
            Some(colour) if self.colours > 1 => format!("{name}{colour}"),
            _ => name,
        }
    }

    fn parse_move(&self, text: &str) -> Result<usize, NotationError> {
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
                self.format_move(0)
            );
            return Err(NotationError::new(text, text.chars().count(), message));
        };
        let square = self.read_square(&name[..name.len() - 1])?;
        Ok(colour * self.squares() + square)
    }

    /// The sides have the same moves, so they are not named.
    fn side_to_move(&self, _free: &Squares) -> &'static str {
        "Next player"
    }
}

impl PlacementRules {
    pub(super) fn name_of_square(&self, square: usize) -> String {
        if let Rules::Graph(graph) = &self.rules {
            return graph.names[square].clone();
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

    fn read_square(&self, text: &str) -> Result<usize, NotationError> {
        let fault = |message: String| NotationError::new(text, 0, message);
        let name = text.trim();
        if let Rules::Graph(graph) = &self.rules {
            let known = graph.names.iter().position(|known| known == name);
            return known.ok_or_else(|| fault(format!("the graph has no vertex '{name}'")));
        }
        let number = |text: &str| settings::number::<usize>(text)?.checked_sub(1);
        let place = if self.columns > LETTERS {
            let (column, row) = name.split_once(',').unwrap_or((name, "1"));
            number(column).zip(number(row))
        } else {
            let column = ('a'..='z').position(|letter| name.starts_with(letter));
            column.zip(name.get(1..).and_then(number))
        };
        let place = place.filter(|&(column, row)| column < self.columns && row < self.rows);
        let square = place.map(|(column, row)| row * self.columns + column);
        let square = square.filter(|&square| self.board.contains(square));
        square.ok_or_else(|| {
            let last = self.name_of_square(self.squares() - 1);
            fault(format!(
                "the board has no square '{name}'; its last square is {last}"
            ))
        })
    }

    pub(super) fn letter_of(&self, free: &Squares, square: usize) -> char {
        let colours = 0..self.colours;
        let free = colours.filter(|&colour| free.contains(colour * self.squares() + square));
        match free.fold(0, |set, colour| set | 1 << colour) {
            0 => '_',
            set if set == (1 << self.colours) - 1 => '.',
            set => char::from_digit(set, 16).unwrap_or('?'),
        }
    }
}

/// What a sign of a picture says of the squares for which it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// They can take these colours, a bit each.
    Can(u32),
    /// It has taken this colour.
    Took(usize),
}

impl PlacementRules {
    /// Reads a picture of the free squares. Errors are shown in `text`, of which `picture`
    /// is a copy with other letters.
    pub(super) fn read_picture(&self, picture: &str, text: &str) -> Result<Squares, NotationError> {
        let (mut free, taken) = self.read_signs(picture, text)?;
        self.take(&mut free, &taken, text)?;
        Ok(free)
    }

    /// The squares that a picture shows as free, and its taken places with their characters.
    pub(super) fn read_signs(
        &self,
        picture: &str,
        text: &str,
    ) -> Result<(Squares, Vec<(usize, usize)>), NotationError> {
        let fault = |at: usize, message: String| NotationError::new(text, at, message);
        let blanks = picture.chars().take_while(|letter| letter.is_whitespace());
        let lead = blanks.count();
        let letters: Vec<char> = picture.trim().chars().collect();
        let (rows, columns) = (self.rows, self.columns);
        let shape =
            || format!("a position here has {rows} ranks of {columns} squares, separated by /");
        let mut free = Squares::none(self.places());
        let mut taken = Vec::new();
        let (mut row, mut column, mut place) = (rows - 1, 0, 0);
        while place < letters.len() {
            let at = lead + place;
            if letters[place] == '/' {
                if column != columns || row == 0 {
                    return Err(fault(at, shape()));
                }
                (row, column, place) = (row - 1, 0, place + 1);
                continue;
            }
            let (sign, length, count) = self
                .sign(&letters[place..])
                .ok_or_else(|| fault(at, self.signs()))?;
            place += length;
            if count > columns - column {
                return Err(fault(at, shape()));
            }
            for square in row * columns + column..row * columns + column + count {
                if !self.board.contains(square) && sign != Sign::Can(0) {
                    let name = self.name_of_square(square);
                    let message = format!("the board has no square {name}; write _ there");
                    return Err(fault(at, message));
                }
                match sign {
                    Sign::Can(set) => {
                        let colours = 0..self.colours;
                        let can = colours.filter(|&colour| set >> colour & 1 == 1);
                        can.for_each(|colour| free.insert(colour * self.squares() + square));
                    }
                    Sign::Took(colour) => taken.push((colour * self.squares() + square, at)),
                }
            }
            column += count;
        }
        if (row, column) != (0, columns) {
            return Err(fault(lead + letters.len(), shape()));
        }
        Ok((free, taken))
    }

    /// Removes what taken places exclude. Places come with their characters in the text.
    fn take(
        &self,
        free: &mut Squares,
        taken: &[(usize, usize)],
        text: &str,
    ) -> Result<(), NotationError> {
        let is_taken: HashSet<usize> = taken.iter().map(|&(place, _)| place).collect();
        for &(place, at) in taken {
            let mut clash = None;
            self.around(place, |near| {
                if near != place && is_taken.contains(&near) {
                    clash = Some(near);
                }
                free.remove(near);
            });
            if let Some(near) = clash {
                let [one, other] =
                    [place, near].map(|place| self.name_of_square(self.square_of(place)));
                let both = if self.colours > 1 {
                    "they cannot have the same colour"
                } else {
                    "only one can be taken"
                };
                let message = format!("{one} and {other} are neighbours, so {both}");
                return Err(NotationError::new(text, at, message));
            }
        }
        Ok(())
    }

    /// The first sign of a text, with the letters that it takes and the squares for which
    /// it stands; `None` if it is none.
    fn sign(&self, letters: &[char]) -> Option<(Sign, usize, usize)> {
        let all = (1 << self.colours) - 1;
        let first = *letters.first()?;
        let sign = match first {
            '.' => Sign::Can(all),
            '_' => Sign::Can(0),
            'x' if self.colours == 1 => Sign::Took(0),
            _ if self.colours == 1 => {
                let digits = letters.iter().take_while(|letter| letter.is_ascii_digit());
                let digits: String = digits.collect();
                let run = digits.parse().ok().filter(|&run: &usize| run > 0)?;
                return Some((Sign::Can(1), digits.len(), run));
            }
            'A'..='Z' => {
                let colours = COLOURS[..self.colours].iter();
                Sign::Took(colours.into_iter().position(|&colour| colour == first)?)
            }
            _ => Sign::Can(first.to_digit(16).filter(|set| (1..all).contains(set))?),
        };
        Some((sign, 1, 1))
    }

    fn signs(&self) -> String {
        if self.colours == 1 {
            return "a position consists of . (free), _ (not free), x (taken), numbers (that many free squares) and /".to_owned();
        }
        let sums = COLOURS[..self.colours].iter().enumerate();
        let sums = sums.map(|(bit, colour)| format!("{} for {colour}", 1 << bit));
        let sums: Vec<String> = sums.collect();
        format!(
            "a position consists of . (free for all colours), _ (for none), digits (for some colours: the sum of {}, a for 10 and so on), capital letters (taken by this colour) and /",
            sums.join(", ")
        )
    }
}
