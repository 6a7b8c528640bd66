//! Counting the states of a group that has been searched, and entering the positions of
//! earlier groups that it leads to.

use std::ops::Range;

use super::ReachError;
use super::group::{Counts, Group, NEVER, NOTHING};
use crate::base::progress::Progress;
use crate::base::subsets::NumberSet;
use crate::base::threads;
use crate::game::{Repetition, Retrograde};
use crate::solve::memory::prefetch_read;

/// Number of un-moves looked up together.
const BATCH: usize = 256;

struct Counted<C> {
    slot: u64,
    cursor: C,
    /// Its un-moves, as a range in the batch.
    unmoves: Range<u16>,
    /// Whether several un-moves may give the same state.
    careful: bool,
}

#[derive(Clone, Copy)]
struct Before {
    index: u32,
    number: u8,
    /// The move that it forbids, or [`NOTHING`].
    forbids: u8,
}

/// Positions being counted. One batch is collected and looked up while the entries that
/// the previous one needs are being fetched.
struct Counting<'r, 'a, G: Retrograde> {
    group: &'r Group<'a, G>,
    counts: Counts,
    positions: Vec<Counted<G::Cursor>>,
    unmoves: Vec<(G::Unplaced, u8)>,
    departures: Vec<(G::Unplaced, u8)>,
    /// The previous batch.
    fetching: Vec<Counted<G::Cursor>>,
    predecessors: Vec<Before>,
    entered: Vec<(usize, u8)>,
}

impl<G: Retrograde> Group<'_, G> {
    pub(super) fn count(&self, progress: &dyn Progress) -> Result<Counts, ReachError> {
        let words = self.words.len() as u64;
        progress.begin(&format!("layer {}: counting states", self.name), words);
        let (chunks, run) = (self.chunks(), self.chunks().div_ceil(256).max(1));
        let counted = threads::try_map((0..chunks).step_by(run), |first| {
            let mut counting = Counting::new(self);
            for chunk in first..chunks.min(first + run) {
                progress.go_on(ReachError::Cancelled)?;
                counting.chunk(chunk);
                progress.advance(self.indices_of(chunk).len() as u64);
            }
            Ok::<_, ReachError>(counting.counts)
        })?;
        let counted = counted.iter();
        Ok(counted.fold(Counts::default(), Counts::merge))
    }
}

impl<'r, 'a, G: Retrograde> Counting<'r, 'a, G> {
    fn new(group: &'r Group<'a, G>) -> Self {
        Self {
            group,
            counts: Counts::default(),
            positions: Vec::with_capacity(BATCH),
            unmoves: Vec::with_capacity(BATCH + 128),
            departures: Vec::with_capacity(BATCH),
            fetching: Vec::with_capacity(BATCH),
            predecessors: Vec::with_capacity(BATCH + 128),
            entered: Vec::with_capacity(BATCH),
        }
    }

    fn chunk(&mut self, chunk: usize) {
        let group = self.group;
        let departing = group.slots.start > 0;
        for index in group.indices_of(chunk) {
            let slot = group.slot(index);
            let Some(cursor) = group.game.cursor(slot) else {
                continue;
            };
            let first = self.unmoves.len() as u16;
            group.game.legal_unmoves(cursor, |before, undo| {
                self.unmoves.push((before, undo.unwrap_or(NOTHING)));
            });
            self.positions.push(Counted {
                slot,
                cursor,
                unmoves: first..self.unmoves.len() as u16,
                careful: if group.exact {
                    group.game.is_symmetric(cursor)
                } else {
                    group.game.may_return_turned(cursor)
                },
            });
            let distance = group.load(index).first;
            if departing && distance != NEVER {
                group.game.departures(cursor, |after| {
                    self.departures.push((after, distance + 1));
                });
            }
            if self.unmoves.len() >= BATCH || self.positions.len() >= BATCH {
                self.number();
            }
        }
        self.number();
        self.count();
    }

    /// Looks up everything collected, and counts the previous batch.
    fn number(&mut self) {
        let group = self.group;
        let mut predecessors = Vec::with_capacity(self.unmoves.len());
        for (before, forbids) in self.unmoves.drain(..) {
            let placed = group.game.place(before);
            let index = group.index(placed.slot);
            let mut number = placed.number;
            if placed.symmetric
                && group.game.repetition() == Repetition::AllImages
                && let Some(cursor) = group.game.cursor(placed.slot)
            {
                // Moves to images of one position are forbidden together.
                number = group.game.least_image_of_move(cursor, number).0;
            }
            predecessors.push(Before {
                index,
                number,
                forbids,
            });
        }
        let departures = self.departures.drain(..).map(|(after, distance)| {
            // Slots of earlier groups index an array in memory, so they fit.
            (group.game.place(after).slot as usize, distance)
        });
        let entered: Vec<_> = departures.collect();
        self.count();
        for before in &predecessors {
            prefetch_read(&group.words[before.index as usize]);
        }
        for &(place, _) in &entered {
            group.above.prefetch(place);
        }
        self.predecessors = predecessors;
        self.entered = entered;
        std::mem::swap(&mut self.fetching, &mut self.positions);
    }

    /// Counts the batch being fetched.
    fn count(&mut self) {
        let group = self.group;
        for position in self.fetching.drain(..) {
            let unmoves = usize::from(position.unmoves.start)..usize::from(position.unmoves.end);
            let predecessors = &mut self.predecessors[unmoves];
            if position.careful {
                group.forbid_carefully(position.cursor, predecessors);
                group.count_carefully(&position, predecessors, &mut self.counts);
            } else {
                // Every un-move that forbids a move gives a state of its own.
                let add = |to: &mut Counts, distance, _| to.add(distance, 1);
                group.count_each(&position, predecessors, &mut self.counts, add);
            }
        }
        for (place, distance) in self.entered.drain(..) {
            group.above.lower(place, distance);
        }
        self.predecessors.clear();
    }
}

impl<G: Retrograde> Group<'_, G> {
    /// Plies to the state that the move of a predecessor leads to.
    #[inline]
    fn after(&self, before: Before) -> u8 {
        let entry = self.load(before.index);
        let distance = if self.take_backs {
            entry.first
        } else {
            entry.before_move(before.number)
        };
        distance.saturating_add(1)
    }

    /// Counts the state with nothing forbidden, and visits the others, once for each un-move.
    #[inline]
    fn count_each(
        &self,
        position: &Counted<G::Cursor>,
        predecessors: &[Before],
        to: &mut Counts,
        mut visit: impl FnMut(&mut Counts, u8, u8),
    ) {
        let mut free = self.distance_from_above(position.slot);
        let mut possible = false;
        for &before in predecessors {
            let distance = self.after(before);
            if before.forbids == NOTHING {
                free = free.min(distance);
                possible = true;
            } else {
                visit(to, distance, before.forbids);
            }
        }
        if free != NEVER || possible || self.may_arise_free(position.cursor) {
            to.add(free, 1);
        }
    }

    /// [`count_each`](Self::count_each) for positions in which several un-moves may give one
    /// state.
    #[cold]
    fn count_carefully(
        &self,
        position: &Counted<G::Cursor>,
        predecessors: &[Before],
        to: &mut Counts,
    ) {
        let (mut soonest, mut seen) = ([NEVER; 256], NumberSet::default());
        self.count_each(position, predecessors, to, |_, distance, number| {
            let place = &mut soonest[usize::from(number)];
            *place = distance.min(*place);
            seen.insert(number);
        });
        for number in seen.iter() {
            to.add(soonest[usize::from(number)], 1);
        }
    }

    /// Whether some position has a move to this one that forbids nothing.
    #[cold]
    fn may_arise_free(&self, cursor: G::Cursor) -> bool {
        let mut free = false;
        self.game
            .arrivals(cursor, |forbidden| free |= forbidden.is_none());
        free
    }

    /// Corrects the moves that un-moves forbid. Under exact repetition, moves that are
    /// images of one another count as one; up to symmetry, the forbidden move is the first
    /// that leads back.
    #[cold]
    fn forbid_carefully(&self, cursor: G::Cursor, predecessors: &mut [Before]) {
        if self.exact {
            for before in predecessors {
                if before.forbids != NOTHING {
                    before.forbids = self.game.least_image_of_move(cursor, before.forbids).0;
                }
            }
            return;
        }
        let mut back: Vec<(u32, u8)> = Vec::new();
        self.game.edges(cursor, |number, after| {
            back.push((self.index(self.game.place(after).slot), number));
        });
        back.sort_unstable();
        for before in predecessors {
            let place = back.partition_point(|&(to, _)| to < before.index);
            let known = back.get(place).filter(|&&(to, _)| to == before.index);
            before.forbids = known.map_or(NOTHING, |&(_, number)| number);
        }
    }
}
