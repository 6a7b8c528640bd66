//! Moves that are played one by one: those of odd positions, and those of positions in which
//! one move is forbidden.

use rayon::prelude::*;

use super::RowGroup;
use crate::base::cpu::{Portable, deposit};
use crate::game::{ByRows, Transposed};

/// How a position is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// With nothing forbidden.
    Free,
    /// With a move forbidden.
    Once,
    /// With a move forbidden that leads to the same state as another.
    Twice,
}

/// A position being reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    pub slot: u64,
    pub kind: Kind,
    /// The number of the forbidden move in the stored position, if one is.
    pub number: u8,
}

/// Which moves of a position are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plays {
    All,
    Except(u8),
    Only(u8),
}

impl Plays {
    const fn includes(self, number: u8) -> bool {
        match self {
            Self::All => true,
            Self::Except(other) => number != other,
            Self::Only(one) => number == one,
        }
    }
}

/// An arrival at a bucket: the set of the side to move (22 bits), the number of the forbidden
/// move in the stored position (7), and the [`Kind`] (2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    bucket: u32,
    word: u32,
}

impl Event {
    const NUMBER: u32 = 22;
    const KIND: u32 = 29;

    fn new(seen: Transposed, arrival: Arrival) -> Self {
        let kind = match arrival.kind {
            Kind::Free => 0,
            Kind::Once => 1,
            Kind::Twice => 2,
        };
        Self {
            bucket: seen.bucket,
            word: kind << Self::KIND | u32::from(arrival.number) << Self::NUMBER | seen.set,
        }
    }

    /// The set of the side to move, over the free squares of the bucket.
    pub const fn set(self) -> u32 {
        self.word & ((1 << Self::NUMBER) - 1)
    }

    /// The number of the forbidden move in the stored position.
    pub fn number(self) -> u8 {
        let number = self.word >> Self::NUMBER & 127;
        u8::try_from(number).expect("seven bits")
    }

    pub const fn kind(self) -> Kind {
        match self.word >> Self::KIND {
            0 => Kind::Free,
            1 => Kind::Once,
            _ => Kind::Twice,
        }
    }
}

/// What moves that were played one by one lead to.
#[derive(Debug, Default)]
pub(super) struct Played {
    /// By layer: arrivals at its buckets.
    events: Vec<Vec<Event>>,
    /// Number of states with a forbidden move.
    pub states: u64,
}

impl Played {
    pub fn new(layers: usize) -> Self {
        Self {
            events: vec![Vec::new(); layers],
            states: 0,
        }
    }

    pub fn merge(mut self, other: Self) -> Self {
        for (events, more) in self.events.iter_mut().zip(other.events) {
            if events.is_empty() {
                *events = more;
            } else {
                events.extend(more);
            }
        }
        self.states += other.states;
        self
    }
}

/// Events of one layer, sorted by bucket.
#[derive(Debug)]
pub(super) struct EventLists {
    /// By bucket: where its events begin; and the end of the last. Empty if there are none.
    starts: Vec<usize>,
    events: Vec<Event>,
}

impl EventLists {
    fn new(buckets: usize, mut events: Vec<Event>) -> Self {
        events.par_sort_unstable();
        let mut starts = Vec::new();
        if !events.is_empty() {
            starts.resize(buckets + 1, 0);
            for event in &events {
                starts[event.bucket as usize + 1] += 1;
            }
            let mut sum = 0;
            for start in &mut starts {
                sum += *start;
                *start = sum;
            }
        }
        Self { starts, events }
    }

    /// The events of a bucket.
    pub fn of(&self, bucket: usize) -> &[Event] {
        match self.starts.get(bucket..bucket + 2) {
            Some(ends) => &self.events[ends[0]..ends[1]],
            None => &[],
        }
    }
}

impl<G: ByRows> RowGroup<'_, G> {
    pub(super) fn sorted(&self, played: Played) -> Vec<EventLists> {
        let layers = self.layers.iter().zip(played.events);
        layers
            .map(|(layer, events)| EventLists::new(layer.table.shape.rows, events))
            .collect()
    }

    /// Whether a position is [odd](is_odd), asking the game first.
    pub(super) fn is_odd_position(&self, slot: u64) -> bool {
        let layer = &self.layers[self.layer_of(slot)];
        let (row, column) = layer.place(self.index(slot));
        let table = &layer.table;
        let images = self.game.row_images(table.layer, row);
        let opponent = deposit(
            table.shape.columns[column],
            self.game.row(table.layer, row).free,
        );
        self.game.may_come_back_turned(&images)(opponent) && is_odd(self.game, slot)
    }

    /// Sends an arrival from a position of a layer to its bucket.
    pub(super) fn send(&self, from: usize, arrival: Arrival, played: &mut Played) {
        let mut seen = None;
        self.each_image(arrival.slot, |image| seen = seen.or(Some(image)));
        if let Some(seen) = seen {
            played.events[from].push(Event::new(seen, arrival));
        }
    }

    /// Visits the images of a position as its bucket sees them.
    pub(super) fn each_image(&self, slot: u64, visit: impl FnMut(Transposed)) {
        let layer = &self.layers[self.layer_of(slot)];
        let (row, column) = layer.place(self.index(slot));
        let table = &layer.table;
        let free = self.game.row(table.layer, row).free;
        let opponent = deposit(table.shape.columns[column], free);
        let images = self.game.row_images(table.layer, row);
        self.game.transposed(Portable, &images, opponent, 0, visit);
    }

    /// Plays moves of a position. Where it is not odd, moves that nothing takes back are left
    /// out.
    pub(super) fn play_moves(&self, slot: u64, odd: bool, plays: Plays, played: &mut Played) {
        let from = self.layer_of(slot);
        self.states_after(slot, odd, plays, |arrival| {
            played.states += u64::from(arrival.kind != Kind::Free);
            self.send(from, arrival, played);
        });
    }

    /// Visits the states after moves of a position, those with a forbidden move once. Where
    /// the position is not odd, moves that nothing takes back are left out.
    pub(super) fn states_after(
        &self,
        slot: u64,
        odd: bool,
        plays: Plays,
        mut visit: impl FnMut(Arrival),
    ) {
        let game = self.game;
        let Some(cursor) = game.cursor(slot) else {
            return;
        };
        if !odd {
            game.edges_with_undo(cursor, |number, after, has_undo| {
                if has_undo && plays.includes(number) {
                    let after = game.place(after);
                    visit(Arrival {
                        slot: after.slot,
                        kind: Kind::Once,
                        number: after.number,
                    });
                }
            });
        } else if self.exact {
            self.states_after_exactly(cursor, plays, &mut visit);
        } else {
            self.states_up_to_symmetry(slot, cursor, plays, &mut visit);
        }
    }

    /// The states after moves of an odd position, where moves that are images of one another
    /// count as one.
    #[cold]
    fn states_after_exactly(
        &self,
        cursor: G::Cursor,
        plays: Plays,
        visit: &mut dyn FnMut(Arrival),
    ) {
        let game = self.game;
        game.edges_with_undo(cursor, |number, after, has_undo| {
            let least = game.least_image_of_move(cursor, number).0;
            if number != least || !plays.includes(number) {
                return;
            }
            let after = game.place(after);
            let (number, several) = match game.cursor(after.slot) {
                Some(cursor) if has_undo => game.least_image_of_move(cursor, after.number),
                _ => (after.number, false),
            };
            visit(Arrival {
                slot: after.slot,
                kind: match (has_undo, several) {
                    (false, _) => Kind::Free,
                    (true, false) => Kind::Once,
                    (true, true) => Kind::Twice,
                },
                number,
            });
        });
    }

    /// The states after moves of an odd position, where all moves back are forbidden.
    #[cold]
    fn states_up_to_symmetry(
        &self,
        slot: u64,
        cursor: G::Cursor,
        plays: Plays,
        visit: &mut dyn FnMut(Arrival),
    ) {
        let game = self.game;
        let mut after = Vec::new();
        game.edges(cursor, |number, next| {
            if plays.includes(number) {
                after.push(game.place(next).slot);
            }
        });
        after.sort_unstable();
        after.dedup();
        for next in after {
            let (number, count) = moves_back(game, next, slot);
            visit(Arrival {
                slot: next,
                kind: match count {
                    0 => Kind::Free,
                    1 => Kind::Once,
                    _ => Kind::Twice,
                },
                number,
            });
        }
    }
}

/// The last move of a position that leads to the slot `to`, and the number of such moves.
fn moves_back<G: ByRows>(game: &G, from: u64, to: u64) -> (u8, u32) {
    let (mut last, mut count) = (0, 0);
    if let Some(cursor) = game.cursor(from) {
        game.edges(cursor, |number, next| {
            if game.place(next).slot == to {
                last = number;
                count += 1;
            }
        });
    }
    (last, count)
}

/// Whether a position is odd: a move of it that can be taken back shares its target with
/// another, or can be taken back in several ways, or one that cannot leads to a position from
/// which some move leads back.
#[cold]
pub(super) fn is_odd<G: ByRows>(game: &G, slot: u64) -> bool {
    let Some(cursor) = game.cursor(slot) else {
        return false;
    };
    let mut after = Vec::new();
    game.edges_with_undo(cursor, |_, next, has_undo| {
        after.push((game.place(next).slot, has_undo));
    });
    after.iter().any(|&(next, has_undo)| {
        let shared = after.iter().filter(|&&(other, _)| other == next).count() > 1;
        has_undo && shared || moves_back(game, next, slot).1 != u32::from(has_undo)
    })
}
