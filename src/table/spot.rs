//! Looking up many records at once: first where each stands, so that it is on its
//! way from memory, then what it says.

use std::sync::LazyLock;

use super::block::record_in;
use super::{Encoding, Table, TableError};
use crate::solve::prefetch_read;
use crate::value::{Narrow, Record, Value};

/// Where a record stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'t>(Found<'t>);

#[derive(Debug, Clone, Copy)]
enum Found<'t> {
    /// In a raw block: its planes, number of slots, bytes of a value, and place.
    Raw {
        planes: &'t [u8],
        count: usize,
        width: usize,
        at: usize,
    },
    /// Unpacked already.
    Held(Record),
}

/// What one-byte codes mean.
static WIDENED: LazyLock<[Value; 256]> = LazyLock::new(|| {
    std::array::from_fn(|code| {
        let narrow = Value::<Narrow>::from_code(u16::try_from(code).unwrap_or(u16::MAX));
        narrow.resized().unwrap_or(Value::VACANT)
    })
});

impl Spot<'_> {
    /// The best value.
    #[inline]
    pub fn best(&self) -> Value {
        match self.0 {
            Found::Raw {
                planes, width, at, ..
            } => match width {
                1 => WIDENED[usize::from(planes[at])],
                _ => Value::from_code(u16::from_le_bytes([planes[2 * at], planes[2 * at + 1]])),
            },
            Found::Held(record) => record.best(),
        }
    }

    /// The record.
    #[inline]
    pub fn record(&self) -> Record {
        match self.0 {
            Found::Raw {
                planes,
                count,
                width,
                at,
            } => record_in(planes, width, count, at),
            Found::Held(record) => record,
        }
    }
}

impl Table {
    /// Finds the record of a slot and asks for it.
    ///
    /// # Errors
    /// If there is no such slot or its block is damaged.
    #[inline]
    pub(crate) fn spot(&self, slot: u64) -> Result<Spot<'_>, TableError> {
        if self.description().encoding != Encoding::Raw {
            return Ok(Spot(Found::Held(self.record(slot)?)));
        }
        let (number, at, count) = self.find(slot)?;
        let planes = self.raw_planes(number)?;
        let width = usize::from(self.description().value_bytes);
        prefetch_read(&planes[at * width]);
        Ok(Spot(Found::Raw {
            planes,
            count,
            width,
            at,
        }))
    }
}
