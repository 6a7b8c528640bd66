//! Partial diagrams.

use super::{LineUp, Side, State};
use crate::game::{NotationError, Patterned};

/// The squares that each kind of thing may be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    black: u64,
    white: u64,
    free: u64,
}

impl Patterned for LineUp {
    type Pattern = Pattern;

    /// Letters are those of positions, `x` for a man of either side and `?` for anything.
    /// Where either side may be to move, it is Black.
    fn parse_pattern(&self, text: &str) -> Result<Pattern, NotationError> {
        let letters = ['.', 'b', 'w', 'x', '?'];
        let [free, black, white, man, any] = self.board().read(text.trim_end(), letters)?;
        Ok(Pattern {
            black: black | man | any,
            white: white | man | any,
            free: free | any,
        })
    }

    fn fit(&self, pattern: &Pattern, state: &State) -> Option<State> {
        let known = self.known_side(state.own.count_ones(), state.other.count_ones());
        let seen = State {
            side: known.unwrap_or(Side::Black),
            ..*state
        };
        self.images(&seen).find(|image| {
            let [black, white] = image.sides();
            let free = self.geometry.all & !image.taken();
            black & !pattern.black == 0 && white & !pattern.white == 0 && free & !pattern.free == 0
        })
    }
}
