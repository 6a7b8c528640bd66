//! The turns of a solver as plain data, for people who play on a page.

use std::collections::HashMap;

use crate::analysis::lures::Lures;
use crate::analysis::{Analysis, Looker, Step, TextPly};
use crate::base::value::{Outcome, Value};
use crate::book::{Act, Choice, OnBoard, Play, Reached, Then, Turn, VariationPly, Worth};
use crate::game::{Game, Next, Oracle, Retrograde, Standing, TableGame};

/// Turns of the solver in the tree of a problem at most, besides those of the main
/// line. Beyond it the tree is cut, breadth first, and the page says so.
const MOST_TURNS: usize = 96;

/// All moves of the solver wherever he keeps to the shortest win (or the longest
/// defence), with the best reply to each. The main line must begin at `state`.
pub(super) fn grow<G: TableGame, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    state: &G::State,
    line: &[Step<G::State, G::Move>],
) -> Result<Play, O::Error> {
    grown(game, state, line, |state, tree| {
        let analysis = Analysis::new(game, oracle, state)?;
        let best = analysis.value();
        let mut choices = Vec::new();
        for rated in analysis.rated() {
            let (reply, next) = answer(game, oracle, state, rated.mv)?;
            let goes_on = rated.value == best && best.outcome() != Outcome::Draw;
            let then = match next {
                Some(next) if goes_on => tree.place(&next),
                _ => Then::Over,
            };
            choices.push(Choice {
                act: act(game, state, rated.mv),
                worth: worth(rated.value),
                // Whoever holds a draw has solved it, whatever comes.
                reply: reply.filter(|_| goes_on || rated.value != best),
                then,
            });
        }
        Ok(choices)
    })
}

/// All moves of the solver wherever he keeps to the swindle that forces a mistake soonest, with
/// the reply of the player who looks ahead that holds out longest. Worths count plies to the
/// mistake.
pub(super) fn grow_swindle<G: TableGame, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    lures: &Lures,
    state: &G::State,
    line: &[Step<G::State, G::Move>],
) -> Result<Play, O::Error> {
    let mut looker = Looker::new(game);
    grown(game, state, line, |state, tree| {
        let lured = lures.against().moves(game, oracle, state)?;
        let soonest = lured.first().and_then(|(_, lure)| lure.forced);
        let mut choices = Vec::new();
        for rated in Analysis::new(game, oracle, state)?.rated() {
            let lure = lured.iter().find(|(mv, _)| *mv == rated.mv);
            let forced = lure.and_then(|(_, lure)| lure.forced);
            let mut choice = Choice {
                act: act(game, state, rated.mv),
                worth: forced.map_or(worth(rated.value), |moves| {
                    Worth::Wins(2 * u16::from(moves))
                }),
                reply: None,
                then: Then::Over,
            };
            match game.play(state, rated.mv) {
                Next::State(next) if lure.is_some() => {
                    let longest = longest_reply(game, oracle, lures, &mut looker, &next)?;
                    if let Some((left, reply, again)) = longest {
                        choice.reply = Some(act(game, &next, reply));
                        if let Some(again) = again
                            && left > 0
                            && forced == soonest
                        {
                            choice.then = tree.place(&again);
                        }
                    }
                }
                Next::State(_) => choice.reply = answer(game, oracle, state, rated.mv)?.0,
                Next::Over(_) => {}
            }
            choices.push(choice);
        }
        Ok(choices)
    })
}

/// The turns of the main line and of all that its choices lead to, breadth first. `choices` says
/// what may be chosen in a state, and places what follows in the tree.
fn grown<G: TableGame, E>(
    game: &G,
    state: &G::State,
    line: &[Step<G::State, G::Move>],
    mut choices: impl FnMut(&G::State, &mut Tree<G::State>) -> Result<Vec<Choice>, E>,
) -> Result<Play, E> {
    let mut tree = Tree {
        known: HashMap::new(),
        states: Vec::new(),
        most: usize::MAX,
    };
    tree.place(state);
    for step in line.iter().step_by(2) {
        tree.place(&step.state);
    }
    tree.most = MOST_TURNS.max(tree.states.len());
    let mut turns = Vec::new();
    while let Some(state) = tree.states.get(turns.len()).cloned() {
        turns.push(turn(game, &state, choices(&state, &mut tree)?));
    }
    let line = line.iter().map(|step| act(game, &step.state, step.mv));
    Ok(Play {
        turns,
        line: line.collect(),
        ..Play::default()
    })
}

/// The plies that the words of a solution name, which begin in a state.
pub(super) fn variations<G: TableGame>(
    game: &G,
    state: &G::State,
    plies: &[TextPly<G::Move>],
) -> Vec<VariationPly> {
    let mut reached: Vec<Next<G::State>> = Vec::new();
    let mut told = Vec::new();
    for ply in plies {
        let before = match ply.after.map(|after| &reached[after]) {
            None => state.clone(),
            Some(Next::State(before)) => before.clone(),
            // Nothing follows the end of a game.
            Some(Next::Over(_)) => break,
        };
        let next = game.play(&before, ply.mv);
        told.push(VariationPly {
            after: ply.after,
            act: act(game, &before, ply.mv),
            reached: match &next {
                Next::Over(_) => Reached::End,
                Next::State(next) => Reached::Position(banned(game, next)),
            },
        });
        reached.push(next);
    }
    told
}

/// The move that the rules forbid in a state.
fn banned<G: TableGame>(game: &G, state: &G::State) -> Option<Act> {
    game.forbidden(state).map(|mv| pointed(game, state, mv))
}

fn turn<G: TableGame>(game: &G, state: &G::State, choices: Vec<Choice>) -> Turn {
    Turn {
        board: board(game, state),
        choices,
        banned: banned(game, state),
    }
}

/// A reply of a player who looks ahead: the plies to a mistake after it, 0 if it is one, and the
/// state after it.
type LikedReply<G> = (u16, <G as Game>::Move, Option<<G as Game>::State>);

/// The reply that holds out longest; one that never goes wrong is best.
fn longest_reply<G: Retrograde, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    lures: &Lures,
    looker: &mut Looker<'_, G>,
    state: &G::State,
) -> Result<Option<LikedReply<G>>, O::Error> {
    let mut longest: Option<LikedReply<G>> = None;
    for reply in looker.liked(state, lures.depth()) {
        let again = match game.play(state, reply) {
            Next::State(again) => Some(again),
            Next::Over(_) => None,
        };
        let left = match &again {
            Some(again) if oracle.value(game, again)?.outcome() == Outcome::Draw => {
                let plies = lures.forced_plies(game.slot(again));
                plies.unwrap_or(u16::MAX)
            }
            _ => 0,
        };
        if longest.as_ref().is_none_or(|(most, ..)| left > *most) {
            longest = Some((left, reply, again));
        }
    }
    Ok(longest)
}

/// The play of a line alone: what other moves are worth is not known, so that none is offered.
pub(super) fn follow<G: TableGame>(
    game: &G,
    state: &G::State,
    line: &[(G::State, G::Move)],
) -> Play {
    Play {
        turns: vec![turn(game, state, Vec::new())],
        line: line
            .iter()
            .map(|(state, mv)| act(game, state, *mv))
            .collect(),
        ..Play::default()
    }
}

struct Tree<S> {
    known: HashMap<S, usize>,
    states: Vec<S>,
    /// How many states there may be.
    most: usize,
}

impl<S: Clone + Eq + std::hash::Hash> Tree<S> {
    fn place(&mut self, state: &S) -> Then {
        if let Some(&place) = self.known.get(state) {
            return Then::Turn(place);
        }
        if self.states.len() >= self.most {
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
fn answer<G: TableGame, O: Oracle<G>>(
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

fn pointed<G: TableGame>(game: &G, state: &G::State, mv: G::Move) -> Act {
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

fn act<G: TableGame>(game: &G, state: &G::State, mv: G::Move) -> Act {
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

fn board<G: TableGame>(game: &G, state: &G::State) -> Vec<OnBoard> {
    let things = game.standing(state).into_iter();
    things.map(on_board).collect()
}
