//! The part of a table that a scan covers.

use std::ops::Range;
use std::sync::Arc;

use super::reachable::Reachable;
use crate::base::random;
use crate::game::{Ranked, Retrograde};

/// A part of a table: some layers, some classes of positions, what games reach, a sample.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The slots of the wanted layers; empty means all.
    layers: Option<Vec<Range<u64>>>,
    /// One of this many positions, chosen by a hash of the slot; 0 and 1 mean all.
    one_in: u64,
    /// Bytes that the table may take in memory; `None` means any number.
    memory: Option<u64>,
    /// The ranges of slots of the wanted classes; `None` means all.
    stretches: Option<Vec<Range<u64>>>,
    /// The positions that games reach, if no others are wanted.
    reachable: Option<Arc<Reachable>>,
    /// Slots that are left out, in order.
    excluded: Vec<u64>,
    /// Whether no condition is tested row by row.
    by_positions: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Partition {
    pub layer: String,
    pub class: String,
    /// The slots, a few of which may be vacant.
    pub slots: Range<u64>,
}

/// An unknown layer or class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} '{name}'; choose one of {}", .known.join(", "))]
pub struct ScopeError {
    what: String,
    name: String,
    known: Vec<String>,
}

impl Scope {
    /// The whole table.
    pub fn all() -> Self {
        Self::default()
    }

    /// Adds the layer with this name to the wanted layers.
    ///
    /// # Errors
    /// If the game has no such layer.
    pub fn layer<G: Ranked>(mut self, game: &G, name: &str) -> Result<Self, ScopeError> {
        let layers = game.layers();
        let layer = layers.iter().find(|layer| layer.name == name);
        let layer = layer.ok_or_else(|| ScopeError {
            what: "layer".to_owned(),
            name: name.to_owned(),
            known: layers.iter().map(|layer| layer.name.clone()).collect(),
        })?;
        self.layers
            .get_or_insert_default()
            .push(layer.slots.clone());
        Ok(self)
    }

    /// Adds the class with this name to the wanted classes, e.g. positions with the hole on
    /// that square.
    ///
    /// # Errors
    /// If the game has no such class.
    pub fn class<G: Retrograde>(mut self, game: &G, name: &str) -> Result<Self, ScopeError> {
        let classes = game.classes();
        let Some(class) = classes.iter().position(|class| class == name) else {
            return Err(ScopeError {
                what: game.criterion().to_owned(),
                name: name.to_owned(),
                known: classes,
            });
        };
        let stretches = self.stretches.get_or_insert_default();
        stretches.extend(game.layers().iter().map(|layer| game.stretch(layer, class)));
        Ok(self)
    }

    /// Restricts the scope to one position in `one_in`, always the same ones.
    pub const fn sample(mut self, one_in: u64) -> Self {
        self.one_in = one_in;
        self
    }

    /// Restricts the scope to positions that games reach.
    pub fn reachable(mut self, reachable: Arc<Reachable>) -> Self {
        self.reachable = Some(reachable);
        self
    }

    /// Leaves out slots.
    pub fn without(mut self, mut slots: Vec<u64>) -> Self {
        slots.sort_unstable();
        self.excluded = slots;
        self
    }

    /// Lets a scan load the table into memory if it takes at most `bytes`, which makes
    /// looking at moves much faster. By default, a table of any size is loaded.
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    pub(crate) fn most_memory(&self) -> u64 {
        self.memory.unwrap_or(u64::MAX)
    }

    /// The parts of the scope by layer and class, in the order of slots, ignoring the
    /// sample.
    pub(crate) fn partitions<G: Retrograde>(&self, game: &G) -> Vec<Partition> {
        let classes = game.classes();
        let mut partitions = Vec::new();
        for layer in game.layers() {
            for (class, name) in classes.iter().enumerate() {
                let slots = game.stretch(layer, class);
                if slots.start < slots.end && self.has_block(&slots) {
                    partitions.push(Partition {
                        layer: layer.name.clone(),
                        class: name.clone(),
                        slots,
                    });
                }
            }
        }
        partitions
    }

    /// Tests each position alone, even where whole rows of positions can be tested at once:
    /// slower, with the same finds.
    pub const fn by_positions(mut self) -> Self {
        self.by_positions = true;
        self
    }

    /// Whether conditions may be tested row by row, which takes all positions of a layer.
    pub(super) const fn has_rows(&self) -> bool {
        self.one_in <= 1
            && self.reachable.is_none()
            && self.excluded.is_empty()
            && !self.by_positions
    }

    /// Whether a slot of a block may be in the scope.
    pub(super) fn has_block(&self, slots: &Range<u64>) -> bool {
        let meets = |some: &Option<Vec<Range<u64>>>| {
            some.as_ref().is_none_or(|some| {
                let mut some = some.iter();
                some.any(|range| range.start < slots.end && slots.start < range.end)
            })
        };
        meets(&self.layers) && meets(&self.stretches)
    }

    /// Whether a slot is in the scope, if its block is.
    pub(super) fn has_slot(&self, slot: u64) -> bool {
        let within = |some: &Option<Vec<Range<u64>>>| {
            some.as_ref()
                .is_none_or(|some| some.iter().any(|range| range.contains(&slot)))
        };
        within(&self.layers)
            && within(&self.stretches)
            && (self.one_in <= 1 || random::hash(slot).is_multiple_of(self.one_in))
            && self.reachable.as_ref().is_none_or(|some| some.has(slot))
            && self.excluded.binary_search(&slot).is_err()
    }
}
