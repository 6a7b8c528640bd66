//! What a table says of itself.

use serde::{Deserialize, Serialize};

use crate::game::Layer;

/// How the blocks of a table are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// As they are: largest and quickest.
    Raw,
    /// What other fields imply left out (see the [format](super)), then each
    /// compressed with Zstandard.
    Packed,
}

/// A layer of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerDescription {
    /// Its name, as [`Layer::name`].
    pub name: String,
    /// Its first slot.
    pub first: u64,
    /// The slot after its last.
    pub end: u64,
}

impl From<&Layer> for LayerDescription {
    fn from(layer: &Layer) -> Self {
        Self {
            name: layer.name.clone(),
            first: layer.slots.start,
            end: layer.slots.end,
        }
    }
}

/// The JSON object in a table's footer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The program and version that wrote the table.
    pub writer: String,
    /// Spec of the game.
    pub game: String,
    /// Bytes of a value: 1 or 2.
    pub value_bytes: u8,
    /// How blocks are stored.
    pub encoding: Encoding,
    /// The layers, in the order of their slots.
    pub layers: Vec<LayerDescription>,
    /// The fingerprint, 32 hexadecimal digits.
    pub fingerprint: String,
}

impl Description {
    /// Number of slots.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.end)
    }

    /// What is wrong with it, if anything: layers must follow one another.
    pub(super) fn fault(&self) -> Option<String> {
        if !(1..=2).contains(&self.value_bytes) {
            return Some(format!("values of {} bytes are unknown", self.value_bytes));
        }
        let mut next = 0;
        for layer in &self.layers {
            if layer.first != next || layer.end < layer.first {
                return Some(format!(
                    "layer {} does not follow the one before it",
                    layer.name
                ));
            }
            next = layer.end;
        }
        None
    }
}
