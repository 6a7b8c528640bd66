//! Whether main lines have duals, for many positions at once.
//!
//! Lines are followed group by group, from the last one on: a line never comes back to a group
//! that it has left. So the values of one group at a time are in memory.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::batch::Batch;
use super::following::{Follow, Followed, Follower, Turns};
use super::group::RowGroup;
use super::slot_bits::SlotBits;
use crate::base::cpu::dispatch;
use crate::base::threads::locked;
use crate::base::value::Narrow;
use crate::game::ByRows;
use crate::solve::ValueOrder;
use crate::table::{Block, MoveValues, Table, TableError};

/// Whether the main lines of won positions have duals.
pub(in crate::mine) struct Duals {
    /// The positions of which it is known: their lines are, or will be, followed to their ends.
    /// Until more is said, these have duals.
    known: SlotBits,
    dual_free: SlotBits,
}

impl Duals {
    /// The bytes of memory that answers for this many slots take.
    pub(crate) const fn bytes(slots: u64) -> u64 {
        2 * SlotBits::bytes(slots)
    }

    /// Nothing is known yet of any slot of a table.
    pub(crate) fn new(slots: u64) -> io::Result<Self> {
        Ok(Self {
            known: SlotBits::new(0..slots)?,
            dual_free: SlotBits::new(0..slots)?,
        })
    }

    /// Whether the main line of the position of a slot as it is stored is free of duals, if that
    /// is known.
    pub(crate) fn verdict(&self, slot: u64) -> Option<bool> {
        self.known.has(slot).then(|| self.dual_free.has(slot))
    }
}

/// A line that has come to a position of a block: the slot of the position that it begins with,
/// the symmetry that turns the position that it has come to, of three bits, and the place of that
/// position in the block, of sixteen.
#[derive(Clone, Copy)]
struct Arrived(u64);

impl Arrived {
    /// `None` if the numbers are too large.
    fn new(of: u64, turn: u8, place: usize) -> Option<Self> {
        let place = u16::try_from(place).ok()?;
        let fits = of < 1 << 45 && turn < 8;
        fits.then(|| Self(of << 19 | u64::from(turn) << 16 | u64::from(place)))
    }

    const fn fields(self) -> (u64, u8, usize) {
        let Self(word) = self;
        (word >> 19, (word >> 16 & 7) as u8, (word & 0xFFFF) as usize)
    }
}

/// Lines that are followed from group to group.
pub(in crate::mine) struct LinesUnderWay<'t> {
    table: &'t Table,
    turns: Turns,
    /// Those that go on in each block of the table.
    arrived: Vec<Mutex<Vec<Arrived>>>,
    /// How many more lines there is memory for.
    room: AtomicU64,
    /// What is known of them.
    pub duals: Duals,
    /// Lines that a thread follows together, at most, and those of the last block.
    pub most: usize,
}

impl<'t> LinesUnderWay<'t> {
    /// No lines, and room for some bytes of them. Lines for which there is no room are given up.
    pub(crate) fn new<G: ByRows>(
        game: &G,
        table: &'t Table,
        bytes: u64,
        duals: Duals,
        most: usize,
    ) -> Self {
        // Vectors that grow take up to twice what is in them.
        let each = 2 * size_of::<Arrived>() as u64;
        Self {
            table,
            turns: Turns::new(game),
            arrived: (0..table.blocks()).map(|_| Mutex::default()).collect(),
            room: AtomicU64::new(bytes / each),
            duals,
            most,
        }
    }

    /// Whether lines go on in a block.
    pub(crate) fn has_some_in(&self, block: usize) -> bool {
        !locked(&self.arrived[block]).is_empty()
    }

    /// Adds to a batch the lines that begin with some positions of a block, given by their place
    /// in it, and those that have come to it.
    pub(crate) fn enter(
        &self,
        number: usize,
        block: &Block<'_>,
        begin: impl Iterator<Item = usize>,
        batch: &mut Batch,
    ) {
        let planes = block.narrow_planes();
        let (best, second, only) = planes.expect("values that are read row by row are narrow");
        let mut enter = |of: Option<u64>, place: usize, turn| {
            let slot = block.slots.start + place as u64;
            let record = [best[place], second[place], only[place]];
            batch.push(of.unwrap_or(slot), (slot, turn), record);
        };
        for place in begin {
            self.duals.known.set(block.slots.start + place as u64, 1);
            enter(None, place, 0);
        }
        for (of, turn, place) in self.take(number) {
            enter(Some(of), place, turn);
        }
    }

    /// Gives up the lines that go on in some blocks.
    pub(crate) fn give_up(&self, blocks: &[usize]) {
        for (of, ..) in blocks.iter().flat_map(|&number| self.take(number)) {
            self.duals.known.clear(of);
        }
    }

    /// Takes the lines that have come to a block.
    fn take(&self, block: usize) -> impl Iterator<Item = (u64, u8, usize)> {
        let arrived = std::mem::take(&mut *locked(&self.arrived[block]));
        self.room.fetch_add(arrived.len() as u64, Relaxed);
        arrived.into_iter().map(Arrived::fields)
    }

    /// Follows lines as far as they stay in a group.
    pub(crate) fn follow<G: ByRows>(
        &self,
        (group, values, order): (&RowGroup<'_, G>, &MoveValues, &ValueOrder<Narrow>),
        batch: Batch,
    ) -> Result<(), TableError> {
        let duals = &self.duals;
        let mut failed = None;
        dispatch(Follow {
            follower: &Follower {
                group,
                values,
                order,
                turns: &self.turns,
            },
            batch,
            done: |batch: &Batch, line, followed| match followed {
                Followed::Ended { is_dual_free } => {
                    if is_dual_free {
                        let all = batch.begun_with(line);
                        all.for_each(|of| duals.dual_free.set(of, 1));
                    }
                }
                Followed::Left { slot, turn } => {
                    let all = batch.begun_with(line);
                    let arrived = self.arrive(all, slot, turn);
                    failed = arrived.err().or(failed.take());
                }
                // Whoever follows the line alone says what is wrong.
                Followed::Contradicted => {
                    batch.begun_with(line).for_each(|of| duals.known.clear(of));
                }
            },
        });
        failed.map_or(Ok(()), Err)
    }

    /// Lets lines go on at the position of a slot, as far as there is room.
    fn arrive(
        &self,
        lines: impl Iterator<Item = u64>,
        slot: u64,
        turn: u8,
    ) -> Result<(), TableError> {
        let (number, place, _) = self.table.find(slot)?;
        let mut arrived = locked(&self.arrived[number]);
        for of in lines {
            let taken = |room: u64| room.checked_sub(1);
            if let Some(line) = Arrived::new(of, turn, place)
                && self.room.fetch_update(Relaxed, Relaxed, taken).is_ok()
            {
                arrived.push(line);
            } else {
                self.duals.known.clear(of);
            }
        }
        Ok(())
    }
}
