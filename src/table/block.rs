//! The records of a block.

use std::borrow::Cow;
use std::ops::Range;

use crate::value::{Narrow, Record, Value};

/// The records of a block.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    pub(super) slots: Range<u64>,
    pub(super) width: usize,
    pub(super) planes: Cow<'a, [u8]>,
}

impl Block<'_> {
    /// The slots of the block.
    #[must_use]
    pub fn slots(&self) -> Range<u64> {
        self.slots.clone()
    }

    /// The records, in the order of slots.
    #[must_use]
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record> + '_ {
        let count = self.planes.len() / (2 * self.width + 1);
        (0..count).map(move |at| record_in(&self.planes, self.width, count, at))
    }

    /// Record number `at`.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn record(&self, at: usize) -> Record {
        let count = self.planes.len() / (2 * self.width + 1);
        record_in(&self.planes, self.width, count, at)
    }

    /// Codes of the best values, those of the second values, and the only moves, if
    /// values have one byte.
    pub(crate) fn narrow_planes(&self) -> Option<(&[u8], &[u8], &[u8])> {
        let count = self.planes.len() / 3;
        let (best, rest) = self.planes.split_at(count);
        let (second, only) = rest.split_at_checked(count)?;
        (self.width == 1).then_some((best, second, only))
    }
}

/// Record `at` of a block of `count`.
pub(super) fn record_in(planes: &[u8], width: usize, count: usize, at: usize) -> Record {
    let value = |plane: usize| {
        let from = (plane * count + at) * width;
        match width {
            1 => Value::<Narrow>::from_code(planes[from].into())
                .resized()
                .unwrap_or(Value::VACANT),
            _ => Value::from_code(u16::from_le_bytes([planes[from], planes[from + 1]])),
        }
    };
    Record::new(value(0), value(1), planes[2 * count * width + at])
}
