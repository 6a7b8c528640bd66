//! Reading pictures of positions.

use std::collections::HashSet;

use super::PlacementRules;
use super::setup::COLOURS;
use super::squares::Squares;
use crate::game::NotationError;

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
        self.take(&mut free, &taken, text)?;
        Ok(free)
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

    /// The signs of pictures, in words.
    fn signs(&self) -> String {
        if self.colours == 1 {
            return "a position consists of . (free), _ (not free), x (taken), numbers (that many free squares) and /".to_owned();
        }
        let sums: Vec<String> = COLOURS[..self.colours]
            .iter()
            .enumerate()
            .map(|(bit, colour)| format!("{} for {colour}", 1 << bit))
            .collect();
        format!(
            "a position consists of . (free for all colours), _ (for none), digits (for some colours: the sum of {}, a for 10 and so on), capital letters (taken by this colour) and /",
            sums.join(", ")
        )
    }
}
