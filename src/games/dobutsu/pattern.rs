//! Partial diagrams.
//!
//! A pattern is the board as in the one-line notation for Sente to move, four ranks from the
//! top, with `?` for a square that may have anything on it, `X` for any animal of Sente and
//! `x` for any of Gote. The hands may follow, as in the notation; if they are left out, they
//! may be any.

use super::Dobutsu;
use super::notation::{format_board, format_hands};
use super::state::{Side, State};
use crate::game::{NotationError, Patterned};

/// What may stand on each square, and the hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The four ranks with `/` between them.
    board: String,
    /// The hands, with their letters sorted.
    hands: Option<Vec<char>>,
}

const SHAPE: &str = "a pattern is four ranks of three squares from the top, for Sente to move, with / between them: L, G, E, C, R for Sente's animals, small letters for Gote's, X and x for any of Sente's and Gote's, - for an empty square and ? for anything; the hands may follow, e.g. ?l?/???/-L-/???/Cc";

fn sorted(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters
}

impl Patterned for Dobutsu {
    type Pattern = Pattern;

    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let text = text.trim_end();
        let board: String = text.chars().take(15).collect();
        for (at, letter) in board.chars().enumerate() {
            let fits = if at % 4 == 3 {
                letter == '/'
            } else {
                "LGECRXlgecrx-?".contains(letter)
            };
            if !fits {
                return Err(NotationError::new(text, at, SHAPE));
            }
        }
        let length = board.chars().count();
        if length < 15 {
            return Err(NotationError::new(text, length, SHAPE));
        }
        let mut rest = text.chars().skip(15);
        let hands = match rest.next() {
            None => None,
            Some('/') => {
                let hands: String = rest.collect();
                let odd = hands.chars().position(|letter| !"GECgec".contains(letter));
                match odd {
                    Some(_) if hands == "-" => {}
                    Some(at) => return Err(NotationError::new(text, 16 + at, SHAPE)),
                    None if hands.is_empty() => return Err(NotationError::new(text, 16, SHAPE)),
                    None => {}
                }
                Some(sorted(&hands))
            }
            Some(_) => return Err(NotationError::new(text, 15, SHAPE)),
        };
        Ok(Pattern { board, hands })
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        [state.at, state.at.mirrored()].into_iter().find_map(|at| {
            let letters = format_board(&at);
            let fits =
                pattern
                    .board
                    .chars()
                    .zip(letters.chars())
                    .all(|(wanted, found)| match wanted {
                        '?' => true,
                        'X' => found.is_ascii_uppercase(),
                        'x' => found.is_ascii_lowercase(),
                        _ => wanted == found,
                    });
            let hands = pattern.hands.as_ref();
            let held = hands.is_none_or(|hands| *hands == sorted(&format_hands(&at)));
            (fits && held).then_some(State {
                at,
                side: Side::Sente,
            })
        })
    }
}
