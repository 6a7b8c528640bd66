//! The numbering of arrangements that can be solved.
//!
//! They are numbered first by the square of the blank, then by the tiles in reading order
//! as a permutation in lexicographic order. Of two permutations that differ only in their
//! last two tiles, exactly one can be solved, so the number of the permutation is halved.

use super::{Sliding, State};
use crate::game::{Layer, Ranked, SizeError};

impl Sliding {
    /// Whether the tiles, given square by square, can be solved: each move exchanges two
    /// squares, so the parity of the arrangement must equal that of the blank's distance
    /// from its home.
    pub(super) fn is_solvable(&self, tiles: &[usize]) -> bool {
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        let way =
            (self.rows - 1 - blank / self.columns) + (self.columns - 1 - blank % self.columns);
        // The blank counts as the highest tile, because it is last.
        let order = |tile: usize| if tile == 0 { tiles.len() } else { tile };
        let inversions = tiles.iter().enumerate().map(|(square, &tile)| {
            let behind = tiles[square + 1..].iter();
            behind.filter(|&&other| order(other) < order(tile)).count()
        });
        (inversions.sum::<usize>() + way).is_multiple_of(2)
    }

    /// The number of arrangements with the blank on a given square.
    pub(super) fn a_blank(&self) -> u64 {
        (1..self.squares() as u64).product::<u64>() / 2
    }

    /// The number of an arrangement that can be solved. The solved one has a number too.
    pub(super) fn number_of(&self, state: State) -> u64 {
        let tiles = (0..self.squares()).map(|square| state.tile(square));
        let mut unused = (1_u32 << self.squares()) - 2;
        let mut number = 0;
        let mut left = self.squares() as u64 - 1;
        for tile in tiles.filter(|&tile| tile != 0) {
            let less = (unused & ((1 << tile) - 1)).count_ones();
            number = number * left + u64::from(less);
            unused &= !(1 << tile);
            left -= 1;
        }
        state.blank() as u64 * self.a_blank() + number / 2
    }

    /// The arrangement with a number.
    pub(super) fn numbered(&self, number: u64) -> Option<State> {
        if number >= self.states() {
            return None;
        }
        let squares = self.squares();
        let blank = usize::try_from(number / self.a_blank()).ok()?;
        let mut rest = number % self.a_blank() * 2;
        // The digits of the number, the least significant last.
        let mut digits = vec![0; squares - 1];
        for (place, digit) in digits.iter_mut().enumerate().rev() {
            let radix = (squares - 1 - place) as u64;
            *digit = usize::try_from(rest % radix).ok()?;
            rest /= radix;
        }
        let mut unused: Vec<usize> = (1..squares).collect();
        let mut tiles: Vec<usize> = digits.iter().map(|&digit| unused.remove(digit)).collect();
        tiles.insert(blank, 0);
        if !self.is_solvable(&tiles) {
            // The last two tiles, ignoring the blank.
            let mut places = (0..squares).rev().filter(|&square| tiles[square] != 0);
            let (last, before) = (places.next()?, places.next()?);
            tiles.swap(last, before);
        }
        Some(State::of(tiles))
    }

    /// The number of arrangements that can be solved, including the solved one.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.squares() as u64 * self.a_blank()
    }

    pub(super) fn make_layers(&self) -> Vec<Layer> {
        vec![Layer {
            name: "all".to_owned(),
            slots: 0..self.states(),
            group: 0,
        }]
    }
}

impl Ranked for Sliding {
    fn slots(&self) -> u64 {
        self.states()
    }

    fn rank(&self, state: &State) -> u64 {
        self.number_of(*state)
    }

    /// The slot of the solved arrangement is vacant.
    fn unrank(&self, index: u64) -> Option<State> {
        self.numbered(index).filter(|&state| state != self.solved())
    }

    fn check_size(&self) -> Result<(), SizeError> {
        self.solvable()
            .map_err(|error| SizeError::new(error.to_string()))
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }
}
