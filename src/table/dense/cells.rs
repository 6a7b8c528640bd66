//! What the rules alone say of slots, and which slots are alike.

use crate::game::{ByRows, Condition, RowExitTo, RowLayer, Squares};

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

/// The slots of a layer as the rules see them.
pub(super) struct Cells<'g, G> {
    game: &'g G,
    layer: usize,
    shape: RowLayer<'g>,
    first: u64,
    row: Option<RowRules>,
}

/// What decides about the slots of a row.
struct RowRules {
    number: usize,
    symmetric: bool,
    /// Columns of which one of these is true are won at once.
    wins: Vec<Condition>,
}

impl<'g, G: ByRows> Cells<'g, G> {
    /// The slots of a layer.
    pub fn new(game: &'g G, layer: usize) -> Self {
        Self {
            game,
            layer,
            shape: game.row_layers()[layer],
            first: game.layers()[layer].slots.start,
            row: None,
        }
    }

    /// What the rules say of a slot of the layer, and how far before it three slots are that
    /// are like it: those with one of the opponent's three lowest pieces a step further down.
    pub fn cell(&mut self, slot: u64) -> (Cell, [usize; 3]) {
        let index = usize::try_from(slot - self.first).unwrap_or(usize::MAX);
        let columns = self.shape.columns;
        let (number, column) = (index / columns.len(), index % columns.len());
        let set = columns[column];
        let (game, layer) = (self.game, self.layer);
        let row = match &self.row {
            Some(row) if row.number == number => row,
            _ => self.row.insert(RowRules::new(game, layer, number)),
        };
        let cell = if row.symmetric && game.cursor(slot).is_none() {
            Cell::Vacant
        } else if row.wins.iter().any(|win| win.holds(set)) {
            Cell::Mate
        } else {
            Cell::Open
        };
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
