//! Records of a dense table, one at a time.

use std::sync::Arc;

use super::block::{Wanted, decode_leaf};
use super::leaf::{Leaf, is_forbidden};
use super::{Dense, order};
use crate::base::value::{Outcome, Record, Value, Wide};
use crate::game::{ByRows, MoveSummary, Placed, Repetition, RowVisitor, Slot};
use crate::solve::{Ordinal, TOO_LONG, ValueOrder};
use crate::table::verify::top::Top;
use crate::table::{Table, TableError};

/// What is asked about a slot.
#[derive(Debug, Clone, Copy)]
pub(super) enum Question {
    /// Its record.
    Record(u64),
    /// The value of a state.
    Value(Slot),
}

/// What is found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    Record(Record),
    Value(Value),
}

/// A question about a dense table.
pub(super) struct Asked<'t> {
    pub table: &'t Table,
    pub dense: &'t Dense,
    pub question: Question,
}

impl RowVisitor for Asked<'_> {
    type Output = Result<Answer, TableError>;

    fn visit<G: ByRows>(self, game: &G) -> Self::Output {
        let probe = Probe {
            table: self.table,
            dense: self.dense,
            game,
            order: order(),
        };
        match self.question {
            Question::Record(slot) => probe.record(slot).map(Answer::Record),
            Question::Value(slot) => probe.value(slot).map(Answer::Value),
        }
    }
}

/// How far the values of moves are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Moves to positions that are won are left out: they are worse than all others.
    Stored,
    /// All moves.
    All,
}

struct Probe<'t, G> {
    table: &'t Table,
    dense: &'t Dense,
    game: &'t G,
    order: &'static ValueOrder<Wide>,
}

impl<G: ByRows> Probe<'_, G> {
    fn record(&self, slot: u64) -> Result<Record, TableError> {
        match self.leaf(slot, Wanted::Leaf)? {
            Leaf::Vacant => return Ok(Record::VACANT),
            Leaf::Mate => return Ok(Record::new(Value::CHECKMATE, Value::CHECKMATE, 0)),
            Leaf::Open { .. } => {}
        }
        let top = self.top(slot, Depth::Stored)?;
        let top = match top.ordinals() {
            [_, second] if second >= self.draw() => top,
            _ => self.top(slot, Depth::All)?,
        };
        let record = top.record(self.order);
        record.ok_or_else(|| self.contradiction(slot))
    }

    fn value(&self, state: Slot) -> Result<Value, TableError> {
        let slot = state.index;
        let leaf = self.leaf(slot, Wanted::Leaf)?;
        let Some(forbidden) = state.forbidden else {
            return Ok(match leaf {
                Leaf::Vacant => Value::VACANT,
                Leaf::Mate => Value::CHECKMATE,
                Leaf::Open {
                    best: Some(best), ..
                } => best,
                Leaf::Open { best: None, .. } => self.value_of(self.won(slot)?.0, slot)?,
            });
        };
        match leaf {
            Leaf::Open {
                bound: Some(bound), ..
            } if bound.only == forbidden => return Ok(bound.second),
            Leaf::Open { best, bound }
                if bound.is_some() || is_forbidden(self.game, slot, forbidden) =>
            {
                // Without a bound on this move, it is not the only one, or the second wins too.
                if let Some(best) = best {
                    return Ok(best);
                }
                let (best, top) = self.won(slot)?;
                let [_, second] = top.ordinals();
                let forbids = bound.is_none() && top.only() == forbidden;
                return self.value_of(if forbids { second } else { best }, slot);
            }
            Leaf::Vacant | Leaf::Mate | Leaf::Open { .. } => {}
        }
        Ok(self.record(slot)?.without(Some(forbidden)))
    }

    /// What is stored of a slot.
    fn leaf(&self, slot: u64, wanted: Wanted) -> Result<Leaf, TableError> {
        let (table, game) = (self.table, self.game);
        let (number, at, _) = table.find(slot)?;
        let leaf = self.dense.leaves.get((slot, wanted), || {
            let layers = &table.description().layers;
            let layer = layers.partition_point(|layer| layer.end <= slot);
            let (block, slots) = (table.stored(number)?, table.slots_of(number));
            let model = &self.dense.models[layer];
            decode_leaf(game, layer, model, block, slots, at, wanted)
                .map(Arc::new)
                .ok_or_else(|| table.undecodable(number))
        })?;
        Ok(*leaf)
    }

    /// The best two moves of a position that is not won at once.
    fn top(&self, slot: u64, depth: Depth) -> Result<Top, TableError> {
        let contradiction = || self.contradiction(slot);
        let game = self.game;
        let cursor = game.cursor(slot).ok_or_else(contradiction)?;
        let mut top = Top::NONE;
        let mut earlier = Vec::new();
        game.summarize_moves(cursor, |found| match found {
            MoveSummary::Over(Outcome::Win) => top.free(self.order.ordinal(Value::CHECKMATE)),
            MoveSummary::Over(Outcome::Draw) => top.free(self.order.ordinal(Value::DRAW)),
            MoveSummary::Over(Outcome::Loss) => top.free(self.order.ordinal(Value::SELF_MATE)),
            MoveSummary::Earlier(child) => earlier.push(game.place(child).slot),
            MoveSummary::Within { .. } | MoveSummary::IntoCheckmate(_) => {}
        });
        for child in earlier {
            let best = match self.leaf(child, Wanted::Best)? {
                Leaf::Vacant => return Err(contradiction()),
                Leaf::Mate => Some(Value::CHECKMATE),
                Leaf::Open {
                    best: Some(best), ..
                } => Some(best),
                Leaf::Open { best: None, .. } if depth == Depth::All => {
                    Some(self.value_of(self.won(child)?.0, child)?)
                }
                Leaf::Open { best: None, .. } => None,
            };
            if let Some(best) = best {
                top.free(self.through(best, slot)?);
            }
        }
        let mut within: Vec<(u8, bool, Placed)> = Vec::new();
        game.edges_with_undo(cursor, |number, child, has_undo| {
            within.push((number, has_undo, game.place(child)));
        });
        for (number, has_undo, child) in within {
            if let Some(value) = self.after(slot, child, has_undo, depth)? {
                top.bound(self.through(value, slot)?, number);
            }
        }
        Ok(top)
    }

    /// The value of the state after a move within the group from the position of `slot`;
    /// `None` if it is won and not to be derived.
    fn after(
        &self,
        slot: u64,
        child: Placed,
        has_undo: bool,
        depth: Depth,
    ) -> Result<Option<Value>, TableError> {
        let game = self.game;
        let takes_back = |only: u8| {
            (has_undo && child.number == only)
                || (game.repetition() == Repetition::UpToSymmetry
                    && game
                        .cursor(child.slot)
                        .is_some_and(|cursor| game.follow(cursor, only) == slot))
        };
        let may_take_back = has_undo || game.repetition() == Repetition::UpToSymmetry;
        let wanted = if may_take_back {
            Wanted::Leaf
        } else {
            Wanted::Best
        };
        match self.leaf(child.slot, wanted)? {
            Leaf::Vacant => Err(self.contradiction(child.slot)),
            Leaf::Mate => Ok(Some(Value::CHECKMATE)),
            Leaf::Open {
                bound: Some(bound), ..
            } if takes_back(bound.only) => Ok(Some(bound.second)),
            Leaf::Open {
                best: Some(best), ..
            } => Ok(Some(best)),
            Leaf::Open { best: None, .. } if depth == Depth::Stored => Ok(None),
            Leaf::Open { best: None, bound } => {
                let (best, top) = self.won(child.slot)?;
                let [_, second] = top.ordinals();
                let second_counts = bound.is_none() && second >= self.draw() && second < best;
                let value = if second_counts && takes_back(top.only()) {
                    second
                } else {
                    best
                };
                self.value_of(value, child.slot).map(Some)
            }
        }
    }

    /// The best value of a position that is won, and its best two moves among those to
    /// positions that are not.
    fn won(&self, slot: u64) -> Result<(Ordinal, Top), TableError> {
        let top = self.top(slot, Depth::Stored)?;
        let [best, _] = top.ordinals();
        if best <= self.draw() {
            return Err(self.contradiction(slot));
        }
        Ok((best, top))
    }

    fn draw(&self) -> Ordinal {
        self.order.ordinal(Value::DRAW)
    }

    /// The ordinal of a move from the position of `slot` to a state of this value.
    fn through(&self, value: Value, slot: u64) -> Result<Ordinal, TableError> {
        let ordinal = self.order.through_move(value.code());
        let fits = ordinal != TOO_LONG;
        fits.then_some(ordinal)
            .ok_or_else(|| self.contradiction(slot))
    }

    fn value_of(&self, ordinal: Ordinal, slot: u64) -> Result<Value, TableError> {
        let value = self.order.value(ordinal);
        value.ok_or_else(|| self.contradiction(slot))
    }

    /// The error if what is stored of a slot does not follow from other positions.
    fn contradiction(&self, slot: u64) -> TableError {
        TableError::Invalid {
            path: self.table.path().to_owned(),
            what: format!("what it says of slot {slot} does not follow from other positions"),
        }
    }
}
