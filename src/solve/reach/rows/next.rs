//! Playing the moves of a level.
#![expect(
    clippy::inline_always,
    reason = "these paths run billions of times, and inlining them is what makes them fast"
)]

use rayon::prelude::*;

use super::layer::LayerRows;
use super::planes::{columns_of, equal_bytes};
use super::settle::Settled;
use super::singly::{Played, Plays, is_odd};
use super::{RowGroup, code};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::game::ByRows;

impl<G: ByRows> RowGroup<'_, G> {
    /// Makes the positions that were reached for the first time at a level the sources of
    /// moves, and returns the odd ones, which are no sources.
    pub(super) fn set_sources(&mut self, distance: u8, progress: &dyn Progress) -> Vec<u64> {
        let bytes = self.first.bytes();
        let mut odd: Vec<u64> = Vec::new();
        for layer in &self.layers {
            let rows = layer.table.runs().map_init(Vec::new, |words, rows| {
                let mut odd = Vec::new();
                for row in rows {
                    if !progress.cancelled() && layer.changes(row) {
                        let records = layer.table.records(row);
                        dispatch(SetSources {
                            game: self.game,
                            layer,
                            row,
                            first: self.slots.start + records.start as u64,
                            bytes: &bytes[records],
                            code: code(distance),
                            words,
                            odd: &mut odd,
                        });
                    }
                }
                odd
            });
            odd.par_extend(rows.flatten());
        }
        odd
    }

    /// Plays the moves of a level that are played one by one.
    pub(super) fn play_singly(&self, odd: &[u64], settled: Settled) -> Played {
        let Settled {
            mut alone, second, ..
        } = settled;
        alone.par_sort_unstable();
        let nothing = || Played::new(self.layers.len());
        let played = odd.par_iter().fold(nothing, |mut played, &slot| {
            let at = alone.binary_search_by_key(&slot, |&(slot, _)| slot);
            let plays = at.map_or(Plays::All, |at| Plays::Except(alone[at].1));
            self.play_moves(slot, true, plays, &mut played);
            played
        });
        let played = played.reduce(nothing, Played::merge);
        let alone = alone
            .par_iter()
            .fold(nothing, |mut played, &(slot, forbidden)| {
                let layer = &self.layers[self.layer_of(slot)];
                let (row, column) = layer.place(self.index(slot));
                if layer.set_apart(row, column) {
                    self.play_moves(slot, false, Plays::Except(forbidden), &mut played);
                }
                played
            });
        let played = played.merge(alone.reduce(nothing, Played::merge));
        let second = second
            .par_iter()
            .fold(nothing, |mut played, &(slot, forbidden)| {
                let odd = self.is_odd_position(slot);
                self.play_moves(slot, odd, Plays::Only(forbidden), &mut played);
                played
            });
        played.merge(second.reduce(nothing, Played::merge))
    }
}

/// Sets the sources of a row, and collects the odd positions among them, which it leaves out.
struct SetSources<'r, 'g, G> {
    game: &'r G,
    layer: &'r LayerRows<'g>,
    row: usize,
    /// The slot of its first position.
    first: u64,
    /// How soon each position of the row is reached.
    bytes: &'r [u8],
    code: u8,
    words: &'r mut Vec<u64>,
    odd: &'r mut Vec<u64>,
}

impl<G: ByRows> CpuTask for SetSources<'_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self {
            game,
            layer,
            row,
            first,
            bytes,
            code,
            words,
            odd,
        } = self;
        let table = &layer.table;
        let free = game.row(table.layer, row).free;
        let images = game.row_images(table.layer, row);
        let may_come_back = game.may_come_back_turned(&images);
        words.clear();
        for (word, bytes) in bytes.chunks(64).enumerate() {
            let bits = equal_bytes(cpu, bytes, code);
            let mut plain = bits;
            for column in columns_of(word, bits) {
                let opponent = cpu.deposit(table.shape.columns[column], free);
                let slot = first + column as u64;
                if may_come_back(opponent) && is_odd(game, slot) {
                    plain &= !(1 << (column % 64));
                    odd.push(slot);
                }
            }
            words.push(plain);
        }
        layer.set_sources(row, words.iter().copied());
    }
}
