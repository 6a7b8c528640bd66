//! What the rules alone say of slots, and which slots are alike.

use crate::game::{ByRows, Condition, RowExitTo, Squares};

/// What the rules say of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// It has no position.
    Vacant,
    /// The side to move wins at once.
    Mate,
    /// Neither.
    Open,
}

/// The slots of a layer as the rules see them, one after the other.
pub(super) struct Cells<'g, G> {
    game: &'g G,
    layer: usize,
    columns: &'g [Squares],
    slot: u64,
    column: usize,
    row: RowRules,
}

/// What decides about the slots of a row.
struct RowRules {
    number: usize,
    symmetric: bool,
    /// Columns of which one of these is true are won at once.
    wins: Vec<Condition>,
}

impl<'g, G: ByRows> Cells<'g, G> {
    /// The slots of a layer, from one of them on.
    pub fn new(game: &'g G, layer: usize, slot: u64) -> Self {
        let columns = game.row_layers()[layer].columns;
        let first = game.layers()[layer].slots.start;
        let index = usize::try_from(slot - first).unwrap_or(usize::MAX);
        Self {
            game,
            layer,
            columns,
            slot,
            column: index % columns.len(),
            row: RowRules::new(game, layer, index / columns.len()),
        }
    }

    /// What the rules say of the next slot, and how far before it three slots are that are like
    /// it: those with one of the opponent's three lowest pieces a step further down. There must
    /// be a next slot in the layer.
    #[inline]
    pub fn next(&mut self) -> (Cell, [usize; 3]) {
        if self.column == self.columns.len() {
            self.column = 0;
            self.row = RowRules::new(self.game, self.layer, self.row.number + 1);
        }
        let set = self.columns[self.column];
        let cell = if self.row.symmetric && self.game.cursor(self.slot).is_none() {
            Cell::Vacant
        } else if self.row.wins.iter().any(|win| win.holds(set)) {
            Cell::Mate
        } else {
            Cell::Open
        };
        self.column += 1;
        self.slot += 1;
        (cell, likeness(set))
    }
}

impl RowRules {
    fn new<G: ByRows>(game: &G, layer: usize, number: usize) -> Self {
        let mut exits = Vec::new();
        game.row_exits(layer, number, &mut exits);
        let mut wins: Vec<Condition> = Vec::new();
        for exit in exits.iter().filter(|exit| exit.to == RowExitTo::Win) {
            if !wins.contains(&exit.condition) {
                wins.push(exit.condition);
            }
        }
        Self {
            number,
            symmetric: game.row(layer, number).symmetric,
            wins,
        }
    }
}

/// How far before a column, by rank, those are in which the lowest, second or third lowest
/// square of its set is one step lower. Where there is no such set, some other one stands in.
#[inline]
fn likeness(set: Squares) -> [usize; 3] {
    let second = set & set.wrapping_sub(1);
    let third = second & second.wrapping_sub(1);
    let at = |rest: Squares| rest.trailing_zeros() as usize;
    let by_second = if second != 0 && at(second) > at(set) + 1 {
        at(second) - 1
    } else {
        2
    };
    let by_third = if third != 0 && at(third) > at(second) + 1 {
        (at(third) - 1) * (at(third) - 2) / 2
    } else {
        3
    };
    [1, by_second, by_third]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::subsets::Ranker;

    #[test]
    fn columns_that_are_alike_differ_by_one_step() {
        let ranker = Ranker::new(12, 4);
        let patterns = ranker.patterns();
        for (rank, &set) in patterns.iter().enumerate() {
            let bits: Vec<u32> = (0..12).filter(|bit| set >> bit & 1 == 1).collect();
            for (place, distance) in likeness(set).into_iter().enumerate() {
                let bit = 1 << bits[place];
                let lower: u32 = set ^ bit | bit >> 1;
                let fits = lower.count_ones() == 4 && (place > 0 || set & 1 == 0);
                if fits && bits[place] > 0 {
                    let found = ranker.rank(lower) as usize;
                    if place == 0 {
                        assert_eq!((rank - found, distance), (1, 1));
                    } else {
                        assert_eq!(rank - found, distance, "{set:b}, square {place}");
                    }
                }
            }
        }
    }
}
