//! Dense tables: only what does not follow from other records by the rules of the game.
//!
//! The [format](super) says what is stored, and how.
//!
//! | file | |
//! |---|---|
//! | `leaf` | what is stored of a position, made from its record |
//! | `cells` | what the rules say of a slot, and which slots are like it |
//! | `class`, `counts`, `model` | contexts, and the frequencies in them |
//! | `coder` | the entropy coder |
//! | `block` | leaves to bytes and back |
//! | `probe` | one record |
//! | `group` | all records of a group |
//! | `write`, `whole`, `fields` | tables: written, read, measured |

mod block;
mod cells;
mod class;
mod coder;
mod counts;
mod fields;
mod group;
mod leaf;
mod model;
mod probe;
mod whole;
mod write;

use std::sync::LazyLock;

use self::block::Wanted;
use self::leaf::Leaf;
use self::model::Model;
use super::cache::Cache;
use super::directory::part;
use super::{Table, TableError};
use crate::base::value::Wide;
use crate::solve::ValueOrder;

/// Number of decoded leaves that are kept.
const LEAVES: usize = 1 << 14;

/// What a dense table has beside its blocks.
#[derive(Debug)]
pub(super) struct Dense {
    /// The frequencies, by layer.
    models: Vec<Model>,
    /// Decoded leaves, by slot.
    leaves: Cache<(u64, Wanted), Leaf>,
    /// Bytes of the models.
    bytes: usize,
}

impl Dense {
    /// Reads the frequencies of so many layers; `None` if the bytes are not such.
    pub fn read(bytes: &[u8], layers: usize) -> Option<Self> {
        let mut rest = bytes;
        let mut models = Vec::new();
        for _ in 0..layers {
            models.push(Model::read(&mut rest)?);
        }
        rest.is_empty().then(|| Self {
            models,
            leaves: Cache::new(LEAVES),
            bytes: bytes.len(),
        })
    }
}

impl Table {
    /// The error if a block of a dense table does not decode.
    fn undecodable(&self, number: usize) -> TableError {
        TableError::Invalid {
            path: self.path().to_owned(),
            what: format!("{} does not decode", part(number, &self.blocks[number])),
        }
    }
}

/// The values in the order of preference.
fn order() -> &'static ValueOrder<Wide> {
    static ORDER: LazyLock<ValueOrder<Wide>> = LazyLock::new(ValueOrder::new);
    &ORDER
}
