//! Best values of earlier groups, arranged as the buckets that moves lead to.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use memmap2::MmapMut;
use rayon::prelude::*;

use super::table::{ColumnLists, RowTable};
use crate::base::cpu::{Cpu, CpuTask, dispatch};
use crate::base::progress::Progress;
use crate::base::value::{Narrow, Value, Width};
use crate::game::{ByRows, RowExit, RowExitTo, RowLayer, Squares};
use crate::solve::codes::{BestCodes, Ordinal, TOO_LONG, ValueOrder};
use crate::solve::memory::{OutOfMemory, prefetch_read, zeroed};
use crate::solve::retrograde::stage::{Result, SolveError};

/// Number of buckets whose values are given up together.
const PIECE: usize = 1024;

/// Number of look-ups in flight together.
const BATCH: usize = 64;

/// What moves out of a group are worth.
pub(crate) struct Floors<'g> {
    /// To positions of earlier layers, by layer.
    layers: Vec<Option<LayerFloors<'g>>>,
    /// If they win or lose at once.
    win: Ordinal,
    loss: Ordinal,
}

/// What moves to the positions of one layer are worth: an ordinal for each bucket and set.
struct LayerFloors<'g> {
    /// The layer by bucket: its rows are the buckets, its columns the sets of the side to move.
    shape: RowLayer<'g>,
    lists: ColumnLists<'g>,
    /// The ordinals of [`PIECE`] buckets each, `None` once nobody needs them.
    pieces: Vec<Option<MmapMut>>,
}

impl<'g> Floors<'g> {
    /// Arranges the best values of all layers that moves out of the given ones lead to.
    pub(crate) fn new<G: ByRows>(
        game: &'g G,
        tables: &[RowTable<'g>],
        earlier: &impl BestCodes,
        order: &ValueOrder<Narrow>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let shapes = game.row_layers();
        let mut wanted = HashSet::new();
        for table in tables {
            let found = table.runs().flat_map_iter(|rows| {
                let mut found = HashSet::new();
                visit_earlier(game, table, rows, |layer, _| _ = found.insert(layer));
                found
            });
            wanted.par_extend(found);
        }
        let arrange = |layer: usize| {
            wanted
                .contains(&layer)
                .then(|| LayerFloors::new(game, layer, &shapes, tables, earlier, order, progress))
                .transpose()
        };
        let floors = (0..shapes.len()).map(arrange);
        Ok(Self {
            layers: floors.collect::<Result<_>>()?,
            win: order.ordinal(Value::CHECKMATE),
            loss: order.ordinal(Value::SELF_MATE),
        })
    }

    /// By layer, the least bucket that moves out of some rows lead to; the number of buckets if
    /// none leads there.
    pub(crate) fn first_buckets<G: ByRows>(
        &self,
        game: &G,
        table: &RowTable<'g>,
        rows: Range<usize>,
    ) -> Vec<usize> {
        let buckets =
            |held: &Option<LayerFloors<'_>>| held.as_ref().map_or(0, |held| held.shape.rows);
        let mut first: Vec<usize> = self.layers.iter().map(buckets).collect();
        visit_earlier(game, table, rows, |layer, bucket| {
            first[layer] = first[layer].min(bucket as usize);
        });
        first
    }

    /// Of what [`first_buckets`](Self::first_buckets) found for rows that follow each other,
    /// makes the least of each and all after it.
    pub(crate) fn least_from_each(found: &mut [Vec<usize>]) {
        for at in (1..found.len()).rev() {
            let (before, after) = found.split_at_mut(at);
            for (least, &later) in before[at - 1].iter_mut().zip(&after[0]) {
                *least = later.min(*least);
            }
        }
    }

    /// Gives up the values of all buckets, by layer, below some.
    pub(crate) fn forget_below(&mut self, first: &[usize]) {
        for (held, first) in self.layers.iter_mut().zip(first) {
            if let Some(held) = held {
                held.pieces[..first / PIECE].fill_with(|| None);
            }
        }
    }

    /// Raises the floors of the positions of a row that have a move out of the group.
    #[inline(always)]
    pub(crate) fn raise<G: ByRows, C: Cpu>(
        &self,
        cpu: C,
        game: &G,
        table: &RowTable<'g>,
        free: u32,
        exit: &RowExit,
        floors: &mut [Ordinal],
    ) {
        self.visit(cpu, game, table, free, exit, floors, |floor, ordinal| {
            *floor = (*floor).max(ordinal);
        });
    }

    /// Visits what is known (`known`, by column) of the positions of a row, whose free squares
    /// are `free`, that have a move out of the group, with the ordinal of the move.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "what a row is and what a move is"
    )]
    pub(crate) fn visit<G: ByRows, C: Cpu, T>(
        &self,
        cpu: C,
        game: &G,
        table: &RowTable<'g>,
        free: u32,
        exit: &RowExit,
        known: &mut [T],
        mut visit: impl FnMut(&mut T, Ordinal),
    ) {
        let (layer, bucket, image, turn) = match exit.to {
            RowExitTo::Earlier {
                layer,
                bucket,
                image,
                turn,
                ..
            } => (layer, bucket, image, turn),
            over => {
                let is_won = over == RowExitTo::Win;
                let ordinal = if is_won { self.win } else { self.loss };
                for (known, &column) in known.iter_mut().zip(table.shape.columns) {
                    if exit.condition.holds(column) {
                        visit(known, ordinal);
                    }
                }
                return;
            }
        };
        let held = self.of(layer);
        let values = held.bucket(bucket);
        let mut visit = |column: usize, set: u32| {
            visit(&mut known[column], values[set as usize].into());
        };
        if turn != 0 {
            for (number, &column) in table.shape.columns.iter().enumerate() {
                if exit.condition.holds(column) {
                    let opponent = cpu.deposit(column, free);
                    visit(number, held.set(cpu, game, exit, opponent));
                }
            }
            return;
        }
        let sets = held.lists.fulfilling(image);
        if exit.condition.mask == 0 {
            for (number, &set) in sets.iter().enumerate() {
                visit(number, set);
            }
            return;
        }
        let columns = table.lists.fulfilling(exit.condition);
        for (&column, &set) in columns.iter().zip(&*sets) {
            visit(column as usize, set);
        }
    }

    /// The ordinal of a move to an earlier group, if the opponent is on `opponent` (squares of
    /// the board); 0 for any other move.
    #[inline(always)]
    pub(crate) fn get<G: ByRows, C: Cpu>(
        &self,
        cpu: C,
        game: &G,
        exit: &RowExit,
        opponent: Squares,
    ) -> Ordinal {
        let RowExitTo::Earlier { layer, bucket, .. } = exit.to else {
            return 0;
        };
        let set = self.of(layer).set(cpu, game, exit, opponent);
        self.at(layer, bucket, set)
    }

    /// The number of the set that a move to an earlier group leads to, if the opponent is on
    /// `opponent` (squares of the board), with its ordinal prefetched; `None` for any other move.
    #[inline(always)]
    pub(crate) fn prefetch<G: ByRows, C: Cpu>(
        &self,
        cpu: C,
        game: &G,
        exit: &RowExit,
        opponent: Squares,
    ) -> Option<u32> {
        let RowExitTo::Earlier { layer, bucket, .. } = exit.to else {
            return None;
        };
        let held = self.of(layer);
        let set = held.set(cpu, game, exit, opponent);
        prefetch_read(&held.bucket(bucket)[set as usize]);
        Some(set)
    }

    /// The ordinal of moves to the position of a set in a bucket of a layer.
    #[inline(always)]
    pub(crate) fn at(&self, layer: usize, bucket: u32, set: u32) -> Ordinal {
        self.of(layer).bucket(bucket)[set as usize].into()
    }

    fn of(&self, layer: usize) -> &LayerFloors<'g> {
        let floors = self.layers.get(layer).and_then(Option::as_ref);
        floors.expect("all layers that moves lead to were arranged")
    }
}

/// Visits the earlier layers, with the buckets, that moves of some rows lead to.
fn visit_earlier<G: ByRows>(
    game: &G,
    table: &RowTable<'_>,
    rows: Range<usize>,
    mut visit: impl FnMut(usize, u32),
) {
    let mut exits = Vec::new();
    for row in rows {
        exits.clear();
        game.row_exits(table.layer, row, &mut exits);
        for exit in &exits {
            if let RowExitTo::Earlier { layer, bucket, .. } = exit.to {
                visit(layer, bucket);
            }
        }
    }
}

impl<'g> LayerFloors<'g> {
    /// The ordinals of a bucket, by the rank of the set.
    fn bucket(&self, bucket: u32) -> &[u8] {
        let len = self.shape.columns.len();
        let piece = self.pieces[bucket as usize / PIECE].as_ref();
        let from = bucket as usize % PIECE * len;
        &piece.expect("no row needs what was given up")[from..from + len]
    }

    fn new<G: ByRows>(
        game: &'g G,
        layer: usize,
        shapes: &[RowLayer<'g>],
        tables: &[RowTable<'g>],
        earlier: &impl BestCodes,
        order: &ValueOrder<Narrow>,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let answers = shapes[layer].answers;
        let shape = shapes[answers];
        let len = shape.columns.len();
        let all = shape.rows * len;
        let room = |first: usize| zeroed(PIECE.min(shape.rows - first), len);
        let pieces: io::Result<Vec<_>> = (0..shape.rows).step_by(PIECE).map(room).collect();
        let mut pieces = pieces.map_err(|source| OutOfMemory {
            positions: tables.iter().map(|it| it.all_records().len() as u64).sum(),
            bytes: all as u64,
            source,
        })?;
        let name = &game.layers()[layer].name;
        progress.begin(&format!("layer {name}: arranging values"), all as u64);
        let too_long = AtomicBool::new(false);
        let arrange = |bucket: usize, ordinals: &mut [u8]| {
            let is_too_long = dispatch(ArrangeBucket {
                game,
                layer,
                bucket,
                free: game.row(answers, bucket).free,
                sets: shape.columns,
                earlier,
                order,
                ordinals,
            });
            if is_too_long {
                too_long.store(true, Relaxed);
            }
        };
        pieces.par_iter_mut().enumerate().for_each(|(piece, map)| {
            let ordinals = map.par_chunks_mut(len).with_min_len(8);
            let first = piece * PIECE;
            ordinals
                .take(PIECE.min(shape.rows - first))
                .enumerate()
                .for_each(|(bucket, ordinals)| {
                    if !progress.cancelled() {
                        arrange(first + bucket, ordinals);
                        progress.advance(len as u64);
                    }
                });
        });
        progress.go_on(SolveError::Cancelled)?;
        if too_long.into_inner() {
            return Err(SolveError::TooLong(Narrow::LONGEST));
        }
        Ok(Self {
            shape,
            lists: ColumnLists::new(shape.columns),
            pieces: pieces.into_iter().map(Some).collect(),
        })
    }

    /// The number of the set that the move `exit` to this layer leads to, if the opponent is on
    /// `opponent` (squares of the board).
    #[inline(always)]
    fn set<G: ByRows, C: Cpu>(&self, cpu: C, game: &G, exit: &RowExit, opponent: Squares) -> u32 {
        let RowExitTo::Earlier {
            bucket_free,
            turn,
            flip,
            ..
        } = exit.to
        else {
            return 0;
        };
        let after = game.turn(turn)(opponent ^ flip);
        self.shape.ranker.rank(cpu.extract(after, bucket_free))
    }
}

/// Arranges the values of a bucket, and says whether a distance is too long for the width.
struct ArrangeBucket<'a, G, B> {
    game: &'a G,
    layer: usize,
    bucket: usize,
    /// Squares where the side to move can stand.
    free: Squares,
    /// Where it stands, over these squares.
    sets: &'a [Squares],
    earlier: &'a B,
    order: &'a ValueOrder<Narrow>,
    ordinals: &'a mut [u8],
}

impl<G: ByRows, B: BestCodes> CpuTask for ArrangeBucket<'_, G, B> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let mut is_too_long = false;
        let mut slots = [0usize; BATCH];
        let batches = self.ordinals.chunks_mut(BATCH);
        for (sets, ordinals) in self.sets.chunks(BATCH).zip(batches) {
            for (slot, &set) in slots.iter_mut().zip(sets) {
                let squares = cpu.deposit(set, self.free);
                let (found, _) = self
                    .game
                    .transposed_place(cpu, self.layer, self.bucket, squares);
                *slot = usize::try_from(found).expect("codes are in memory");
                self.earlier.prefetch(*slot);
            }
            for (slot, ordinal) in slots.iter().zip(ordinals) {
                let found = self.order.through_move(self.earlier.get(*slot));
                is_too_long |= found == TOO_LONG;
                *ordinal = found.to_le_bytes()[0];
            }
        }
        is_too_long
    }
}
