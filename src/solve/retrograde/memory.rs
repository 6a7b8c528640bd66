//! How much memory solving takes, and when records are packed to take less.

use std::io;
use std::marker::PhantomData;

use super::super::word::WordWidth;
use super::super::words::{RowsOf, Words, row_bytes};
use super::super::work::packed::MOST_MOVES;
use super::group::{CHUNK, Group};
use crate::game::{ByRows, Ranked, Retrograde, RowVisitor};

/// The moves of a row, in bytes (measured, for the published game).
const MOVES_OF_A_ROW: u64 = 1100;

/// The peak memory in bytes that solving a game takes, to within a few percent: the working
/// records of a group, the best values of the groups before it, and, by rows, the moves of
/// rows and lists of events.
#[must_use]
pub fn working_set<G: Retrograde, W: WordWidth>(game: &G) -> u64 {
    let needs = (0..game.groups()).map(|group| plain_need::<G, W>(game, group));
    needs.max().unwrap_or(0)
}

/// The least memory in bytes in which [`Solver::within`](super::Solver::within) can solve a
/// game: the working records are packed, and events are told in parts. Without rows this is
/// the [`working_set`].
#[must_use]
pub fn least_working_set<G: Retrograde, W: WordWidth>(game: &G) -> u64 {
    let needs = (0..game.groups()).map(|group| {
        let visitor = PackedNeed::<W> {
            earlier: earlier::<G, W>(game, group),
            group,
            width: PhantomData,
        };
        let packed = game.by_rows(visitor).ok().flatten();
        packed.unwrap_or_else(|| plain_need::<G, W>(game, group))
    });
    needs.max().unwrap_or(0)
}

/// Room for the working records of a group, packed if `memory` is too little for plain
/// words: what a checkpoint is read into.
///
/// # Errors
/// If the operating system cannot provide the memory.
pub fn room_for_records<G: Retrograde, W: WordWidth>(
    game: &G,
    group: usize,
    rows: bool,
    memory: Option<u64>,
) -> io::Result<Words<W>> {
    let visitor = RowRoom::<W> {
        group,
        packed: rows && packs::<G, W>(game, group, memory),
        width: PhantomData,
    };
    if let Ok(words) = game.by_rows(visitor) {
        return words;
    }
    let slots = game.group_slots(group);
    let len = usize::try_from(slots.end - slots.start);
    Words::plain(len.map_err(|_| io::ErrorKind::OutOfMemory)?)
}

/// Whether the records of a group are packed to be solved within `memory`.
pub(super) fn packs<G: Retrograde, W: WordWidth>(
    game: &G,
    group: usize,
    memory: Option<u64>,
) -> bool {
    memory.is_some_and(|memory| {
        memory < plain_need::<G, W>(game, group)
            && game.by_rows(CanBePacked { group }).unwrap_or(false)
    })
}

/// The bytes of events that packed records are solved with at least.
pub(super) const fn least_events(positions: u64) -> u64 {
    positions / 5
}

/// The bytes of the best values of the groups before.
fn earlier<G: Ranked, W: WordWidth>(game: &G, group: usize) -> u64 {
    let slots = (0..group).map(|group| game.group_slots(group));
    slots.map(|slots| slots.end - slots.start).sum::<u64>() * W::BYTES as u64
}

/// The bytes that say which distances are due in a group.
fn due<G: Retrograde, W: WordWidth>(slots: u64) -> u64 {
    slots.div_ceil(CHUNK as u64) * 8 * Group::<G, W>::DUE as u64
}

/// The memory in which a group is solved with plain words.
fn plain_need<G: Retrograde, W: WordWidth>(game: &G, group: usize) -> u64 {
    let slots = game.group_slots(group);
    let slots = slots.end - slots.start;
    let words = slots * size_of::<W::Atom>() as u64 + due::<G, W>(slots);
    let earlier = earlier::<G, W>(game, group);
    if super::has_rows(game) {
        // Events of two passes, and the moves of rows, take three eighths of the working
        // records (measured, for the published game); earlier values, arranged by
        // bucket, are gone by then.
        words + (slots * 3 / 2).max(earlier)
    } else {
        words + earlier
    }
}

/// The rows of the layers of a group.
pub(super) fn rows_of<G: ByRows>(game: &G, group: usize) -> Vec<RowsOf> {
    let layers = game.layers().iter().zip(game.row_layers());
    let layers = layers.filter(|(layer, _)| layer.group == group);
    let rows = layers.map(|(_, shape)| RowsOf {
        rows: shape.rows,
        columns: shape.columns.len(),
    });
    rows.collect()
}

/// The memory in which a group is solved with packed records, `None` if they cannot be.
struct PackedNeed<W> {
    earlier: u64,
    group: usize,
    width: PhantomData<W>,
}

impl<W: WordWidth> RowVisitor for PackedNeed<W> {
    type Output = Option<u64>;

    fn visit<G: ByRows>(self, game: &G) -> Option<u64> {
        let layers = rows_of(game, self.group);
        CanBePacked { group: self.group }.visit(game).then(|| {
            let bytes = |layer: &RowsOf| (layer.rows * row_bytes::<W>(layer.columns)) as u64;
            let records: u64 = layers.iter().map(bytes).sum();
            let rows: u64 = layers.iter().map(|layer| layer.rows as u64).sum();
            let slots = game.group_slots(self.group);
            let slots = slots.end - slots.start;
            let events = least_events(slots);
            // Groups after this one need the values of all before.
            let earlier = if self.group + 1 < game.groups() {
                self.earlier
            } else {
                0
            };
            let passes = records + rows * MOVES_OF_A_ROW + due::<G, W>(slots) + events + earlier;
            // Before the first pass the values of earlier groups are there twice.
            passes.max(2 * self.earlier)
        })
    }
}

/// Whether no position of a group has too many moves for packed records.
struct CanBePacked {
    group: usize,
}

impl RowVisitor for CanBePacked {
    type Output = bool;

    fn visit<G: ByRows>(self, game: &G) -> bool {
        let shapes = game.row_layers();
        let layers = game.layers().iter().zip(shapes).enumerate();
        let mut moves = Vec::new();
        layers
            .filter(|(_, (layer, _))| layer.group == self.group)
            .all(|(number, (_, shape))| {
                (0..shape.rows).all(|row| {
                    moves.clear();
                    game.row_moves(number, row, &mut moves);
                    let numbers = moves
                        .iter()
                        .fold(0u128, |set, mv| set | 1 << (mv.number & 127));
                    numbers.count_ones() <= MOST_MOVES
                })
            })
    }
}

/// Room for the records of a group of rows.
struct RowRoom<W> {
    group: usize,
    packed: bool,
    width: PhantomData<W>,
}

impl<W: WordWidth> RowVisitor for RowRoom<W> {
    type Output = io::Result<Words<W>>;

    fn visit<G: ByRows>(self, game: &G) -> io::Result<Words<W>> {
        let layers = rows_of(game, self.group);
        if self.packed {
            return Words::packed(layers);
        }
        Words::plain(layers.iter().map(|layer| layer.rows * layer.columns).sum())
    }
}
