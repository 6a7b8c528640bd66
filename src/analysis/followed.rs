//! A line that somebody gives, held against the values of all moves.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::analysis::rated::{Analysis, Rated};
use crate::base::value::{Outcome, Value};
use crate::game::{Moves, Next, Oracle};

/// Another move that keeps the outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OtherMove {
    /// The move, as people read it.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side that makes it.
    #[serde(flatten)]
    pub value: Value,
    /// Whether it wins, but comes into a position of the line within eight plies, whichever of the
    /// defences that hold out longest is chosen, so that it gains nothing.
    pub leads_back: bool,
}

/// A ply of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FollowedPly {
    /// The side to move.
    pub side: String,
    /// The move that is played, as people read it.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value for the side that makes it.
    #[serde(flatten)]
    pub played: Value,
    /// The value of the best move for that side.
    #[serde(skip)]
    pub best: Value,
    /// All other moves with the outcome of the best one, best first.
    pub others: Vec<OtherMove>,
}

/// The plies in which a move may lead back.
const BACK: u8 = 8;

const MOST_STATES: usize = 20_000;

/// Values a line of moves, each legal in its state.
///
/// # Errors
/// If a state cannot be valued.
pub fn follow<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    steps: &[(G::State, G::Move)],
) -> Result<Vec<FollowedPly>, O::Error> {
    let mut back = Back {
        game,
        oracle,
        line: steps.iter().map(|(state, _)| state).collect(),
        failed: HashMap::new(),
    };
    let mut plies = Vec::with_capacity(steps.len());
    for (state, mv) in steps {
        let analysis = Analysis::new(game, oracle, state)?;
        let outcome = analysis.value().outcome();
        let mut ply = FollowedPly {
            side: game.side_to_move(state).to_owned(),
            mv: game.spell_move(state, *mv),
            played: analysis.value(),
            best: analysis.value(),
            others: Vec::new(),
        };
        for rated in analysis.rated {
            if rated.mv == *mv {
                ply.played = rated.value;
            } else if rated.value.outcome() == outcome {
                ply.others.push(OtherMove {
                    mv: game.spell_move(state, rated.mv),
                    value: rated.value,
                    leads_back: rated.value.outcome() == Outcome::Win
                        && back.leads(state, rated, BACK)?,
                });
            }
        }
        plies.push(ply);
    }
    Ok(plies)
}

/// Whether moves lead back into a line.
struct Back<'a, G: Moves, O> {
    game: &'a G,
    oracle: &'a O,
    line: HashSet<&'a G::State>,
    /// States that do not lead back, and the plies that were looked ahead.
    failed: HashMap<G::State, u8>,
}

impl<G: Moves, O: Oracle<G>> Back<'_, G, O> {
    /// Whether a move leads there within some plies: with the best defences all, and the best attacks
    /// one. Not if too many states would have to be looked at.
    fn leads(
        &mut self,
        state: &G::State,
        rated: Rated<G::Move>,
        plies: u8,
    ) -> Result<bool, O::Error> {
        let Next::State(next) = self.game.play(state, rated.mv) else {
            return Ok(false);
        };
        if self.line.contains(&next) {
            return Ok(true);
        }
        let known = self.failed.get(&next);
        let known = known.is_some_and(|&looked| looked >= plies);
        if known || plies <= 1 || self.failed.len() >= MOST_STATES {
            return Ok(false);
        }
        let attacks = rated.value.outcome() == Outcome::Loss;
        let analysis = Analysis::new(self.game, self.oracle, &next)?;
        let best = analysis.value();
        let mut leads = !attacks;
        for &rated in analysis.rated.iter().filter(|it| it.value == best) {
            if self.leads(&next, rated, plies - 1)? == attacks {
                leads = attacks;
                break;
            }
        }
        if !leads {
            self.failed.insert(next, plies);
        }
        Ok(leads)
    }
}
