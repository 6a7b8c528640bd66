//! What positions are worth to a player who looks a fixed number of plies ahead.
//!
//! The *static value* `V_0` of a position is that of its layer
//! ([`Ranked::static_value`](crate::game::Ranked::static_value)). For `d > 0`,
//!
//! `V_d(s) = max over the moves m of: WON if m wins at once, LOST if m loses at once, 0 if m
//! draws at once, otherwise -V_{d-1}(s m)`
//!
//! where `WON` is above and `LOST` below all static values. `A_d(s)`, the moves that attain the
//! maximum, are those that the *player who looks d plies ahead* likes; this player makes one of
//! them at random. For `d = 0` these are all legal moves.
//!
//! Moves that a rule forbids because they take back the last one are left out at the root, and
//! only there: below it nothing is forbidden. So `V_d` is one value a position.
//!
//! Once a value is `WON` or `LOST`, it is so at every greater depth.

mod edges;
mod form;
mod rows;

use std::io;

use memmap2::MmapMut;
use rayon::prelude::*;

use super::memory::{prefetch_read, zeroed};
use crate::base::progress::Progress;
use crate::base::value::Outcome;
use crate::game::MovesBySlot;
use edges::by_edges;
use form::Form;
use rows::RowSweeps;

/// The side to move wins, as far as the player sees.
pub const WON: i8 = 7;

/// The side to move loses, as far as the player sees.
pub const LOST: i8 = -7;

/// Number of depths whose values are kept.
pub const KEPT: usize = 4;

/// The values of all positions at a depth, and at the three depths before it.
#[derive(Debug)]
pub struct LookAhead {
    depth: u8,
    form: Form,
    /// By layer: the end of its slots, and its static value.
    layers: Vec<(u64, i8)>,
    /// By slot: the values at the last [`KEPT`] depths.
    words: MmapMut,
}

impl LookAhead {
    /// The greatest depth.
    pub const DEEPEST: u8 = 7;

    /// Finds the values of all positions of a game up to `depth`, and keeps those of the last
    /// [`KEPT`] depths; `None` if the work is cancelled. Games whose positions stand
    /// [in rows](crate::game::ByRows) take a small part of the time.
    ///
    /// # Errors
    /// If there is not enough memory: a byte a slot, or two where static values reach beyond -1 to
    /// 1, and meanwhile one more.
    ///
    /// # Panics
    /// If `depth` is greater than [`DEEPEST`](Self::DEEPEST).
    pub fn new<G: MovesBySlot>(
        game: &G,
        depth: u8,
        progress: &dyn Progress,
    ) -> io::Result<Option<Self>> {
        let mut found = Self::none(game, depth)?;
        let sweeps = RowSweeps::new(&mut found, progress);
        let done = match game.by_rows(sweeps).ok() {
            Some(done) => done,
            None => by_edges(game, &mut found, progress),
        };
        Ok(done?.then_some(found))
    }

    /// [`new`](Self::new), move by move even where the game's positions stand in rows: slower,
    /// with the same result.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    ///
    /// # Panics
    /// As for [`new`](Self::new).
    pub fn by_edges<G: MovesBySlot>(
        game: &G,
        depth: u8,
        progress: &dyn Progress,
    ) -> io::Result<Option<Self>> {
        let mut found = Self::none(game, depth)?;
        Ok(by_edges(game, &mut found, progress)?.then_some(found))
    }

    /// The static values stand for those of all depths.
    fn none<G: MovesBySlot>(game: &G, depth: u8) -> io::Result<Self> {
        assert!(depth <= Self::DEEPEST, "depths up to {}", Self::DEEPEST);
        let layers = game.layers().iter().enumerate();
        let layers: Vec<_> = layers
            .map(|(number, layer)| (layer.slots.end, game.static_value(number).clamp(-6, 6)))
            .collect();
        let form = Form::of(layers.iter().map(|&(_, value)| value));
        let slots = usize::try_from(game.slots())
            .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let mut words = zeroed(slots, form.bytes())?;
        let mut start = 0;
        for &(end, value) in &layers {
            let end = usize::try_from(end).unwrap_or(slots) * form.bytes();
            let word = form.all(value).to_le_bytes();
            let of_layer = words[start..end].par_chunks_mut(form.bytes());
            of_layer.for_each(|bytes| bytes.copy_from_slice(&word[..form.bytes()]));
            start = end;
        }
        Ok(Self {
            depth,
            form,
            layers,
            words,
        })
    }

    /// The greatest depth that was asked for.
    #[must_use]
    pub const fn depth(&self) -> u8 {
        self.depth
    }

    /// The value of a position for the side to move. Of a vacant slot it means nothing.
    ///
    /// # Panics
    /// If there is no such slot, `depth` is greater than the [depth](Self::depth), or neither 0
    /// nor one of the last [`KEPT`].
    #[inline]
    #[must_use]
    pub fn value(&self, slot: u64, depth: u8) -> i8 {
        let less = self.depth.checked_sub(depth);
        match less.filter(|&less| depth == 0 || usize::from(less) < KEPT) {
            Some(_) if depth == 0 => self.static_value(slot),
            Some(less) => self.form.get(self.word(slot), less),
            None => panic!("no values are kept at this depth"),
        }
    }

    /// The values of a position at the last [`KEPT`] depths, that of the greatest last; the
    /// static value stands for those of depths below 0.
    #[inline]
    #[must_use]
    pub fn values(&self, slot: u64) -> [i8; KEPT] {
        let word = self.word(slot);
        [3, 2, 1, 0].map(|less| self.form.get(word, less))
    }

    /// Asks for the values of a position, which are needed soon.
    #[inline]
    pub(crate) fn prefetch(&self, slot: u64) {
        let at = usize::try_from(slot).unwrap_or(usize::MAX);
        if let Some(byte) = self.words.get(at.saturating_mul(self.form.bytes())) {
            prefetch_read(byte);
        }
    }

    #[inline]
    fn word(&self, slot: u64) -> u32 {
        let slot = usize::try_from(slot).unwrap_or(usize::MAX);
        self.form.load(&self.words, slot)
    }

    fn static_value(&self, slot: u64) -> i8 {
        let layer = self.layers.partition_point(|&(end, _)| end <= slot);
        self.layers[layer].1
    }
}

/// What a move to a position of some value is worth, as a number from 1 to 15; 0 stands for no
/// move.
#[inline]
const fn worth_of_move(value: i8) -> u8 {
    (8 - value).cast_unsigned()
}

/// The value of a position whose best move is worth this; [`LOST`] if it has none.
#[inline]
const fn value_of(best: u8) -> i8 {
    if best == 0 {
        LOST
    } else {
        best.cast_signed() - 8
    }
}

/// What a move that ends the game is worth.
const fn worth_of_end(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win => 8 + WON.cast_unsigned(),
        Outcome::Draw => 8,
        Outcome::Loss => 8 - WON.cast_unsigned(),
    }
}
