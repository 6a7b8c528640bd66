//! Blocks of a dense table: leaves, coded in parts that can be decoded one by one.

use std::ops::Range;

use super::cells::{Cell, Cells};
use super::class::{Class, Context, Level};
use super::coder::{Decoder, Share, encode};
use super::counts::Counts;
use super::leaf::{Bound, Leaf, forbidden_moves};
use super::model::Model;
use crate::game::ByRows;

/// Number of slots of a part.
pub(super) const PART: usize = 256;

/// The levels of the slots of a part so far.
struct Near {
    levels: [Level; PART],
    count: usize,
}

impl Near {
    const fn new() -> Self {
        Self {
            levels: [Level::NONE; PART],
            count: 0,
        }
    }

    /// The context of the next slot.
    fn context(&self, distances: [usize; 3]) -> Context {
        let level = |distance| match self.count.checked_sub(distance) {
            Some(at) => self.levels[at],
            None => Level::NONE,
        };
        Context::new(distances.map(level))
    }

    fn push(&mut self, level: Level) {
        self.levels[self.count] = level;
        self.count += 1;
    }
}

/// The place of a move among those that moves to the position forbid, and their number.
fn place_of_move<G: ByRows>(game: &G, slot: u64, only: u8) -> Option<(usize, usize)> {
    let numbers = forbidden_moves(game, game.cursor(slot)?);
    let at = numbers.iter().position(|&number| number == only)?;
    Some((at, numbers.len()))
}

/// Counts the leaves of a block that begins with the slot `first`, for the model of its layer.
/// `None` if a leaf does not fit the rules.
pub(super) fn count<G: ByRows>(
    cells: &mut Cells<'_, G>,
    game: &G,
    first: u64,
    leaves: &[Leaf],
    counts: &mut Counts,
) -> Option<()> {
    for (from, part) in parts(first, leaves) {
        let mut near = Near::new();
        for (slot, leaf) in (from..).zip(part) {
            let (cell, distances) = cells.next();
            let level = match (cell, *leaf) {
                (Cell::Vacant, Leaf::Vacant) => Level::NONE,
                (Cell::Mate, Leaf::Mate) => Level::MATE,
                (Cell::Open, Leaf::Open { best, bound }) => {
                    let class = Class::new(best, bound.is_some());
                    counts.class(near.context(distances), class);
                    if let Some(bound) = bound {
                        let (at, choices) = place_of_move(game, slot, bound.only)?;
                        counts.bound(class, bound, at, choices);
                    }
                    class.level()
                }
                _ => return None,
            };
            near.push(level);
        }
    }
    Some(())
}

/// Encodes the leaves of a block that begins with the slot `first`. `None` if a leaf does not
/// fit the model.
pub(super) fn encode_block<G: ByRows>(
    cells: &mut Cells<'_, G>,
    game: &G,
    model: &Model,
    first: u64,
    leaves: &[Leaf],
) -> Option<Vec<u8>> {
    let mut lengths = Vec::new();
    let mut coded = Vec::new();
    for (from, part) in parts(first, leaves) {
        let shares = shares_of_part(cells, game, model, from, part)?.in_order();
        let bytes = if shares.is_empty() {
            Vec::new()
        } else {
            encode(&shares)
        };
        lengths.extend_from_slice(&u16::try_from(bytes.len()).ok()?.to_le_bytes());
        coded.extend(bytes);
    }
    lengths.extend(coded);
    Some(lengths)
}

fn parts(first: u64, leaves: &[Leaf]) -> impl Iterator<Item = (u64, &[Leaf])> {
    (first..).step_by(PART).zip(leaves.chunks(PART))
}

/// The shares of what is coded in a part.
struct SharesOfPart {
    classes: Vec<Share>,
    /// Of the move and of the value of each bound.
    bounds: Vec<[Share; 2]>,
}

impl SharesOfPart {
    fn in_order(mut self) -> Vec<Share> {
        self.classes.extend(self.bounds.iter().flatten());
        self.classes
    }
}

/// The bits that the fields of a block take before rounding: classes, moves of bounds, and their
/// values. `None` if a leaf does not fit the model.
pub(super) fn bits<G: ByRows>(
    cells: &mut Cells<'_, G>,
    game: &G,
    model: &Model,
    first: u64,
    leaves: &[Leaf],
) -> Option<[f64; 3]> {
    let mut bits = [0.0; 3];
    for (from, part) in parts(first, leaves) {
        let shares = shares_of_part(cells, game, model, from, part)?;
        bits[0] += shares.classes.iter().map(|share| share.bits()).sum::<f64>();
        for [only, second] in &shares.bounds {
            bits[1] += only.bits();
            bits[2] += second.bits();
        }
    }
    Some(bits)
}

fn shares_of_part<G: ByRows>(
    cells: &mut Cells<'_, G>,
    game: &G,
    model: &Model,
    from: u64,
    part: &[Leaf],
) -> Option<SharesOfPart> {
    let mut near = Near::new();
    let (mut classes, mut bounds) = (Vec::new(), Vec::new());
    for (slot, leaf) in (from..).zip(part) {
        let (cell, distances) = cells.next();
        let level = match (cell, *leaf) {
            (Cell::Vacant, Leaf::Vacant) => Level::NONE,
            (Cell::Mate, Leaf::Mate) => Level::MATE,
            (Cell::Open, Leaf::Open { best, bound }) => {
                let (number, level) = model.number(Class::new(best, bound.is_some()))?;
                classes.push(model.share_of_class(near.context(distances), number)?);
                if let Some(bound) = bound {
                    let (at, choices) = place_of_move(game, slot, bound.only)?;
                    bounds.push(model.shares_of_bound(number, bound, at, choices)?);
                }
                level
            }
            _ => return None,
        };
        near.push(level);
    }
    Some(SharesOfPart { classes, bounds })
}

/// The number of parts of a block of so many slots.
const fn count_of_parts(slots: usize) -> usize {
    slots.div_ceil(PART)
}

/// Where the parts of a block of so many slots are in its bytes; `None` if the bytes are not
/// such a block.
fn places(block: &[u8], slots: usize) -> Option<impl Iterator<Item = Range<usize>>> {
    let count = count_of_parts(slots);
    let lengths = block.get(..2 * count)?.as_chunks().0;
    let lengths = lengths
        .iter()
        .map(|&length| usize::from(u16::from_le_bytes(length)));
    let sum: usize = lengths.clone().sum();
    (sum == block.len() - 2 * count).then_some(lengths.scan(2 * count, |next, length| {
        let from = *next;
        *next += length;
        Some(from..*next)
    }))
}

/// Decodes all leaves of a block with these slots. `None` if the bytes are not such a block.
pub(super) fn decode_block<G: ByRows>(
    game: &G,
    layer: usize,
    model: &Model,
    block: &[u8],
    slots: Range<u64>,
) -> Option<Vec<Leaf>> {
    let count = usize::try_from(slots.end - slots.start).ok()?;
    let mut leaves = Vec::with_capacity(count);
    let mut cells = Cells::new(game, layer, slots.start);
    for (place, from) in places(block, count)?.zip(slots.clone().step_by(PART)) {
        let part = Part {
            game,
            model,
            bytes: &block[place],
            slots: from..slots.end.min(from + PART as u64),
        };
        leaves.extend(part.decode(&mut cells, usize::MAX, Wanted::Leaf)?);
    }
    Some(leaves)
}

/// What is wanted of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Wanted {
    /// All but the bound, which is quicker: there seems to be none.
    Best,
    /// All.
    Leaf,
}

/// Decodes the leaf of number `at` of a block with these slots.
pub(super) fn decode_leaf<G: ByRows>(
    game: &G,
    layer: usize,
    model: &Model,
    block: &[u8],
    slots: Range<u64>,
    at: usize,
    wanted: Wanted,
) -> Option<Leaf> {
    let count = usize::try_from(slots.end - slots.start).ok()?;
    let place = places(block, count)?.nth(at / PART)?;
    let from = slots.start + (at / PART * PART) as u64;
    let part = Part {
        game,
        model,
        bytes: &block[place],
        slots: from..slots.end.min(from + PART as u64),
    };
    let mut cells = Cells::new(game, layer, from);
    let leaves = part.decode(&mut cells, at % PART, wanted)?;
    leaves.get(at % PART).copied()
}

/// A coded part.
struct Part<'a, G> {
    game: &'a G,
    model: &'a Model,
    bytes: &'a [u8],
    slots: Range<u64>,
}

impl<G: ByRows> Part<'_, G> {
    /// Decodes the leaves up to the one of number `last`, and as many after it as that takes.
    fn decode(&self, cells: &mut Cells<'_, G>, last: usize, wanted: Wanted) -> Option<Vec<Leaf>> {
        let model = self.model;
        let mut leaves = Vec::with_capacity(PART);
        let mut near = Near::new();
        // Where bounds follow, with the classes of their leaves.
        let mut bounds = Vec::new();
        let mut decoder = None;
        for _ in self.slots.clone() {
            if leaves.len() > last && bounds.last().is_none_or(|&(at, _)| at < last) {
                return Some(leaves);
            }
            let (cell, distances) = cells.next();
            let (leaf, level) = match cell {
                Cell::Vacant => (Leaf::Vacant, Level::NONE),
                Cell::Mate => (Leaf::Mate, Level::MATE),
                Cell::Open => {
                    let decoder = match &mut decoder {
                        Some(decoder) => decoder,
                        none => none.insert(Decoder::new(self.bytes)?),
                    };
                    let number = decoder.next(model.classes(near.context(distances))?)?;
                    let (class, level) = model.class(number);
                    if class.has_bound() && wanted == Wanted::Leaf {
                        bounds.push((leaves.len(), number));
                    }
                    let best = class.best();
                    (Leaf::Open { best, bound: None }, level)
                }
            };
            near.push(level);
            leaves.push(leaf);
        }
        let Some(mut decoder) = decoder else {
            return self.bytes.is_empty().then_some(leaves);
        };
        if wanted == Wanted::Best {
            return Some(leaves);
        }
        for (at, class) in bounds {
            let bound = self.bound(&mut decoder, at, class)?;
            if let Leaf::Open { bound: place, .. } = &mut leaves[at] {
                *place = Some(bound);
            }
            if at == last {
                return Some(leaves);
            }
        }
        decoder.is_done().then_some(leaves)
    }

    /// Decodes the bound of the leaf of number `at`.
    fn bound(&self, decoder: &mut Decoder<'_>, at: usize, class: u16) -> Option<Bound> {
        let cursor = self.game.cursor(self.slots.start + at as u64)?;
        let numbers = forbidden_moves(self.game, cursor);
        let place = decoder.next(self.model.moves(numbers.len())?)?;
        let second = decoder.next(self.model.seconds(class)?)?;
        Some(Bound {
            only: *numbers.get(usize::from(place))?,
            second: self.model.second(second),
        })
    }
}
