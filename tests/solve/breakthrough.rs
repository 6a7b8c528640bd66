//! Breakthrough with moves written for bits: a list of many positions, against counts by a search
//! in Python that keeps a set of all positions, and against the game of pieces that is shipped.

use tesuji::base::value::Outcome;
use tesuji::game::{FiniteGame, Game, Moves, Next, NotationError, Playable};

/// Two rows of men each on so many columns and rows, at most 32 squares. Men go forward, straight or
/// diagonally, take diagonally, and the first one on the far rank wins, or whoever takes all.
#[derive(Debug, Clone, Copy)]
pub struct Breakthrough {
    columns: u32,
    rows: u32,
    /// Squares whose man has a column to its lower, or higher, side.
    beside: [u32; 2],
}

/// The men of the side that begins, those of the other one, and whose move it is.
pub type State = (u32, u32, bool);

impl Breakthrough {
    pub const fn new(columns: u32, rows: u32) -> Self {
        let (mut low, mut row) = (0, 0);
        while row < rows {
            low |= 1 << (row * columns);
            row += 1;
        }
        let all = u32::MAX >> (32 - columns * rows);
        Self {
            columns,
            rows,
            beside: [all & !low, all & !(low << (columns - 1))],
        }
    }

    const fn row(&self, row: u32) -> u32 {
        ((1 << self.columns) - 1) << (row * self.columns)
    }

    fn mirrored(&self, men: u32) -> u32 {
        let first = !self.beside[0] & (u32::MAX >> (32 - self.columns * self.rows));
        (0..self.columns).fold(0, |all, column| {
            all | (men >> column & first) << (self.columns - 1 - column)
        })
    }
}

impl Game for Breakthrough {
    type State = State;
    /// From a square to a square.
    type Move = (u8, u8);

    fn spec(&self) -> String {
        format!("men:{}x{}", self.columns, self.rows)
    }

    fn initial(&self) -> State {
        let near = self.row(0) | self.row(1);
        (near, near << ((self.rows - 2) * self.columns), false)
    }

    fn format_state(&self, state: &State) -> String {
        format!("{:x} {:x} {}", state.0, state.1, u8::from(state.2))
    }

    fn parse_state(&self, text: &str) -> Result<State, NotationError> {
        let words: Vec<&str> = text.split(' ').collect();
        let men = |at: usize| u32::from_str_radix(words.get(at).copied().unwrap_or(""), 16);
        match (men(0), men(1), words.get(2)) {
            (Ok(ours), Ok(theirs), Some(side)) => Ok((ours, theirs, *side == "1")),
            _ => Err(NotationError::new(text, 0, "two sets of men and a side")),
        }
    }

    fn format_move(&self, (from, to): (u8, u8)) -> String {
        format!("{from}-{to}")
    }

    fn parse_move(&self, text: &str) -> Result<(u8, u8), NotationError> {
        let squares = text.split_once('-');
        let squares = squares.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        squares.ok_or_else(|| NotationError::new(text, 0, "two squares"))
    }

    fn side_to_move(&self, state: &State) -> &'static str {
        if state.2 { "Second" } else { "First" }
    }
}

impl Moves for Breakthrough {
    fn moves(&self, &(first, second, side): &State) -> Vec<(u8, u8)> {
        let (ours, theirs) = if side {
            (second, first)
        } else {
            (first, second)
        };
        let mut found = Vec::with_capacity(8);
        let [low, high] = self.beside;
        // For who comes from above, the sides of the board change places.
        let [first, last] = if side { [high, low] } else { [low, high] };
        for (step, from) in [
            (self.columns - 1, first),
            (self.columns, u32::MAX),
            (self.columns + 1, last),
        ] {
            let step_on = |men: u32| if side { men >> step } else { men << step };
            let back = |men: u32| if side { men << step } else { men >> step };
            let blocked = if step == self.columns {
                ours | theirs
            } else {
                ours
            };
            let mut men = ours & from & !back(blocked);
            while men != 0 {
                let man = men & men.wrapping_neg();
                men ^= man;
                let square = |man: u32| u8::try_from(man.trailing_zeros()).unwrap();
                found.push((square(man), square(step_on(man))));
            }
        }
        found
    }

    fn play(&self, &(first, second, side): &State, (from, to): (u8, u8)) -> Next<State> {
        let (ours, theirs) = if side {
            (second, first)
        } else {
            (first, second)
        };
        let ours = ours & !(1 << from) | 1 << to;
        let theirs = theirs & !(1 << to);
        let far = self.row(if side { 0 } else { self.rows - 1 });
        if theirs == 0 || ours & far != 0 {
            return Next::Over(Outcome::Win);
        }
        Next::State(if side {
            (theirs, ours, false)
        } else {
            (ours, theirs, true)
        })
    }
}

impl Playable for Breakthrough {}

impl FiniteGame for Breakthrough {
    fn symmetries(&self) -> usize {
        2
    }

    fn image(&self, state: &State, symmetry: usize) -> State {
        match symmetry {
            0 => *state,
            _ => (self.mirrored(state.0), self.mirrored(state.1), state.2),
        }
    }

    fn image_of_move(&self, mv: (u8, u8), symmetry: usize) -> (u8, u8) {
        let columns = u8::try_from(self.columns).unwrap();
        let mirrored = |square: u8| square / columns * columns + columns - 1 - square % columns;
        match symmetry {
            0 => mv,
            _ => (mirrored(mv.0), mirrored(mv.1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Breakthrough;
    use crate::common::{records, with_threads};
    use crate::listed::agrees;
    use tesuji::base::progress::NoProgress;
    use tesuji::base::value::{Outcome, Value};
    use tesuji::game::{FiniteGame, Game, Listed, Ranked};

    #[test]
    fn the_list_and_all_values_are_those_of_a_search_in_python() {
        // Sets of tuples, and a recursion with a memory: 1,205,824 positions, 606,105 up to
        // reflection. 945,115 are wins, the plies of wins less those of losses are 521,583 in all,
        // and whoever begins loses in 18.
        let game = Listed::of(Breakthrough::new(3, 5));
        assert_eq!(game.slots(), 606_105);
        let records = records(&game);
        let (mut positions, mut wins, mut plies) = (0, 0, 0);
        for (slot, record) in (0..).zip(&records) {
            let state = game.unrank(slot).unwrap();
            let images = if game.game().image(&state, 1) == state {
                1
            } else {
                2
            };
            let value = record.best();
            let count = i32::from(value.plies().unwrap());
            positions += images;
            match value.outcome() {
                Outcome::Win => (wins, plies) = (wins + images, plies + images * count),
                _ => plies -= images * count,
            }
        }
        assert_eq!((positions, wins, plies), (1_205_824, 945_115, 521_583));
        let initial = usize::try_from(game.rank(&game.initial())).unwrap();
        assert_eq!(
            Some(records[initial].best()),
            Value::decided(Outcome::Loss, 18)
        );
    }

    #[test]
    fn it_keeps_the_laws_and_its_list_is_the_same_with_any_number_of_threads() {
        agrees(Breakthrough::new(3, 4));
        let list = |threads| {
            with_threads(threads, || {
                let game = Listed::of(Breakthrough::new(4, 4));
                game.list(&NoProgress).unwrap();
                (0..game.slots())
                    .map(|slot| game.unrank(slot))
                    .collect::<Vec<_>>()
            })
        };
        let one = list(1);
        assert!(one.len() > 100_000 && one == list(2) && one == list(7));
    }
}
