//! The search by rows.
//!
//! What a position needs is little: when it was first reached (a byte), whether it has been
//! reached with nothing forbidden, and, if its first state forbids a move, which one, until
//! a second state is reached. These are kept by *bucket* (see [`ByRows`]): the row of the
//! side that has just moved. A level takes each bucket and all moves of rows that lead there.
//! The positions whose moves are played are bits of a row, and a move that is not turned maps
//! them to bits of the bucket in their order. New positions are then put into the rows of the
//! side to move.
//!
//! A state with a forbidden move is told by the position before and its move, so such states
//! are the bits that arrive; no two of them are the same. That holds but for *odd* positions:
//! those from which two moves lead to an image of the position in a way other than by taking
//! a move back. Few positions are, and their moves are played one by one. So are those of
//! positions with a first state of their own, as all but one of their moves that can be taken
//! back.

mod arrivals;
mod arrows;
mod closing;
mod layer;
mod next;
mod planes;
mod rest;
mod selection;
mod settle;
mod singly;

use std::io;
use std::ops::Range;
use std::sync::atomic::AtomicU8;

use super::super::memory::WordArray;
use super::super::rows::RowTable;
use super::counts::{Above, Counts, LONGEST};
use super::{GroupOfLayers, Reach, ReachError, Rule, each_group};
use crate::base::progress::Progress;
use crate::game::{ByRows, Repetition, RowVisitor};
use layer::LayerRows;
use singly::{Arrival, Kind, Played};

/// A search of a game by rows.
pub(super) struct Search<'w> {
    pub rule: Rule,
    pub progress: &'w dyn Progress,
}

impl RowVisitor for Search<'_> {
    type Output = Result<Reach, ReachError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        each_group(game, |group, above| {
            let positions = group.slots.end - group.slots.start;
            RowGroup::new(game, group, above, self.rule)
                .map_err(|source| ReachError::memory(positions, needs(positions), source))?
                .run(self.progress)
        })
    }
}

/// Asks for the memory that a group of so many positions needs by rows.
pub(super) struct Needs(pub u64);

impl RowVisitor for Needs {
    type Output = u64;

    fn visit<G: ByRows>(self, _game: &G) -> u64 {
        needs(self.0)
    }
}

/// A byte and four bits for each position; the moves of rows, and what is told apart for a
/// while, take about as much again and a little more (measured with four pieces).
const fn needs(positions: u64) -> u64 {
    positions * 7 / 2
}

/// A group of layers that is searched by rows.
struct RowGroup<'g, G> {
    game: &'g G,
    name: &'g str,
    slots: Range<u64>,
    above: &'g Above,
    exact: bool,
    /// Whether forbidden moves are played too.
    take_backs: bool,
    layers: Vec<LayerRows<'g>>,
    /// By index in the group: how soon a position is reached, as a [`code`].
    first: WordArray<AtomicU8>,
}

/// The byte that stands for a distance; zero is a position that was never reached.
const fn code(distance: u8) -> u8 {
    super::counts::NEVER - distance
}

impl<'g, G: ByRows> RowGroup<'g, G> {
    fn new(
        game: &'g G,
        group: &'g GroupOfLayers,
        above: &'g Above,
        rule: Rule,
    ) -> io::Result<Self> {
        let slots = group.slots.clone();
        let positions =
            usize::try_from(slots.end - slots.start).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let take_backs = rule == Rule::TakeBacks;
        let layers = RowTable::of_group(game, group.number)
            .into_iter()
            .map(|table| LayerRows::new(table, slots.start, above, take_backs));
        Ok(Self {
            game,
            name: &group.name,
            above,
            exact: game.repetition() == Repetition::Exact,
            take_backs,
            layers: layers.collect::<io::Result<_>>()?,
            first: WordArray::new(positions)?,
            slots,
        })
    }

    fn run(mut self, progress: &dyn Progress) -> Result<Counts, ReachError> {
        let mut counts = Counts::default();
        let mut played = self.start();
        let last_from_above = self.layers.iter().filter_map(LayerRows::last_from_above);
        let last_from_above = last_from_above.max();
        for distance in 0..=LONGEST {
            let events = self.sorted(played);
            let settled = self.arrive(distance, &events, progress);
            stop_if_cancelled(progress)?;
            counts.add(distance, settled.states);
            if settled.is_last() && last_from_above.is_none_or(|last| last <= distance) {
                break;
            }
            if distance == LONGEST {
                return Err(ReachError::TooLong { longest: LONGEST });
            }
            let odd = self.set_sources(distance, progress);
            played = self.play_singly(&odd, settled);
            counts.add(distance + 1, played.states);
            stop_if_cancelled(progress)?;
        }
        counts.add(super::counts::NEVER, self.unreached(progress));
        stop_if_cancelled(progress)?;
        self.depart(progress);
        stop_if_cancelled(progress)?;
        Ok(counts)
    }

    /// The arrival at the initial position, if it is in this group.
    fn start(&self) -> Played {
        let start = self.game.rank(&self.game.initial());
        let mut played = Played::new(self.layers.len());
        if self.slots.contains(&start) {
            let arrival = Arrival {
                slot: start,
                kind: Kind::Free,
                number: 0,
            };
            let before = self.layers[self.layer_of(start)].table.answers;
            self.send(before, arrival, &mut played);
        }
        played
    }

    /// The layer, within the group, of a slot.
    fn layer_of(&self, slot: u64) -> usize {
        let index = self.index(slot);
        let begun = self
            .layers
            .iter()
            .rposition(|layer| layer.table.first <= index);
        begun.expect("slots of the group have a layer")
    }

    /// The index of a slot in this group.
    fn index(&self, slot: u64) -> usize {
        usize::try_from(slot - self.slots.start).expect("positions are in memory")
    }
}

fn stop_if_cancelled(progress: &dyn Progress) -> Result<(), ReachError> {
    if progress.cancelled() {
        return Err(ReachError::Cancelled);
    }
    Ok(())
}
