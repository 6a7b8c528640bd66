//! The turns of a solver as plain data, for people who play on a page.

use std::collections::HashMap;

use crate::analysis::{Analysis, Step};
use crate::base::value::{Outcome, Value};
use crate::book::{Act, Choice, OnBoard, Play, Then, Turn, Worth};
use crate::game::{Next, Oracle, Playable, Standing};

/// Turns of the solver in the tree of a problem at most, besides those of the main
/// line. Beyond it the tree is cut, breadth first, and the page says so.
const MOST_TURNS: usize = 96;

/// All moves of the solver wherever he keeps to the shortest win (or the longest
/// defence), with the best reply to each. The main line must begin at `state`.
pub(super) fn grow<G: Playable, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    line: &[Step<G::State, G::Move>],
) -> Result<Play, O::Error> {
    let mut tree = Tree {
        known: HashMap::new(),
        states: Vec::new(),
    };
    tree.place(state, usize::MAX);
    for step in line.iter().step_by(2) {
        tree.place(&step.state, usize::MAX);
    }
    let most = MOST_TURNS.max(tree.states.len());
    let mut turns = Vec::new();
    while let Some(state) = tree.states.get(turns.len()).cloned() {
        let analysis = Analysis::new(game, oracle, &state)?;
        let best = analysis.value();
        let mut choices = Vec::new();
        for rated in analysis.rated() {
            let (reply, next) = answer(game, oracle, &state, rated.mv)?;
            let goes_on = rated.value == best && best.outcome() != Outcome::Draw;
            let then = match next {
                Some(next) if goes_on => tree.place(&next, most),
                _ => Then::Over,
            };
            choices.push(Choice {
                act: act(game, &state, rated.mv),
                worth: worth(rated.value),
                // Whoever holds a draw has solved it, whatever comes.
                reply: reply.filter(|_| goes_on || rated.value != best),
                then,
            });
        }
        turns.push(Turn {
            board: board(game, &state),
            choices,
            banned: game.forbidden(&state).map(|mv| pointed(game, &state, mv)),
        });
    }
    let line = line.iter().map(|step| act(game, &step.state, step.mv));
    Ok(Play {
        turns,
        line: line.collect(),
    })
}

struct Tree<S> {
    known: HashMap<S, usize>,
    states: Vec<S>,
}

impl<S: Clone + Eq + std::hash::Hash> Tree<S> {
    fn place(&mut self, state: &S, most: usize) -> Then {
        if let Some(&place) = self.known.get(state) {
            return Then::Turn(place);
        }
        if self.states.len() >= most {
            return Then::Cut;
        }
        self.known.insert(state.clone(), self.states.len());
        self.states.push(state.clone());
        Then::Turn(self.states.len() - 1)
    }
}

/// A reply, and the position after it.
type Answer<S> = (Option<Act>, Option<S>);

/// The best reply to a move, and the position after it, if the game goes on.
fn answer<G: Playable, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    mv: G::Move,
) -> Result<Answer<G::State>, O::Error> {
    let Next::State(defence) = game.play(state, mv) else {
        return Ok((None, None));
    };
    let Some(reply) = Analysis::new(game, oracle, &defence)?.key() else {
        return Ok((None, None));
    };
    let next = match game.play(&defence, reply) {
        Next::State(next) => Some(next),
        Next::Over(_) => None,
    };
    Ok((Some(act(game, &defence, reply)), next))
}

fn worth(value: Value) -> Worth {
    match (value.outcome(), value.plies()) {
        (Outcome::Win, Some(plies)) => Worth::Wins(plies),
        (Outcome::Loss, Some(plies)) => Worth::Loses(plies),
        _ => Worth::Draws,
    }
}

fn pointed<G: Playable>(game: &G, state: &G::State, mv: G::Move) -> Act {
    let (from, to) = game.aim(state, mv);
    Act {
        name: game.format_move(mv),
        from,
        to,
        slides: Vec::new(),
        lost: None,
        appears: Vec::new(),
    }
}

fn act<G: Playable>(game: &G, state: &G::State, mv: G::Move) -> Act {
    let slides = game.slides(state, mv);
    Act {
        slides: slides.iter().map(|slide| (slide.from, slide.to)).collect(),
        lost: slides.iter().position(|slide| slide.lost),
        appears: game
            .appearing(state, mv)
            .into_iter()
            .map(on_board)
            .collect(),
        ..pointed(game, state, mv)
    }
}

fn on_board(thing: Standing) -> OnBoard {
    OnBoard {
        cell: thing.cell,
        glyph: thing.glyph,
        words: thing.words.to_owned(),
    }
}

fn board<G: Playable>(game: &G, state: &G::State) -> Vec<OnBoard> {
    let things = game.standing(state).into_iter();
    things.map(on_board).collect()
}
