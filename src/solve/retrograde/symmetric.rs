//! Symmetric positions. Their moves and un-moves do not correspond one to one, so they
//! are evaluated from their children.

use std::sync::atomic::Ordering::Relaxed;

use super::super::word::WordWidth;
use super::super::work::Work;
use super::group::Group;
use crate::base::value::{Outcome, Record, Value};
use crate::game::{Placed, Repetition, Retrograde};

impl<G: Retrograde, W: WordWidth> Group<'_, G, W> {
    /// The value of a child state, if it is final, with a distance of at most `depth`.
    fn known(&self, parent: u64, slot: u64, undo: Option<u8>, depth: u16) -> Option<Value<W>> {
        let work = self.load(self.index(slot));
        let is_final = |decided: bool, value: Value<W>| {
            (decided && value.plies_to_checkmate().is_some_and(|d| d <= depth)).then_some(value)
        };
        let best = is_final(work.has_best(), work.best());
        let second = is_final(work.has_second(), work.second());
        if best.is_some() && best == second {
            return best;
        }
        let takes_back = match self.game.repetition() {
            Repetition::Exact => undo == Some(work.mv()),
            Repetition::UpToSymmetry | Repetition::AllImages => {
                // With nothing final, the move field may hold no move.
                (best.is_some() || second.is_some())
                    && self
                        .game
                        .cursor(slot)
                        .is_some_and(|c| self.game.follow(c, work.mv()) == parent)
            }
        };
        if takes_back { second } else { best }
    }

    /// Evaluates a symmetric position from all of its moves, given the final values of
    /// distance `depth` and less.
    pub(super) fn value_from_children(&self, slot: u64, floor: Option<Value<W>>, depth: u16) {
        let Some(cursor) = self.game.cursor(slot) else {
            return;
        };
        let mut known: Vec<(Value<W>, u8)> = Vec::new();
        let mut unknown: Vec<u8> = Vec::new();
        let mut edges: Vec<(u8, Placed, bool)> = Vec::new();
        self.game.edges_with_undo(cursor, |number, next, has_undo| {
            edges.push((number, self.game.place(next), has_undo));
        });
        if self.game.repetition() == Repetition::AllImages {
            // Moves to images of one position are forbidden together, and count as one.
            edges.sort_by_key(|&(number, next, _)| (next.slot, number));
            edges.dedup_by_key(|(_, next, _)| next.slot);
        }
        for (number, next, has_undo) in edges {
            let undo = has_undo.then_some(next.number);
            let value = self.known(slot, next.slot, undo, depth);
            match value.map(Value::through_move) {
                Some(Some(value)) => known.push((value, number)),
                Some(None) => self.too_long.store(true, Relaxed),
                None => unknown.push(number),
            }
        }
        if let Some(floor) = floor {
            // A move out of the group cannot be forbidden, so it counts for both values.
            known.push((floor, Record::NO_MOVE));
            known.push((floor, Record::NO_MOVE));
        }
        known.sort_unstable_by(|a, b| b.cmp(a));
        let (first, second) = (known.first().copied(), known.get(1).copied());
        let wins = |entry: Option<(Value<W>, u8)>| {
            entry.filter(|(value, _)| value.outcome() == Outcome::Win)
        };
        let draws = floor.is_some_and(|floor| floor.outcome() == Outcome::Draw);
        let work = match (wins(first), wins(second), unknown.as_slice()) {
            (Some((best, mv)), Some((second, _)), _) => Work::decided(best, second, mv),
            (Some((best, mv)), None, rest) if draws || !rest.is_empty() => {
                Work::best_decided(best, mv)
            }
            (Some((best, mv)), None, _) => Work::decided(
                best,
                second.map_or(Value::SELF_MATE, |(value, _)| value),
                mv,
            ),
            (None, ..) if draws => Work::OPEN,
            (None, _, []) => {
                let (best, mv) = first.unwrap_or((Value::SELF_MATE, 0));
                Work::decided(
                    best,
                    second.map_or(Value::SELF_MATE, |(value, _)| value),
                    mv,
                )
            }
            (None, _, [only]) => {
                Work::second_decided(first.map_or(Value::SELF_MATE, |(value, _)| value), *only)
            }
            (None, ..) => Work::OPEN,
        };
        self.store_first(self.index(slot), work);
    }
}
