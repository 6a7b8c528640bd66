//! Dense tables: only what does not follow from other records by the rules of the game.
//!
//! # What is left out
//! Which slots are vacant and which positions are won at once is known from the rules. Of any
//! other position a dense table says whether it is won, and if not, the best value; this is its
//! *leaf*. The value of a win follows from the leaves of the positions that its moves lead to.
//! Then the best values of all positions are known, and with them the second values and only
//! best moves.
//!
//! A forbidden move can turn a win into something else, and make a loss quicker. So where a
//! position is not won without its only best move, and some move to it forbids that move, the
//! leaf also has a *bound*: the number of the move, and the value without it.
//!
//! A record is found by looking at the leaves of its children (some 13), and if two of its
//! moves are not known from these, at those of their children.
//!
//! # Blocks
//! A block begins with the length of each of its parts of 512 slots (the last one may be
//! shorter), two bytes each. The parts follow, each coded on its own by frequencies: first the
//! *class* of each open slot (its best value, or that it is won; and whether it has a bound),
//! then the bounds in the order of their slots, the move before the value. A part without open
//! slots is empty.
//!
//! The frequencies of a class depend on the classes of three slots before it in the part, in
//! which one of the opponent's lowest three pieces stands one step lower. A move is coded by
//! its place among the moves that some move to the position forbids, with frequencies by their
//! number; a value by the class.
//!
//! # Frequencies
//! They follow the directory in the footer, layer by layer. All numbers have seven bits a byte,
//! the lowest first, the top bit set if more follow.
//!
//! | content | |
//! |---|---|
//! | classes | their number; then for each twice the code of its value, plus one if it has a bound; the code of [`Value::VACANT`](crate::base::value::Value::VACANT) stands for a win |
//! | second values | their number, then their codes |
//! | frequencies of classes | in each of 2592 contexts: the number of symbols, then each with its frequency |
//! | frequencies of moves | the same, in each of 16 contexts |
//! | frequencies of second values | the same, by class |
//!
//! Codes are those of two-byte values. The frequencies of a context add up to 16,384.

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

use self::leaf::Leaf;
use self::model::Model;
use super::cache::Cache;
use super::lookup::part;
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
    leaves: Cache<u64, Leaf>,
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
