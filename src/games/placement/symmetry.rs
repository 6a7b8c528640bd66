//! Symmetries: those of the board, with the colours in any order.

use std::collections::HashSet;

use super::setup::MOST_COLOURS;
use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::base::turn::Turn;

/// A symmetry of the board together with an order of the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symmetry {
    turn: Turn,
    /// The colour that each colour becomes.
    colours: [u8; MOST_COLOURS],
}

impl Symmetry {
    /// Whether doing it twice changes nothing, and once does.
    fn is_mirror(self) -> bool {
        let becomes = |colour: u8| self.colours[usize::from(colour)];
        let mut colours = self.colours.iter().zip(0..);
        let back = (colours.clone()).all(|(&image, colour)| becomes(image) == colour);
        let keeps = colours.all(|(&image, colour)| image == colour);
        let still = self.turn == Turn::IDENTITY;
        back && (still || self.turn.is_mirror()) && !(still && keeps)
    }
}

/// The orders of the first `count` colours, the usual one first.
fn orders(count: usize) -> Vec<[u8; MOST_COLOURS]> {
    let mut all = vec![[0, 1, 2, 3]];
    for end in 1..count {
        // Each order so far, with the colour `end` in every place up to its own.
        let longer = |order: [u8; MOST_COLOURS]| {
            (0..=end).rev().map(move |place| {
                let mut order = order;
                order[place..=end].rotate_right(1);
                order
            })
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

impl PlacementRules {
    /// The symmetries of the game, the identity first. Symmetries of graphs are not searched
    /// for.
    pub(super) fn find_symmetries(&self) -> Vec<Symmetry> {
        let turns = self.find_turns();
        let orders = orders(self.colours);
        let all = orders.into_iter().flat_map(|colours| {
            let turns = turns.iter();
            turns.map(move |&turn| Symmetry { turn, colours })
        });
        all.collect()
    }

    fn find_turns(&self) -> Vec<Turn> {
        if matches!(self.rules, Rules::Graph(_)) {
            return vec![Turn::IDENTITY];
        }
        let keeps = |turn: &Turn| {
            let squares = (0..self.squares()).filter(|&square| self.board.contains(square));
            let mut images = squares.map(|square| self.image_of_square(square, *turn));
            images.all(|image| self.board.contains(image))
        };
        // For a single row, reflecting in its long axis is the identity.
        let (corners, mut met) = ([0, self.squares() - 1, self.columns - 1], HashSet::new());
        let is_new = |turn: &Turn| {
            let images = corners.map(|square| self.image_of_square(square, *turn));
            met.insert(images)
        };
        let all = Turn::of_board(self.columns, self.rows);
        all.filter(keeps).filter(is_new).collect()
    }

    pub(super) const fn image_of_square(&self, square: usize, turn: Turn) -> usize {
        let at = (square % self.columns, square / self.columns);
        let (column, row) = turn.image(at, (self.columns, self.rows));
        row * self.columns + column
    }

    pub(super) fn image_of_place(&self, place: usize, symmetry: Symmetry) -> usize {
        if self.colours == 1 {
            return self.image_of_square(place, symmetry.turn);
        }
        let colour = usize::from(symmetry.colours[self.colour_of(place)]);
        colour * self.squares() + self.image_of_square(self.square_of(place), symmetry.turn)
    }

    pub(super) fn turned(&self, places: &Squares, symmetry: Symmetry) -> Squares {
        let image = |place| self.image_of_place(place, symmetry);
        Squares::of(self.places(), places.iter().map(image))
    }

    /// The symmetries that undo themselves.
    pub(super) fn mirrors(&self) -> impl Iterator<Item = Symmetry> {
        let all = self.symmetries.iter().copied();
        all.filter(|symmetry| symmetry.is_mirror())
    }

    /// The symmetries that keep a set of places, the identity first.
    pub(super) fn keeping(&self, places: &Squares) -> Vec<Symmetry> {
        let all = self.symmetries.iter().copied();
        let kept = all.filter(|&symmetry| self.turned(places, symmetry) == *places);
        kept.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn colours_stand_in_every_order_once() {
        for (count, expected) in [(1, 1), (2, 2), (3, 6), (4, 24)] {
            let mut all = orders(count);
            assert!(all[0].is_sorted(), "the usual order comes first");
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), expected);
            let rest = |order: &[u8]| {
                order[count..]
                    .iter()
                    .zip(count..)
                    .all(|(&c, at)| usize::from(c) == at)
            };
            assert!(all.iter().all(|order| rest(order)));
        }
    }
}
