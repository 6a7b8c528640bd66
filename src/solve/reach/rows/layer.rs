//! A layer while its group is searched by rows.

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use super::super::super::rows::RowTable;
use super::super::counts::{Above, NEVER};
use super::arrows::Arrows;
use super::planes::Plane;

/// A layer: its rows, as places from which moves are played, and its buckets, where they
/// arrive. The positions of the buckets are those of the layer that answers.
pub(super) struct LayerRows<'g> {
    pub table: RowTable<'g>,
    pub arrows: Arrows<'g>,
    /// By row and column: positions whose moves of either kind are played at this level:
    /// those that no move takes back, and the others.
    quiet: Plane,
    undoable: Option<Plane>,
    /// By row: number of the former.
    counts: Vec<AtomicU32>,
    /// By row: whether a position was reached for the first time at this level.
    touched: Vec<AtomicU8>,
    /// By bucket and set: positions that have been reached, and those that have been with
    /// nothing forbidden.
    pub reached: Plane,
    pub freed: Plane,
    /// By bucket: positions that have been reached with one forbidden move only.
    waiting: Vec<Mutex<Vec<Waiting>>>,
    /// Slot of the first position by bucket, as [`Above`] has them.
    pub above: u64,
    /// By bucket: the distances of arrivals from above, as bit sets; empty if there are none.
    due: Vec<[u64; 4]>,
}

/// A position that has been reached with one forbidden move only.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    /// The number of its set in the bucket.
    pub column: u32,
    /// The number of the forbidden move in the stored position.
    pub forbidden: u8,
}

impl<'g> LayerRows<'g> {
    /// Nothing is reached yet.
    ///
    /// # Errors
    /// If the operating system cannot provide the memory.
    pub fn new(
        table: RowTable<'g>,
        group: u64,
        from_above: &Above,
        take_backs: bool,
    ) -> io::Result<Self> {
        let (rows, columns) = (table.shape.rows, table.columns());
        let plane = || Plane::new(rows, columns);
        let above = group + table.first as u64;
        let due = |bucket: usize| {
            let first = above + (bucket * columns) as u64;
            let mut due = [0u64; 4];
            for slot in first..first + columns as u64 {
                let distance = from_above.get(slot);
                due[usize::from(distance >> 6)] |= 1 << (distance & 63);
            }
            due[usize::from(NEVER >> 6)] &= !(1 << (NEVER & 63));
            due
        };
        let last = from_above.is_past(above);
        Ok(Self {
            arrows: Arrows::new(&table),
            quiet: plane()?,
            undoable: if take_backs { None } else { Some(plane()?) },
            counts: (0..rows).map(|_| AtomicU32::new(0)).collect(),
            touched: (0..rows).map(|_| AtomicU8::new(0)).collect(),
            reached: plane()?,
            freed: plane()?,
            waiting: (0..rows).map(|_| Mutex::default()).collect(),
            above,
            due: if last {
                Vec::new()
            } else {
                (0..rows).into_par_iter().map(due).collect()
            },
            table,
        })
    }

    /// The row and column of a position, from its index in the group.
    pub fn place(&self, index: usize) -> (usize, usize) {
        let within = index - self.table.first;
        (within / self.table.columns(), within % self.table.columns())
    }

    /// The positions of a bucket that have been reached with one forbidden move only.
    pub fn waiting_in(&self, bucket: usize) -> MutexGuard<'_, Vec<Waiting>> {
        let waiting = self.waiting[bucket].lock();
        waiting.unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether positions of a bucket are reached from above at a distance.
    pub fn is_due(&self, bucket: usize, distance: u8) -> bool {
        let due = self.due.get(bucket);
        due.is_some_and(|due| due[usize::from(distance >> 6)] >> (distance & 63) & 1 == 1)
    }

    /// The longest distance of an arrival from above.
    pub fn last_from_above(&self) -> Option<u8> {
        let last = |due: &[u64; 4]| {
            (0..NEVER)
                .rev()
                .find(|&distance| due[usize::from(distance >> 6)] >> (distance & 63) & 1 == 1)
        };
        let all = self.due.iter().fold([0; 4], |all, due| {
            std::array::from_fn(|word| all[word] | due[word])
        });
        last(&all)
    }

    /// Positions whose moves of one kind are played at this level.
    pub fn sources(&self, has_undo: bool) -> &Plane {
        match &self.undoable {
            Some(undoable) if has_undo => undoable,
            _ => &self.quiet,
        }
    }

    /// Number of positions of a row in [`sources`](Self::sources) at most.
    pub fn count(&self, row: usize) -> u32 {
        self.counts[row].load(Relaxed)
    }

    /// Notes that a position of a row is reached for the first time.
    pub fn touch(&self, row: usize) {
        self.touched[row].store(1, Relaxed);
    }

    /// Whether the sources of a row change with the next level. Nothing is noted any more.
    pub fn changes(&self, row: usize) -> bool {
        self.touched[row].swap(0, Relaxed) != 0 || self.count(row) != 0
    }

    /// Sets the sources of a row, word by word.
    pub fn set_sources(&self, row: usize, words: impl Iterator<Item = u64>) {
        let mut count = 0;
        for (word, bits) in words.enumerate() {
            count += bits.count_ones();
            self.quiet.row(row)[word].store(bits, Relaxed);
            if let Some(undoable) = &self.undoable {
                undoable.row(row)[word].store(bits, Relaxed);
            }
        }
        self.counts[row].store(count, Relaxed);
    }

    /// Takes a position out of the sources of moves that can be taken back. Returns whether
    /// it was one.
    pub fn set_apart(&self, row: usize, column: usize) -> bool {
        let Some(undoable) = &self.undoable else {
            return false;
        };
        let was = undoable.get(row, column);
        undoable.clear(row, column);
        was
    }
}
