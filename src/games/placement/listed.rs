//! Listing the positions of placement games, for tables and mining.
//!
//! Reachable classes of symmetric positions are numbered, first by the number of free
//! squares, then by the number of parts.

use std::collections::{HashMap, HashSet};

use super::frames::side;
use super::layout::MOST_DRAWN;
use super::shapes::{BoardShapes, Mask};
use super::squares::Squares;
use super::{PlacementRules, Rules};
use crate::base::progress::NoProgress;
use crate::base::subsets::wide_bits;
use crate::draw::{Diagram, MAX_SIDE};
use crate::game::{Feature, FeatureValue, FiniteGame, Impartial, ListError, SizeError};

/// The most classes of positions to list.
pub(super) const MOST: u32 = 1 << 20;

impl FiniteGame for PlacementRules {
    fn too_large(&self, _error: &ListError) -> SizeError {
        SizeError::new(format!(
            "{} has more than {MOST} positions up to symmetry, too many for a table; tables and mining need a smaller board, 'tesuji probe' and 'tesuji nimbers' do not",
            self.spec
        ))
    }

    fn fewest_positions(&self) -> u64 {
        let full = self.colours == 1 && self.board.len() == self.squares();
        match self.rules {
            Rules::Kings | Rules::Regio if full => {
                fewest(&self.rules, side(self.rows), side(self.columns))
            }
            _ => 0,
        }
    }

    fn check_picture(&self) -> Result<(), SizeError> {
        let is_graph = matches!(self.rules, Rules::Graph(_));
        let why = if self.colours > 1 {
            "has several colours, and such boards have neither tables nor diagrams: 'tesuji probe' and 'tesuji play' show them in letters".to_owned()
        } else if is_graph && self.layout.is_none() {
            format!(
                "has too many vertices for a diagram: graphs that are drawn or mined have at most {MOST_DRAWN}"
            )
        } else if !is_graph && self.rows.max(self.columns) > MAX_SIDE.into() {
            format!(
                "is too wide for a diagram: boards that are drawn or mined have at most {MAX_SIDE} rows and columns"
            )
        } else {
            return Ok(());
        };
        Err(SizeError::new(format!("{} {why}", self.spec)))
    }

    fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    fn image(&self, free: &Squares, symmetry: usize) -> Squares {
        self.turned(free, self.symmetries[symmetry])
    }

    fn image_of_move(&self, place: usize, symmetry: usize) -> usize {
        self.image_of_place(place, self.symmetries[symmetry])
    }

    /// The least image, with the first squares compared last.
    fn canonical(&self, free: &Squares) -> Squares {
        let symmetries = self.symmetries.iter();
        let images = symmetries.map(|&symmetry| self.turned(free, symmetry));
        let least = images.min_by(|a, b| a.0.cmp(&b.0));
        least.expect("the identity is a symmetry")
    }

    fn stage(&self, free: &Squares) -> u32 {
        u32::try_from(self.board.len() - free.len()).unwrap_or(u32::MAX)
    }

    /// The number of free squares.
    fn stage_name(&self, stage: u32) -> String {
        (self.board.len() - stage as usize).to_string()
    }

    fn criterion(&self) -> &'static str {
        "parts"
    }

    fn classes(&self) -> Vec<String> {
        // On a board, parts do not touch, so there are at most half as many as squares. A
        // graph may have no edges at all, and every square a colour of its own.
        let most = match self.rules {
            Rules::Kings | Rules::Regio if self.colours == 1 => self.squares().div_ceil(2),
            _ => self.squares(),
        };
        (1..=most).map(|parts| parts.to_string()).collect()
    }

    fn class(&self, free: &Squares) -> usize {
        self.parts(free).len() - 1
    }

    fn features(&self) -> Vec<Feature> {
        Feature::listed(include_str!("columns.txt"), |_| Vec::new())
    }

    fn measure(&self, free: &Squares, place: usize) -> FeatureValue {
        let parts = || self.parts(free);
        match place {
            0 => FeatureValue::count(free.len()),
            1 => FeatureValue::count(parts().len()),
            2 => FeatureValue::count(parts().iter().map(Vec::len).max().unwrap_or(0)),
            3 => FeatureValue::known(self.nimber(free, &NoProgress).ok()),
            4 => FeatureValue::count(self.keeping(free).len()),
            5 => FeatureValue::count(self.orbits(free, free.iter())),
            6 => self
                .options(free, &NoProgress)
                .map_or(FeatureValue::NONE, |options| {
                    let winning = options.iter().filter(|left| left.loses());
                    FeatureValue::count(self.orbits(free, winning.map(|left| left.mv)))
                }),
            7 => FeatureValue::flag(self.is_mirrored(free)),
            _ => FeatureValue::NONE,
        }
    }

    fn annotate(&self, diagram: Diagram, free: &Squares) -> Diagram {
        self.in_words(diagram, free)
    }

    fn with_past(&self, diagram: Diagram, written: &str, moves: &[usize]) -> Diagram {
        self.with_men(diagram, written, moves)
    }
}

// How many positions a board has at least, so that one that is far too large is refused at
// once.
//
// Blocks of squares with one row or column between them do not touch: a square that is taken
// in one changes none of another. So a board has at least the product of what its blocks have,
// each alone.

/// The most rows and columns of a block.
const SIDE: u32 = 4;

/// A number of positions that a full board of this size surely has, up to symmetry.
fn fewest(rules: &Rules, rows: u32, columns: u32) -> u64 {
    let mut known: HashMap<(u32, u32), u64> = HashMap::new();
    let mut product: u64 = 1;
    for height in blocks(rows) {
        for width in blocks(columns) {
            let count = known
                .entry((height, width))
                .or_insert_with(|| positions(rules, height, width));
            product = product.saturating_mul(*count);
            if product == u64::MAX {
                // A board may have very many blocks.
                return product / 8;
            }
        }
    }
    // One of them has no free square and is none; and a board has at most eight symmetries.
    (product - 1) / 8
}

/// The lengths of blocks along a side, with one square between two.
fn blocks(side: u32) -> impl Iterator<Item = u32> {
    let rest = (0..side).step_by(SIDE as usize + 1);
    rest.map(move |from| SIDE.min(side - from))
}

/// The sets of free squares that play can leave on a block, the empty one too.
fn positions(rules: &Rules, height: u32, width: u32) -> u64 {
    let Some(shapes) = BoardShapes::new(rules, height, width) else {
        return 1;
    };
    let (long, short) = (height.max(width), height.min(width));
    let squares = (0..long).flat_map(|row| (0..short).map(move |column| (row, column)));
    let all = squares.fold(0, |all: Mask, (row, column)| {
        all | 1 << shapes.bit(row, column)
    });
    let mut met = HashSet::from([all]);
    let mut open = vec![all];
    while let Some(free) = open.pop() {
        for square in wide_bits(free) {
            let left = free & !shapes.around[square as usize];
            if met.insert(left) {
                open.push(left);
            }
        }
    }
    met.len() as u64
}

impl PlacementRules {
    /// Counts places; images under the symmetries of the position count as one.
    fn orbits(&self, free: &Squares, places: impl Iterator<Item = usize>) -> usize {
        let kept = self.keeping(free);
        let least = |place| {
            let images = kept.iter();
            let images = images.map(|symmetry| self.image_of_place(place, *symmetry));
            images.min().unwrap_or(place)
        };
        places.map(least).collect::<HashSet<_>>().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_board_has_fewer() {
        // What tables of these boards hold, from 'tesuji solve'.
        let listed = [
            (5, 6, Rules::Kings, 1_642),
            (6, 7, Rules::Kings, 40_910),
            (7, 7, Rules::Kings, 165_003),
            (5, 9, Rules::Kings, 121_003),
            (5, 5, Rules::Regio, 4_488),
            (5, 6, Rules::Regio, 61_839),
            (6, 6, Rules::Regio, 342_757),
        ];
        for (rows, columns, rules, count) in listed {
            let least = fewest(&rules, rows, columns);
            assert!(least > 0 && least <= count, "{rows}x{columns}: {least}");
        }
        assert_eq!(blocks(9).collect::<Vec<_>>(), [4, 4]);
        assert_eq!(blocks(8).collect::<Vec<_>>(), [4, 3]);
        assert!(fewest(&Rules::Kings, 9, 9) > 1 << 20 && fewest(&Rules::Regio, 7, 8) > 1 << 20);
        assert!(fewest(&Rules::Kings, 1, 1 << 20) > 1 << 60);
    }
}
