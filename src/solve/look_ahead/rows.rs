//! Values row by row: what moves to the positions of a layer are worth is arranged by bucket,
//! and then read side by side for all positions of a row.
#![expect(
    clippy::inline_always,
    reason = "these loops run billions of times, and inlining them is what makes them fast"
)]

use std::io;
use std::ops::Range;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::super::WordArray;
use super::super::rows::{Buckets, RUN, RowTable};
use super::form::Form;
use super::{LookAhead, value_of, worth_of_end, worth_of_move};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::value::Outcome;
use crate::game::{ByRows, RowExit, RowExitTo, RowMove, RowVisitor};

/// Number of stores that wait for their cache lines.
const PENDING: usize = 64;

/// The search for the values of all depths.
pub(super) struct RowSweeps<'a> {
    found: &'a mut LookAhead,
    progress: &'a dyn Progress,
}

impl<'a> RowSweeps<'a> {
    pub fn new(found: &'a mut LookAhead, progress: &'a dyn Progress) -> Self {
        Self { found, progress }
    }
}

/// What moves to the positions of each layer are worth, by bucket and set.
type Worths = Vec<WordArray<AtomicU8>>;

impl RowVisitor for RowSweeps<'_> {
    type Output = io::Result<bool>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let (found, progress) = (self.found, self.progress);
        let shapes = game.row_layers();
        let mut tables = Vec::new();
        for group in 0..game.groups() {
            tables.extend(RowTable::of_group(game, group));
        }
        let of_layer = |layer| Buckets::new(&shapes, layer).0;
        let buckets: Vec<_> = (0..shapes.len()).map(of_layer).collect();
        let room = |buckets: &Buckets<'_>| {
            WordArray::new(buckets.shape.rows * buckets.shape.columns.len())
        };
        let worths: Worths = buckets.iter().map(room).collect::<io::Result<_>>()?;
        for depth in 1..=found.depth {
            let sweep = Sweep {
                game,
                depth,
                tables: &tables,
                buckets: &buckets,
                worths: &worths,
                progress,
            };
            for layer in 0..tables.len() {
                sweep.arrange(layer, found);
            }
            for layer in 0..tables.len() {
                sweep.derive(layer, found);
            }
            if progress.cancelled() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The search for the values of one depth.
struct Sweep<'a, 'g, G> {
    game: &'g G,
    depth: u8,
    /// By layer.
    tables: &'a [RowTable<'g>],
    buckets: &'a [Buckets<'g>],
    worths: &'a Worths,
    progress: &'a dyn Progress,
}

impl<G: ByRows> Sweep<'_, '_, G> {
    /// Arranges what moves to the positions of a layer are worth, one ply less deep.
    fn arrange(&self, layer: usize, found: &LookAhead) {
        let table = &self.tables[layer];
        let slots = self.game.layers()[layer].slots.clone();
        let stage = format!(
            "layer {}: arranging values at depth {}",
            self.game.layers()[layer].name,
            self.depth - 1
        );
        self.progress.begin(&stage, slots.end - slots.start);
        if self.depth == 1 {
            let worth = worth_of_move(found.static_value(slots.start));
            for atom in &*self.worths[layer] {
                atom.store(worth, Relaxed);
            }
            return;
        }
        let (form, words) = (found.form, &*found.words);
        table.runs().for_each(|rows| {
            if self.progress.cancelled() {
                return;
            }
            let done = (rows.len() * table.columns()) as u64;
            dispatch(ArrangeRows {
                sweep: self,
                layer,
                rows,
                first: index(slots.start),
                worth: |at| worth_of_move(form.get(form.load(words, at), 0)),
            });
            self.progress.advance(done);
        });
    }

    /// Finds the values of a layer.
    fn derive(&self, layer: usize, found: &mut LookAhead) {
        let table = &self.tables[layer];
        let slots = self.game.layers()[layer].slots.clone();
        let stage = format!(
            "layer {}: looking {} plies ahead",
            self.game.layers()[layer].name,
            self.depth
        );
        self.progress.begin(&stage, slots.end - slots.start);
        let form = found.form;
        let bytes = index(slots.start) * form.bytes()..index(slots.end) * form.bytes();
        let run = RUN * table.columns() * form.bytes();
        let runs = found.words[bytes].par_chunks_mut(run).enumerate();
        runs.for_each_init(
            || vec![0; table.columns()],
            |best, (run, words)| {
                if self.progress.cancelled() {
                    return;
                }
                let rows = words.chunks_mut(table.columns() * form.bytes());
                for (row, words) in (run * RUN..).zip(rows) {
                    dispatch(DeriveRow {
                        sweep: self,
                        layer,
                        row,
                        form,
                        best: &mut best[..],
                        words,
                    });
                    self.progress.advance(table.columns() as u64);
                }
            },
        );
    }
}

/// A slot as an index: values of all slots are in memory.
fn index(slot: u64) -> usize {
    usize::try_from(slot).unwrap_or(usize::MAX)
}

/// Arranges what moves to the positions of some rows are worth.
struct ArrangeRows<'a, 's, 'g, G, F> {
    sweep: &'a Sweep<'s, 'g, G>,
    layer: usize,
    rows: Range<usize>,
    /// The first slot of the layer.
    first: usize,
    /// What moves to the position of a slot are worth.
    worth: F,
}

impl<G: ByRows, F: Fn(usize) -> u8> CpuTask for ArrangeRows<'_, '_, '_, G, F> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Sweep { game, .. } = *self.sweep;
        let table = &self.sweep.tables[self.layer];
        let shape = self.sweep.buckets[self.layer].shape;
        let (width, worths) = (shape.columns.len(), &*self.sweep.worths[self.layer]);
        let mut pending = [(0, 0); PENDING];
        let mut waiting = 0;
        for row in self.rows {
            let images = game.row_images(self.layer, row);
            let free = game.row(self.layer, row).free;
            let first = self.first + row * table.columns();
            for (slot, &column) in (first..).zip(table.shape.columns) {
                let worth = (self.worth)(slot);
                let opponent = cpu.deposit(column, free);
                game.transposed(cpu, &images, opponent, 0, |seen| {
                    let at = seen.bucket as usize * width + shape.ranker.rank(seen.set) as usize;
                    super::super::prefetch_write(&worths[at]);
                    pending[waiting] = (at, worth);
                    waiting += 1;
                    if waiting == PENDING {
                        for &(at, worth) in &pending {
                            worths[at].store(worth, Relaxed);
                        }
                        waiting = 0;
                    }
                });
            }
        }
        for &(at, worth) in &pending[..waiting] {
            worths[at].store(worth, Relaxed);
        }
    }
}

/// Finds the values of the positions of a row.
struct DeriveRow<'a, 's, 'g, G> {
    sweep: &'a Sweep<'s, 'g, G>,
    layer: usize,
    row: usize,
    form: Form,
    best: &'a mut [u8],
    words: &'a mut [u8],
}

impl<G: ByRows> CpuTask for DeriveRow<'_, '_, '_, G> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Sweep { game, tables, .. } = *self.sweep;
        let table = &tables[self.layer];
        let answers = table.shape.answers;
        let free = game.row(self.layer, self.row).free;
        self.best.fill(0);
        for mv in table.moves(self.row) {
            let from = mv.bucket as usize * table.columns();
            let worths = &self.sweep.worths[answers][from..from + table.columns()];
            raise(cpu, game, table, free, mv, worths, self.best);
        }
        let mut exits: Vec<RowExit> = Vec::new();
        game.row_exits(self.layer, self.row, &mut exits);
        for exit in &exits {
            let over = match exit.to {
                RowExitTo::Win => worth_of_end(Outcome::Win),
                RowExitTo::Loss => worth_of_end(Outcome::Loss),
                RowExitTo::Earlier { layer, bucket, .. } => {
                    let buckets = &self.sweep.buckets[layer];
                    let from = bucket as usize * buckets.shape.columns.len();
                    let worths = &self.sweep.worths[layer][from..];
                    let best = &mut *self.best;
                    buckets.visit(cpu, game, table, free, exit, |column, set| {
                        best[column] = best[column].max(worths[set as usize].load(Relaxed));
                    });
                    continue;
                }
            };
            for (best, &column) in self.best.iter_mut().zip(table.shape.columns) {
                if exit.condition.holds(column) {
                    *best = over.max(*best);
                }
            }
        }
        let form = self.form;
        for (at, &best) in self.best.iter().enumerate() {
            let word = form.push(form.load(self.words, at), value_of(best));
            form.store(self.words, at, word);
        }
    }
}

/// Raises the best worths of the columns of a row that have a move.
#[inline(always)]
fn raise<G: ByRows, C: Cpu>(
    cpu: C,
    game: &G,
    table: &RowTable<'_>,
    free: u32,
    mv: &RowMove,
    worths: &[AtomicU8],
    best: &mut [u8],
) {
    let columns = table.lists.fulfilling(mv.condition);
    if mv.turn == 0 {
        let sets = table.lists.fulfilling(mv.image);
        for (&column, &set) in columns.iter().zip(&*sets) {
            let best = &mut best[column as usize];
            *best = worths[set as usize].load(Relaxed).max(*best);
        }
        return;
    }
    let turn = game.turn(mv.turn);
    for &column in &*columns {
        let before = cpu.deposit(table.shape.columns[column as usize], free);
        let after = cpu.extract(turn(before ^ mv.flip), mv.bucket_free);
        let set = table.shape.ranker.rank(after) as usize;
        let best = &mut best[column as usize];
        *best = worths[set].load(Relaxed).max(*best);
    }
}
