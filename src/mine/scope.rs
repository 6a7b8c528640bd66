//! How much of a table a scan goes over.

use std::ops::Range;

use crate::base::random;
use crate::game::{Classified, Ranked};

/// A part of a table: some layers, some classes of position, a sample.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Slots of the layers wanted; nothing means all.
    layers: Option<Vec<Range<u64>>>,
    /// One position in so many, chosen by a hash of the slot; 0 and 1 mean all.
    one_in: u64,
    /// Bytes that the table may take in memory; nothing means any.
    memory: Option<u64>,
    /// Which slots are of the class wanted, as a list of stretches; nothing means all.
    stretches: Option<Vec<Range<u64>>>,
}

/// The positions of one layer and one class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// The layer's name.
    pub layer: String,
    /// The class's name.
    pub class: String,
    /// The slots, a few of which may be vacant.
    pub slots: Range<u64>,
}

/// What is asked for does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} '{name}'; there are {}", .known.join(", "))]
pub struct ScopeError {
    what: String,
    name: String,
    known: Vec<String>,
}

impl Scope {
    /// The whole table.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Only the layer of this name, besides those asked for before.
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

    /// Only positions of the class of this name, e.g. with the hole on that square,
    /// besides those asked for before.
    ///
    /// # Errors
    /// If the game has no such class.
    pub fn class<G: Classified>(mut self, game: &G, name: &str) -> Result<Self, ScopeError> {
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

    /// Only one position in `one_in`, the same ones every time.
    #[must_use]
    pub const fn sample(mut self, one_in: u64) -> Self {
        self.one_in = one_in;
        self
    }

    /// Lets a scan hold the table in memory if it takes at most so many bytes, which
    /// is much faster where moves are looked at; by default as much as it takes.
    #[must_use]
    pub const fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Bytes that the table may take in memory.
    #[must_use]
    pub fn most_memory(&self) -> u64 {
        self.memory.unwrap_or(u64::MAX)
    }

    /// The parts that the wanted slots fall into by layer and class, in the order of
    /// slots; a sample does not count here.
    #[must_use]
    pub fn partitions<G: Classified>(&self, game: &G) -> Vec<Partition> {
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

    /// Whether some slot of a block may be wanted.
    pub(super) fn has_block(&self, slots: &Range<u64>) -> bool {
        let meets = |some: &Option<Vec<Range<u64>>>| {
            some.as_ref().is_none_or(|some| {
                let mut some = some.iter();
                some.any(|range| range.start < slots.end && slots.start < range.end)
            })
        };
        meets(&self.layers) && meets(&self.stretches)
    }

    /// Whether a slot is wanted; its block must be.
    pub(super) fn has_slot(&self, slot: u64) -> bool {
        let within = |some: &Option<Vec<Range<u64>>>| {
            some.as_ref()
                .is_none_or(|some| some.iter().any(|range| range.contains(&slot)))
        };
        within(&self.layers)
            && within(&self.stretches)
            && (self.one_in <= 1 || random::hash(slot).is_multiple_of(self.one_in))
    }
}
