//! Values in which mates by checks stand out.

use crate::base::value::{Outcome, Value};
use crate::game::{Moves, Oracle};

/// The values of an oracle, but a loss of the defender that is no mate by checks counts as if
/// it took two plies more. So the shortest wins of the attacker are the mates, as long as these
/// are no longer than others.
pub(super) struct MateValues<'a, O> {
    pub oracle: &'a O,
    /// The name of the side that attacks.
    pub attacker: &'static str,
    /// The plies of a game after the mating move.
    pub after: u16,
}

impl<O> MateValues<'_, O> {
    fn seen<G: Moves>(&self, game: &G, state: &G::State, value: Value) -> Value {
        if value.outcome() != Outcome::Loss || game.side_to_move(state) == self.attacker {
            return value;
        }
        let plies = value.plies().unwrap_or(0);
        let left = plies.checked_sub(self.after);
        if left.is_some_and(|left| game.is_mated(state, left)) {
            return value;
        }
        Value::decided(Outcome::Loss, plies.saturating_add(2)).unwrap_or(value)
    }
}

impl<G: Moves, O: Oracle<G>> Oracle<G> for MateValues<'_, O> {
    type Error = O::Error;

    fn value(&self, game: &G, state: &G::State) -> Result<Value, O::Error> {
        Ok(self.seen(game, state, self.oracle.value(game, state)?))
    }

    fn values(&self, game: &G, states: &[G::State]) -> Result<Vec<Value>, O::Error> {
        let values = self.oracle.values(game, states)?.into_iter();
        let seen = values
            .zip(states)
            .map(|(value, state)| self.seen(game, state, value));
        Ok(seen.collect())
    }

    fn contradiction(&self, game: &G, state: &G::State) -> O::Error {
        self.oracle.contradiction(game, state)
    }
}
