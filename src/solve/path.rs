//! A shortest sequence of legal moves from one state to another: bidirectional
//! breadth-first search.
//!
//! A position can be reached in states that differ in the forbidden move. Two of them
//! suffice: the first, and the first in which a different move (or none) is forbidden,
//! because every move is possible in one of the two. The backward search likewise keeps
//! the move that leads to the goal soonest, and the soonest different one, because no
//! state forbids both.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use thiserror::Error;

use crate::base::progress::Progress;
use crate::base::text::plural;
use crate::game::{Next, Retrograde};

/// An error of [`shortest_path`].
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathError {
    /// No path of any length exists.
    #[error("no sequence of legal moves leads to that state")]
    Impossible,
    /// No path is short enough.
    #[error("no sequence of at most {} leads to that state; allow more with --max-plies", plural(u64::from(*.0), "ply"))]
    TooLong(u16),
    /// The search reached too many positions: the plies searched completely, and the positions.
    #[error(
        "no sequence of at most {0} plies leads to that state, and the search reached its limit of memory after {1} positions; choose states closer to each other"
    )]
    TooLarge(u16, usize),
    /// The work was cancelled.
    #[error("stopped on request")]
    Cancelled,
}

/// A move, or one that is forbidden. Two are equal if they are forbidden together.
#[derive(Debug, Clone, Copy)]
struct Step<M> {
    mv: M,
    /// The move that names all those that are forbidden together.
    name: M,
}

impl<M: PartialEq> PartialEq for Step<M> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Up to two ways to a position, or from it to the goal, each with its plies and the move
/// in which they differ: the move forbidden on arrival, or the move to play next.
#[derive(Debug, Clone, Copy)]
struct Ways<M> {
    first: (u16, Option<M>),
    second: Option<(u16, Option<M>)>,
}

impl<M: Copy + PartialEq> Ways<M> {
    const fn first(plies: u16, way: Option<M>) -> Self {
        let second = None;
        let first = (plies, way);
        Self { first, second }
    }

    /// The first way of exactly `plies` plies whose move satisfies `suits`.
    fn find(&self, plies: u16, suits: impl Fn(Option<M>) -> bool) -> Option<(u16, Option<M>)> {
        let mut ways = std::iter::once(self.first).chain(self.second);
        ways.find(|&(length, way)| length == plies && suits(way))
    }
}

/// One of the two searches: the positions reached, and the ways of the last level.
struct Side<S, M> {
    met: HashMap<S, Ways<M>>,
    level: Vec<(S, Option<M>)>,
    plies: u16,
}

impl<S: Clone + Eq + Hash, M: Copy + PartialEq> Side<S, M> {
    fn of(position: S, way: Option<M>) -> Self {
        Self {
            met: HashMap::from([(position.clone(), Ways::first(0, way))]),
            level: vec![(position, way)],
            plies: 0,
        }
    }

    /// Adds a way to the level of the ply under way.
    fn meet(&mut self, position: S, way: Option<M>) {
        let plies = self.plies;
        match self.met.entry(position.clone()) {
            Entry::Vacant(vacant) => _ = vacant.insert(Ways::first(plies, way)),
            Entry::Occupied(mut known) => {
                let ways = known.get_mut();
                // A way with nothing forbidden allows every move; others add nothing.
                if ways.second.is_some() || ways.first.1.is_none() || ways.first.1 == way {
                    return;
                }
                ways.second = Some((plies, way));
            }
        }
        self.level.push((position, way));
    }
}

fn forbidden<G: Retrograde>(game: &G, state: &G::State) -> Option<Step<G::Move>> {
    game.forbidden(state).map(|mv| Step { mv, name: mv })
}

struct Search<'g, G: Retrograde> {
    game: &'g G,
    goal: G::State,
    /// The move that must be forbidden at the goal, if any.
    wanted: Option<Step<G::Move>>,
    forward: Side<G::State, Step<G::Move>>,
    backward: Side<G::State, Step<G::Move>>,
}

/// Finds a shortest sequence of legal moves from `from` to `to`, empty if they are the
/// same state.
///
/// If no move is forbidden in `to`, any state of its position with the same side to move
/// counts as reached. The sequence has at most `most_plies` plies; the search holds about
/// `most_positions` positions in memory.
///
/// # Errors
/// If there is no such sequence within these limits, or the work is cancelled.
pub fn shortest_path<G: Retrograde>(
    game: &G,
    from: &G::State,
    to: &G::State,
    most_plies: u16,
    most_positions: usize,
    progress: &dyn Progress,
) -> Result<Vec<G::Move>, PathError> {
    let (start, goal) = (game.unrestricted(from), game.unrestricted(to));
    if from == to || *to == goal && start == goal {
        return Ok(Vec::new());
    }
    let wanted = forbidden(game, to);
    let mut search = Search {
        game,
        forward: Side::of(start, forbidden(game, from)),
        backward: Side::of(goal.clone(), None),
        goal,
        wanted,
    };
    if wanted.is_some() {
        // Otherwise the goal is reached with no move to play. A path may pass through the
        // position of a goal with a forbidden move.
        search.backward.met.clear();
    }
    loop {
        let plies = search.forward.plies + search.backward.plies;
        if let Some(path) = search.path() {
            return Ok(path);
        }
        if plies >= most_plies {
            return Err(PathError::TooLong(most_plies));
        }
        let (ahead, behind) = (search.forward.level.len(), search.backward.level.len());
        if ahead == 0 || behind == 0 {
            return Err(PathError::Impossible);
        }
        let forward = search.backward.plies > 0 && ahead <= behind;
        search.step(forward, most_positions, progress)?;
    }
}

impl<G: Retrograde> Search<'_, G> {
    fn named(&self, position: &G::State, mv: G::Move) -> Step<G::Move> {
        let name = self.game.named_ban(position, mv);
        Step { mv, name }
    }

    fn positions(&self) -> usize {
        self.forward.met.len() + self.backward.met.len()
    }

    /// Extends the forward or the backward search by a ply.
    fn step(
        &mut self,
        forward: bool,
        most: usize,
        progress: &dyn Progress,
    ) -> Result<(), PathError> {
        let done = self.forward.plies + self.backward.plies;
        let (side, name) = if forward {
            (&mut self.forward, "forward")
        } else {
            (&mut self.backward, "backward")
        };
        side.plies += 1;
        let level = std::mem::take(&mut side.level);
        progress.begin(&format!("{} plies {name}", side.plies), level.len() as u64);
        for (position, way) in level {
            if forward {
                self.forward_from(&position, way);
            } else {
                self.backward_from(&position, way);
            }
            progress.go_on(PathError::Cancelled)?;
            if self.positions() > most {
                return Err(PathError::TooLarge(done, self.positions()));
            }
            progress.advance(1);
        }
        Ok(())
    }

    fn forward_from(&mut self, position: &G::State, forbidden: Option<Step<G::Move>>) {
        for mv in self.game.moves(position) {
            if forbidden.is_some() && Some(self.named(position, mv)) == forbidden {
                continue;
            }
            if let Next::State(after) = self.game.play(position, mv) {
                let way = self::forbidden(self.game, &after);
                self.forward.meet(self.game.unrestricted(&after), way);
            }
        }
    }

    fn backward_from(&mut self, position: &G::State, way: Option<Step<G::Move>>) {
        for (before, mv) in self.game.predecessors(position) {
            let Next::State(after) = self.game.play(&before, mv) else {
                continue;
            };
            let forbidden = self::forbidden(self.game, &after);
            let leads = match way {
                Some(way) => forbidden != Some(way),
                None => self.wanted.is_none() || forbidden == self.wanted,
            };
            if leads {
                let step = self.named(&before, mv);
                self.backward.meet(before, Some(step));
            }
        }
    }

    /// A complete path, if the last levels meet.
    fn path(&self) -> Option<Vec<G::Move>> {
        let (forward, backward) = (&self.forward, &self.backward);
        let (position, forbidden, mv) = if forward.level.len() <= backward.level.len() {
            forward.level.iter().find_map(|(position, forbidden)| {
                let ways = backward.met.get(position)?;
                let (_, mv) = ways.find(backward.plies, |mv| mv.is_none() || mv != *forbidden)?;
                Some((position, *forbidden, mv))
            })?
        } else {
            backward.level.iter().find_map(|(position, mv)| {
                let ways = forward.met.get(position)?;
                let suits = |forbidden: Option<Step<G::Move>>| mv.is_none() || forbidden != *mv;
                let (_, forbidden) = ways.find(forward.plies, suits)?;
                Some((position, forbidden, *mv))
            })?
        };
        // Without a move to play, the position must be an unrestricted goal.
        if mv.is_none() && (self.wanted.is_some() || *position != self.goal) {
            return None;
        }
        let mut path = self.trace_back(position, forbidden)?;
        path.extend(self.trace_on(position, mv)?);
        Some(path)
    }

    /// The moves from the start to a state of the last forward level.
    fn trace_back(
        &self,
        position: &G::State,
        forbidden: Option<Step<G::Move>>,
    ) -> Option<Vec<G::Move>> {
        let (mut position, mut forbidden) = (position.clone(), forbidden);
        let mut path = Vec::new();
        for plies in (0..self.forward.plies).rev() {
            let (before, mv, way) =
                self.game
                    .predecessors(&position)
                    .into_iter()
                    .find_map(|(before, mv)| {
                        let after = match self.game.play(&before, mv) {
                            Next::State(after) => self::forbidden(self.game, &after),
                            Next::Over(_) => return None,
                        };
                        let ways = self.forward.met.get(&before)?;
                        let step = Some(self.named(&before, mv));
                        let (_, way) = ways.find(plies, |way| way != step)?;
                        (after == forbidden).then_some((before, mv, way))
                    })?;
            path.push(mv);
            (position, forbidden) = (before, way);
        }
        path.reverse();
        Some(path)
    }

    /// The moves from a state of the last backward level to the goal, given the first one.
    fn trace_on(&self, position: &G::State, first: Option<Step<G::Move>>) -> Option<Vec<G::Move>> {
        let (mut position, mut next) = (position.clone(), first);
        let mut path = Vec::new();
        for plies in (0..self.backward.plies).rev() {
            let mv = next?.mv;
            let Next::State(after) = self.game.play(&position, mv) else {
                return None;
            };
            path.push(mv);
            position = self.game.unrestricted(&after);
            if plies > 0 {
                let forbidden = self::forbidden(self.game, &after);
                let ways = self.backward.met.get(&position)?;
                (_, next) = ways.find(plies, |mv| mv.is_some() && mv != forbidden)?;
            }
        }
        (position == self.goal).then_some(path)
    }
}
