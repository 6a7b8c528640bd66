//! The positions of small boards, numbered from a list.
//!
//! A class of positions that are images of one another is numbered if play can reach
//! it: first by the number of free squares, then by the number of parts.

use std::collections::HashMap;

use super::squares::Squares;
use super::{Placement, State};
use crate::game::{Layer, Symmetric};

/// Positions are bit sets of so many squares at most.
const MOST_SQUARES: usize = 128;
/// More classes of positions are not listed.
pub(super) const MOST: usize = 1 << 20;

/// All classes of positions that play can reach.
#[derive(Debug)]
pub(super) struct Index {
    /// The representatives, in order.
    positions: Vec<u128>,
    numbers: HashMap<u128, u32, foldhash::fast::FixedState>,
    layers: Vec<Layer>,
}

impl Index {
    /// Lists the positions of a game, `None` if there are too many.
    pub fn of(game: &Placement) -> Option<Self> {
        if game.squares() > MOST_SQUARES {
            return None;
        }
        let first = game.canonical(&State {
            free: game.board.clone(),
        });
        let mut numbers = HashMap::<u128, u32, foldhash::fast::FixedState>::default();
        numbers.insert(first.free.mask(), 0);
        let mut positions = vec![first.free.mask()];
        let mut done = 0;
        while done < positions.len() {
            let free = Squares::of_mask(positions[done], game.squares());
            done += 1;
            for square in free.iter() {
                let left = game.after(&free, square);
                if left.is_empty() {
                    continue;
                }
                let key = game.canonical(&State { free: left }).free.mask();
                if numbers.insert(key, 0).is_none() {
                    positions.push(key);
                }
                if positions.len() > MOST {
                    return None;
                }
            }
        }
        positions.sort_by_cached_key(|&mask| {
            let free = Squares::of_mask(mask, game.squares());
            (free.len(), game.parts(&free).len(), mask)
        });
        for (number, mask) in (0..).zip(&positions) {
            numbers.insert(*mask, number);
        }
        let mut layers: Vec<Layer> = Vec::new();
        let free = |mask: u128| mask.count_ones();
        let mut start = 0;
        for stretch in positions.chunk_by(|&a, &b| free(a) == free(b)) {
            let end = start + stretch.len() as u64;
            layers.push(Layer {
                name: free(stretch[0]).to_string(),
                slots: start..end,
                group: layers.len(),
            });
            start = end;
        }
        Some(Self {
            positions,
            numbers,
            layers,
        })
    }

    pub fn len(&self) -> u64 {
        self.positions.len() as u64
    }

    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    pub fn position(&self, slot: u64) -> Option<u128> {
        self.positions.get(usize::try_from(slot).ok()?).copied()
    }

    /// The slot of a representative.
    pub fn slot(&self, mask: u128) -> Option<u64> {
        self.numbers.get(&mask).map(|&number| number.into())
    }
}
