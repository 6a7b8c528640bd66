//! Arrivals at the positions of one bucket.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use super::RowGroup;
use super::arrows::Arrow;
use super::layer::LayerRows;
use super::singly::{EventLists, Kind};
use crate::base::cpu::Cpu;
use crate::game::ByRows;

/// Number of positions of a row from which on they are moved all together.
const MANY: u32 = 48;

/// Which positions of a bucket are reached at a level, as bits by the number of the set.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    /// With nothing forbidden.
    pub free: Vec<u64>,
    /// With a move forbidden.
    pub once: Vec<u64>,
    /// With several moves forbidden, in turn, or with one that leads to the same state as
    /// another. These are in `once`, too.
    pub twice: Vec<u64>,
    packed: Vec<u64>,
}

impl Arrivals {
    /// Nothing is reached.
    pub fn clear(&mut self, words: usize) {
        for bits in [&mut self.free, &mut self.once, &mut self.twice] {
            bits.clear();
            bits.resize(words, 0);
        }
        self.packed.resize(words + 2, 0);
    }

    #[inline(always)]
    pub fn reach(&mut self, at: usize, kind: Kind) {
        let (word, bit) = (at / 64, 1 << (at % 64));
        match kind {
            Kind::Free => self.free[word] |= bit,
            Kind::Once => {
                self.twice[word] |= self.once[word] & bit;
                self.once[word] |= bit;
            }
            Kind::Twice => {
                self.twice[word] |= bit;
                self.once[word] |= bit;
            }
        }
    }
}

impl<G: ByRows> RowGroup<'_, G> {
    /// Collects the arrivals at a bucket. Returns the number of states with a forbidden move
    /// among them that were not counted when their moves were played.
    #[inline(always)]
    pub(super) fn collect<C: Cpu>(
        &self,
        cpu: C,
        layer: &LayerRows<'_>,
        bucket: usize,
        distance: u8,
        events: &EventLists,
        to: &mut Arrivals,
    ) -> u64 {
        let table = &layer.table;
        to.clear(table.columns().div_ceil(64));
        let mut states = 0;
        for arrow in layer.arrows.of(bucket) {
            let count = layer.count(arrow.row as usize);
            if count == 0 {
                continue;
            }
            states += if arrow.turned || count < MANY {
                self.move_each(cpu, layer, arrow, to)
            } else {
                move_together(cpu, layer, arrow, to)
            };
        }
        if layer.is_due(bucket, distance) {
            let first = layer.above + (bucket * table.columns()) as u64;
            for (at, slot) in (0..table.columns()).zip(first..) {
                if self.above.get(slot) == distance {
                    to.reach(at, Kind::Free);
                }
            }
        }
        for event in events.of(bucket) {
            to.reach(table.shape.ranker.rank(event.set()) as usize, event.kind());
        }
        states
    }

    /// Moves the positions of a row one by one.
    #[inline(always)]
    fn move_each<C: Cpu>(
        &self,
        cpu: C,
        layer: &LayerRows<'_>,
        arrow: &Arrow,
        to: &mut Arrivals,
    ) -> u64 {
        let table = &layer.table;
        let mv = arrow.row_move(table);
        let row = arrow.row as usize;
        let free = self.game.row(table.layer, row).free;
        let turn = self.game.turn(mv.turn);
        let kind = if arrow.has_undo {
            Kind::Once
        } else {
            Kind::Free
        };
        let mut states = 0;
        let sources = layer.sources(arrow.has_undo).row(row);
        layer.arrows.condition(arrow).each(sources, |column| {
            let opponent = cpu.deposit(table.shape.columns[column], free);
            let set = cpu.extract(turn(opponent ^ mv.flip), mv.bucket_free);
            to.reach(table.shape.ranker.rank(set) as usize, kind);
            states += u64::from(arrow.has_undo);
        });
        states
    }
}

/// Moves the positions of a row all together.
#[inline(always)]
fn move_together<C: Cpu>(cpu: C, layer: &LayerRows<'_>, arrow: &Arrow, to: &mut Arrivals) -> u64 {
    let Arrivals {
        free,
        once,
        twice,
        packed,
    } = to;
    let row = layer.sources(arrow.has_undo).row(arrow.row as usize);
    let set = layer.arrows.condition(arrow).pack(cpu, row, packed);
    if set == 0 {
        return 0;
    }
    let image = layer.arrows.image(arrow);
    if arrow.has_undo {
        image.unpack(cpu, packed, |word, bits| {
            twice[word] |= once[word] & bits;
            once[word] |= bits;
        });
        set
    } else {
        image.unpack(cpu, packed, |word, bits| free[word] |= bits);
        0
    }
}
