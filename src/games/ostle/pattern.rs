//! Partial diagrams of Ostle positions.
//!
//! A pattern is the board as in the one-line notation, for Black to move, with `?` for a
//! square that may have anything on it, `x` for a piece of either side, and `.` for an
//! empty square (digits work too). For example, `??w??/?b?/...` has five ranks of five on
//! 5x5.

use super::index::Placement;
use super::{Move, Ostle, Side, State};
use crate::game::{NotationError, Patterned};
use crate::games::ostle::grid::Mask;

/// The squares that each kind of thing may be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    own: Mask,
    opponent: Mask,
    hole: Mask,
    empty: Mask,
}

impl Ostle {
    /// Checks that some unfinished position has as many men and holes as a pattern.
    fn possible(&self, board: &str, pattern: &Pattern) -> Result<(), NotationError> {
        let (most, least) = (usize::from(self.pieces()), u32::from(self.fewest()));
        let count = |letter| board.chars().filter(|&other| other == letter).count();
        // The place of a letter that is one too many.
        let extra = |letter, most| {
            let mut places = board.chars().enumerate();
            let mut places = places.by_ref().filter(|&(_, other)| other == letter);
            places.nth(most).map_or(0, |(at, _)| at)
        };
        let end = board.chars().count();
        let fault = |at: usize, message: String| Err(NotationError::new(board, at, message));
        if count('o') > 1 {
            return fault(
                extra('o', 1),
                "a position has one hole; this is a second one".to_owned(),
            );
        }
        for letter in ['b', 'w'] {
            if count(letter) > most {
                let message = format!("each side has at most {most} pieces; this is one more");
                return fault(extra(letter, most), message);
            }
        }
        if count('b') + count('w') + count('x') > 2 * most {
            let message = format!("there are at most {} pieces on the board", 2 * most);
            return fault(end, message);
        }
        if pattern.hole == 0 {
            return fault(
                end,
                "no square is left for the hole; write o or ? for one".to_owned(),
            );
        }
        if pattern.own.count_ones().min(pattern.opponent.count_ones()) < least {
            let message = format!(
                "each side has at least {least} pieces while the game goes on; leave room for them with ?"
            );
            return fault(end, message);
        }
        Ok(())
    }
}

impl Patterned for Ostle {
    type Pattern = Pattern;

    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let grid = &self.grid;
        let (width, height) = (usize::from(grid.width()), usize::from(grid.height()));
        let fault = |at: usize, message: String| NotationError::new(text, at, message);
        let mut pattern = Pattern {
            own: 0,
            opponent: 0,
            hole: 0,
            empty: 0,
        };
        let board = text.trim_end();
        let end = board.chars().count();
        let (mut rank, mut file) = (height - 1, 0);
        for (at, letter) in board.chars().enumerate() {
            if letter == '/' {
                if file != width || rank == 0 {
                    return Err(fault(
                        at,
                        format!("a pattern has {height} ranks of {width} squares, separated by /"),
                    ));
                }
                (rank, file) = (rank - 1, 0);
                continue;
            }
            let (count, own, opponent, hole, empty) = match letter {
                'b' => (1, true, false, false, false),
                'w' => (1, false, true, false, false),
                'o' => (1, false, false, true, false),
                'x' => (1, true, true, false, false),
                '.' => (1, false, false, false, true),
                '?' => (1, true, true, true, true),
                '1'..='9' => (letter as usize - '0' as usize, false, false, false, true),
                _ => {
                    return Err(fault(at, "a pattern is made of b, w, o, x (either piece), . or digits (empty) and ? (anything), for Black to move".to_owned()));
                }
            };
            if file + count > width {
                return Err(fault(
                    at,
                    format!("this rank has more than {width} squares"),
                ));
            }
            for file in file..file + count {
                let bit: Mask = 1 << (file * height + rank);
                let set = |yes| if yes { bit } else { 0 };
                pattern.own |= set(own);
                pattern.opponent |= set(opponent);
                pattern.hole |= set(hole);
                pattern.empty |= set(empty);
            }
            file += count;
        }
        if rank != 0 || file != width {
            return Err(fault(
                end,
                format!(
                    "the pattern ends early: {height} ranks of {width} squares, separated by /, are needed"
                ),
            ));
        }
        self.possible(board, &pattern)?;
        Ok(pattern)
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        let all = self.grid.all();
        self.grid.symmetries().iter().find_map(|symmetry| {
            let at = state.placement;
            let turned = Placement {
                own: symmetry.mask(at.own),
                opp: symmetry.mask(at.opp),
                hole: symmetry.square(at.hole),
            };
            let hole: Mask = 1 << turned.hole;
            let empty = all & !(turned.own | turned.opp | hole);
            let fits = turned.own & !pattern.own == 0
                && turned.opp & !pattern.opponent == 0
                && hole & !pattern.hole == 0
                && empty & !pattern.empty == 0;
            let turned = State {
                placement: turned,
                side: Side::Black,
                forbidden: None,
            };
            let turn =
                |mv: Move| Move::new(symmetry.square(mv.from), symmetry.direction(mv.direction));
            fits.then(|| State {
                forbidden: state.forbidden.map(|mv| self.naming(&turned, turn(mv))),
                ..turned
            })
        })
    }
}
