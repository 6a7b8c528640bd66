//! A layer by bucket, as moves of rows lead to it.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use super::{ColumnLists, RowTable};
use crate::base::cpu::Cpu;
use crate::game::{ByRows, RowExit, RowExitTo, RowLayer, Squares};

/// A layer by bucket: its rows are the buckets, its columns the sets of the side to move.
pub(crate) struct Buckets<'g> {
    pub shape: RowLayer<'g>,
    lists: ColumnLists<'g>,
}

impl<'g> Buckets<'g> {
    /// The buckets of the layer of number `layer`, and the number of the layer that they are
    /// rows of.
    pub fn new(shapes: &[RowLayer<'g>], layer: usize) -> (Self, usize) {
        let answers = shapes[layer].answers;
        let shape = shapes[answers];
        let lists = ColumnLists::new(shape.columns);
        (Self { shape, lists }, answers)
    }

    /// Visits the columns of a row, whose free squares are `free`, that have the move `exit` to
    /// this layer, each with the number of the set that the move leads to.
    #[inline(always)]
    pub fn visit<G: ByRows, C: Cpu>(
        &self,
        cpu: C,
        game: &G,
        table: &RowTable<'_>,
        free: u32,
        exit: &RowExit,
        mut visit: impl FnMut(usize, u32),
    ) {
        let RowExitTo::Earlier { image, turn, .. } = exit.to else {
            return;
        };
        if turn != 0 {
            for (number, &column) in table.shape.columns.iter().enumerate() {
                if exit.condition.holds(column) {
                    let opponent = cpu.deposit(column, free);
                    visit(number, self.set(cpu, game, exit, opponent));
                }
            }
            return;
        }
        let sets = self.lists.fulfilling(image);
        if exit.condition.mask == 0 {
            for (number, &set) in sets.iter().enumerate() {
                visit(number, set);
            }
            return;
        }
        let columns = table.lists.fulfilling(exit.condition);
        for (&column, &set) in columns.iter().zip(&*sets) {
            visit(column as usize, set);
        }
    }

    /// The number of the set that the move `exit` to this layer leads to, if the opponent is on
    /// `opponent` (squares of the board).
    #[inline(always)]
    pub fn set<G: ByRows, C: Cpu>(
        &self,
        cpu: C,
        game: &G,
        exit: &RowExit,
        opponent: Squares,
    ) -> u32 {
        let RowExitTo::Earlier {
            bucket_free,
            turn,
            flip,
            ..
        } = exit.to
        else {
            return 0;
        };
        let after = game.turn(turn)(opponent ^ flip);
        self.shape.ranker.rank(cpu.extract(after, bucket_free))
    }
}
