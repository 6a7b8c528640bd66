//! Finds that come too late in the order of their filter to be kept, told before all of their
//! columns are computed.

use super::{Plan, value};
use crate::base::value::{Outcome, Value};
use crate::game::FeatureValue;
use crate::mine::MineError;
use crate::mine::columns::{Catalogue, Tier, play};
use crate::mine::frame::{Entrant, Frame};
use crate::mine::kept::Kept;
use crate::mine::minable::Minable;
use crate::mine::predicate::Predicate;
use crate::mine::source::Source;

/// When it is decided whether a filter admits a state.
pub(super) struct Decided {
    /// After which step.
    always: usize,
    /// After which step of an unrestricted state with an only best move whose main line is free
    /// of duals.
    without_duals: usize,
    /// Whether it matters that the main line is.
    asks_duals: bool,
}

impl Decided {
    pub fn new(predicate: &Predicate, catalogue: &Catalogue) -> Self {
        Self {
            always: predicate.last_step(),
            without_duals: predicate.last_step_without_duals(catalogue),
            asks_duals: predicate.refuses_duals(catalogue),
        }
    }
}

/// A sorting key, as far as it is known.
enum SortingKey<'f> {
    /// Of a column that was computed.
    Computed(&'f [FeatureValue]),
    /// The number of winning moves, of which the record tells something.
    Winning { descending: bool },
}

impl<G: Minable> Plan<'_, G> {
    /// Counts the finds of which the columns up to a step tell that they come too late to be kept,
    /// and computes no more of them for their filters.
    pub(super) fn settle(
        &self,
        source: &impl Source<G>,
        step: usize,
        frame: &mut Frame<G::State>,
        found: &mut [Kept<G::State>],
    ) -> Result<(), MineError> {
        let mut settled = false;
        let filters = self.predicates.iter().zip(&self.decided).zip(found);
        for (bit, ((predicate, decided), found)) in filters.enumerate() {
            if !found.is_full() || decided.without_duals > step {
                continue;
            }
            let sorting = self.known_keys(predicate.order(), step, frame);
            let mut late = Vec::new();
            let mut keys = Vec::with_capacity(sorting.len());
            for (place, state) in frame.states().iter().enumerate() {
                if state.alive >> bit & 1 == 0 {
                    continue;
                }
                keys.clear();
                known_prefix(&sorting, place, state, &mut keys);
                if !found.is_late(&keys, predicate) {
                    continue;
                }
                if decided.always <= step
                    || has_only_move(state)
                        && (!decided.asks_duals || source.is_dual_free(state.slot)? == Some(true))
                {
                    late.push(place);
                }
            }
            found.matched += late.len() as u64;
            settled |= !late.is_empty();
            for place in late {
                frame.refuse(place, bit);
            }
        }
        if settled {
            frame.sweep();
        }
        Ok(())
    }

    /// The first sorting keys of an order, as far as they are known after a step.
    fn known_keys<'f>(
        &self,
        order: impl Iterator<Item = (usize, bool)>,
        step: usize,
        frame: &'f Frame<G::State>,
    ) -> Vec<SortingKey<'f>> {
        let winning = self.catalogue.of_tier(Tier::Play).start + play::WINNING;
        let known = order.map_while(|(column, descending)| {
            if self.catalogue.step_of(column) <= step {
                Some(SortingKey::Computed(self.values(frame, column)))
            } else {
                (column == winning).then_some(SortingKey::Winning { descending })
            }
        });
        known.collect()
    }
}

/// The first sorting keys of a state, as far as they are known. The last one may stand for
/// anything that comes after it.
fn known_prefix<S>(
    sorting: &[SortingKey<'_>],
    place: usize,
    state: &Entrant<S>,
    keys: &mut Vec<FeatureValue>,
) {
    for key in sorting {
        match key {
            SortingKey::Computed(column) => keys.push(value(column, place)),
            SortingKey::Winning { descending } => match winning_moves(state) {
                Some((count, true)) => keys.push(FeatureValue::count(count)),
                Some((least, false)) if !descending => {
                    keys.push(FeatureValue::count(least));
                    return;
                }
                _ => return,
            },
        }
    }
}

/// Whether a state is unrestricted and has an only best move.
const fn has_only_move<S>(state: &Entrant<S>) -> bool {
    state.forbidden.is_none() && state.stored.only_move().is_some()
}

/// The least number of moves of a state that win, and whether there are no more, if the record
/// tells.
fn winning_moves<S>(state: &Entrant<S>) -> Option<(usize, bool)> {
    let record = state.stored;
    if state.forbidden.is_some() {
        return None;
    }
    let wins = |value: Value| value.outcome() == Outcome::Win;
    match (wins(record.best()), record.only_move()) {
        (false, _) => Some((0, true)),
        (true, None) => None,
        (true, Some(_)) if wins(record.second()) => Some((2, false)),
        (true, Some(_)) => Some((1, true)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::value::Record;

    fn state(best: Value, second: Value, only: u8) -> Entrant<()> {
        Entrant {
            slot: 0,
            state: (),
            forbidden: None,
            stored: Record::new(best, second, only),
            alive: 1,
        }
    }

    fn win() -> Value {
        Value::SELF_MATE.through_move().unwrap()
    }

    fn later_win() -> Value {
        win().through_move().unwrap().through_move().unwrap()
    }

    #[test]
    fn a_record_tells_how_many_moves_win_at_least() {
        let loss = Value::SELF_MATE;
        let later = later_win();
        assert_eq!(winning_moves(&state(win(), loss, 3)), Some((1, true)));
        assert_eq!(
            winning_moves(&state(win(), Value::DRAW, 3)),
            Some((1, true))
        );
        assert_eq!(winning_moves(&state(win(), later, 3)), Some((2, false)));
        assert_eq!(winning_moves(&state(win(), win(), Record::NO_MOVE)), None);
        assert_eq!(winning_moves(&state(Value::DRAW, loss, 3)), Some((0, true)));
        assert_eq!(
            winning_moves(&state(loss, loss, Record::NO_MOVE)),
            Some((0, true))
        );
        let mut restricted = state(win(), loss, 3);
        restricted.forbidden = Some(3);
        assert_eq!(winning_moves(&restricted), None);
    }

    #[test]
    fn a_bound_is_the_last_key_and_none_in_descending_order() {
        let known = [FeatureValue::count(7)];
        let keys = |descending, second| {
            let sorting = [
                SortingKey::Winning { descending },
                SortingKey::Computed(&known),
            ];
            let mut keys = Vec::new();
            known_prefix(&sorting, 0, &state(win(), second, 3), &mut keys);
            keys
        };
        let [one, two, seven] = [1, 2, 7].map(FeatureValue::count);
        assert_eq!(keys(false, Value::DRAW), [one, seven]);
        assert_eq!(keys(true, Value::DRAW), [one, seven]);
        assert_eq!(keys(false, later_win()), [two]);
        assert_eq!(keys(true, later_win()), []);
    }
}
