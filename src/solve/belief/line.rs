//! Lines as somebody sees them who sees everything.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::tree::LineStep;
use crate::game::{Answer, Happened, Hidden, Reply};

/// A state that agrees with what was heard, and the place of the one before it.
struct Reached<S> {
    state: S,
    before: usize,
}

/// A line of a solution from a state with everything seen: of all replies that agree with
/// what is heard and with what follows, the first in the game's order. `None` if none agrees,
/// or the line does not reach the goal.
pub fn seen<G: Hidden>(
    game: &G,
    start: &G::State,
    line: &[LineStep<G::Move, G::Clue>],
) -> Option<Vec<Happened<G::Move, G::State>>> {
    let start = Reached {
        state: start.clone(),
        before: 0,
    };
    let mut layers = vec![vec![start]];
    let mut steps = line.iter();
    let mut tries = Vec::new();
    while let Some(step) = steps.next() {
        let here = layers.last_mut()?;
        match *step {
            LineStep::Foul(mv) => {
                here.retain(|reached| game.answer(&reached.state, mv) == Answer::Foul);
                tries.push(Happened::Foul(mv));
            }
            LineStep::Stands(mv, announced) => {
                let stands = Answer::Stands(announced);
                here.retain(|reached| game.answer(&reached.state, mv) == stands);
                tries.push(Happened::Stands(mv, None));
                match steps.next() {
                    Some(LineStep::Reply(heard)) => {
                        let next = replied(game, here, mv, *heard);
                        layers.push(next);
                    }
                    _ => here.retain(|reached| game.wins(&reached.state, mv)),
                }
            }
            LineStep::Reply(_) => return None,
        }
    }
    // Back from the first state at the end.
    let mut states = Vec::new();
    let mut place = 0;
    for layer in layers.iter().rev() {
        let reached = layer.get(place)?;
        states.push(reached.state.clone());
        place = reached.before;
    }
    // The last is where the line began.
    states.pop();
    for step in &mut tries {
        if let Happened::Stands(_, after) = step {
            *after = states.pop();
        }
    }
    Some(tries)
}

/// The states after the replies to a try of which this is heard, each once.
fn replied<G: Hidden>(
    game: &G,
    before: &[Reached<G::State>],
    mv: G::Move,
    heard: G::Clue,
) -> Vec<Reached<G::State>> {
    let mut known = HashSet::new();
    let mut next = Vec::new();
    for (place, reached) in before.iter().enumerate() {
        game.replies(&reached.state, mv, |reply| {
            if let Reply::To(clue, state) = reply
                && clue == heard
                && known.insert(game.key(&state))
            {
                next.push(Reached {
                    state,
                    before: place,
                });
            }
            ControlFlow::Continue(())
        });
    }
    next
}
