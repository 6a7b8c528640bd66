//! The description of a table.

use serde::{Deserialize, Serialize};

use crate::game::Layer;

/// How the blocks of a table are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Uncompressed: the largest files, and the fastest access.
    Raw,
    /// Without what other fields imply (see the [format](super)), and each block compressed
    /// with Zstandard.
    Packed,
}

/// A layer as stored in a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerDescription {
    /// Its name, see [`Layer::name`].
    pub name: String,
    /// Its first slot.
    pub first: u64,
    /// The slot after its last one.
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
    /// The spec of the game.
    pub game: String,
    /// Number of bytes of a value: 1 or 2.
    pub value_bytes: u8,
    /// How blocks are stored.
    pub encoding: Encoding,
    /// The layers, in the order of their slots.
    pub layers: Vec<LayerDescription>,
    /// The fingerprint, as 32 hexadecimal digits.
    pub fingerprint: String,
}

impl Description {
    /// Number of slots.
    #[must_use]
    pub fn slots(&self) -> u64 {
        self.layers.last().map_or(0, |layer| layer.end)
    }

    /// What is wrong with the description, if anything: layers must follow one another.
    pub(super) fn fault(&self) -> Option<String> {
        if !(1..=2).contains(&self.value_bytes) {
            return Some(format!(
                "values of {} bytes are not supported",
                self.value_bytes
            ));
        }
        let mut next = 0;
        for layer in &self.layers {
            if layer.first != next || layer.end < layer.first {
                return Some(format!(
                    "layer {} does not follow the previous layer",
                    layer.name
                ));
            }
            next = layer.end;
        }
        None
    }
}
