//! The events of a solution, piece by piece, from which themes are recognized.

use std::collections::{HashMap, HashSet};

use crate::analysis::rated::{Analysis, Step, value_of_pass};
use crate::analysis::solution::{Solution, Tree};
use crate::base::value::Outcome;
use crate::game::{MoveEffect, Moves, Next, Oracle, Playable, Retrograde, Symmetric};

/// A thing on the board. Pieces of each side are numbered in the position to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Thing {
    /// A piece of the solver.
    Own(u8),
    /// A piece of the defender.
    Opponent(u8),
    /// A thing of neither side, like Ostle's hole.
    Neutral,
}

/// A ply of the main line.
#[derive(Debug, Clone)]
pub struct Ply {
    /// Whether the solver moves, not the defender.
    pub solver: bool,
    /// The thing that moves.
    pub thing: Thing,
    /// The effect of the move.
    pub effect: MoveEffect,
    /// The other things that change squares and stay on the board.
    pub pushed: Vec<Thing>,
    /// The thing that leaves the board.
    pub removed: Option<Thing>,
    /// The names of the kinds of the move.
    pub kinds: Vec<&'static str>,
    /// Whether the move wins only because the reply that takes it back is forbidden.
    pub by_ban: bool,
}

/// The events of a solution.
#[derive(Debug, Clone)]
pub struct Story {
    /// The outcome for the solver.
    pub outcome: Outcome,
    /// The main line.
    pub plies: Vec<Ply>,
    /// The numbers of pieces of the solver and of the defender in the position to solve.
    pub material: (usize, usize),
    /// The number of symmetries of the position to solve, including the identity.
    pub symmetries: u32,
    /// Whether the defender would do better after the key if it could pass.
    pub zugzwang: bool,
    /// The tempting kinds that have moves in the position to solve, but none among the
    /// best.
    pub refused: Vec<&'static str>,
    /// Whether two variations end with positions that are images of each other.
    pub echo: bool,
    /// Whether the solver would win sooner if the defender were to move first, and its only best
    /// answer to one of the longest defences is then neither that after the key nor the key.
    pub changed: bool,
}

impl Story {
    pub(crate) fn own(&self) -> impl Iterator<Item = &Ply> {
        self.plies.iter().filter(|ply| ply.solver)
    }

    /// The first move.
    pub fn key(&self) -> Option<&Ply> {
        self.plies.first()
    }

    pub(crate) fn key_is(&self, kind: &str) -> bool {
        self.key().is_some_and(|key| key.kinds.contains(&kind))
    }

    /// Follows a solution.
    ///
    /// # Errors
    /// If a state cannot be valued.
    pub fn new<G, O>(game: &G, oracle: &O, solution: &Solution<G>) -> Result<Self, O::Error>
    where
        G: Playable + Symmetric + Retrograde,
        O: Oracle<G>,
    {
        let mut at: HashMap<u8, Thing> = HashMap::new();
        let (mut own, mut opponent) = (0, 0);
        for thing in game.standing(&solution.state) {
            let (count, piece) = match game.side_of(&solution.state, &thing) {
                Some(true) => (&mut own, Thing::Own as fn(u8) -> Thing),
                Some(false) => (&mut opponent, Thing::Opponent as fn(u8) -> Thing),
                None => continue,
            };
            at.insert(game.square(thing.cell), piece(*count));
            *count += 1;
        }
        let named = |set: u32| {
            let all = game.kinds().iter().enumerate();
            let some = all.filter(move |(bit, _)| set >> bit & 1 == 1);
            some.map(|(_, kind)| kind)
        };
        let mut plies = Vec::new();
        let mut zugzwang = false;
        for (number, Step { state, mv, .. }) in solution.steps.iter().enumerate() {
            let effect = game.move_effect(state, *mv);
            let next = game.play(state, *mv);
            let by_ban = match &next {
                Next::State(next) => {
                    let free = oracle.value(game, &game.unrestricted(next))?;
                    free.outcome() != oracle.value(game, next)?.outcome()
                }
                Next::Over(_) => false,
            };
            if let (0, Next::State(next)) = (number, &next)
                && let Some(passed) = value_of_pass(game, oracle, next)?
            {
                zugzwang = passed.outcome() > oracle.value(game, next)?.outcome();
            }
            let kinds = named(game.kinds_of(state, *mv)).map(|kind| kind.name);
            plies.push(Ply {
                kinds: kinds.collect(),
                by_ban,
                ..follow(&mut at, number % 2 == 0, effect)
            });
        }
        let kinds_among = |moves: &[G::Move]| {
            let kinds = moves.iter().map(|&mv| game.kinds_of(&solution.state, mv));
            kinds.fold(0, |set, kinds| set | kinds)
        };
        let left = kinds_among(&game.moves(&solution.state)) & !kinds_among(&solution.keys);
        let refused = named(left).filter(|kind| kind.tempting);
        Ok(Self {
            outcome: solution.value.outcome(),
            plies,
            material: (own.into(), opponent.into()),
            symmetries: game.symmetries_kept(&solution.state),
            zugzwang,
            refused: refused.map(|kind| kind.name).collect(),
            echo: echo(game, &solution.state, &solution.tree),
            changed: is_changed(game, oracle, solution)?,
        })
    }
}

/// What a move does to the things on the board, but for what its game says of it.
fn follow(at: &mut HashMap<u8, Thing>, solver: bool, effect: MoveEffect) -> Ply {
    let thing = at.get(&effect.from).copied().unwrap_or(Thing::Neutral);
    let removed = effect.removed.and_then(|leaving| at.remove(&leaving.from));
    let mut moved = Vec::new();
    for &(from, to) in &effect.moved {
        if let Some(thing) = at.remove(&from) {
            moved.push((thing, to));
        }
    }
    at.extend(moved.iter().map(|&(thing, to)| (to, thing)));
    let pushed = moved.iter().map(|&(thing, _)| thing);
    Ply {
        solver,
        thing,
        effect,
        pushed: pushed.filter(|&pushed| pushed != thing).collect(),
        removed,
        kinds: Vec::new(),
        by_ban: false,
    }
}

fn is_changed<G: Moves, O: Oracle<G>>(
    game: &G,
    oracle: &O,
    solution: &Solution<G>,
) -> Result<bool, O::Error> {
    let (Some(set), [key]) = (&solution.set_play, &solution.keys[..]) else {
        return Ok(false);
    };
    let is_sooner = solution.value.outcome() == Outcome::Win
        && set.value.outcome() == Outcome::Loss
        && set.value.plies() < solution.value.plies();
    let (Next::State(after), true) = (game.play(&solution.state, *key), is_sooner) else {
        return Ok(false);
    };
    let answer = |state: &G::State, defence: G::Move| {
        let Next::State(next) = game.play(state, defence) else {
            return Ok(None);
        };
        let analysis = Analysis::new(game, oracle, &next)?;
        let mut best = analysis.best();
        let only = best.next();
        Ok(only.filter(|_| best.next().is_none()))
    };
    let defences = Analysis::new(game, oracle, &after)?;
    let in_both = game.moves(&set.state);
    for defence in defences.best().filter(|defence| in_both.contains(defence)) {
        if let Some(before) = answer(&set.state, defence)?
            && let Some(now) = answer(&after, defence)?
            && before != now
            && before != *key
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether two variations of a tree end in positions that are images of each other.
fn echo<G: Playable + Symmetric + Retrograde>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Move>,
) -> bool {
    let mut ends: HashMap<G::State, G::State> = HashMap::new();
    let mut seen = HashSet::new();
    let mut waiting = vec![(0, state.clone())];
    while let Some((node, state)) = waiting.pop() {
        let Some(attack) = tree.nodes.get(node).filter(|_| seen.insert(node)) else {
            continue;
        };
        if attack.replies.is_empty() {
            // The position in which the last move is made, whatever is forbidden there.
            let state = game.unrestricted(&state);
            let other = ends.insert(game.canonical(&state), state.clone());
            if other.is_some_and(|other| other != state) {
                return true;
            }
            continue;
        }
        if let Next::State(defence) = game.play(&state, attack.mv) {
            for reply in &attack.replies {
                if let (Some(then), Next::State(next)) = (reply.then, game.play(&defence, reply.mv))
                {
                    waiting.push((then, next));
                }
            }
        }
    }
    false
}
